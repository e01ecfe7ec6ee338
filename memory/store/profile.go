package store

import (
	"errors"
	"iter"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
)

// PutProfile writes the next version of an agent's profile and returns it with its
// number. Texts of derived lines are not written. The items' versions are kept from
// then on.
func (tx *Tx) PutProfile(p memory.Profile) (memory.Profile, error) {
	// Numbers are never reused: packages refer to them.
	last, err := tx.Count(p.AgentID, counter.Profiles)
	if err != nil {
		return p, err
	}
	p.Version = last + 1
	stored := p
	stored.Lines = make([]memory.ProfileLine, len(p.Lines))
	for i, l := range p.Lines {
		if l.Derived() {
			l.Text, l.Forgotten = "", false
			if err := tx.keepVersion(p.AgentID, l); err != nil {
				return p, err
			}
		}
		stored.Lines[i] = l
	}
	return p, errors.Join(profiles.Put(tx.kv, kv.Key(p.AgentID, uint64(p.Version)), stored), tx.Add(p.AgentID, counter.Profiles, 1))
}

// keepVersion keeps the version of an item that a line uses.
func (tx *Tx) keepVersion(agent string, l memory.ProfileLine) error {
	key := kv.Key(agent, l.ItemID, uint64(max(l.ItemVersion, 0)))
	if kept, err := profileItems.Has(tx.kv, key); kept || err != nil {
		return err
	}
	return profileItems.Put(tx.kv, key, none{})
}

func profileNumber(key []byte) (int, error) {
	var agent string
	var n uint64
	err := kv.Unpack(key, &agent, &n)
	return int(n), err //nolint:gosec // counted up from 1
}

// Profile returns the newest version, or ErrNotFound. An unreadable newest version is
// an error: an older one would show lines that the user has removed.
func (tx *Tx) Profile(agent string) (memory.Profile, error) {
	for e, err := range profiles.ScanReverse(tx.kv, kv.Prefix(agent)) {
		return e.Value, err
	}
	return memory.Profile{}, ErrNotFound
}

// ReadableProfile returns the newest readable version, or ErrNotFound.
func (tx *Tx) ReadableProfile(agent string) (memory.Profile, error) {
	for p, err := range tx.Profiles(agent) {
		return p, err
	}
	return memory.Profile{}, ErrNotFound
}

// ProfileVersion returns one version.
func (tx *Tx) ProfileVersion(agent string, version int) (memory.Profile, error) {
	return profiles.Get(tx.kv, kv.Key(agent, uint64(max(version, 0))))
}

// Profiles yields the versions, newest first. It logs and skips unreadable ones.
func (tx *Tx) Profiles(agent string) iter.Seq2[memory.Profile, error] {
	return values(tx, profiles.ScanReverse(tx.kv, kv.Prefix(agent)))
}

// TrashProfiles moves versions of the profile to the trash, like [Tx.Trash]. cleared
// says that the current profile is deleted too. Missing versions are skipped.
func (tx *Tx) TrashProfiles(agent, deletionID string, versions []int, cleared bool) (Deleted, error) {
	d := Deleted{ID: deletionID, At: tx.Now(), Title: "the profile", Cleared: cleared}
	b := &bin{tx: tx, agent: agent, deletion: deletionID}
	for _, n := range versions {
		_, err := b.take(raw(profiles), kv.Key(agent, uint64(max(n, 0))))
		switch {
		case errors.Is(err, ErrNotFound):
			continue
		case err != nil && !Unreadable(err):
			return d, err
		}
		d.Profiles++
		if err := tx.forget(agent, memory.KindProfile, memory.ProfileID(n)); err != nil {
			return d, err
		}
	}
	return d, errors.Join(b.flush(), deletions.Put(tx.kv, kv.Key(agent, deletionID), d))
}

// ProfileVersions returns the numbers of all versions, readable or not, oldest first.
func (tx *Tx) ProfileVersions(agent string) (out []int, err error) {
	return first(0, mapped(profiles.Keys(tx.kv, kv.Prefix(agent)), profileNumber))
}

// restoreProfile records a restored version.
func (tx *Tx) restoreProfile(key []byte, out *Restored) error {
	p, err := profiles.Get(tx.kv, key)
	if err != nil {
		return err
	}
	out.Profiles = append(out.Profiles, p)
	return tx.remember(p.AgentID, memory.KindProfile, memory.ProfileID(p.Version))
}

// shownInProfile reports whether a version of the profile uses this version of an item.
func (tx *Tx) shownInProfile(it memory.Item) (bool, error) {
	return profileItems.Has(tx.kv, kv.Key(it.AgentID, it.ID, uint64(it.Version))) //nolint:gosec // counted up from 1
}
