package pages

import "context"

// Stray is an element of a leaf page that was not reached. Which bucket it belongs to is
// not known.
type Stray struct {
	Key, Value []byte // die when the function that is given them returns
	// Live says that the free list is readable and does not name the page: the
	// element was there until the way to it was lost. Otherwise it may be long
	// deleted, or an older version of something.
	Live bool
}

// Strays shows what lies on leaf pages that w did not reach: first what was live. Pages
// that make no sense are passed over. The error is that of visit, or ctx's cause.
func (f *File) Strays(ctx context.Context, w *Walk, visit func(Stray) error) error {
	for _, live := range []bool{true, false} {
		for id := uint64(2); id < f.there; id++ {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			isLive := w.listed && !w.free.has(id)
			if w.reached.has(id) || isLive != live {
				continue
			}
			next, err := f.stray(id, w, live, visit)
			if err != nil {
				return err
			}
			id = next
		}
	}
	return nil
}

// stray shows the elements of one page and returns the last page that belongs to it.
func (f *File) stray(id uint64, w *Walk, live bool, visit func(Stray) error) (last uint64, err error) {
	p, err := f.first(id, nil)
	if err != nil || p.kind != kindLeaf {
		return id, nil
	}
	for n := id + 1; n <= id+p.overflow; n++ {
		if w.reached.has(n) {
			return id, nil // it was written over in part
		}
	}
	if f.rest(&p) != nil {
		return id, nil
	}
	_ = p.recount() // what it says of itself counts less than what is there
	for i := range p.count {
		e, err := p.element(i)
		if err != nil {
			continue
		}
		if inside, ok := inline(e.value); e.bucket && ok {
			err = inside.each(live, visit)
		} else if !e.bucket {
			err = visit(Stray{Key: e.key, Value: e.value, Live: live})
		}
		if err != nil {
			return id, err
		}
	}
	return id + p.overflow, nil
}

// each shows the elements of the page of a small bucket.
func (p *page) each(live bool, visit func(Stray) error) error {
	_ = p.recount()
	for i := range p.count {
		e, err := p.element(i)
		if err != nil || e.bucket {
			continue
		}
		if err := visit(Stray{Key: e.key, Value: e.value, Live: live}); err != nil {
			return err
		}
	}
	return nil
}
