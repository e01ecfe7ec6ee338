// Package palette is the list of commands that opens over the conversation: a
// filter and the commands that match it, each with the key that does the same.
package palette
