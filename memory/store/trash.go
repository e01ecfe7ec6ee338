package store

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
	"memoria/memory/store/gone"
)

// Deleted describes a deletion, until it is purged.
type Deleted struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
	// Title is that of the session, or of the only item.
	Title    string `json:"title,omitempty"`
	Items    int    `json:"items,omitempty"`
	Sessions int    `json:"sessions,omitempty"`
	Messages int    `json:"messages,omitempty"`
	Profiles int    `json:"profiles,omitempty"` // versions
	// Cleared says that the current profile was deleted too.
	Cleared bool `json:"cleared,omitempty"`
	// Files are the contents outside the store that are deleted with it.
	Files []string `json:"files,omitempty"`
	// Left are the sessions that lost single messages.
	Left []Left `json:"left,omitempty"`
	// Agent says that the whole agent was deleted.
	Agent bool `json:"agent,omitempty"`
	// Heard are the agents that lost their references by the deletion in their group
	// (S9).
	Heard []string `json:"heard,omitempty"`
	// Longer extends the undo time.
	Longer time.Duration `json:"longer,omitempty"`
	// Marked are the records that were marked not for memory with it (U2).
	Marked []string `json:"marked,omitempty"`
	// Quoted are the records of whose words nothing else stayed.
	Quoted []string `json:"quoted,omitempty"`
	// Redacted are the derived records whose words it changed.
	Redacted []Redaction `json:"redacted,omitempty"`
}

// Trash moves sessions with everything that belongs to them, items with their versions
// and history, and single records to the trash, under a deletion that can be undone
// until purged. Unreadable data is deleted permanently. The error is ErrNotFound if one
// of them is missing. deletionID must be new.
func (tx *Tx) Trash(agent, deletionID string, sessionIDs, itemIDs []string, recordIDs ...string) (Deleted, error) {
	d := Deleted{ID: deletionID, At: tx.Now(), Sessions: len(sessionIDs), Items: len(itemIDs)}
	b := &bin{tx: tx, agent: agent, deletion: deletionID}
	held := 0
	for _, id := range itemIDs {
		title, wasHeld, err := b.item(id)
		if err != nil {
			return d, err
		}
		if wasHeld {
			held++
		}
		d.Title = title
	}
	if len(itemIDs) > 1 {
		d.Title = ""
	}
	for _, id := range sessionIDs {
		if err := b.session(id, &d); err != nil {
			return d, err
		}
	}
	if err := b.looseRecords(recordIDs, &d); err != nil {
		return d, err
	}
	if err := b.unquote(&d); err != nil {
		return d, err
	}
	return d, errors.Join(
		b.flush(),
		tx.Add(agent, counter.Items, -d.Items), tx.Add(agent, counter.Held, -held),
		tx.Add(agent, counter.Sessions, -d.Sessions), tx.Add(agent, counter.Records, -d.Messages),
		deletions.Put(tx.kv, kv.Key(agent, deletionID), d),
	)
}

// Restored is the result of undoing a deletion.
type Restored struct {
	Deleted
	Items    []memory.Item
	Sessions []memory.Session
	Profiles []memory.Profile
	records  int
	from     map[string]*came // sessions of the records
}

// RestoreTrash undoes a deletion. The note of it gets changeID in each item's history.
// The error is ErrNotFound if the deletion was purged, and ErrOrphaned if the session
// of single messages was deleted since.
func (tx *Tx) RestoreTrash(agent, deletionID, changeID string) (Restored, error) {
	out := Restored{from: map[string]*came{}}
	d, err := deletions.Get(tx.kv, kv.Key(agent, deletionID))
	if err != nil && !tx.skip(err) {
		return out, err
	}
	if d.Agent { // see RestoreAgent
		return out, ErrNotFound
	}
	out.Deleted = d
	all, err := collect(tx, trash, kv.Prefix(agent, deletionID))
	if err != nil {
		return out, err
	}
	rows := slices.Concat(all...)
	// Items before the changes of their turns, which depend on them.
	slices.SortStableFunc(rows, func(x, y codec.Row) int { return cmp.Compare(restoreOrder(x), restoreOrder(y)) })
	for _, r := range rows {
		if err := tx.restore(r, changeID, &out); err != nil {
			return out, err
		}
	}
	if err := tx.rejoin(agent, d.Left, out.from); err != nil {
		return out, err
	}
	for _, id := range d.Quoted {
		if err := tx.remember(agent, kindQuoted, id); err != nil {
			return out, err
		}
	}
	return out, errors.Join(
		unredact(tx, agent, d),
		tx.Add(agent, counter.Items, len(out.Items)), tx.Add(agent, counter.Sessions, len(out.Sessions)),
		tx.Add(agent, counter.Records, out.records),
		tx.dropTrash(agent, deletionID),
	)
}

func restoreOrder(r codec.Row) int {
	if r.Bucket == turnChanges.Name() {
		return 1
	}
	return 0
}

// restore writes one row back, with its index entries. It drops an unreadable one.
func (tx *Tx) restore(r codec.Row, changeID string, out *Restored) error {
	if stays, err := tx.stays(r); stays || err != nil {
		return err
	}
	bucket := kv.NewBucket(r.Bucket, 1, kv.Bytes())
	if err := bucket.Put(tx.kv, r.Key, r.Value); err != nil {
		return err
	}
	err := tx.restoreLookups(r, changeID, out)
	if err != nil && tx.skip(err) {
		return bucket.Delete(tx.kv, r.Key)
	}
	return err
}

// stays reports whether the current data has precedence over the row.
func (tx *Tx) stays(r codec.Row) (bool, error) {
	switch r.Bucket {
	case drafts.Name(): // a newer draft
		return drafts.Has(tx.kv, r.Key)
	case records.Name(): // never overwritten
		return records.Has(tx.kv, r.Key)
	case groups.Name(): // a newer group of that name
		return groups.Has(tx.kv, r.Key)
	case packages.Name(): // a newer package
		return changed(tx, packages, r, func(p memory.Package) time.Time { return p.CreatedAt })
	case working.Name(): // a newer working memory
		return changed(tx, working, r, func(w memory.Working) time.Time { return w.UpdatedAt })
	}
	return false, nil
}

// changed reports whether the row under r's key differs from the one that the deletion
// left.
func changed[T any](tx *Tx, b kv.Bucket[T], r codec.Row, at func(T) time.Time) (bool, error) {
	now, err := b.Get(tx.kv, r.Key)
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	was, err := b.Codec().Decode(1, r.Value)
	return err != nil || !at(was).Equal(at(now)), nil
}

func (tx *Tx) restoreLookups(r codec.Row, changeID string, out *Restored) error {
	switch r.Bucket {
	case items.Name():
		return tx.restoreItem(r.Key, changeID, out)
	case itemChanges.Name():
		return tx.restoreChange(r.Key, r.Value)
	case turnChanges.Name():
		return tx.restoreTurnChange(r.Key)
	case sessions.Name():
		return tx.restoreSession(r.Key, out)
	case records.Name():
		return tx.restoreRecord(r.Key, out)
	case packages.Name():
		return restorePackage(tx, r.Key)
	case workingVersions.Name():
		return restoreWorkingVersion(tx, r.Key)
	case profiles.Name():
		return tx.restoreProfile(r.Key, out)
	case groups.Name():
		g, err := groups.Get(tx.kv, r.Key)
		if err != nil {
			return err
		}
		return tx.remember(g.ID, memory.KindGroup, g.ID)
	}
	return nil
}

func (tx *Tx) dropTrash(agent, deletionID string) error {
	if _, err := trash.DeletePrefix(tx.kv, kv.Prefix(agent, deletionID)); err != nil {
		return err
	}
	return deletions.Delete(tx.kv, kv.Key(agent, deletionID))
}

// ahead is how far in the future a time may be and still count as future: clocks are
// corrected slightly. A later time was written before the clock was set back, and
// counts as very old.
const ahead = time.Minute

// since reports whether something happened before a time; a zero time is after all.
func (tx *Tx) since(at, before time.Time) bool {
	return before.IsZero() || at.Before(before) || at.After(tx.Now().Add(ahead))
}

// due reports whether [Tx.PurgeTrash] with this time deletes a deletion. An extended
// undo time is always respected.
func (tx *Tx) due(d Deleted, before time.Time) bool {
	if d.Longer == 0 {
		return tx.since(d.At, before)
	}
	if before.IsZero() {
		before = tx.Now()
	}
	return tx.since(d.At, before.Add(-d.Longer))
}

// Extend extends a deletion's undo time, sets its title, and adds records that were
// marked not for memory with it.
func (tx *Tx) Extend(agent, deletionID, title string, longer time.Duration, marked []string) (Deleted, error) {
	d, err := deletions.Get(tx.kv, kv.Key(agent, deletionID))
	if err != nil {
		return d, err
	}
	d.Title, d.Longer, d.Marked, d.Quoted = title, longer, append(d.Marked, marked...), append(d.Quoted, marked...)
	for _, id := range marked {
		if err := tx.forget(agent, kindQuoted, id); err != nil {
			return d, err
		}
	}
	return d, deletions.Put(tx.kv, kv.Key(agent, deletionID), d)
}

// LastDeletion returns the agent's newest deletion that can be undone, or ErrNotFound.
func (tx *Tx) LastDeletion(agent string) (last Deleted, err error) {
	for e, err := range readable(tx, deletions.Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return last, err
		}
		if e.Value.At.After(last.At) {
			last = e.Value
		}
	}
	if last.ID == "" {
		err = ErrNotFound
	}
	return last, err
}

// PurgeTrash permanently deletes every agent's deletions before the given time. A zero
// time is after all; deletions with future times from a clock that was set back count
// as old. It returns the number of deletions, and the files to delete once the
// transaction is durable.
func (tx *Tx) PurgeTrash(before time.Time) (n int, files []string, err error) {
	type deletion struct{ agent, id string }
	kept, due := map[deletion]bool{}, map[deletion]bool{}
	for e, err := range deletions.Scan(tx.kv, nil) {
		if err != nil && !tx.skip(err) {
			return 0, nil, err
		}
		var d deletion
		if err := kv.Unpack(e.Key, &d.agent, &d.id); err != nil {
			return 0, nil, err
		}
		if err == nil && !tx.due(e.Value, before) {
			kept[d] = true
			continue
		}
		due[d] = true
		files = append(files, e.Value.Files...)
		if e.Value.Agent {
			if err := tx.depart(d.agent, d.id, e.Value.At); err != nil {
				return 0, nil, err
			}
		}
	}
	// Deletions of unknown age are due.
	for key, err := range trash.Keys(tx.kv, nil) {
		if err != nil {
			return 0, nil, err
		}
		parts, err := kv.ParseKey(key)
		if err != nil || len(parts) < 2 {
			return 0, nil, errors.Join(err, kv.ErrKey)
		}
		var d deletion
		d.agent, _ = parts[0].(string)
		d.id, _ = parts[1].(string)
		if !kept[d] {
			due[d] = true
		}
	}
	for d := range due {
		if err := tx.dropTrash(d.agent, d.id); err != nil {
			return 0, nil, err
		}
	}
	return len(due), files, nil
}

// OldestTrash returns the time of the oldest deletion that can be undone, as if all had the same undo time,
// or zero. Deletions of unknown age, and those before the clock was set back, are very old.
func (tx *Tx) OldestTrash() (oldest time.Time, err error) {
	for e, err := range readable(tx, deletions.Scan(tx.kv, nil)) {
		if err != nil {
			return oldest, err
		}
		if tx.since(e.Value.At, time.Unix(0, 0)) {
			return time.Unix(0, 0), nil
		}
		if at := e.Value.At.Add(e.Value.Longer); oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	if oldest.IsZero() {
		for _, err := range trash.Keys(tx.kv, nil) {
			return time.Unix(0, 0), err
		}
	}
	return oldest, nil
}

// TrashedFile reports whether a deletion that can be undone names the file.
func (tx *Tx) TrashedFile(agent, name string) (bool, error) {
	for e, err := range readable(tx, deletions.Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return false, err
		}
		if slices.Contains(e.Value.Files, name) {
			return true, nil
		}
	}
	return false, nil
}

func (tx *Tx) forget(agent string, kind memory.Kind, id string) error {
	tx.gone = append(tx.gone, gone.Deleted(agent, kind, id))
	return forgotten.Put(tx.kv, kv.Key(agent, string(kind), id), tx.Now())
}

func (tx *Tx) remember(agent string, kind memory.Kind, id string) error {
	tx.gone = append(tx.gone, gone.Restored(agent, kind, id))
	return forgotten.Delete(tx.kv, kv.Key(agent, string(kind), id))
}

// MarkUnkept records that the messages of a session were not kept, rather than deleted
// (A1).
func (tx *Tx) MarkUnkept(agent, session string) error {
	return tx.forget(agent, memory.KindUnkept, session)
}

// Unkept reports whether MarkUnkept was called for a session.
func (tx *Tx) Unkept(agent, session string) (bool, error) {
	at, err := tx.ForgottenAt(agent, memory.KindUnkept, session)
	return !at.IsZero(), err
}

// ForgottenAt returns when something was deleted, or zero.
func (tx *Tx) ForgottenAt(agent string, kind memory.Kind, id string) (time.Time, error) {
	return orZero(forgotten.Get(tx.kv, kv.Key(agent, string(kind), id)))
}
