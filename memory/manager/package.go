package manager

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// SavePackage stores what a turn is about to send and returns it rendered. Exactly the
// returned messages are sent, so that the stored package is accurate (C5). texts holds
// the program's own texts by the ids in the parts. Selected items count as accessed now,
// those of the profile with the answer (L4).
func (m *Manager) SavePackage(ctx context.Context, p memory.Package, texts map[string]string) (memory.Rendered, error) {
	a, err := m.Agent(p.AgentID)
	if err != nil {
		return memory.Rendered{}, err
	}
	var out memory.Rendered
	err = m.Update(ctx, a, func(t *write.Tx) error {
		out, err = savePackage(t, p, texts)
		return err
	})
	if err != nil {
		return memory.Rendered{}, fmt.Errorf("storing a package: %w", err)
	}
	return out, nil
}

func savePackage(t *write.Tx, p memory.Package, texts map[string]string) (out memory.Rendered, err error) {
	if err := inSession(t, p.SessionID); err != nil {
		return out, err
	}
	for id, s := range texts {
		if got, err := t.PutText(t.Owner.ID, s); err != nil {
			return out, err
		} else if got != id {
			return out, fmt.Errorf("text %s is not what its id says", id)
		}
	}
	for _, q := range p.Quoted {
		if _, err := t.PutPassage(t.Owner.ID, q.Path, q.Words); err != nil {
			return out, err
		}
	}
	p.CreatedAt, p.Blocks = t.Now(), withoutPaths(p.Blocks)
	if out, err = t.Core.Lookup().Render(t.Tx, p); err != nil {
		return out, err
	}
	p.Hash = lookup.HashOf(out, 0)
	out.Package, out.Exact = p, true
	for _, id := range itemsSent(p) {
		if err := t.MarkAccessed(id); err != nil {
			return out, err
		}
	}
	return out, t.PutPackage(p)
}

// itemsSent returns the ids of the items whose words a package contains, each once: the
// selected ones and those used as evidence.
func itemsSent(p memory.Package) (ids []string) {
	for _, u := range p.Used {
		if u.Chosen && !u.Overview {
			ids = append(ids, u.ItemID)
		}
	}
	for _, c := range p.Citations {
		if c.RecordID == "" && !slices.Contains(ids, c.ItemID) {
			ids = append(ids, c.ItemID)
		}
	}
	return ids
}

// touchProfile marks the items in a turn's profile as accessed (L4), each once. It runs
// with the answer, because a full profile takes milliseconds that the user would wait
// for.
func touchProfile(t *write.Tx, turn string) error {
	p, err := t.Package(t.Owner.ID, turn)
	if lookup.Lacking(err) {
		return nil
	}
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, u := range p.Used {
		done[u.ItemID] = u.Chosen
	}
	for _, b := range p.Blocks {
		for _, part := range b.Parts {
			if b.Layer != memory.LayerProfile || part.Kind != memory.KindItem || done[part.ID] {
				continue
			}
			done[part.ID] = true
			if err := t.MarkAccessed(part.ID); err != nil && !store.Unreadable(err) {
				return err
			}
		}
	}
	return nil
}

// withoutPaths returns blocks without the paths of journal files, which can have words of
// messages. [lookup.Reader.Render] resolves them.
func withoutPaths(blocks []memory.Block) []memory.Block {
	blocks = slices.Clone(blocks)
	for i, b := range blocks {
		blocks[i].Parts = slices.Clone(b.Parts)
		for j, part := range b.Parts {
			if lookup.OfJournal(part) {
				blocks[i].Parts[j].Source = ""
			}
		}
	}
	return blocks
}
