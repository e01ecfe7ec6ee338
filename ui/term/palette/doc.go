// Package palette is the list that opens over the conversation to choose from, by
// typing words of it: commands, each with the key that does the same, or models.
package palette
