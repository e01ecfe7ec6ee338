// Package memory holds the nouns of memoria and the rules that belong to them
// alone. It imports nothing of the program, touches no disk and reads no clock,
// so every other room can speak about memory in the same words.
//
// # What is remembered
//
// Three kinds of record, from warm to cold:
//
//   - [Working] memory says what one running session is about right now.
//   - An [Item] is a recall item: one conclusion worth acting on later. Items
//     are few and small; they are scored every turn and the best of them reach
//     the model.
//   - A [Record] is an archival record: one message as it happened. The archive
//     is append-only and is looked up only on purpose.
//
// The journal is what was said once more, as files that people read and edit ([JournalFile]).
//
// Each of them belongs to one [Agent], a persona that the user talks to.
//
// An item leads back to the records it came from through its [Evidence]; a
// record leads forward to the items made of it by the same references.
//
// # Several at once
//
// A [Group] is several agents in one session. Its transcript lies once, under its id;
// what a member has of it are references ([Record.Reference]).
//
// # What is sent
//
// A [Package] says what one turn sent to the model. It stores references, not
// copies, so that deleting a memory also deletes it from every package that
// quoted it. A [Citation] leads from an answer to the words it may rest on.
// [Rendered] is a package with its references resolved again.
//
// # Who said it
//
// [Trust] orders where a text came from. No edit or merge by a machine raises
// it, and nothing below [TrustModel] becomes active by itself. The [Span]s of a
// record mark the words that are not the author's own: pasted, piped, quoted. Its
// [Frame] marks the author's words that are not about him: a game, a text to
// translate. What they state waits in the inbox.
//
// # Where to read on
//
//	memory/policy    what is written where, and why (pure)
//	memory/quoted    the parts of a message that quote somebody else (pure)
//	memory/frame     play, and texts to work on (pure)
//	memory/phrase    word lists for these two (pure)
//	memory/instruct  what the user says to the memory itself (pure)
//	memory/learn     what a model says that a turn teaches, held against the user's words
//	memory/retrieve  keywords, candidates, score with its parts (pure)
//	memory/ledger    taking back what was done (pure)
//	memory/profile   the document about the user (pure)
//	memory/store     the buckets, with the table of their keys
//	memory/journal   what was said as Markdown files: written, summarised, searched
//	memory/indexer   follows the change feed into the index
//	memory/manager   whole operations; what chat and ui talk to
//
// Everything here is plain data: values may be copied, and nothing is safe for
// concurrent mutation. JSON field names are those of the specification (L1, A1,
// W1) and are what the command line prints.
package memory
