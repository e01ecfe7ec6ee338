package learning

import (
	"context"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// Prefixes and reasons of the questions whether an item is still true.
const (
	stillAsked      = "Still true? "
	stillAskedHan   = "现在还是这样吗？"
	reasonStale     = "nothing has confirmed it for six months"
	reasonStillTrue = "you said that it is still true"
	reasonNotTrue   = "you said that it is no longer true"
	reasonAnswered  = "it was answered since"
)

// ask puts a question into the inbox for each item of a changeable kind that was not
// confirmed for long, once a month, and removes questions that were answered otherwise
// (P9b).
func (f forgetting) ask(ctx context.Context) error {
	var stale, moot []string
	err := f.m.View(ctx, func(tx *store.Tx) error {
		for it, err := range tx.Items(f.a.ID) {
			switch {
			case err != nil:
				return err
			case it.State == memory.StateHeld && it.Metadata.StillTrue != "":
				if asked, err := stillOpen(tx, it); err != nil {
					return err
				} else if !asked {
					moot = append(moot, it.ID)
				}
			case f.m.Policy().Stale(it, tx.Now()):
				stale = append(stale, it.ID)
			}
		}
		return nil
	})
	if err == nil {
		err = f.write(ctx, moot, func(t *write.Tx, it memory.Item) (bool, error) {
			return false, retireItem(t, it, memory.ActionExpired, reasonAnswered)
		})
	}
	if err == nil {
		err = f.write(ctx, stale, func(t *write.Tx, it memory.Item) (bool, error) {
			if !f.m.Policy().Stale(it, t.Now()) {
				return false, nil
			}
			return false, askStill(t, it)
		})
	}
	return err
}

// askStill puts the question about an item into the inbox, unless it is there.
func askStill(t *write.Tx, it memory.Item) error {
	key := "still/" + it.ID
	if waiting, err := t.KeyHolders(t.Owner.ID, key); err != nil || len(waiting) > 0 {
		return err
	}
	asked := stillAsked
	if strings.ContainsFunc(it.Content, text.Han) {
		asked = stillAskedHan
	}
	q := memory.Item{
		ID: t.NewID(), AgentID: t.Owner.ID, SessionID: it.SessionID, Type: it.Type, Key: key, Title: it.Title, Content: asked + it.Content,
		Confidence: it.Confidence, Importance: it.Importance, Source: memory.SourceSystem, Origin: memory.OriginSystem, Trust: it.Trust,
		Evidence: slices.Clone(it.Evidence), State: memory.StateHeld, Version: 1, Metadata: memory.ItemMetadata{StillTrue: it.ID},
		CreatedAt: t.Now(), UpdatedAt: t.Now(), ValidFrom: t.Now(),
	}
	if err := Check(t.Core, &q); err != nil {
		if isInvalid(err) { // too long for a question
			return nil
		}
		return err
	}
	return t.Put(q, memory.Change{Action: memory.ActionHeld, Reason: reasonStale, Origin: memory.OriginSystem})
}

// doubted returns the active item that a question is about; ok is false if there is none.
func doubted(tx *store.Tx, q memory.Item) (it memory.Item, ok bool, err error) {
	it, err = tx.Item(q.AgentID, q.Metadata.StillTrue)
	if lookup.Lacking(err) {
		return it, false, nil
	}
	return it, err == nil && it.State == memory.StateActive, err
}

// stillOpen reports whether no later message has answered a question.
func stillOpen(tx *store.Tx, q memory.Item) (bool, error) {
	it, ok, err := doubted(tx, q)
	return ok && !it.LastConfirmedAt.After(q.CreatedAt), err
}

// acceptStill answers a question with yes: it removes the question and confirms the item.
func acceptStill(t *write.Tx, q memory.Item) (memory.Item, error) {
	q.State, q.UpdatedAt, q.ValidTo = memory.StateInactive, t.Now(), t.Now()
	q.Version++
	if err := t.Put(q, memory.Change{Action: memory.ActionAccepted, Reason: reasonStillTrue, Origin: memory.OriginUser}); err != nil {
		return q, err
	}
	it, ok, err := doubted(t.Tx, q)
	if err != nil || !ok {
		return q, err
	}
	it.Confidence, it.LastConfirmedAt, it.UpdatedAt = max(it.Confidence, acceptedSure), t.Now(), t.Now()
	it.Version++
	return q, t.Put(it, memory.Change{Action: memory.ActionConfirmed, Reason: reasonStillTrue, Origin: memory.OriginUser})
}

// RejectStill answers a question with no: its item ends. Other items are ignored.
func RejectStill(t *write.Tx, q memory.Item) error {
	if q.Metadata.StillTrue == "" {
		return nil
	}
	it, ok, err := doubted(t.Tx, q)
	if err != nil || !ok {
		return err
	}
	_, err = deactivate(t, it, memory.Evidence{}, memory.Change{Origin: memory.OriginUser, Reason: reasonNotTrue})
	return err
}

// editStill turns an edited question into a replacement of its item.
func editStill(t *write.Tx, q *memory.Item) error {
	id := q.Metadata.StillTrue
	if id == "" || q.State != memory.StateActive {
		return nil
	}
	it, ok, err := doubted(t.Tx, *q)
	if err != nil {
		return err
	}
	q.Content = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(q.Content, stillAskedHan), strings.TrimSpace(stillAsked)))
	q.Metadata.StillTrue = ""
	if ok {
		q.Key, q.Metadata.WouldReplace = it.Key, id
	}
	return nil
}
