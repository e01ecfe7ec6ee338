// Package journals joins the journals of the agents (memory/journal) with the memory.
//
// A journal is opened on first use, with the agent's settings, and closed when its agent is
// unloaded or the memory is closed. Its files are derived from the messages. A file that
// the user edited is left alone. A group has no journal: its members have journals of what
// they heard, and for a group the error is [write.ErrGroup].
//
// The journal of a deleted agent is moved aside until the deletion is final, so that a
// recreated agent starts empty and an undo brings it back.
//
// # Files
//
//	writer.go   the journals of a data folder
//	journal.go  opening, settings, search, runs; files of deleted agents
package journals
