// Package sessions implements the pane of sessions. It lists all sessions, most recently used
// first, or the results of a search in their messages. The user can read, resume, rename,
// export and delete a session here.
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
// The search field stays editable during a search. Every change starts a new search, and
// stale results are dropped.
//
//	sessions.go  the Model, its actions, and the methods that take their results
//	search.go    the search and its results
//	update.go    keys and their hints
//	menu.go      what can be done to a row
//	effects.go   the Pane: it performs the actions
//	view.go      sessions and messages as rows
//
// The Model holds view state only. It requests an effect by returning an [Action] and takes
// the result in another method.
package sessions
