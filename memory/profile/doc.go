// Package profile implements the rules of the profile: one short Markdown document per
// agent about the user, written by the user and from items (W5). It is pure: it
// computes the new profile from the old one and the changes.
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
//	and whatever else the user writes, as it is
//
// Only the three headings are interpreted; everything else is a line. [Parse] and
// [Markdown] are inverse, except for repeated blank lines.
//
// # Ownership
//
// A line follows one item ([Follow]), or it is the user's. A derived line has the
// item's id and no words; readers look the words up, so a deleted item disappears from
// all versions. Lines that the user writes or changes are the user's ([Edit]) and are
// never changed by the program. A line that the user removed does not return from the
// same item.
//
// # Room
//
// The document stays under [MaxTokens]. Derived lines are hidden, least important
// first, and return when there is room ([Fit]). The user's own text is never shortened:
// if it is too long, it is refused with [TooLongError].
//
// All functions are safe for concurrent use.
package profile
