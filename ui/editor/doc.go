// Package editor opens a text in the user's own editor. The text is stored meanwhile in a
// folder of its own in the data folder, readable only by its owner. Files that the editor
// adds (backups, swap files) are removed with that folder.
package editor
