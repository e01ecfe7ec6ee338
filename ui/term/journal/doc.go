// Package journal is the pane of the journal: memory as files (J1–J7). It shows pending and
// failed writes, the files as a tree of months and days, a file, and the results of a search
// in all files.
//
// # Modes
//
//	list ──enter──> a file, rendered ──enter──> the message of a line, in its session
//	list ──/──> field ──enter──> results ──enter──> the file     esc returns
//	list, file ──e──> the user's own editor
//	list ──r──> pending messages are written now
//
//	journal.go  the Model: what it asks for, and how it is told the answers
//	update.go   keys and their hints
//	menu.go     what can be done to a row
//	view.go     the tree, a file and results as rows
//	effects.go  the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package journal
