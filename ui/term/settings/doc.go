// Package settings is the pane of the settings: every one of them with its value, its origin,
// its bounds and its help.
//
//	list ──enter──> field, or choices
//	list ──o──> everything about one
//	list ──/──> filter                   letters are text
//
// The setting under the cursor shows its help in the list. Nothing typed is lost by a
// refusal: the field stays open and shows the reason.
//
//	settings.go  the Model: what it asks for, and how it is told the answers
//	update.go    keys and their hints
//	menu.go      what can be done to a row
//	edit.go      changing a setting
//	view.go      settings as rows, and the detail of one
//	effects.go   the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; Show, Done and Failed
// take the results.
package settings
