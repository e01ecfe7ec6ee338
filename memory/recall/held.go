package recall

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const (
	// mostHeld bounds the waiting items that are looked at.
	mostHeld = 200
	// heldShare is the share of a message's keywords that an item about it has; one with a
	// distinctive word of it needs less.
	heldShare       = 0.5
	heldDistinctive = 0.3
)

// HeldAbout counts the items about a message that wait for the user's approval. They are not
// recalled, but an answer can say that they wait.
func HeldAbout(ctx context.Context, r *Reader, agentID, message string) (n int, err error) {
	q, question := retrieve.Analyse(message, ""), retrieve.NewQuestion(message)
	if q.Wordless() {
		return 0, nil
	}
	err = r.view(ctx, func(tx *store.Tx) error {
		held, err := tx.HeldItems(agentID, mostHeld, 0)
		for _, it := range held {
			m := retrieve.ShareTranslated(q, it.Content)
			if !question.OfNobody(it.Content) && (m.Keyword >= heldShare || m.Distinctive && m.Keyword >= heldDistinctive) {
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

// HeldSources returns the messages that are not quoted because a memory made from them waits
// for the user's approval.
func HeldSources(ctx context.Context, r *Reader, agentID string) (ids map[string]bool, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		ids, err = store.HeldSources(tx, agentID)
		return err
	})
	return ids, err
}

// EndedSources returns those of the messages from which only memories were made that have ended or
// were replaced: quoted alone, such a message says the opposite of the memory. What was only
// forgotten by policy (P8) has not ended.
func EndedSources(ctx context.Context, r *Reader, agentID string, recordIDs []string) (map[string]bool, error) {
	if len(recordIDs) == 0 {
		return nil, nil
	}
	var items []memory.Item
	err := r.view(ctx, func(tx *store.Tx) (err error) {
		items, err = tx.ItemsFromRecords(agentID, recordIDs)
		return err
	})
	ended := map[string]bool{}
	for _, holds := range []bool{false, true} { // one that holds outweighs the others
		for _, it := range items {
			for _, ev := range it.Evidence {
				if over := it.State == memory.StateInactive && !it.ValidTo.IsZero(); holds != over {
					ended[ev.RecordID] = !holds
				}
			}
		}
	}
	return ended, err
}
