// Package trash destroys deleted data when its undo time is over, or at once when the user
// asks for it.
//
// A deletion moves data to the trash of the store and calls [write.Core.PlanPurge]. A timer
// then destroys it after [write.DeletionUndoTime], and the next start does if the program
// ended before. Destroyed content is also removed from files, journals and backups, after
// the commit.
//
// # Files
//
//	writer.go  the writer with its timer
//	purge.go   purging: all, what has expired, on schedule
package trash
