// Package working is the panel's part about working memory (W1): what the
// session in the conversation is about right now, and until when that is kept.
// The user may correct topic and variables.
//
// # Modes
//
//	list ──e──> form, ──a──> form for a new variable     letters are letters here
//	list ──d──> confirm
//
// Of a session that has ended it shows what was kept (W4), which comes back when
// the session is resumed and cannot be changed before.
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by the other methods.
package working
