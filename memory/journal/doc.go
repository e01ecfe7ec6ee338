// Package journal keeps what was said as Markdown files that people can read, search, edit
// and keep (J1–J7).
//
// # The files
//
// Each agent has a folder:
//
//	memory.md                       what is to be known for long; it belongs to the user
//	memory/2026-01-28-deploy.md     the messages of one session's day, word for word
//	memory/summary/2026-01-20.md    the summary of a day
//	memory/summary/2026-01.md       the summary of a month
//
// A file that the program writes begins with a header ([Document]): what it is, of which day,
// by whom, and the ids of the messages that it is made of. Marks in comments lead from single
// paragraphs to their messages. Notes that the user puts beside them are searched as well.
//
// # From the archive into the files
//
//	follow     the change feed says what was said, changed and deleted; new messages are
//	           listed in the history as not archived (follow.go)
//	plan       what is due? (history.go, day.go) Messages of up to five days are copied; older
//	           ones of this month and the last are summarised by day, others by month. Days
//	           that have become too old for the kind of their file are in the plan, too
//	claim      the messages of a batch become pending
//	make       the messages are read from the archive, never from other files (material.go),
//	           and copied, or summarised by a model or by rules (summary.go, model.go)
//	write      one write of the store says what is going to be written, the files are
//	           replaced on the disk (disk.go), one write says that they are there, what they
//	           are made of, and which finer files they cover
//	tidy       the history is cut to its length
//
// A crash leaves messages that are pending, which the next archiving takes up again, and at
// most a file with the words that were announced, which it writes over. A summary that fails
// makes its messages wait again, for longer each time.
//
// # Whose words
//
// The store knows the sum of what the program wrote. A file with another sum was edited: the
// words are the user's, it keeps its messages, and the program writes others beside it. A file
// that the user removed does not come back, nor do its messages. Only a deletion reaches into
// edited files (stale.go): it takes out what stands under the mark of the message, and
// paragraphs that say the same.
//
// What is deleted, or not for memory any more, is not found from that moment on, and is
// taken out of the files by the next archiving, some seconds later.
//
// # Searching
//
// An index holds each message of a verbatim file and each paragraph of the others. A file
// whose summary has all of its messages is left out, so that each message is found in one
// tier. Without an index, or when it finds nothing, the files are read (search.go).
//
// # Concurrency
//
// A [Journal] is safe for concurrent use. One archiving runs at a time; while a summariser
// is asked nothing is locked, and what it made is thrown away when its messages have changed
// meanwhile. mu is held while files are looked at and written; it is taken before a write of
// the store begins, never in one.
//
// # Testing
//
// Tests run against a real store, a real index and real files in a temporary folder.
package journal
