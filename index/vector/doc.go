// Package vector finds nearest vectors by exhaustive search.
//
// An [Index] holds unit vectors of one dimension under ids, in main memory. A search is
// exact: it computes the inner product with every vector, which for unit vectors is the
// cosine of their angle. 100,000 vectors of 256 numbers take some 5 ms on two cores
// (BenchmarkSearch). That is little compared with the request for the query's
// embedding, so there is nothing to train or tune.
//
// On amd64 with AVX the products are computed in assembly (dot_amd64.s), otherwise and
// with the build tag purego by [Dot]. Both give identical bits.
//
// # Tombstones
//
// Vectors are stored contiguously in blocks. Deleting one leaves a tombstone: its place
// is overwritten with zeros at once and is no longer found, but still costs search
// time. If more than [CompactRatio] of the places are tombstones, the index compacts
// itself: it moves the live vectors together and frees the remaining blocks.
//
// Nothing is stored on disk. The store has the vectors, and an index can be discarded
// and refilled at any time.
//
// # Concurrency
//
// An Index is safe for concurrent use. Searches run concurrently. A change waits for
// running searches and is atomic for later ones.
//
// # Testing
//
// A property test compares every operation with a map. A fuzz target compares the
// assembly with plain Go.
package vector
