// Package profile implements the rules of the profile: one short Markdown document per
// agent about the user. The user writes it, and the program adds lines derived from items
// (W5). The package is pure: it computes the new profile from the old one and the changes.
//
// # The document
//
//	what the user wrote above the first heading
//
//	## Reply style
//
//	- 回答要简短
//
//	## Language habits
//
//	- Speaks Japanese.
//
//	## Background
//
//	- Lives in Lyon.
//	and other text of the user, unchanged
//
// Only the three headings are interpreted; everything else is a line. [Parse] and
// [Markdown] are inverse, except for repeated blank lines.
//
// # Ownership
//
// A line is derived from one item and follows its changes ([Follow]), or it is the user's.
// A derived line is stored with the item's id and without text. Readers look the text up,
// so a deleted item disappears from all versions. Lines that the user writes or changes
// are the user's ([Edit]), and the program never changes them. After the user removed a
// line, its item does not get one again.
//
// # Size
//
// The document stays under [MaxTokens]. If it would be longer, derived lines are hidden,
// least important first, and shown again when they fit ([Fit]). The user's own text is
// never shortened: if it is too long, it is refused with [TooLongError].
//
// All functions are safe for concurrent use.
package profile
