// Package trash destroys deleted data when its undo time is over, or at once when the user
// asks for it.
//
// A deletion moves data to the trash of the store and calls [write.Core.PlanPurge]. A timer
// then destroys it after [write.DeletionUndoTime], and the next start does if the program
// ended before.
//
// # Files
//
// Destroyed content may still be in files. So each purge leaves a durable mark before its
// commit ([vault.Vault.MarkErasing]). The files of long messages go after the commit, and
// [Writer.Erase] removes the content from all others:
//
//	journals        sections of deleted messages, also in edited files; their indexes
//	indexes         segments are merged without deleted documents
//	backups         those that hold it are rewritten
//	old copies      so are the stores that were set aside
//	free pages      are filled with zeros
//
// The mark goes when all parts are done; a failed part keeps it. Erase runs in the background
// two seconds after a purge, and for a short time at the end of each command; what is left is
// continued at the next start. [vault.Vault.Erasing] tells Health how far it is.
//
// In the package:
//
//	writer.go  the writer with its timers
//	purge.go   purging: all, what has expired, on schedule
//	erase.go   removing purged content from the files
package trash
