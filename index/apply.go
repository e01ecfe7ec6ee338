package index

import (
	"fmt"

	bluge "github.com/blugelabs/bluge/index"
)

// Apply applies the batch and sets the sequence atomically. It returns when both are
// written to the index's files. They are not synced: the store is the source of truth.
// Apply is idempotent.
//
// sequence comes from the store's change feed. Apply does not compare it with the last
// one. 0 marks the index as incomplete: a rebuild in several batches passes 0 with all
// but the last.
//
// After an error (a full disk) searches may see the batch although Sequence does not
// count it. Apply it again.
func (ix *Index) Apply(b Batch, sequence uint64) (err error) {
	defer guard(ix.logger, &err)()
	release, err := ix.hold()
	if err != nil {
		return err
	}
	defer release()
	ix.apply.Lock()
	defer ix.apply.Unlock()
	return ix.applyLocked(b, sequence)
}

// applyLocked is Apply for a caller that holds life and apply.
func (ix *Index) applyLocked(b Batch, sequence uint64) error {
	if err := ix.Attached(); err != nil {
		return fmt.Errorf("applying batch %d: %w", sequence, err)
	}
	s, err := ix.snapshot()
	if err != nil {
		return err
	}
	defer s.release()
	batch, m, err := s.plan(b, sequence)
	if err != nil {
		return fmt.Errorf("applying batch %d: %w", sequence, err)
	}
	if err := ix.writer.Batch(batch); err != nil {
		return fmt.Errorf("applying batch %d: %w", sequence, err)
	}
	ix.durable.Store(&m)
	return nil
}

// plan turns a batch into bluge's, and computes the marker that holds after it.
func (s *snapshot) plan(b Batch, sequence uint64) (*bluge.Batch, marker, error) {
	m, _ := s.marker()
	m.sequence = sequence

	last := make(map[string]int, len(b.Put))
	for i, d := range b.Put {
		if err := checkID(d.ID); err != nil {
			return nil, m, err
		}
		last[d.ID] = i
	}
	batch := bluge.NewBatch()
	for i, d := range b.Put {
		if last[d.ID] != i {
			continue
		}
		if err := m.remove(s, d.ID); err != nil {
			return nil, m, err
		}
		m.add(d.lengths())
		batch.Update(idTerm(d.ID), segmentDocument{d})
	}
	deleted := make(map[string]bool, len(b.Delete))
	for _, id := range b.Delete {
		if err := checkID(id); err != nil {
			return nil, m, err
		}
		if _, put := last[id]; put || deleted[id] {
			continue
		}
		deleted[id] = true
		if err := m.remove(s, id); err != nil {
			return nil, m, err
		}
		batch.Delete(idTerm(id))
	}
	batch.Update(idTerm(markerID), m.document())
	return batch, m, nil
}
