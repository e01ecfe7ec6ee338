// Package files writes and removes the files that belong to messages and agents: long
// contents, and the folders of indexes.
//
// A file is durable before the record that names it is written, and is removed after the
// transaction that destroys the record. A crash therefore leaves at most a file without a
// record, which the next start removes.
//
// # Files
//
//	files.go      the files of a data folder
//	content.go    long contents
//	leftovers.go  indexes and folders of agents without data
package files
