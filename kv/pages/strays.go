package pages

import "context"

// Stray is an element of an unreachable leaf page. Its bucket is unknown.
type Stray struct {
	Key, Value []byte // valid until visit returns
	// Live reports that the page is not in the free list, so the element was in use until
	// a branch above it was lost. Otherwise, or if the free list is unreadable, the
	// element may be deleted or outdated.
	Live bool
}

// Strays calls visit for the elements of each leaf page that w did not reach, live ones
// first. It skips invalid pages. The error is visit's, or ctx's cause.
func (f *File) Strays(ctx context.Context, w *Walk, visit func(Stray) error) error {
	for _, live := range []bool{true, false} {
		for id := uint64(2); id < f.pageCount; id++ {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			inUse := w.listed && !w.free.has(id)
			if w.reached.has(id) || inUse != live {
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

// stray visits the elements of one page and returns its last overflow page.
func (f *File) stray(id uint64, w *Walk, live bool, visit func(Stray) error) (last uint64, err error) {
	p, err := f.first(id, nil)
	if err != nil || p.kind != kindLeaf {
		return id, nil
	}
	for n := id + 1; n <= id+p.overflow; n++ {
		if w.reached.has(n) {
			return id, nil // partly overwritten
		}
	}
	if f.rest(&p) != nil {
		return id, nil
	}
	_ = p.recount() // a wrong count is corrected; the error is of no use here
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

// each visits the elements of an inline page.
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
