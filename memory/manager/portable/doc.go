// Package portable writes an agent's data to an export, and reads it back (D1).
//
// Package transfer has the form of an export; this package knows what is in it: rows of
// the store as JSON, long contents, and the files of the journal. What the user deleted is
// absent, also while it could still be restored. Keys of models are nowhere in a data
// folder, and so in no export.
//
// # Importing
//
// [Writer.Look] verifies an archive, reads all of it, and says what an import would do;
// [Writer.ImportAgent] does it, in writes of a few hundred rows that each contain whole
// conversations and whole memories. Both run the same code, the first without writing. So
// a damaged or foreign file changes nothing, and an interrupted import is continued by
// importing again.
//
// An agent without data becomes equal to the exported one. An agent with data keeps what
// it has:
//
//	conversation  messages that continue the one here are added; one that went on in both
//	              places is kept as it is here
//	memory        the newer version replaces an older one if it descends from it, as its
//	              ledger shows; one that contradicts a memory here waits in the inbox
//	profile       stays; it follows the new memories
//	journal       notes of the user come if there is no file of that name; the other files
//	              are made from the messages
//	pending work  is left out
//
// Deletions and refusals of this data folder apply to every row before it is written (D2).
// A deleted message in a conversation also removes the summary, the title and the
// working memory that were made with it, the journal files of the agent, and from notes the
// lines that repeat it.
//
// # Trust
//
// [Report.Trusted] says that this data folder wrote the file and the agent is empty.
// Otherwise the user is shown the instructions in it: rules, lines of the profile about
// answers, the persona. With [Options].HoldRules none of them is in force after the
// import (P10).
//
// # Files
//
//	row.go      a line of an export: its form, its checks
//	export.go   writing an export; export.md is its README
//	report.go   what an import would do, or has done
//	import.go   reading an export, group by group
//	merge.go    conversations and memories beside those here
//	journal.go  the files of the journal
package portable
