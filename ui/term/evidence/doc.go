// Package evidence is the pane of a turn's evidence: why the archive was searched or that it was
// not (A2), the messages that were cited from it by their numbers (A3), and what was found and
// left out. It shows the turn that the package view shows, which tells it with a [sent.Shown].
//
//	evidence.go  the Model: what it shows and what it asks for
//	update.go    keys and their hints
//	menu.go      what can be done to a row
//	view.go      the turn as rows
//	effects.go   the Pane: it performs the actions
package evidence
