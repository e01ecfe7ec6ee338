package learning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store"
)

const (
	// delay after a start, and interval in a running program
	forgetWait  = 5 * time.Second
	forgetEvery = time.Hour
	// forgetRead is how many items are read at a time, forgetWrite how many change in one
	// write, so that a new message need not wait. forgetPause is the time between writes, and
	// a tenth of it that between reads: with 100,000 items a run without pauses takes one
	// processor for seconds, and each write costs the next search a look at the new index.
	forgetRead  = 200
	forgetWrite = 24
	forgetPause = 200 * time.Millisecond
)

// Forgotten counts the effects of forgetting.
type Forgotten struct {
	Decayed int `json:"decayed"` // with reduced confidence
	Ended   int `json:"ended"`   // decayed, expired or superseded, now inactive
	Evicted int `json:"evicted"` // made inactive because there were too many
	Deleted int `json:"deleted"` // inactive for long
}

// Any reports whether anything changed.
func (f Forgotten) Any() bool { return f != Forgotten{} }

// Forget applies policy's current decisions to the agent's items (P8, L5), in small
// writes, until it is done or ctx ends. It is idempotent. It also destroys versions that
// no undo needs. The archive is not changed. It runs in the background while the program
// runs.
func (w *Writer) Forget(ctx context.Context, agentID string) (Forgotten, error) {
	return w.forget(ctx, agentID, 0)
}

func (w *Writer) forget(ctx context.Context, agentID string, pause time.Duration) (done Forgotten, err error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return done, err
	}
	f := forgetting{m: w, a: a, pause: pause, done: &done}
	if err = f.all(ctx); err == nil {
		err = f.evict(ctx)
	}
	if err == nil {
		err = f.ask(ctx)
	}
	if err == nil {
		err = w.trim(ctx, a, pause)
	}
	if done.Deleted > 0 {
		w.PlanPurge()
	}
	if err != nil {
		return done, fmt.Errorf("forgetting: %w", err)
	}
	return done, nil
}

// ForgetPeriodically runs Forget in the background for the agents in use until the memory
// is closed.
func (w *Writer) ForgetPeriodically() {
	for wait := forgetWait; sleep(w.Life, wait); wait = forgetEvery {
		for _, id := range w.Recall().Loaded() {
			err := guard.Do(w.Log, "forgetting", func() error {
				done, err := w.forget(w.Life, id, forgetPause)
				if done.Any() {
					w.Log.Info("memories were forgotten", "agent", id,
						"decayed", done.Decayed, "ended", done.Ended, "evicted", done.Evicted, "deleted", done.Deleted)
				}
				return err
			})
			if err != nil && w.Life.Err() == nil {
				w.Log.Warn("forgetting was not finished", "agent", id, "error", err)
			}
		}
	}
}

// sleep waits for d and reports whether ctx is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// forgetting is one run over the items of an agent.
type forgetting struct {
	m     *Writer
	a     *write.Agent
	pause time.Duration
	done  *Forgotten
}

// all reads every item and applies policy's decisions.
func (f forgetting) all(ctx context.Context) error {
	for after := ""; ; {
		var due []string
		var read int
		err := f.m.View(ctx, func(tx *store.Tx) error {
			batch, err := tx.ItemsAfter(f.a.ID, after, forgetRead)
			for _, it := range batch {
				if after = it.ID; f.m.Decide().Forget(it, tx.Now()).Action != policy.Keep {
					due = append(due, it.ID)
				}
			}
			read = len(batch)
			return err
		})
		if err == nil {
			err = f.write(ctx, due, f.one)
		}
		if err != nil || read < forgetRead {
			return err
		}
		if !sleep(ctx, f.pause/10) {
			return context.Cause(ctx)
		}
	}
}

// evict makes surplus items inactive (L5).
func (f forgetting) evict(ctx context.Context) error {
	if f.m.Config().EvictionThreshold <= 0 {
		return nil
	}
	var heads []memory.Head
	err := f.m.View(ctx, func(tx *store.Tx) error {
		for h, err := range tx.Heads(f.a.ID) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			heads = append(heads, h)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var ids []string
	chosen := map[string]memory.Head{}
	for _, h := range f.m.Policy().Evict(heads) {
		ids, chosen[h.ID] = append(ids, h.ID), h
	}
	return f.write(ctx, ids, func(t *write.Tx, it memory.Item) (gone bool, err error) {
		h := it.Head()
		if was := chosen[it.ID]; h.State != was.State || h.Confidence != was.Confidence || !h.LastAccessed.Equal(was.LastAccessed) {
			return false, nil // used or changed since
		}
		f.done.Evicted++
		return false, retireItem(t, it, memory.ActionEvicted, "evicted: more memories than eviction_threshold, and this was the least sure")
	})
}

// write calls each for the items, a few in one write.
func (f forgetting) write(ctx context.Context, ids []string, each func(*write.Tx, memory.Item) (gone bool, err error)) error {
	for len(ids) > 0 {
		if !sleep(ctx, f.pause) {
			return context.Cause(ctx)
		}
		n := min(len(ids), forgetWrite)
		before := *f.done
		err := f.m.Update(ctx, f.a, func(t *write.Tx) error {
			*f.done = before
			return f.batch(t, ids[:n], each)
		})
		if err != nil {
			*f.done = before
			return err
		}
		ids = ids[n:]
	}
	return nil
}

func (f forgetting) batch(t *write.Tx, ids []string, each func(*write.Tx, memory.Item) (gone bool, err error)) error {
	var gone []string
	for _, id := range ids {
		it, err := t.Item(f.a.ID, id)
		if errors.Is(err, lookup.ErrNotFound) || store.Unreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		if back, err := recentlyRestored(t, it); err != nil {
			return err
		} else if back {
			continue
		}
		remove, err := each(t, it)
		if err != nil {
			return err
		}
		if remove {
			gone = append(gone, id)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if _, err := t.Trash(f.a.ID, t.NewID(), nil, gone); err != nil {
		return err
	}
	for _, id := range gone {
		t.Removed(id, memory.OriginSystem)
		note := memory.Change{
			ItemID: id, Action: memory.ActionDeleted, Reason: "inactive for long", Origin: memory.OriginSystem, Time: t.Now(),
		}
		if err := t.Note(f.a.ID, t.NewID(), note); err != nil {
			return err
		}
	}
	return nil
}

// recentlyRestored reports whether the item's last change is an undo within [UndoTime]
// that restored it. Such an item is not made inactive again.
func recentlyRestored(t *write.Tx, it memory.Item) (bool, error) {
	changes, err := t.Changes(t.Owner.ID, it.ID)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	last := changes[len(changes)-1]
	return last.Restores > 0 && it.State != memory.StateInactive && t.Now().Sub(last.Time) < lookup.UndoTime, nil
}

// one applies policy's decision for an item as it is now. gone means that the item is to
// be deleted.
func (f forgetting) one(t *write.Tx, it memory.Item) (gone bool, err error) {
	fate := f.m.Decide().Forget(it, t.Now())
	switch fate.Action {
	case policy.Decay:
		f.done.Decayed++
		it.Confidence = fate.Confidence
		it.UpdatedAt = t.Now()
		it.Version++
		return false, t.Put(it, memory.Change{Action: memory.ActionDecayed, Reason: "decayed: " + fate.Reason, Origin: memory.OriginSystem})
	case policy.Deactivate:
		f.done.Ended++
		action, reason := memory.ActionDecayed, "decayed: "+fate.Reason
		switch {
		case !it.ValidTo.IsZero() && !t.Now().Before(it.ValidTo):
			action, reason = memory.ActionExpired, "expired"
			if it.Type == memory.TypeGoal {
				reason = reasonPassed
			}
			it.Metadata.Ended = reason
		case it.SupersededBy != "":
			action, reason = memory.ActionSuperseded, "superseded by "+it.SupersededBy
		}
		return false, retireItem(t, it, action, reason)
	case policy.Delete:
		f.done.Deleted++
		return true, nil
	}
	return false, nil
}

// retireItem makes an item inactive; it can be restored until it is deleted.
func retireItem(t *write.Tx, it memory.Item, action memory.Action, reason string) error {
	it.State, it.UpdatedAt = memory.StateInactive, t.Now()
	it.Version++
	return t.Put(it, memory.Change{Action: action, Reason: reason, Origin: memory.OriginSystem})
}
