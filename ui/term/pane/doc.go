// Package pane declares what the root of the terminal and its panes know of each other.
//
//	pane.go     Pane, as the root drives it, and Host, as a pane sees the root
//	tabs.go     the panes, and the tabs of which they are views
//	effects.go  Effects: commands that read or change the memory, and their results
//	editor.go   the user's editor
//	short.go    errors in one sentence
//
// # A pane
//
// Each pane has a package of its own. Its Model holds the state that is drawn (view.go of the
// package) and answers a key with an Action (update.go; menu.go for what a row offers). Its
// Pane (effects.go) embeds the Model and runs the actions:
//
//	key ──> root ──> Pane.Update ──> Model.Key ──> Action ──> Pane.do ──> tea.Cmd
//	                                                                         │
//	Model <── Callback, run by root.Update <── Result <── the memory  <──────┘
//
// [Then] joins the two halves: a function that runs in the command and may wait, and one that
// runs in Update with its result and may change the Model. Update does no I/O and reads no
// clock.
//
// # Results
//
// A [Result] belongs to the screen that asked, and carries the time of its end. After
// switching to another agent, the results of the old screen are dropped. Reads for display
// are numbered ([Effects.Look]): one that was overtaken is dropped. Changes of the
// conversation run in the order of the keys ([Effects.InOrder]).
package pane
