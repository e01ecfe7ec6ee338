// Package journal is the panel's part about the journal: memory as files (J1–J7). It shows
// what waits to be written and what failed, the files as a tree of months and days, what is
// in one, and what a question finds in all of them.
//
// # Modes
//
//	list ──enter──> a file, rendered ──enter──> the message that a line is of, in its session
//	list ──/──> the field ──enter──> what was found ──enter──> the file     esc leads back
//	list, file ──e──> the user's own editor
//	list ──r──> what waits is written now
//
//	journal.go  what the part holds, and how it is told of files, hits and failures
//	keys.go     what the keys do in each mode
//	rows.go     the tree, a file and what was found as rows
//	view.go     the part's lines
//
// The part holds view state only. What it wants done it answers as an [Action]; what became
// of it is told by the other methods.
package journal
