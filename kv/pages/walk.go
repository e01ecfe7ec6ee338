package pages

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// maxFaults is the number of faults that a [Walk] keeps.
const maxFaults = 100

// Walk is the result of a walk through a file.
type Walk struct {
	// Faults are the first 100 faults of the tree. If there are any, pages may be
	// unreached, and nothing may be written.
	Faults []error
	// FreeList is the fault of the free list, nil for none or if there is no list. The
	// list is compared with the tree only if the tree has no fault.
	FreeList error
	// Total counts the faults of the tree.
	Total int

	reached set  // pages of the tree and of the free list
	free    set  // pages named by a readable free list
	listed  bool // there is a free list, and it can be read
}

// Visit receives a record of a bucket. Nested buckets, which memoria does not use,
// appear under their own names. The arguments are valid until it returns. An error ends
// the walk.
type Visit func(bucket string, key, value []byte) error

// Walk visits every reachable page once. It checks each page, that no page is used
// twice, and that keys are in order, within each page and between pages. The error is
// that of visit, which may be nil, or ctx's cause.
func (f *File) Walk(ctx context.Context, visit Visit) (*Walk, error) {
	if visit == nil {
		visit = func(string, []byte, []byte) error { return nil }
	}
	w := &Walk{reached: newSet(f.pageCount), free: newSet(f.pageCount)}
	walker := &walker{f: f, w: w, ctx: ctx, visit: visit}
	if need := f.Bytes(); f.size < need {
		w.fault(fmt.Errorf("cut short: %d bytes of at least %d", f.size, need))
	}
	if err := walker.tree("", f.root, nil, nil, 0); err != nil {
		return nil, err
	}
	listed, err := f.readFreeList(w.free, w.reached)
	w.listed = listed && err == nil
	if w.Total > 0 {
		return w, nil // without the whole tree, free pages cannot be compared
	}
	if w.FreeList = err; w.listed {
		w.FreeList = f.compare(w)
	}
	return w, nil
}

func (w *Walk) fault(err error) {
	if w.Total++; len(w.Faults) < maxFaults {
		w.Faults = append(w.Faults, err)
	}
}

// compare reports a page that is neither in use nor free, or both.
func (f *File) compare(w *Walk) error {
	for id := uint64(2); id < f.pageCount; id++ {
		if w.reached.has(id) == w.free.has(id) {
			if w.free.has(id) {
				return fmt.Errorf("the free list names page %d, which is in use", id)
			}
			return fmt.Errorf("page %d is neither in use nor free", id)
		}
	}
	return nil
}

type walker struct {
	f     *File
	w     *Walk
	ctx   context.Context
	visit Visit
	bufs  [][]byte // one for each depth
}

// maxDepth bounds the tree: with two elements a page, no file has more levels.
const maxDepth = 64

// tree walks a page and its subtree. The page's first key is first, and all keys are
// less than end; nil means no bound. Faults are kept and the walk continues; an error
// ends it.
func (t *walker) tree(bucket string, id uint64, first, end []byte, depth int) error {
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	p, err := t.take(id, depth)
	if err != nil {
		t.w.fault(err)
		return nil
	}
	if err := p.recount(); err != nil {
		t.w.fault(err)
	}
	if p.count == 0 && depth > 0 && first != nil {
		t.w.fault(fmt.Errorf("page %d is empty", id))
		return nil
	}
	if p.kind == kindBranch {
		return t.branch(bucket, &p, first, end, depth)
	}
	return t.leaf(bucket, &p, first, end, depth)
}

// take reads a page not reached before and marks it.
func (t *walker) take(id uint64, depth int) (page, error) {
	for len(t.bufs) <= depth {
		t.bufs = append(t.bufs, nil)
	}
	p, err := t.f.first(id, t.bufs[depth])
	switch {
	case err != nil:
		return p, err
	case depth == maxDepth:
		return p, fmt.Errorf("page %d lies too deep", id)
	case p.kind != kindBranch && p.kind != kindLeaf:
		return p, fmt.Errorf("page %d is no page of a tree", id)
	}
	for n := id; n <= id+p.overflow; n++ {
		if t.w.reached.has(n) {
			return p, fmt.Errorf("page %d is used twice", n)
		}
	}
	for n := id; n <= id+p.overflow; n++ {
		t.w.reached.add(n)
	}
	err = t.f.rest(&p)
	t.bufs[depth] = p.data
	return p, err
}

func (t *walker) branch(bucket string, p *page, first, end []byte, depth int) error {
	if p.count == 0 {
		t.w.fault(fmt.Errorf("branch page %d is empty", p.id))
		return nil
	}
	var last []byte
	for i := range p.count {
		e, err := p.element(i)
		if err == nil {
			err = inOrder(p.id, e.key, first, last, end)
		}
		if err != nil {
			t.w.fault(err)
			continue
		}
		last = e.key
		next := end
		if i+1 < p.count {
			if e2, err := p.element(i + 1); err == nil && bytes.Compare(e2.key, e.key) > 0 {
				next = e2.key
			}
		}
		if err := t.tree(bucket, e.child, e.key, next, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (t *walker) leaf(bucket string, p *page, first, end []byte, depth int) error {
	var last []byte
	for i := range p.count {
		e, err := p.element(i)
		if err == nil {
			err = inOrder(p.id, e.key, first, last, end)
		}
		if err != nil {
			t.w.fault(err)
			continue
		}
		last = e.key
		switch {
		case e.bucket:
			err = t.bucket(string(e.key), e.value, depth)
		case bucket == "":
			t.w.fault(fmt.Errorf("page %d holds a record outside of all buckets", p.id))
		default:
			err = t.visit(bucket, e.key, e.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bucket walks a bucket from its element: the number of its root page, then its
// sequence, then its inline page if the number is 0.
func (t *walker) bucket(name string, value []byte, depth int) error {
	if len(value) < bucketSize {
		t.w.fault(fmt.Errorf("a bucket is described in %d bytes", len(value)))
		return nil
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return t.tree(name, root, nil, nil, depth+1)
	}
	p, ok := inline(value)
	if !ok || depth+1 >= maxDepth {
		t.w.fault(errors.New("a small bucket has no page"))
		return nil
	}
	if err := p.recount(); err != nil {
		t.w.fault(fmt.Errorf("the page of the small bucket %s: %w", name, err))
	}
	return t.leaf(name, &p, nil, nil, depth+1)
}

// bucketSize is the length of a bucket's description, before an inline page.
const bucketSize = 16

// inline returns the inline page of a small bucket.
func inline(value []byte) (p page, ok bool) {
	if len(value) < bucketSize+headerSize || binary.NativeEndian.Uint64(value) != 0 {
		return p, false
	}
	data := value[bucketSize:]
	p = page{
		kind:  binary.NativeEndian.Uint16(data[8:]),
		count: int(binary.NativeEndian.Uint16(data[10:])),
		data:  data,
	}
	return p, p.kind == kindLeaf
}

// inOrder checks a key against the previous one and the page's upper bound. A page's
// first key must equal the key in its branch, by which bbolt finds elements. nil means
// no bound.
func inOrder(id uint64, key, first, last, end []byte) error {
	switch {
	case last == nil && first != nil && !bytes.Equal(key, first):
		return fmt.Errorf("page %d does not begin with the key that leads to it", id)
	case last != nil && bytes.Compare(key, last) <= 0, end != nil && bytes.Compare(key, end) >= 0:
		return fmt.Errorf("keys of page %d are out of order", id)
	}
	return nil
}

// set is a set of page numbers.
type set []uint64

func newSet(n uint64) set { return make(set, (n+63)/64) }

func (s set) add(id uint64)      { s[id/64] |= 1 << (id % 64) }
func (s set) has(id uint64) bool { return s[id/64]&(1<<(id%64)) != 0 }

func (s set) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
