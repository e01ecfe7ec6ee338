// Package store keeps all records of memoria in one [kv] file. It defines the buckets,
// their keys, and which of them change together.
//
// A [Store] provides transactions; a [Tx] has one method for each elementary operation.
// Complete operations and their rules belong to memory/manager.
//
// # Keys
//
// Every key begins with the agent, but for departed, so that no scan can leave it. Parts are
// joined by [kv.Key], whose byte order is the order of the parts.
//
//	bucket            key                          value
//	items             agent item                   memory.Item, its newest version
//	item_heads        agent item                   memory.Head, compact; what scoring needs
//	item_keys         agent key item               empty; active and held items only
//	item_hashes       agent hash item              empty; active and held items only
//	items_held        agent item                   the records it was made from; held items only
//	item_sources      agent record item            empty; the items with evidence in a record
//	item_versions     agent item version           memory.Item as it was
//	item_changes      agent item change            memory.Change
//	turn_changes      agent turn change            memory.Change
//	change_times      agent change item            empty; the order in which things happened
//	change_groups     agent group change item      empty; the changes of a generation or an undo
//	records           agent session position       memory.Record, in the order of appending; compressed but for its words
//	record_places     agent record                 its session and position
//	gaps              agent record                 where a deleted message stood, and what before it: ids
//	bookmarks         agent record                 empty; records with Collected
//	derived           agent record                 empty; records that may repeat the memory, see Derived
//	incoming          agent record                 memory.Record without a session
//	sessions          agent session                memory.Session
//	session_times     agent last-message session   empty
//	working           agent session                memory.Working
//	working_versions  agent session turn-count     memory.Working as a turn saw it
//	summaries         agent session version        memory.Summary, each version as it was
//	packages          agent session turn           memory.Package, compressed
//	turn_sessions     agent turn                   session
//	texts             agent hash                   words of the program in packages
//	drafts            agent                        memory.Draft
//	partials          agent turn                   memory.Record, an answer still arriving
//	jobs              agent job                    queue.Job
//	profiles          agent profile-version        memory.Profile; lines of items without their words
//	profile_items     agent item version           empty; versions that a profile names
//	groups            agent                        memory.Group; the agent is the group
//	trash             agent deletion number        deleted rows as they were, until the undo time ends
//	deletions         agent deletion               Deleted, what each of these took and when
//	forgotten         agent kind id                time of the deletion
//	refused           agent hash                   time of the refusal
//	seals             agent                        the key of the agent's hashes
//	vectors           agent number                 Vector: an item's words as numbers, float32 little-endian
//	vector_ids        agent item                   codec.VectorID: the number of its vector, and what that was made of
//	vector_sets       agent                        codec.VectorSet: the model that all vectors are brought to
//	history           agent record                 memory.HistoryEntry: how far a message is on its way into the journal
//	journal_files     agent path                   memory.JournalFile: the state of a journal file
//	journal_ids       agent path                   the records that it is made of, 16 bytes each
//	journal_states    agent                        memory.JournalState
//	passages          agent name hash              words that packages quote from a file of the journal; without a hash its path
//	counts            agent name                   number of items, held items, records, sessions, vectors and so on, see counter
//	agents            agent                        memory.Agent: how it is described
//	departed          deletion                     a keyed hash of the id of an agent that is gone for good, and when
//
// Layout 1 had no change_times and no change_groups, layout 2 packages and records as plain
// JSON, layout 3 is_active in items, layout 4 no derived, layout 5 no items_held and no
// item_sources. Opening one of them makes it a store of layout 6. The encodings are in [memoria/memory/store/codec].
//
// The tests write one of everything and hold this table against the keys found.
//
// # Groups
//
// A group owns keys like an agent: its transcript is stored under its id. Members have
// references, records without words whose Heard is the group; reading resolves them. So
// the words are stored once, and deleting them also empties all references.
//
// # Repair
//
// After salvage from a damaged file (kv.Salvage), [Tx.Mend] completes a store and
// [Tx.Relink] rebuilds its index buckets. Deletions are listed twice, in forgotten and in
// a file of hashes beside the store ([memoria/memory/store/gone]), so that neither a lost
// page nor an older backup brings deleted data back.
//
// # Vectors
//
// A vector encodes its item's words. So it is deleted permanently together with the
// item, without undo: it can be regenerated. Numbers are never reused; deletions leave
// gaps.
//
// # Whole agents
//
// [Tx.TrashAgent] moves every row under an agent's key into the trash, whatever its
// bucket, so that the agent is empty at once and can be recreated. After the undo time
// only a hash of its id remains, keyed with its own key, in departed. It tells backups
// what to forget.
//
// # Exports
//
// [Portables] gives the rows of an agent as JSON, and writes them with their index entries.
// Buckets that are derived, or belong to a deletion, are in no export.
//
// # The change feed
//
// Every change to the index's source is announced in the feed of the same transaction:
// kind "item" or "record", the id, and the operation "put" or "delete". Entries hold
// keys, never text.
//
// # Concurrency
//
// A Store is safe for concurrent use; a Tx belongs to the function that receives it.
// Returned values are copies.
package store
