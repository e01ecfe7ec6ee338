// Package kv stores the program's data: ordered, typed, checksummed records in a single
// bbolt file. It is the only package that imports bbolt. It knows nothing of agents,
// sessions or memories.
//
// # Nouns
//
//   - A [DB] is an open store. One process owns it at a time.
//   - A [Tx] is a transaction with one frozen time. [DB.View] reads a consistent
//     snapshot; [DB.Update] is all or nothing and durable (fsynced) when it returns
//     nil.
//   - A key is a tuple ([Key]); the byte order of the encoding is the order of
//     the tuple, so a scan over a [Prefix] is a query.
//   - A [Bucket] maps keys to values of one Go type. Each record carries the
//     version of its layout and a CRC-32C over bucket, key, version and payload.
//   - A [Change] is an entry of the feed: one global, gapless sequence, written in the
//     same transaction as the change it describes. A follower is a reader of the feed,
//     such as an index. It stores the last sequence it handled as its mark, and
//     continues there ([Tx.Changes], [Tx.SetMark]). It sees every entry at least once.
//     Changes hold keys, never text.
//
// # Files
//
// A store at memoria.db consists of
//
//	memoria.db        the bbolt file
//	memoria.db.id     the sentinel: store id and time of creation, as JSON
//	memoria.db.lock   locked while the store is open; holds the process, or
//	                  after a close the store's size and time
//	memoria.db.new-*  an interrupted creation; removed at the next open
//
// all with mode 0600, whatever the umask, in a folder that is created with 0700
// (a folder that exists keeps its mode: it may be shared with other programs).
//
// bbolt takes a file of 0 bytes for a new store, panics on a torn one, and waits for
// its lock without limit. Therefore kv builds a store under another name and renames
// it. The sentinel tells a lost store from a first start ([ErrMissing]). Before mapping
// a file, kv compares its size with the newest meta page. The lock has a time limit
// ([LockedError]). A panic or a page fault on damaged pages becomes [ErrDamaged], in
// Open and in every later access. A process cannot recover from an endless loop over
// cyclic pages, so Open walks the pages with a separate reader (package kv/pages): at
// each open up to 100 MB, above that once a day. A store with structural damage is
// neither read nor written. A free list that contradicts the tree is rebuilt.
// Unreadable records are reported ([DB.Unreadable]). [CheckFile] runs the same checks
// on any file and writes nothing. [Salvage] copies the readable records of a damaged
// store into a new one. [Replace] replaces a store's file and keeps the old one.
// [Adopt] accepts a store that was copied into the folder.
//
// While a store is open, a commit fails with [ErrFull] or [ErrUnwritable] when the disk
// accepts no writes, and with [ErrGone] when the file is no longer at its path, because
// the written data would be lost. The store remains usable after each of these errors.
//
// # Reserved keys
//
// Buckets whose name begins with "kv." belong to this package:
//
//	bucket    key         value
//	kv.meta   ("store")   id, schema number, time of creation (JSON)
//	kv.meta   ("clock")   time of the last committed transaction (tuple)
//	kv.feed   (seq)       time, agent, kind, id, op (tuple)
//	kv.marks  (follower)  the last sequence it handled (tuple)
//
// # Time
//
// A transaction's time is read from the clock at its begin, in UTC. A clock up to two
// minutes before the last commit counts as a correction: the transaction takes the last
// commit's time, so times do not run backwards. Further back, the last commit's time
// was wrong and the clock is believed. Otherwise one start with a clock in 2099 would
// freeze the store's time for decades. The feed's sequence, not time, orders writes.
//
// # Concurrency
//
// A DB is safe for concurrent use: one writer at a time and any number of readers,
// which do not wait for each other. A Tx belongs to the goroutine that runs its
// function and is invalid when the function returns. Everything read from it is a copy
// and stays valid. Never open a transaction inside another, and never wait for a
// network, a screen or a person inside one: an open reader keeps old pages from being
// reused, an open writer stops all others.
//
// # Testing
//
// Random operations are compared with a map, every byte of a record is flipped, files
// are cut and zeroed, and a child process is killed while it writes.
// MEMORIA_KILL_ROUNDS sets the number of kill rounds. Package damage corrupts whole
// data folders.
package kv
