// Package recall reads the memory for a turn and for a person: it retrieves items, finds
// evidence, and searches the archive and the sessions. It changes nothing.
package recall
