// Package editor lets the user's own editor change a text. The text lies meanwhile
// in a folder of its own beside the memory, for its owner alone, so that what an
// editor puts next to it (backups, swap files) goes with it.
package editor
