// Package composer is the input of the terminal program: a text area that grows
// with its text, remembers which parts were pasted, and keeps the history of
// what was sent beside the draft.
//
// # Shown and sent text
//
// A paste that is long, or that holds characters a reader would not see, is shown as one line
// in brackets and is sent whole; so the input stays fast and safe. Tabs, which the text area shows as spaces, are also sent as
// they came. [Model.Text] gives the text to send, with a span over each pasted
// part: what was pasted is trusted less than what was typed.
//
// An edit inside a pasted part keeps the whole part pasted. An edit across its
// border widens it. Nothing that was pasted ever counts as typed.
//
// # The cursor
//
// The terminal's own cursor is in the text ([Model.Cursor]); input methods open their window
// there. No cursor is drawn.
//
//	composer.go  the input and its history
//	paste.go     pasted parts
//	cut.go       what was deleted up to an end of the line, and can be put back
package composer
