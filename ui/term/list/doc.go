// Package list is what the parts of the side panel have in common: a list of rows
// with a cursor, notes that wrap, hints of keys, and small figures in words.
//
//	list.go     rows of several lines, the cursor among them, what of them is visible
//	removed.go  what was deleted and can be taken back
//	words.go    notes, hints, ages, plurals
//
// A part keeps its own modes and questions. Texts from outside are cleaned here
// before they are wrapped (see ui/clean); rows are clean already. Nothing here is
// safe for concurrent use: the screen is one goroutine.
package list
