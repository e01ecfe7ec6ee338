// Package profile keeps the rules of the profile: one short Markdown document an
// agent about the user, written by the user and by what is remembered (W5). It is
// pure: it sees a profile and what happened, and answers with the profile after it.
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
// The three headings are the only form that is read; everything else is a line.
// [Parse] and [Markdown] are each other's inverse, but for blank lines beyond one.
//
// # Whose line it is
//
// A line follows one item ([Follow]), or it is the user's. A line that follows an
// item holds the item's id and no words of its own: whoever reads it looks the
// words up, so a deleted item is in no version any more. What the user wrote or
// changed is his ([Edit]), and nobody but he changes it. A line that he took out
// does not come back from the same item.
//
// # Room
//
// The document stays under [MaxTokens]. Lines that follow items give way, the
// least important first, and come back when there is room ([Fit]). The user's own
// text is never shortened: too much of it is refused with [TooLongError].
//
// Everything here is safe for concurrent use.
package profile
