// Package pane declares what the root of the terminal and its panes know of each other.
//
//	pane.go     Pane, as the root drives it, and Host, as a pane sees the root
//	effects.go  Effects runs what reads or changes the memory, and returns messages
//	editor.go   the user's editor
//
// # A pane
//
// Each pane has a package of its own. Its Model holds what is shown, and answers a key with
// an Action. Its Pane (effects.go of the package) embeds the Model, runs the actions and
// takes their results:
//
//	key ──> root ──> Pane.Update ──> Model.Key ──> Action ──> Pane.do ──> tea.Cmd
//	                                                                        │
//	root <── Result <── Effects.Do, Look or InOrder <── the memory  <───────┘
//	  └────> Pane.Update: the first pane that knows the message handles it
//
// Update does no I/O and reads no clock. Message types are unexported, so that a pane
// receives only its own.
//
// # Results
//
// A [Result] belongs to the screen that asked. After switching to another agent, the results
// of the old screen are dropped. Reads for display are numbered ([Effects.Look]): one that
// was overtaken is dropped too. Changes of the conversation run in the order of the keys
// ([Effects.InOrder]).
package pane
