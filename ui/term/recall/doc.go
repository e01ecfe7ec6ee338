// Package recall has the two views of memories, with all actions on one: what the typed text
// would recall and why, with what was learned from the last turn; and the list of all.
//
// # One model
//
// Both views are panes of the same kind over a [Model] each, which shows one section. A
// model has one list under one cursor, so that everything visible can be opened at once.
// During typing what is recalled follows the text. Its filter opens the list of all.
//
// # Modes
//
//	list ──enter──> detail ──e──> form        esc returns
//	list ──/──> filter                        letters are text
//	list, detail ──d──> question ──del──> list with the undo notice
//	list, on a lesson ──u──> undone ──U──> question ──ctrl+y──> its turn undone
//	detail ──h──> a cursor in the history ──u──> the chosen change undone
//	detail ──o──> source                      the message that it came from
//
//	recall.go        the Model: what it asks for, and how it is told the answers
//	keys.go          keys and their hints
//	rows.go          all memories as rows
//	preview_rows.go  the preview of the typed text
//	lessons.go       what was learned from a turn or by a consolidation
//	detail.go        the opened item, its history and its source
//	form.go          the form of a memory
//	undo.go          undoing a change, a turn or a consolidation
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package recall
