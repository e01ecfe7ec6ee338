// Package recall is the panel's part about memories: what the typed text would
// recall and why, what was learned from the last turn, and the list of all
// memories, with everything a person may do to one.
//
// # One list
//
// The three are sections of one list under one cursor, so that whatever is seen
// can be opened at once. While the user types, the first section follows the
// text; without a text it is not there.
//
// # Modes
//
//	list ──enter──> detail ──e──> form        esc leads back
//	list ──/──> filter                        letters are letters here
//	list, detail ──d──> confirm ──del──> list with the line that takes it back
//	list, on what was learned ──u──> undone ──U──> asking ──ctrl+y──> its turn undone
//	detail ──h──> past: a cursor on the history ──u──> the chosen change undone
//	detail ──o──> source                      the words that it came from
//
// The part holds view state only. What it wants done it answers as an [Action];
// what became of it is told by the Set and Show methods.
package recall
