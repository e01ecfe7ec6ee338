// Package tomlfile changes single settings of a TOML file that a person wrote, and
// leaves everything else in it as it is: comments, blank lines, the order, the way
// values are written, the ends of lines.
//
//	scan.go   where each setting of a text stands, and its table
//	edit.go   [Edit]: one setting given, or taken out
//	file.go   [Change]: the same with a file, all or nothing
//	lock.go   one process after the other
//
// # What an edit promises
//
// The text that [Edit] returns means what the text before meant, but for the one
// setting: both are parsed, and compared, before anything is returned. So a way of
// writing TOML that the scanner does not know ends in an error, never in a damaged
// file. Comments survive: one inside a value that is replaced, or behind a setting
// that is taken out, becomes a line of its own.
//
// # What a change promises
//
// [Change] writes a file beside the old one, flushes it, and takes the old one's
// place with it. A reader sees the old file or the new one. When somebody else has
// written the file between reading it and taking its place, it is read and edited
// again. Changes wait for each other, within a process and between processes, by a
// lock of the folder (lock.go): none is lost.
//
// A link stays a link; its target is written. The file's permissions stay. A new
// file is its owner's alone, and so is the folder that is made for it.
//
// All functions may be called from any goroutine.
package tomlfile
