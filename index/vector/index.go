package vector

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// CompactRatio is the share of tombstones above which an index compacts itself.
	CompactRatio = 0.25
	// compactLeast is the minimum number of tombstones for compaction.
	compactLeast = 64
	// blockBytes is the approximate size of a block: small enough to be freed one by
	// one, large enough for fast sequential search.
	blockBytes = 1 << 20
	// parallelLeast is the number of floats below which one processor searches: that
	// takes a fraction of a millisecond.
	parallelLeast = 1 << 20
)

// Hit is a vector found.
type Hit struct {
	ID     string
	Cosine float32
}

// Spread describes the distribution of one search's cosines over all vectors.
type Spread struct {
	N               int
	Mean, Deviation float64
}

// Stats are an index's statistics.
type Stats struct {
	Dimension   int
	Live        int
	Tombstones  int
	Bytes       int64 // of the vectors, tombstones included
	Compactions int
}

// Index holds vectors of one dimension. The zero value cannot be used; see [New].
type Index struct {
	dim, perBlock int

	mu        sync.RWMutex
	blocks    [][]float32    // each perBlock vectors, the last possibly partial
	ids       []string       // by place; "" is a tombstone
	places    map[string]int // of the live vectors
	compacted int
}

// New returns an empty index for vectors of dim numbers, at least 1.
func New(dim int) *Index {
	return &Index{dim: dim, perBlock: max(16, blockBytes/4/dim), places: map[string]int{}}
}

// Dimension returns the number of floats in a vector.
func (x *Index) Dimension() int { return x.dim }

// Put stores a copy of v under id and replaces any previous vector. v must have length
// 1 (see [Normalise]) and id must not be empty.
func (x *Index) Put(id string, v []float32) error {
	if len(v) != x.dim {
		return &DimensionError{Got: len(v), Want: x.dim}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if at, ok := x.places[id]; ok {
		copy(x.at(at), v)
		return nil
	}
	if len(x.ids)%x.perBlock == 0 {
		// The first block grows as it is filled: most memories are small.
		x.blocks = append(x.blocks, nil)
	}
	last := len(x.blocks) - 1
	x.blocks[last] = append(x.blocks[last], v...)
	x.places[id] = len(x.ids)
	x.ids = append(x.ids, id)
	return nil
}

// Delete removes a vector and reports whether it was present. Its numbers are erased
// from memory.
func (x *Index) Delete(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	at, ok := x.places[id]
	if !ok {
		return false
	}
	clear(x.at(at))
	x.ids[at] = ""
	delete(x.places, id)
	if dead := len(x.ids) - len(x.places); dead >= compactLeast && float64(dead) > CompactRatio*float64(len(x.ids)) {
		x.compact()
	}
	return true
}

// Compact removes the tombstones now.
func (x *Index) Compact() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.compact()
}

// compact moves the live vectors together, in order; x.mu is held.
func (x *Index) compact() {
	if len(x.ids) == len(x.places) {
		return
	}
	to := 0
	for from, id := range x.ids {
		if id == "" {
			continue
		}
		if from != to {
			copy(x.at(to), x.at(from))
			x.ids[to], x.places[id] = id, to
		}
		to++
	}
	clear(x.ids[to:])
	x.ids = x.ids[:to]
	full := (to + x.perBlock - 1) / x.perBlock
	clear(x.blocks[full:])
	x.blocks = x.blocks[:full]
	if full > 0 {
		last := x.blocks[full-1]
		used := (to - (full-1)*x.perBlock) * x.dim
		clear(last[used:])
		x.blocks[full-1] = last[:used]
	}
	x.compacted++
}

// at returns the vector at a place; x.mu is held.
func (x *Index) at(place int) []float32 {
	from := place % x.perBlock * x.dim
	return x.blocks[place/x.perBlock][from : from+x.dim : from+x.dim]
}

// Search returns the k vectors nearest to q, nearest first and ties by id, and the
// distribution of all cosines. q must have length 1. A search over many vectors uses
// all processors.
func (x *Index) Search(q []float32, k int) ([]Hit, Spread, error) {
	if len(q) != x.dim {
		return nil, Spread{}, &DimensionError{Got: len(q), Want: x.dim}
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	workers := 1
	if len(x.ids)*x.dim >= parallelLeast {
		workers = min(runtime.GOMAXPROCS(0), len(x.blocks))
	}
	found := make([]nearest, workers)
	sums := make([]moments, len(x.blocks)) // by block, so that the total is reproducible
	var next atomic.Int64
	search := func(best *nearest) {
		cosines := make([]float32, min(x.perBlock, len(x.ids)))
		for i := int(next.Add(1) - 1); i < len(x.blocks); i = int(next.Add(1) - 1) {
			sums[i] = x.searchBlock(q, i, best, cosines)
		}
	}
	var wait sync.WaitGroup
	for i := range found {
		found[i].k = max(k, 0)
		if i > 0 {
			wait.Go(func() { search(&found[i]) })
		}
	}
	search(&found[0])
	wait.Wait()
	best := found[0]
	for _, other := range found[1:] {
		for _, h := range other.hits {
			best.add(h)
		}
	}
	return best.sorted(), spread(len(x.places), sums), nil
}

// moments are sums over cosines.
type moments struct{ sum, squares float64 }

// searchBlock compares q with the vectors of a block. cosines is scratch space.
func (x *Index) searchBlock(q []float32, block int, best *nearest, cosines []float32) (m moments) {
	vectors := x.blocks[block]
	cosines = cosines[:len(vectors)/x.dim]
	dotRows(q, vectors, cosines)
	for i, c := range cosines { // 0 for a tombstone, which changes no sum
		m.sum += float64(c)
		m.squares += float64(c) * float64(c)
		if c >= best.floor || len(best.hits) < best.k {
			if id := x.ids[block*x.perBlock+i]; id != "" {
				best.add(Hit{ID: id, Cosine: c})
			}
		}
	}
	return m
}

func spread(n int, blocks []moments) Spread {
	if n == 0 {
		return Spread{}
	}
	sum, squares := 0.0, 0.0
	for _, m := range blocks {
		sum += m.sum
		squares += m.squares
	}
	mean := sum / float64(n)
	return Spread{N: n, Mean: mean, Deviation: math.Sqrt(max(0, squares/float64(n)-mean*mean))}
}

// Cosines returns the cosine of q with each id's vector, for ids that have one.
func (x *Index) Cosines(q []float32, ids []string) map[string]float32 {
	out := make(map[string]float32, len(ids))
	if len(q) != x.dim {
		return out
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, id := range ids {
		if at, ok := x.places[id]; ok {
			out[id] = Dot(q, x.at(at))
		}
	}
	return out
}

// Vector returns a copy of the vector under id.
func (x *Index) Vector(id string) ([]float32, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	at, ok := x.places[id]
	if !ok {
		return nil, false
	}
	return slices.Clone(x.at(at)), true
}

// Has reports whether there is a vector under id.
func (x *Index) Has(id string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, ok := x.places[id]
	return ok
}

// IDs returns the ids of all vectors, in byte order.
func (x *Index) IDs() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	out := make([]string, 0, len(x.places))
	for id := range x.places {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// Stats returns the index's statistics.
func (x *Index) Stats() Stats {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := Stats{Dimension: x.dim, Live: len(x.places), Tombstones: len(x.ids) - len(x.places), Compactions: x.compacted}
	for _, b := range x.blocks {
		s.Bytes += 4 * int64(cap(b))
	}
	return s
}

// nearest keeps the k best hits in a heap, the worst on top.
type nearest struct {
	k     int
	hits  []Hit
	floor float32 // the worst cosine, once there are k
}

// worse orders hits: smaller cosines first, ties by descending id.
func worse(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.Cosine, b.Cosine), cmp.Compare(b.ID, a.ID))
}

func (n *nearest) add(h Hit) {
	if n.k == 0 {
		return
	}
	if len(n.hits) < n.k {
		n.hits = append(n.hits, h)
		for i := len(n.hits) - 1; i > 0; {
			up := (i - 1) / 2
			if worse(n.hits[i], n.hits[up]) >= 0 {
				break
			}
			n.hits[i], n.hits[up] = n.hits[up], n.hits[i]
			i = up
		}
	} else if worse(h, n.hits[0]) > 0 {
		n.hits[0] = h
		n.sink()
	}
	if len(n.hits) == n.k {
		n.floor = n.hits[0].Cosine
	}
}

// sink moves the top of the heap to its place.
func (n *nearest) sink() {
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(n.hits); c++ {
			if worse(n.hits[c], n.hits[least]) < 0 {
				least = c
			}
		}
		if least == i {
			return
		}
		n.hits[i], n.hits[least] = n.hits[least], n.hits[i]
		i = least
	}
}

func (n *nearest) sorted() []Hit {
	slices.SortFunc(n.hits, func(a, b Hit) int { return worse(b, a) })
	return n.hits
}
