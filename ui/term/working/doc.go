// Package working is the pane of working memory (W1): the present topic of the session and
// its variables, and until when they are kept. The user may correct both.
//
//	list ──e──> form, ──a──> form for a new variable     letters are text
//	list ──d──> question
//
// Of a session that has ended it shows the kept state (W4), which returns when the session
// is resumed and cannot be changed before.
//
//	working.go  the Model: what it asks for, and how it is told the answers
//	update.go   keys and their hints
//	menu.go     what can be done to a row
//	form.go     forms for the topic and for variables
//	view.go     the state as rows
//	effects.go  the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package working
