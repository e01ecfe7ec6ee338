// Package kv is the product's one store of truth: ordered, typed, checked
// records in a single bbolt file. It is the only package that names bbolt, and
// it knows nothing of agents, sessions or memories.
//
// # Nouns
//
//   - A [DB] is an open store. One process owns it at a time.
//   - A [Tx] is a transaction with one frozen time. [DB.View] reads a
//     consistent snapshot; [DB.Update] is all or nothing and durable (fsynced)
//     when it returns nil.
//   - A key is a tuple ([Key]); the byte order of the encoding is the order of
//     the tuple, so a scan over a [Prefix] is a query.
//   - A [Bucket] maps keys to values of one Go type. Each record carries the
//     version of its layout and a CRC-32C over bucket, key, version and payload.
//   - A [Change] is an entry of the feed: one global, gapless sequence, written
//     in the same transaction as what it describes. A follower reads on from
//     its mark ([Tx.Changes], [Tx.SetMark]) and may see an entry twice, never
//     not at all. Changes hold keys, never text.
//
// # Files
//
// A store at memoria.db consists of
//
//	memoria.db        the bbolt file
//	memoria.db.id     the sentinel: store id and time of creation, as JSON
//	memoria.db.lock   locked while the store is open; names the process, or
//	                  tells size and time of the store as it was closed
//	memoria.db.new-*  a creation that was cut short; removed at the next open
//
// all with mode 0600, whatever the umask, in a folder that is created with 0700
// (a folder that exists keeps its mode: it may be shared with other programs).
//
// bbolt takes a file of 0 bytes for a new store, panics on one whose creation
// was torn, and waits for its lock for ever. Therefore a store is built under
// another name and renamed, the sentinel tells a lost store from a first start
// ([ErrMissing]), the size of the file is compared with what its newest meta
// page claims before it is mapped, and the lock has a time limit
// ([LockedError]). A panic or a page fault on damaged pages becomes
// [ErrDamaged], in Open and in every later access. What no process can catch
// in itself (an endless loop over pages that point in a circle) is found before: Open
// walks the pages with a reader of its own (package kv/pages), at each open up to
// 100 MB, above that once a day. Nothing is read of, or written into, a store whose
// structure is damaged; a free list that does not fit the tree is built anew; records
// that cannot be read are told ([DB.Unreadable]). [CheckFile] does the same to any
// file and writes nothing. [Salvage] carries what can be read of a damaged store over
// into a new one, [Replace] puts another file in the place of a store and keeps the old
// one, and [Adopt] makes a store that was copied here the one of its folder.
//
// While a store is open, a commit fails with [ErrFull] or [ErrUnwritable] when the
// disk takes no more, and with [ErrGone] when the file is not at its path any more:
// what would be written then, nobody would find again. After each of them the
// store can be used further.
//
// # Keys of the package itself
//
// Buckets whose name begins with "kv." belong to this package:
//
//	bucket    key         value
//	kv.meta   ("store")   id, schema number, time of creation (JSON)
//	kv.meta   ("clock")   time of the last committed transaction (tuple)
//	kv.feed   (seq)       time, agent, kind, id, op (tuple)
//	kv.marks  (follower)  the last sequence that it has dealt with (tuple)
//
// # Time
//
// A transaction's time is the clock's at its begin, in UTC. When the clock
// stands up to two minutes before the last commit (a correction), the
// transaction takes the last commit's time instead, so that times do not run
// backwards; when it stands further back, the earlier time was the wrong one
// and the clock is believed, or one start with a clock in 2099 would freeze the
// store's time for decades. The feed's sequence, not time, is the order of
// writes.
//
// # Concurrency
//
// A DB is safe for concurrent use: one writer at a time, any number of readers,
// which do not wait for each other. A Tx belongs to the goroutine that runs its
// function and is dead when the function returns; everything that was read is a
// copy and lives on. Never open a transaction inside another, and never wait
// for a network, a screen or a person inside one: an open reader keeps old
// pages from being reused, an open writer stops all others.
//
// # Testing
//
// Random operations are compared with a map, every byte of a record is flipped,
// files are cut and zeroed, and a child process is killed while it writes. Set
// MEMORIA_KILL_ROUNDS for more than the usual rounds of the last. Package damage
// spoils whole data folders.
package kv
