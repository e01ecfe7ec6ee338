// Package lookup reads stored data, by id and in lists: items, their history, sessions,
// messages, packages, agents and the state of the memory. It changes nothing. Package
// recall searches; packages manager writes.
//
// A [Reader] reads the memory of one data folder. Each of its methods is one read
// transaction and takes the agent whose memory it reads. The functions of this package,
// and the methods that take a [store.Tx], read within a transaction of the caller; the
// writers use them.
//
// # Branches
//
// The records of a session form a tree by their parents (A1). The branch in use ends at
// [memory.Session].LastRecordID. [Reader.Branch], [Reader.LastRecords] and [RecordsOf]
// read that branch, [Reader.Records] reads all of them.
//
// # History and undo
//
// A [Ledger] reads items with their changes within one transaction. It tells which changes
// are undone, and plans an undo with package ledger; the manager writes the plan.
//
// # Packages
//
// A package of a turn refers to texts. [Reader.Render] resolves the references, so that
// what was sent can be shown again (C5); a deleted text is replaced by a note.
//
// # Files
//
//	reader.go    the reader, its transactions
//	ids.go       complete and partial ids
//	items.go     items; what was learned from a message
//	item_list.go what lists need of every item, in memory
//	inbox.go     held items, and the items that they would end
//	served.go    items that other programs may see
//	changes.go   the history of items
//	ledger.go    items with their history, plans of an undo
//	sessions.go  sessions, their summaries and working memory, the draft
//	branch.go    the branch of a session, the way to another
//	records.go   messages
//	packages.go  packages of turns, rendered
//	agents.go    agents and groups
//	health.go    counts, and the state of the memory
package lookup
