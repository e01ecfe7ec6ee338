// Package inbox is the pane of memories that wait for the user's approval: each with the
// reason, the words it came from and the memory that it would replace. A decision names the
// version that was shown, so that it never applies to something else.
//
//	list ──e──> form ──ctrl+s──> accepted as it was written
//	list ──A──> question
//
//	inbox.go    the Model: what it asks for, and how it is told the answers
//	update.go   keys, their hints, the form and the question
//	menu.go     what can be done to a row
//	view.go     entries as rows
//	effects.go  the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package inbox
