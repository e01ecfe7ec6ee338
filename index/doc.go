// Package index finds documents by their words: one Index for one agent's
// recall, another for its archive. It is the only package that names bluge.
//
// # What it holds
//
// A Document is an id, folded words, the characters and bigrams of its Chinese
// runs, and labels. Callers cut and fold text (package index/text); the index
// compares bytes. It stores ids and nothing else: the store is the truth, and
// an index can be thrown away and built anew at any time. A document that was
// deleted is found no more, but its words stay in its segment until that is
// merged, so erasing for good means Destroy and a rebuild.
//
// # Keeping it equal to the store
//
// Apply makes a Batch and sets a sequence number from the store's change feed,
// both in one atomic batch of bluge: the number lies in a marker document that
// each batch replaces. So whatever is on disk after a crash is the state after
// exactly the sequence that Sequence gives, and the follower of the feed goes
// on from there; seeing an entry twice does no harm. Open gives ErrBroken or
// ErrOld, or Sequence gives false, when the index has to be rebuilt:
//
//	ix, err := index.Open(ctx, o)
//	if errors.Is(err, index.ErrBroken) || errors.Is(err, index.ErrOld) {
//		err = index.Destroy(o.Dir)
//		… open again, and Apply everything, with sequence 0 until the last batch
//	}
//
// # Scores
//
// A Hit carries the BM25 scores of the words and of the grams apart, a Result
// the sums of idf that bring them to 0–1 (spec R3, R3a). bluge's own scores
// cannot be used: its idf lacks a pair of parentheses, and merging segments
// changes its mean length. Here bluge finds the postings, and score.go does
// the sums from them:
//
//   - N, the document frequencies and the mean lengths are those of the live
//     documents, exactly, whatever was deleted, replaced or merged. N and the
//     sum of lengths lie in the marker; Apply keeps them by looking up what a
//     batch replaces.
//   - Scores equal a plain BM25 but for rounding, and do not depend on how the
//     documents lie in segments. Equal scores are ordered by id.
//   - A prefix is scored as one word that stands for up to MaxExpansions words.
//     This is the only figure with a bound; with more expansions the later ones
//     in byte order are not found.
//
// Most words occur once in a document, so their postings are read as bare
// bitmaps; frequencies are read from fields of their own that hold only what
// is repeated. Segments never change, so what was read of them stays in memory:
// field lengths, 8 bytes a document, the ids that were found, and the postings
// asked for last, up to postingsBudget (cache.go). The list of segments, what is
// deleted in them and the marker are looked up once for each state (view).
//
// # Segments
//
// bluge decides which segments there are and merges them, and package ice reads
// them. A new segment is written by newSegment, because making one with ice took
// half of the time of a rebuild. Its bytes are those that ice makes of the same
// documents.
//
// # Files
//
//	version               layout and mapping version, with a checksum
//	lock                  held while the index is open
//	%012x.seg, %012x.snp  bluge's segments (format ice 1) and snapshots, each
//	                      with a trailer: id, kind, CRC-32C (see file.go)
//	*.tmp                 being written
//
// Files are written under a temporary name and renamed, never synced. Open
// checks every file that the newest snapshot needs before bluge sees it, since
// bluge trusts its files and crashes over damaged ones, and removes all others.
// Folder and files have modes 0700 and 0600.
//
// # Concurrency
//
// All methods of Index are safe for concurrent use. Searches run on snapshots
// beside each other and beside Apply; Apply calls follow one another; Close
// waits for what runs. An open Index has four goroutines, a closed or unopened
// one none. On a full disk Apply returns an error, and background work tries
// again with growing pauses.
//
// bluge writes to the standard library's global log when loading fails. Open
// checks the files before, so this hardly happens, but memory/manager calls
// RedirectLog while it is open, to keep the terminal clean in any case.
//
// # Testing
//
// model_test.go has the plain BM25 that everything is compared with, segment_test.go
// compares segments with those of ice,
// kill_test.go and damage_test.go start the test binary again to kill it or to
// show it damaged files. MEMORIA_KILL_ROUNDS sets how often (20).
package index
