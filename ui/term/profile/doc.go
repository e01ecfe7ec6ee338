// Package profile is the pane of the profile (W5): the page about the user as it goes to the
// model, by sections, with the origin of each line; and its versions with their differences.
//
//	list ──e──> form        the whole page; letters are text
//	list ──h──> versions ──u──> list
//	list, form ──ctrl+g──> the user's editor
//
//	profile.go  the Model: what it asks for, and how it is told the answers
//	update.go   keys and their hints
//	menu.go     what can be done to a row
//	form.go     the form of the page
//	view.go     lines and versions as rows
//	effects.go  the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package profile
