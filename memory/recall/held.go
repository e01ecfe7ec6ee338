package recall

import (
	"context"
	"fmt"

	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const (
	// mostHeld bounds the waiting items that are looked at.
	mostHeld = 200
	// heldShare is the share of a message's keywords that an item about it has.
	heldShare = 0.5
)

// HeldAbout counts the items about a message that wait for the user's approval. They are not
// recalled, but an answer can say that they wait.
func (r *Reader) HeldAbout(ctx context.Context, agentID, message string) (n int, err error) {
	q := retrieve.Analyse(message, "")
	if q.Wordless() {
		return 0, nil
	}
	err = r.view(ctx, func(tx *store.Tx) error {
		held, err := tx.HeldItems(agentID, mostHeld, 0)
		for _, it := range held {
			if retrieve.ShareTranslated(q, it.Content).Keyword >= heldShare {
				n++
			}
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("looking for what waits for approval: %w", err)
	}
	return n, nil
}

// heldSources returns the ids of the messages that waiting items were made from: what waits
// for approval is not quoted either.
func heldSources(tx *store.Tx, agentID string) (map[string]bool, error) {
	held, err := tx.HeldItems(agentID, mostHeld, 0)
	ids := map[string]bool{}
	for _, it := range held {
		for _, ev := range it.Evidence {
			ids[ev.RecordID] = true
		}
	}
	return ids, err
}

// HeldSources returns the messages that are not quoted because a memory made from them waits
// for the user's approval.
func (r *Reader) HeldSources(ctx context.Context, agentID string) (ids map[string]bool, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		ids, err = heldSources(tx, agentID)
		return err
	})
	return ids, err
}
