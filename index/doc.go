// Package index finds documents by their words: one Index for one agent's recall,
// another for its archive. It is the only package that imports bluge.
//
// # Contents
//
// A Document is an id, folded words, the characters and bigrams of its Chinese runs,
// and labels. Callers cut and fold text (package index/text); the index compares bytes.
// It stores only ids: the store is the source of truth, and an index can be deleted and
// rebuilt at any time. A deleted document is no longer found, but its words stay in its
// segment until the segment is merged; Erase merges all. Inspect reads every word of a
// segment, as a proof.
//
// # Consistency with the store
//
// Apply applies a Batch and sets a sequence number from the store's change feed in one
// atomic bluge batch. The number is in a marker document that each batch replaces. So
// after a crash the files hold the state at the sequence that Sequence returns, and the
// feed's follower continues there. Applying an entry twice is harmless. The index has
// to be rebuilt if Open returns ErrBroken or ErrOld, or Sequence returns false:
//
//	ix, err := index.Open(ctx, o)
//	if errors.Is(err, index.ErrBroken) || errors.Is(err, index.ErrOld) {
//		err = index.Destroy(o.Dir)
//		… open again, and Apply everything, with sequence 0 until the last batch
//	}
//
// # Scores
//
// A Hit has separate BM25 scores for words and grams. A Result has the sums of idf that
// normalise them to 0–1 (spec R3, R3a). bluge's own scores are unusable: its idf lacks
// a pair of parentheses, and merging segments changes its mean length. bluge only finds
// the postings; score.go computes the scores:
//
//   - N, the document frequencies and the mean lengths are exact over the live
//     documents, whatever was deleted, replaced or merged. The marker holds N and the
//     sum of lengths; Apply maintains them by looking up the replaced documents.
//   - Scores equal plain BM25 except for rounding, and do not depend on the
//     segmentation. Equal scores are ordered by id.
//   - A prefix is scored as one word that represents up to MaxExpansions words. This is
//     the only limit: further expansions in byte order are not found.
//
// Most words occur once in a document, so their postings are read as plain bitmaps.
// Frequencies are read from separate fields that hold only repeated terms. Segments
// never change, so data read from them stays in memory: field lengths, 8 bytes a
// document, the ids found, and the most recent postings, up to postingsBudget
// (cache.go). The list of segments, their deletions and the marker are looked up once
// for each state (view).
//
// # Segments
//
// bluge creates and merges segments, and package ice reads them. newSegment writes new
// segments, because ice took half of the time of a rebuild. Its output is byte for byte
// that of ice for the same documents.
//
// # Files
//
//	version               layout and mapping version, with a checksum
//	lock                  held while the index is open
//	%012x.seg, %012x.snp  bluge's segments (format ice 1) and snapshots, each
//	                      with a trailer: id, kind, CRC-32C (see file.go)
//	*.tmp                 being written
//
// Files are written under a temporary name and renamed, never synced. bluge trusts its
// files and crashes on damaged ones. So Open first checks every file that the newest
// snapshot needs, and removes all others. Folder and files have modes 0700 and 0600.
//
// # Concurrency
//
// All methods of Index are safe for concurrent use. Searches run on snapshots,
// concurrently with each other and with Apply. Apply calls run one at a time. Close
// waits for running calls. An open Index has four goroutines, a closed one none. On a
// full disk Apply returns an error, and background work retries with backoff.
//
// bluge writes to the standard library's global log when loading fails. Open checks the
// files first, so this is rare. memory/manager calls RedirectLog to keep the terminal
// clean in any case.
//
// # Testing
//
// model_test.go has the plain BM25 for comparison. segment_test.go compares segments
// with those of ice. kill_test.go and damage_test.go run the test binary again to kill
// it or to give it damaged files. MEMORIA_KILL_ROUNDS sets the number of rounds (20).
package index
