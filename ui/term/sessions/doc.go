// Package sessions is the pane of the sessions: all of them, the last used first, and the
// results of a search in their words. A session can be read, resumed, renamed, exported and
// deleted here.
//
// # Reading and resuming
//
// Enter opens a session for reading, which changes nothing. A message sent while it is open
// resumes it (S9a).
//
// # Modes
//
//	list ──/──> search ──enter──> results      esc returns
//	list, results ──r──> rename                letters are text
//	list, results ──d──> del or ctrl+x ──> undo notice
//
// The field stays free during a search: every change is a new question, and late answers
// are dropped.
//
//	sessions.go  the Model: what it asks for, and how it is told the answers
//	search.go    the search and its results
//	keys.go      keys and their hints
//	rows.go      sessions and messages as rows
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package sessions
