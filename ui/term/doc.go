// Package term is memoria in a terminal: the conversation on the left, the
// memory on the right, the input below.
//
// # One model
//
// The root model is the only one. Its parts are plain structs that hold what is
// seen and never a service:
//
//	transcript   the conversation as it is read
//	composer     the input
//	recall       panel: what would be recalled, was learned, is remembered
//	sent         panel: what went to the model (called Context on screen)
//	working      panel: what the session is about
//	sessions     panel: all sessions, and what is found in them
//	health       panel: how the memory is doing
//	archive      panel: every message, by words, time and bookmark
//	agents       panel: whom one can talk to
//	settings     panel: every setting, its help and where it comes from
//	status       the first and the last line
//	quote        found messages, cut around their words
//	help, palette, field, layout, keys, theme, cells, markdown
//
// A part answers upward with a value ("delete this"), and the root makes an
// effect of it. Every effect is a method of effects: a function over copied
// values that returns a command (effects.go, effects_memory.go for what the panel
// reads and changes, effects_world.go for servers, clipboard and editor). Update does no I/O and reads no clock; time
// comes with messages, and a tick comes only while something on the screen
// counts.
//
// # The panel
//
// panel.go knows the parts only as a table of functions ([root.panelParts] fills
// it): a new part is one more row, with what it asks for and who does that.
//
// # Agents
//
// Each agent has a screen of its own (agents.go): going to another one saves the
// draft, lets package app leave the conversation, and a new root takes the place of
// the old one, whose effects end. What these still come to carries the root that it
// was asked for ([ours]) and is dropped. While an answer arrives or a message waits
// nobody goes. Changing the group that is talked to, or who is in it, opens its
// conversation anew in the same way.
//
// # Commands
//
// commands.go holds everything that can be asked for by its name, for the palette
// and for the line that begins with a slash; package actions has the names.
//
// # The way of an event
//
// The conversation's events arrive in order on one channel. One command waits
// for one event and is armed again when that has been handled (events.go). A gap
// in the numbers reloads the session. What changes the conversation is done in the
// order of the keys ([effects.inOrder]). Results of effects may arrive in any order;
// those that can be overtaken carry what they are about, and of what is read to be
// shown the one asked for last stays ([effects.look]).
//
// # The way of a key
//
// keyboard.go: a mode that holds text or asks a question, then an open dialog,
// then the part that has the focus, then what works everywhere. In the input
// letters are letters.
//
// Typing never destroys anything (careful.go). Commands that only show something leave
// the keyboard in the input ([root.showPart]). A letter that changes something at once
// asks first; no key that types a character answers yes, nor does enter. A letter that
// means nothing where the keyboard is goes to the input. Forms are saved by ctrl+s.
//
// # Branches
//
// branch.go: another answer, stepping through answers and edited messages, editing a
// message, undoing the last turn, forks, exports. The conversation shown is the branch
// that its session is in; when that changes it is read again. A message that a search
// leads to may lie in another branch, which is then gone to.
//
// # What is kept
//
// A message counts as sent once it is on disk; until then it stands under the
// conversation as being sent, and comes back into the input when that fails. The
// draft is written at most half a second after a change and on every way out.
//
// # Sources
//
// Under an answer stand what was looked up for it, or the memories that went with
// its message (sources.go); they are read again whenever the memory changed, so
// that nothing stays on the screen that was deleted.
//
// # Groups
//
// group.go: every answer of a group's turn is a turn of its own here, with the member
// behind the turn's id; effects take the two apart and read what lies under the
// member's id. What members learned is told by name and is in no list. Groups are made,
// changed and deleted in the part about agents, and made by /group.
//
// # Limits
//
// Under 60×15 cells there is a notice, under 100 columns the panel takes the
// conversation's place. Everything that others wrote passes ui/clean in the part
// that shows it. A panic anywhere gives the terminal back.
package term
