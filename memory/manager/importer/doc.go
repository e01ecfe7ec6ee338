// Package importer writes the conversations of other programs into the archive (D1).
//
// Package transfer/foreign reads the export of another program; a [Writer] stores what it
// returns, a few hundred messages in one transaction. Each conversation becomes an ended
// session with its branches, titles, models and original times, and with
// [memory.Session].Imported. Its messages are marked, so that nothing is learned from them:
// they are found, quoted and continued like others.
//
// All ids are derived from those of the other program. So importing again adds only what is
// new, an interrupted import is continued by repeating it, and what the user has deleted
// stays deleted.
//
// Package manager gives access with Manager.Importer.
//
// # Files
//
//	importer.go  the writer: batches, known and deleted messages
//	convert.go   a conversation as a session and its records
package importer
