// Package tomlfile changes single settings of a TOML file that a person wrote. It keeps
// everything else: comments, blank lines, the order, how values are written, and the ends
// of lines.
//
//	scan.go           the position of each setting, and its table
//	edit.go           [Edit]: one setting set or removed
//	file.go           [Change]: the same in a file, all or nothing
//	lock_unix.go …    the lock between processes
//
// # Edits
//
// Except for the one setting, the text that [Edit] returns means the same as before:
// both are parsed and compared. A form of TOML that the scanner does not know causes an
// error, never a damaged file. Comments survive: one inside a replaced value, or after a
// removed setting, becomes a line of its own.
//
// # Changes
//
// [Change] writes a file beside the old one, flushes it, and renames it. A reader sees
// the old file or the new one. When another program has written the file meanwhile, it is
// read and edited again. Changes wait for each other, within a process and between
// processes, so none is lost.
//
// A link stays a link; its target is written. The file's permissions stay. A new file,
// and a folder that is created for it, belong to their owner alone.
//
// All functions may be called from any goroutine.
package tomlfile
