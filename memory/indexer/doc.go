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
// last page, so that a rebuild that was cut off is begun again. Search waits for an
// index that is opening, because that takes a fraction of a second and a scan of the
// store many seconds. It does not wait for a rebuild: it returns [ErrNotReady], and
// the caller scans the store instead (R4); [Follower.Status] tells how far it is.
// A failure that is not the index's own damage, such as a full disk, takes the index
// out of use until a later try succeeds: an old answer would be a wrong one.
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
// # Vectors
//
// [Vectors] keeps the vectors of one agent's items, where an [Embedder] is
// configured. They lie in the store, since making them costs time and money, and in
// main memory to be searched. It follows the same feed with a mark of its own,
// "index/agent/vectors", in one goroutine:
//
//	feed ──> what policy lets have a vector, and has none of its words ──> waiting
//	waiting ──one request at a time──> one write: vectors, and with the last the mark
//
// Texts are read, and vectors written, in transactions; no request is made in one.
// What changed or was deleted meanwhile gets no vector of its old words. After a crash
// it goes on from the mark, and finds by a hash what has its vector already. A feed that
// does not reach back, or a vector that cannot be read, has every item looked at.
//
// Before the first vector the model is measured with the probes of package retrieve.
// Vectors of another model, or of one that is asked in another way, are of no use; once
// this one was measured they go, and all are made again.
//
// Requests make way ([Gate]): while somebody needs the server none is made, and the
// one under way is ended. A failure is tried again after 5 s, then 10 s, up to ten
// minutes; meanwhile retrieval goes on by words. When a text gives no vector although a
// harmless one does, it is left out until a rebuild is asked for.
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
// compare the ids in the index with the records of the store. Those of vectors have an
// embedder of their own that makes vectors of hashes.
package indexer
