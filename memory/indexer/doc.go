// Package indexer keeps the search indexes equal to the store. The store is the
// truth; an index is derived from it and can be thrown away at any time.
//
// A [Follower] keeps one index of one agent: its recall items or its archive.
// It is opened when it is first needed and then follows the change feed:
//
//	open ──ok──────────────> catch up ──> ready ──change──> catch up …
//	  └─missing, old, broken, ──> rebuild ──┘
//	    behind the trimmed feed
//
// Catching up applies a stretch of the feed as one batch together with the
// sequence it ends at, so that an index always knows what it contains. After a
// crash it goes on from there; seeing an entry twice does no harm, because a
// batch holds the newest version of each record and not the change.
//
// A rebuild reads the store page by page and writes with sequence 0 until the
// last page, so that a rebuild that was cut off is begun again. While an index
// is not ready, Search says so with [ErrNotReady] and the caller scans the
// store instead (R4); [Follower.Status] tells how far it is. A failure that is
// not the index's own damage, such as a full disk, takes the index out of use
// until a later try succeeds: an old answer would be a wrong one.
//
// Only items that may be recalled are in the recall index. The program's own
// words (see memory.ModelOffline) are never indexed. A record that cannot be
// read is left out and logged.
//
// # The feed
//
// Each index that was ever opened has a mark, "index/agent/kind", so that the
// feed keeps what it has not seen. [Trim] removes the rest, and the marks of
// indexes that were not opened for long. An index without a mark loses nothing
// but its place: it knows its own sequence, and is rebuilt when the feed does
// not reach back to it.
//
// # Concurrency
//
// A Follower is safe for concurrent use. Everything that is done to its index
// is done by one goroutine; searches run beside it. Close ends the goroutine
// and waits for it; nothing is lost by not closing.
//
// # Testing
//
// The tests drive a real store and a real index in a temporary folder, and
// compare the ids in the index with the records of the store.
package indexer
