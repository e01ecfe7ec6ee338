// Package journal keeps messages as Markdown files that people can read, search, edit and
// keep (J1–J7).
//
// # The files
//
// Each agent has a folder:
//
//	memory.md                       long-term notes, owned by the user
//	memory/2026-01-28-deploy.md     the messages of one session's day, verbatim
//	memory/summary/2026-01-20.md    the summary of a day
//	memory/summary/2026-01.md       the summary of a month
//
// A generated file begins with a header ([Document]): its kind, date and author, and the ids
// of its source messages. Marks in comments link paragraphs to their messages. The user's own
// notes in these folders are searched too.
//
// # Archiving
//
//	follow     reads new, changed and deleted messages from the change feed and lists new
//	           ones in the history as not archived (follow.go)
//	plan       finds due files (history.go, day.go). Messages of up to five days are
//	           copied; older ones of this month and the last are summarised by day, others
//	           by month. Days too old for their kind of file are due, too
//	claim      marks the messages of a batch as pending
//	make       reads the messages from the archive, never from other files (material.go),
//	           and copies them, or summarises them by a model or by rules (summary.go,
//	           model.go)
//	write      announces the files in one store write, replaces them on the disk (disk.go),
//	           and records in a second write that they exist, their source messages and
//	           the finer files that they cover
//	tidy       trims the history
//
// A crash leaves pending messages, which the next archiving resumes, and at most a file with
// announced content, which it overwrites. If a summary fails, its messages wait again, with
// backoff.
//
// # Ownership
//
// The store has the checksum of the program's last content. A file with another checksum was
// edited: the user owns the content, the file keeps its messages, and the program writes
// others to new files. If the user removes a file, neither it nor its messages return. Only a
// deletion changes edited files (stale.go): it removes the section under the message's mark,
// and paragraphs with the same content.
//
// Deleted messages, and those not for memory, are hidden from searches at once. The
// next archiving, some seconds later, removes them from the files.
//
// # Searching
//
// An index holds each message of a verbatim file and each paragraph of the others. A file
// whose messages are all covered by a summary is excluded, so that each message is found
// in one tier. Without an index, or if it finds nothing, the files are read (search.go).
//
// # Concurrency
//
// A [Journal] is safe for concurrent use. One archiving runs at a time. No lock is held
// during a summariser's request; its result is discarded if its messages have changed
// meanwhile. mu is held while files are read and written. It is acquired before a write of
// the store begins, never inside one.
//
// # Testing
//
// Tests run against a real store, a real index and real files in a temporary folder.
package journal
