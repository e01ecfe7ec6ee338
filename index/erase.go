package index

import (
	"context"
	"fmt"
	"time"
)

// The pauses between two looks at the work of bluge, which has no call to wait for.
const (
	eraseLook = 5 * time.Millisecond
	erasePush = 400 * eraseLook // until bluge is woken again, and at first until a file may be left over
	// eraseCalm is how many looks in a row must find nothing: a merge that began before a
	// deletion may be about to write its file.
	eraseCalm = 10
)

// Erase removes the words of deleted documents from the files (D2): all segments are merged
// without them. Nothing is done if no document was deleted, or only replaced. The index can
// be searched and changed meanwhile; documents deleted meanwhile are removed, too. If ctx
// ends, its cause is returned and the next Erase continues.
func (ix *Index) Erase(ctx context.Context) (err error) {
	defer guard(ix.logger, &err)()
	ix.erasing.Add(1)
	defer ix.erasing.Add(-1)
	for n, calm := 0, 0; ; n++ {
		stained, err := ix.stained()
		if calm++; stained {
			calm = 0
		}
		if err != nil || calm == eraseCalm {
			return err
		}
		if stained && n%int(erasePush/eraseLook) == 0 {
			if err := ix.wake(); err != nil {
				return err
			}
		}
		pause := time.NewTimer(eraseLook)
		select {
		case <-pause.C:
		case <-ix.stopping:
			pause.Stop()
			return ErrClosed
		case <-ctx.Done():
			pause.Stop()
			return context.Cause(ctx)
		}
	}
}

// wake has bluge plan merges, by writing the marker again.
func (ix *Index) wake() error {
	release, err := ix.hold()
	if err != nil {
		return err
	}
	defer release()
	ix.apply.Lock()
	defer ix.apply.Unlock()
	m := ix.durable.Load()
	if m == nil {
		return fmt.Errorf("erasing: %w: it has no marker", ErrBroken)
	}
	return ix.applyLocked(Batch{}, m.sequence)
}

// stained reports whether the files may hold words of deleted documents: in a segment of
// the newest state, or in one that is no longer part of it.
func (ix *Index) stained() (found bool, err error) {
	release, err := ix.hold()
	if err != nil {
		return false, err
	}
	defer release()
	s, err := ix.snapshot()
	if err != nil {
		return false, err
	}
	defer s.release()
	if found, err = s.stained(); found || err != nil || ix.dir == nil {
		return found, err
	}
	if found, err = ix.dir.removeUnused(s.parts); err != nil {
		return false, fmt.Errorf("erasing: %w", err)
	}
	return found, nil
}

// stained reports whether a segment holds a document that was deleted.
func (s *snapshot) stained() (bool, error) {
	known := map[string]bool{markerID: true} // live in another segment
	for _, p := range s.parts {
		if p.deleted == nil {
			continue
		}
		for it := p.deleted.Iterator(); it.HasNext(); {
			id, err := s.id(p.offset + it.Next())
			if err != nil {
				return false, err
			}
			if known[id] {
				continue
			}
			_, live, err := s.find(id)
			if err != nil || !live {
				return true, err
			}
			known[id] = true
		}
	}
	return false, nil
}
