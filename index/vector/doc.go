// Package vector finds the nearest of many vectors by going through all of them.
//
// An [Index] holds unit vectors of one dimension under ids, in main memory. A
// search is exact: it takes the inner product with every vector, which of unit
// vectors is the cosine of their angle. 100,000 vectors of 256 numbers take some
// 5 ms on two cores (BenchmarkSearch), which is little beside the request that
// makes the vector to search with, so there is nothing to train, to tune or to be
// wrong about.
//
// On amd64 with AVX the products are made in assembly (dot_amd64.s), elsewhere and
// with the build tag purego by [Dot]. Both give the same bits.
//
// # Tombstones
//
// Vectors lie one behind the other in blocks. Deleting or replacing one leaves
// its place as a tombstone: it is overwritten with zeros at once, is found no
// more, and still costs a search its time. When more than [CompactRatio] of the
// places are tombstones the index compacts itself: the live ones move together and
// the blocks behind them are let go.
//
// Nothing here lies on disk. The store has the vectors, and an index can be thrown
// away and filled again at any time.
//
// # Concurrency
//
// An Index is safe for concurrent use. Searches run beside each other; a change
// waits for those under way, and is whole for those after it.
//
// # Testing
//
// A property test compares every operation with a map, and a fuzz target the
// assembly with plain Go.
package vector
