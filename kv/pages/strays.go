package pages

import "context"

// Stray is an element of an unreachable leaf page. Its bucket is unknown.
type Stray struct {
	Key, Value []byte // valid until visit returns
	// Live says that the free list is readable and does not name the page: the element
	// was in use until its branch was lost. Otherwise it may be deleted or outdated.
	Live bool
}

// Strays passes the elements of leaf pages that w did not reach to visit, live ones
// first. It skips invalid pages. The error is visit's, or ctx's cause.
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
	_ = p.recount() // the elements found count more than the claimed number
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

// each visits the elements of a small bucket's page.
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
