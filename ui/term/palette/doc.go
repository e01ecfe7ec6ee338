// Package palette is the list that opens over the conversation to choose from by
// typing words: commands, each with its key, or models.
//
//	palette.go  the list
package palette
