// Package cells lays out text that is clean already (see ui/clean) in terminal
// cells: exact widths, left and right halves of a line, blocks of an exact
// height. Its functions understand styled strings, wide characters and clusters,
// so that borders stay straight after any text.
//
//	cells.go  all of them
package cells
