// Package memory defines the types of memoria and the rules that concern only them. It
// imports no other package of the program, does no I/O and reads no clock, so that all
// packages share its vocabulary.
//
// # Glossary
//
//	backlog             work that failed five times and waits for the user
//	citation            a numbered source of an answer
//	consolidation       turning a session's content into 3–8 items
//	dangling reference  a reference whose target was deleted
//	evidence            a reference from an item to its source records
//	frame               words of a message that are not about the user
//	generation          one run of a background process over a session
//	head                the scoring fields of an item, kept in memory
//	inbox               held items, pending the user's approval
//	journal             Markdown files of messages and summaries
//	overview            an answer to "what do you know about me"
//	package             the content that one turn sent to the model
//	passage             an indexed section of a journal file
//	pending             waiting for the user or for a background process
//	session             one conversation with an agent or a group
//	stale               derived from data that has changed since
//	supersede           replace an item and link the two
//	tombstone           a marker in place of deleted content
//	trust               the provenance of a text
//	turn                one user message and everything until the stored reply
//	undo                a change that inverts earlier changes; it can itself be undone
//	window              the session's recent messages in a package
//
// # Records
//
// Three kinds of record, from warm to cold:
//
//   - [Working] memory describes the current context of a running session.
//   - An [Item] is a recall item: one conclusion worth acting on later. Items are few and
//     small. Every turn scores them and sends the best to the model.
//   - A [Record] is an archival record: one message as it happened. The archive is
//     append-only and is searched only on demand.
//
// The journal holds the same messages as files for people to read and edit ([JournalFile]).
//
// Every record belongs to one [Agent], a persona that the user talks to.
//
// An item refers to its source records by [Evidence]. The same references lead from a record
// to its items.
//
// # Groups
//
// A [Group] is several agents in one session. Its transcript is stored once, under its
// id; members have references ([Record.Reference]).
//
// # Packages
//
// A [Package] describes the content that one turn sent to the model. It stores
// references, not copies, so that deleting a memory also removes it from every package
// that quoted it. A [Citation] leads from an answer to a source. [Rendered] is a
// package with its references resolved.
//
// # Provenance
//
// [Trust] orders the origins of texts. No automatic edit or merge raises it, and
// nothing below [TrustModel] becomes active automatically. The [Span]s of a record mark
// words that are not the author's: pasted, piped, quoted. Its [Frame] marks the
// author's words that are not about the user: a game, a text to translate. Their
// content is held in the inbox.
//
// # Packages below
//
//	memory/policy    decisions about writing, with reasons (pure)
//	memory/quoted    the parts of a message that quote others (pure)
//	memory/frame     play, and texts to work on (pure)
//	memory/phrase    word lists for these two (pure)
//	memory/instruct  the user's instructions to the memory (pure)
//	memory/learn     a model's proposals from a turn, checked against the user's words
//	memory/retrieve  keywords, score with its parts, selection (pure)
//	memory/ledger    undo of changes (pure)
//	memory/profile   the document about the user (pure)
//	memory/store     the buckets, with the table of their keys
//	memory/journal   messages as Markdown files: written, summarised, searched
//	memory/indexer   follows the change feed into the index
//	memory/recall    retrieval, evidence, search of archive and sessions
//	memory/vault     the files of a data folder: backups, checks, repair
//	memory/manager   complete operations, for chat and ui
//
// All types are plain data: values may be copied, and none is safe for concurrent
// mutation. JSON field names are those of the specification (L1, A1, W1); the command
// line prints them.
package memory
