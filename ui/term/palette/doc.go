// Package palette is the list that opens over the conversation to choose from by
// typing words: commands, each with its key, or models.
//
//	palette.go  the list
//	commands.go  the groups of the commands, other words that find them, and settings
//	match.go    which commands a filter matches, and their order
package palette
