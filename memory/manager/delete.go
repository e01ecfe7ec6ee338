package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// Deletion is what a delete can be taken back by, and what it took.
type Deletion struct {
	ID string `json:"id"`
	// Title is that of the session, or of the only item.
	Title    string    `json:"title,omitempty"`
	Items    int       `json:"items"`
	Sessions int       `json:"sessions,omitempty"`
	Messages int       `json:"messages,omitempty"`
	Profiles int       `json:"profiles,omitempty"` // versions
	At       time.Time `json:"at"`
	Until    time.Time `json:"until"` // the end of the take-back
	// Agent is the id of an agent of which everything went; empty otherwise.
	Agent string `json:"agent,omitempty"`
}

func deletion(d store.Deleted) Deletion {
	return Deletion{
		ID: d.ID, Title: d.Title, Items: d.Items, Sessions: d.Sessions, Messages: d.Messages, Profiles: d.Profiles,
		At: d.At, Until: d.At.Add(TakeBackTime + d.Longer),
	}
}

// doomed is what a deletion is going to take.
type doomed struct {
	sessions, items, records []string
	// notes are what stays in the history, without words.
	notes []memory.Change
	// withItems says that items go which rest on the sessions and records alone;
	// group, that the group goes of which they are.
	withItems, group bool
}

// DeleteItems takes items out of every view at once. Until Deletion.Until they
// can be taken back; then they are destroyed (L6, D2). A keyed hash stays, so that
// the same is not learned again from what remains until the user says it anew. When one of the ids is
// unknown, nothing is deleted. An item that cannot be read is destroyed at once.
func (m *Manager) DeleteItems(ctx context.Context, agentID string, ids ...string) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	return m.delete(ctx, a, func(t *tx) (doomed, error) {
		var d doomed
		seen := map[string]bool{}
		for _, id := range ids {
			full, err := findID(t.Tx, a.id, id)
			if err != nil {
				return d, fmt.Errorf("memory %s: %w", id, err)
			}
			if !seen[full] {
				seen[full] = true
				d.items = append(d.items, full)
			}
		}
		return d, nil
	})
}

// ClearItems deletes all items of an agent and leaves working memory (L6).
func (m *Manager) ClearItems(ctx context.Context, agentID string) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	return m.delete(ctx, a, func(t *tx) (doomed, error) {
		var d doomed
		for id, err := range t.ItemIDs(a.id) {
			if err != nil {
				return d, err
			}
			d.items = append(d.items, id)
		}
		return d, nil
	})
}

// DeleteSession takes a session with its messages and all that belongs to them
// out of every view at once: what its turns sent, its working memory, what is
// queued of it. withItems also deletes the items whose evidence lies in this
// session alone, and the episodes that are told with its words; an item that stays is recalled as before, its evidence shows as
// forgotten (D2). Until Deletion.Until all of it can be taken back, but for a
// title that could not be read. id may be the beginning or end of an id, as for
// [Manager.Session].
func (m *Manager) DeleteSession(ctx context.Context, agentID, id string, withItems bool) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	return m.delete(ctx, a, func(t *tx) (doomed, error) {
		session, err := findSessionID(t.Tx, a.id, id)
		if err != nil {
			return doomed{}, fmt.Errorf("session %s: %w", id, err)
		}
		d := doomed{sessions: []string{session}, withItems: withItems}
		if err := t.onlyHeard(session); err != nil {
			return d, err
		}
		if withItems {
			d.items, err = t.ItemsOnlyFrom(a.id, session)
		}
		return d, err
	})
}

func (m *Manager) delete(ctx context.Context, a *agent, which func(*tx) (doomed, error)) (Deletion, error) {
	var gone store.Deleted
	err := m.update(ctx, a, func(t *tx) error {
		d, err := which(t)
		if err != nil {
			return err
		}
		id := t.newID()
		heard, items, err := t.deleteHeard(d, id) // while the words are still known
		if err != nil {
			return err
		}
		if gone, err = t.delete(d, id); err != nil {
			return err
		}
		gone.Items += items
		if d.group {
			err = t.TrashGroup(a.id, id)
		}
		if len(heard) > 0 {
			err = errors.Join(err, t.NoteHeard(a.id, id, heard))
		}
		return err
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("deleting: %w", err)
	}
	m.schedulePurge(0)
	return deletion(gone), nil
}

// delete takes what is doomed of one agent.
func (t *tx) delete(d doomed, id string) (gone store.Deleted, err error) {
	said, err := t.sayingsOf(d.items)
	if err == nil {
		err = errors.Join(t.Refuse(t.a.id, said), t.silence(d))
	}
	if err != nil {
		return gone, err
	}
	if gone, err = t.Trash(t.a.id, id, d.sessions, d.items, d.records...); err != nil {
		return gone, err
	}
	if err := errors.Join(t.retitle(gone.Left), t.resummarise(gone.Left)); err != nil {
		return gone, err
	}
	t.moved = true
	for _, n := range d.notes {
		n.Time = t.Now()
		if err := t.Note(t.a.id, t.newID(), n); err != nil {
			return gone, err
		}
	}
	for _, id := range d.items {
		t.touched = append(t.touched, recall.HeadChange{ID: id, Deleted: true})
		t.tellProfile(id, memory.Change{Action: memory.ActionDeleted, Origin: memory.OriginUser})
	}
	return gone, nil
}

// TakeBack undoes a deletion and returns what came back. It returns ErrGone when
// it is too late, ErrOrphaned when single messages were deleted and then their
// session: that comes back first. A session that was open comes back archived when another is
// open by now.
func (m *Manager) TakeBack(ctx context.Context, agentID, deletionID string) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	var back store.Restored
	heard := 0
	err = m.update(ctx, a, func(t *tx) error {
		// What is due is gone, though its timer may be late.
		if err := m.purgeIn(t.Tx, t.Now().Add(-TakeBackTime)); err != nil {
			return err
		}
		open, err := t.openSessions()
		if err != nil {
			return err
		}
		if back, err = t.takeBack(deletionID, open); err != nil {
			return err
		}
		a.lonely = false // it may be a group that is back
		heard, err = t.takeBackHeard(deletionID, back)
		return err
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("taking back a deletion: %w", err)
	}
	d := deletion(back.Deleted)
	d.Items, d.Sessions, d.Messages = len(back.Items)+heard, len(back.Sessions), back.Messages
	return d, nil
}

// takeBack brings back what a deletion took of one agent, who has so many open
// sessions.
func (t *tx) takeBack(deletionID string, open int) (store.Restored, error) {
	back, err := t.RestoreTrash(t.a.id, deletionID, t.newID())
	if errors.Is(err, ErrNotFound) {
		return back, ErrGone
	}
	if err != nil {
		return back, err
	}
	t.moved = true
	if err := errors.Join(t.unwithhold(back.Deleted), t.settleItems(back.Items), t.silenceBack(back.Sessions), t.resummarise(back.Left)); err != nil {
		return back, err
	}
	if back.Cleared && len(back.Profiles) > 0 {
		if err := t.returnProfile(back.Profiles); err != nil {
			return back, err
		}
	}
	for _, s := range back.Sessions {
		if open > 0 && s.State == memory.SessionActive && s.Group == "" {
			if err := t.archive(s.ID); err != nil {
				return back, err
			}
		}
	}
	return back, nil
}

// settleItems gives items that are back their place among those of today.
func (t *tx) settleItems(back []memory.Item) error {
	if err := t.unsilence(back); err != nil {
		return err
	}
	for _, it := range back {
		said, err := t.allSayings(it)
		if err == nil {
			err = t.Unrefuse(t.a.id, said)
		}
		if err != nil {
			return err
		}
		t.touched = append(t.touched, recall.HeadChange{ID: it.ID, Head: store.HeadOf(it)})
		t.tellProfile(it.ID, memory.Change{Action: memory.ActionRestored, Origin: memory.OriginUser})
		if it.State != memory.StateActive {
			continue
		}
		// What was said again meanwhile stays; the old item joins its history.
		if rival, err := t.rival(it); err != nil {
			return err
		} else if rival.ID != "" {
			if err := t.end(it.ID, rival.ID, byUser); err != nil {
				return err
			}
		}
	}
	return nil
}

// openSessions counts the active sessions among those last used.
func (t *tx) openSessions() (n int, err error) {
	seen := 0
	for s, err := range t.Sessions(t.a.id) {
		if err != nil {
			return 0, err
		}
		if s.State == memory.SessionActive && s.Group == "" {
			n++
		}
		if seen++; seen == lookedAt {
			break
		}
	}
	return n, nil
}

// lookedAt is how many of the sessions last used may be open.
const lookedAt = 20

// Purge destroys everything that was deleted, without waiting for the end of
// the take-back.
func (m *Manager) Purge(ctx context.Context) error { return m.purgeBefore(ctx, time.Time{}) }

// purgeBefore destroys what was deleted before the given time; zero is all.
func (m *Manager) purgeBefore(ctx context.Context, before time.Time) error {
	oldest := time.Time{}
	err := m.view(ctx, func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() || !before.IsZero() && !oldest.Before(before) {
		return err
	}
	err = m.change(ctx, func(tx *store.Tx) error { return m.purgeIn(tx, before) })
	if err == nil {
		m.planBackups(backupWait) // what is gone has to go from them too
	}
	return err
}

// purgeIn is purgeBefore as a part of a transaction. The files that belong to
// what is destroyed go when that is durable.
func (m *Manager) purgeIn(tx *store.Tx, before time.Time) error {
	n, files, err := tx.PurgeTrash(before)
	if err == nil && n > 0 {
		tx.OnCommit(func() { m.removeFiles(files); m.removeLeft(); m.removeJournals(); m.renewJournals(); m.planWipe() })
	}
	return err
}

// schedulePurge sets the timer for the oldest deletion that is not final, but
// not to less than atLeast.
func (m *Manager) schedulePurge(atLeast time.Duration) {
	var oldest time.Time
	err := m.view(m.life, func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() {
		return
	}
	wait := max(oldest.Add(TakeBackTime).Sub(m.now()), 0) + time.Millisecond
	m.purgeAfter(max(wait, atLeast))
}

func (m *Manager) purgeAfter(wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	if m.purge != nil {
		m.purge.Stop()
	}
	m.purge = time.AfterFunc(wait, m.purgeDue)
}

// purgeDue finishes the deletions whose time has come, and sees to the others.
// What fails, such as on a full disk, is tried again.
func (m *Manager) purgeDue() {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.tasks.Add(1)
	m.mu.Unlock()
	defer m.tasks.Done()
	pause := time.Duration(0)
	err := guard.Do(m.log, "finishing deletions", func() error {
		// What is due is destroyed even while the memory is being closed: it may not be
		// opened again for long.
		return m.purgeBefore(context.Background(), m.now().Add(-TakeBackTime))
	})
	if err != nil {
		m.log.Warn("deletion was not finished", "error", err)
		pause = TakeBackTime
	}
	err = guard.Do(m.log, "planning deletions", func() error { m.schedulePurge(pause); return nil })
	if err != nil {
		m.purgeAfter(TakeBackTime)
	}
}
