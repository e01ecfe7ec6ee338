// Package archive implements the pane of the archive. It lists every message, newest first, or the
// results of a search, best first. A search has words and a time ("pottery last week",
// 上周三的陶艺); the pane shows the interpreted time. The user can read a message in its
// session, bookmark or delete it, and list its lessons: the memories learned from it (A4, A5,
// D3).
//
// # Modes
//
//	list ──/──> field ──enter──> results       esc returns
//	list ──l──> lessons of the message         esc returns
//	list ──d──> del or ctrl+x ──> undo notice
//
// The search field stays editable during a search. Every change starts a new search, and
// stale results are dropped.
//
//	archive.go  the Model, its actions, and the methods that take their results
//	update.go   keys and their hints
//	menu.go     what can be done to a row
//	view.go     messages and memories as rows
//	effects.go  the Pane: it performs the actions
//
// The Model holds view state only. It requests an effect by returning an [Action] and takes
// the result in another method.
package archive
