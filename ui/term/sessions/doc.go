// Package sessions is the panel's part about sessions: all of them, the last
// used first, and what a search in the words of all of them finds. A session can
// be read, gone on with, renamed and deleted from here.
//
// # Reading and resuming
//
// Enter opens a session to be read; nothing changes by that. Sending a message
// while it is open resumes it (S9a). The part only asks to open it.
//
// # Modes
//
//	list ──/──> search ──enter──> what was found      esc leads back
//	list, found ──r──> rename                         letters are letters here
//	list, found ──d──> m, a or n ──> the line that takes it back
//
// While a search runs the field stays free: every change is a new question, and
// an answer to an older one is dropped.
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by the other methods.
package sessions
