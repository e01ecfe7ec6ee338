// Package recall has the two views of memories, with all actions on one: those that the typed
// text would recall and why, or those that the answer shown used, with those learned from the
// last turn; and the list of all.
//
// # One model
//
// Both views are panes of the same kind over a [Model] each, which shows one section. A
// model has one list under one cursor, so that everything visible can be opened at once.
// During typing what is recalled follows the text; without a text it is what the answer used.
// A memory in it has a bar of the parts of its score, best first; the numbers, the whole
// sentence and the reasons come with a key or under the cursor. Its filter opens the list of
// all, which is headed by days; rows are drawn when they are visible, since there may be many
// thousands.
//
// # Modes
//
//	list ──enter──> detail ──e──> form        esc returns
//	detail ──enter──> the chosen action       at first where it was said
//	list ──/──> filter                        letters are text
//	list ──c──> calendar ──enter──> list of a day ──esc──> list
//	detail ──i──> everything about it, with ids and values
//	list, detail ──d──> question ──del──> list with the undo notice
//	list, on a lesson ──u──> undone ──U──> question ──ctrl+y──> its turn undone
//	detail ──h──> a cursor in the history ──u──> the chosen change undone
//	detail ──o──> source                      the message that it came from
//
//	recall.go        the Model: what it asks for, and how it is told the answers
//	update.go        keys and their hints
//	menu.go          what can be done to the open memory
//	view.go          all memories, by day, as rows
//	preview_rows.go  the preview of the typed text; a memory with its bar
//	used.go          what the answer used
//	kinds.go         the column of types and states
//	life.go          the calendar
//	lessons.go       what was learned from a turn or by a consolidation
//	story.go         the opened item as a story
//	detail.go        everything about it, its history and its source
//	form.go          the form of a memory
//	undo.go          undoing a change, a turn or a consolidation
//	effects.go       the Pane: it performs the actions
//
// The pane holds view state only. It asks for effects with an [Action]; its other methods
// take the results.
package recall
