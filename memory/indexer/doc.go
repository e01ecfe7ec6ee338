// Package indexer keeps the search indexes consistent with the store. The store is the
// source of truth; an index is derived and can be deleted at any time.
//
// A [Follower] maintains one index of one agent: its recall items or its archive. It is
// opened on first use and then follows the change feed:
//
//	open ──ok──────────────> catch up ──> ready ──change──> catch up …
//	  └─missing, old, broken, ──> rebuild ──┘
//	    behind the trimmed feed
//
// Catching up applies a part of the feed as one batch together with its final sequence,
// so an index always knows its contents. After a crash it continues there. Applying an
// entry twice is harmless, since a batch holds the newest version of each record.
//
// A rebuild reads the store page by page and writes with sequence 0 until the last
// page, so that an interrupted rebuild restarts. Search waits for an index that is
// opening: that takes a fraction of a second, a scan of the store many seconds. It does
// not wait for a rebuild: it returns [ErrNotReady], and the caller scans the store
// instead (R4). [Follower.Status] reports the progress. After a failure other than
// damage, such as a full disk, the index is unavailable until a retry succeeds: a stale
// answer would be wrong.
//
// The recall index has only recallable items. The program's own words (see
// memory.ModelOffline) are never indexed. Unreadable records are logged and left out.
//
// # The feed
//
// Each index ever opened has a mark, "index/agent/kind", so that the feed keeps its
// unread entries. [Trim] removes the others, and the marks of indexes not opened for
// long. An index without a mark knows its own sequence, and is rebuilt if the feed does
// not reach back to it.
//
// # Vectors
//
// [Vectors] maintains the vectors of one agent's items, if an [Embedder] is configured.
// They are stored, since they cost time and money, and kept in memory for searches. One
// goroutine follows the same feed with the mark "index/agent/vectors":
//
//	feed ──> items that policy allows and without a current vector ──> waiting
//	waiting ──one request at a time──> one write: vectors, and with the last the mark
//
// Texts are read, and vectors written, in transactions; requests are made outside them.
// Items changed or deleted meanwhile get no vector of their old words. After a crash it
// continues at the mark, and finds existing vectors by a hash. If the feed does not
// reach back, or a vector is unreadable, every item is checked.
//
// Before the first vector the model is measured with the probes of package retrieve.
// Vectors of another model, or of another form of request, are unusable. Once this
// model is measured they are deleted, and all are regenerated.
//
// Background requests yield ([Gate]): while the user needs the server none is started,
// and a running one is cancelled. A failure is retried after 5 s, then 10 s, up to ten
// minutes; meanwhile retrieval uses only words. If the model refuses a text but accepts
// a harmless one, the text is skipped until a rebuild is requested.
//
// # Concurrency
//
// A Follower is safe for concurrent use. One goroutine makes all changes to its index;
// searches run concurrently. Close stops the goroutine and waits for it. A missing
// Close loses nothing.
//
// # Testing
//
// The tests use a real store and a real index in a temporary folder, and compare the
// ids in the index with the records of the store. The vector tests use an embedder that
// derives vectors from hashes.
package indexer
