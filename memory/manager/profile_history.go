package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/profile"
	"memoria/memory/store"
)

// ProfileChange is a version of the profile with its differences.
type ProfileChange struct {
	Version    int                  `json:"version"`
	Time       time.Time            `json:"time"`
	Origin     memory.Origin        `json:"origin"`
	Reason     string               `json:"reason"`
	Items      []string             `json:"items,omitempty"`
	TurnID     string               `json:"turn_id,omitempty"`
	Generation string               `json:"generation,omitempty"`
	Undoes     int                  `json:"undoes,omitempty"`
	Undone     bool                 `json:"undone,omitempty"` // a later version undid it
	Diff       []profile.Difference `json:"diff"`
}

// Words describes who made the version, and why.
func (c ProfileChange) Words() string {
	if c.Origin == memory.OriginUser {
		return c.Reason
	}
	return fmt.Sprintf("%s, by %s", c.Reason, c.Origin)
}

// ProfileHistory is a page of profile versions, newest first.
type ProfileHistory struct {
	Versions []ProfileChange `json:"versions"`
	Total    int             `json:"total"` // of kept versions
}

// ProfileHistory lists the versions of the profile with their differences, newest first.
// limit 0 means all.
func (m *Manager) ProfileHistory(ctx context.Context, agentID string, limit, offset int) (ProfileHistory, error) {
	out := ProfileHistory{Versions: []ProfileChange{}}
	a, err := m.Agent(agentID)
	if err != nil {
		return out, err
	}
	err = m.View(ctx, func(tx *store.Tx) error {
		kept, err := tx.ProfileVersions(a.ID)
		out.Total = len(kept)
		if err != nil {
			return err
		}
		undone := map[int]bool{}
		seen := 0
		var after *memory.Profile // the version after p
		for p, err := range tx.Profiles(a.ID) {
			if err == nil {
				err = fillLines(tx, &p)
			}
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if after != nil {
				out.Versions = append(out.Versions, changeOfProfile(p, *after, undone))
			}
			if after = nil; limit > 0 && len(out.Versions) == limit {
				return nil
			}
			if !undone[p.Version] && p.Undoes > 0 {
				undone[p.Undoes] = true
			}
			if seen++; seen > offset {
				after = &p
			}
		}
		if after != nil {
			var before memory.Profile
			if after.Version > 1 { // earlier ones are not kept
				before = *after
			}
			out.Versions = append(out.Versions, changeOfProfile(before, *after, undone))
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("listing the versions of the profile: %w", err)
	}
	return out, nil
}

func changeOfProfile(before, p memory.Profile, undone map[int]bool) ProfileChange {
	return ProfileChange{
		Version: p.Version, Time: p.Time, Origin: p.Origin, Reason: p.Reason, Items: p.Items, TurnID: p.TurnID,
		Generation: p.Generation, Undoes: p.Undoes, Undone: undone[p.Version], Diff: profile.Diff(before, p),
	}
}

// UndoProfile undoes a version of the profile and returns the resulting change; later
// changes stay. A line does not return if its item is no longer active, or if the user
// removed it. Undoing an undo restores what it undid. version 0 selects the newest
// version that is neither an undo nor undone, so that repeated calls go back in time. The
// error is ErrNotFound if there is none within [UndoTime], and ErrFinal if the version
// cannot be undone.
func (m *Manager) UndoProfile(ctx context.Context, agentID string, version int) (ProfileChange, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return ProfileChange{}, err
	}
	var out ProfileChange
	err = m.Update(ctx, a, func(t *write.Tx) error {
		now, err := profileNow(t)
		if err != nil {
			return err
		}
		pairs, err := profilesToUndo(t, version)
		for _, pair := range pairs {
			if err != nil || out.Version > 0 {
				break
			}
			out, err = undoProfile(t, now, pair)
		}
		if err == nil && out.Version == 0 && version == 0 {
			err = lookup.ErrNotFound
		} else if err == nil && out.Version == 0 {
			err = fmt.Errorf("%w: there is nothing left of it", ErrFinal)
		}
		return err
	})
	switch {
	case err != nil && version == 0:
		return ProfileChange{}, fmt.Errorf("undoing the last change of the profile: %w", err)
	case err != nil:
		return ProfileChange{}, fmt.Errorf("undoing version %d of the profile: %w", version, err)
	}
	return out, nil
}

// errOldVersion reports that a version is too old to undo.
var errOldVersion = fmt.Errorf("%w: it is older than %d days", ErrFinal, lookup.UndoTime/(24*time.Hour))

// profilePair is a version and its predecessor.
type profilePair struct{ before, after memory.Profile }

// undoProfile writes a version without the changes of another. If nothing changes, the
// version of the result is 0.
func undoProfile(t *write.Tx, now memory.Profile, p profilePair) (ProfileChange, error) {
	if err := errors.Join(fillLines(t.Tx, &p.before), fillLines(t.Tx, &p.after)); err != nil {
		return ProfileChange{}, err
	}
	why := fmt.Sprintf("version %d undone by the user", p.after.Version)
	next := attributed(profile.Undo(now, p.before, p.after), memory.OriginUser, why)
	next.Undoes = p.after.Version
	next, err := rebuildProfile(t, now, next)
	if err == nil {
		next, err = putProfile(t, now, next)
	}
	if err != nil || next.Version == now.Version {
		return ProfileChange{}, err
	}
	return changeOfProfile(now, next, nil), nil
}

// profilesToUndo returns the version to undo; for version 0, all that can be undone,
// newest first.
func profilesToUndo(t *write.Tx, version int) (out []profilePair, err error) {
	undone := map[int]bool{}
	var all []memory.Profile
	for p, err := range t.Profiles(t.Owner.ID) {
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		if n := len(all); n > 1 && (t.Now().Sub(all[n-2].Time) > lookup.UndoTime || all[n-2].Version == version) {
			break // with the predecessor of the last one
		}
	}
	for i, p := range all {
		old := t.Now().Sub(p.Time) > lookup.UndoTime
		pair := profilePair{after: p, before: memory.Profile{AgentID: p.AgentID}}
		if i+1 < len(all) {
			pair.before = all[i+1]
		}
		first := pair.before.Version == 0 && p.Version > 1 // earlier ones are not kept
		switch {
		case version == 0 && !old && !first && !undone[p.Version] && p.Undoes == 0 && p.Origin != memory.OriginSystem:
			out = append(out, pair)
		case version == 0 || p.Version != version:
		case old:
			return nil, errOldVersion
		case undone[version]:
			return nil, fmt.Errorf("%w: it is undone already", ErrFinal)
		case first:
			return nil, fmt.Errorf("%w: the version before it is not kept any more", ErrFinal)
		default:
			return []profilePair{pair}, nil
		}
		if !undone[p.Version] && p.Undoes > 0 {
			undone[p.Undoes] = true
		}
	}
	if version == 0 {
		return out, nil
	}
	if _, err := t.ProfileVersion(t.Owner.ID, version); err != nil {
		return nil, err
	}
	return nil, errOldVersion
}

// rebuildProfile returns a profile composed of older versions, with its lines updated to their
// current items.
func rebuildProfile(t *write.Tx, now, p memory.Profile) (memory.Profile, error) {
	var ids []string
	for _, l := range p.Lines {
		if l.Derived() {
			ids = append(ids, l.ItemID)
		}
	}
	for _, id := range now.Removed {
		if !slices.Contains(p.Removed, id) {
			ids = append(ids, id)
		}
	}
	news, err := newsOf(t, ids)
	return profile.Follow(p, news, t.Now()), err
}

// DeleteProfile moves the profile with all versions to the trash; items stay, and make no
// lines again. olderOnly deletes only the versions before the current one. It can be
// undone with UndoDeletion until Deletion.Until, and is destroyed then (D2).
func (m *Manager) DeleteProfile(ctx context.Context, agentID string, olderOnly bool) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	var gone store.Deleted
	err = m.Update(ctx, a, func(t *write.Tx) error {
		now, err := profileNow(t)
		if err != nil {
			return err
		}
		versions, err := t.ProfileVersions(a.ID)
		if err != nil {
			return err
		}
		if olderOnly {
			versions = slices.DeleteFunc(versions, func(n int) bool { return n == now.Version })
		} else if err := clearProfile(t, now); err != nil {
			return err
		}
		gone, err = t.TrashProfiles(a.ID, t.NewID(), versions, !olderOnly)
		t.Profiled = true
		return err
	})
	if err != nil {
		return write.Deletion{}, fmt.Errorf("deleting the profile: %w", err)
	}
	m.PlanPurge()
	return write.DeletionOf(gone), nil
}

// clearProfile writes an empty version, to which current items do not return.
func clearProfile(t *write.Tx, now memory.Profile) error {
	empty := memory.Profile{AgentID: t.Owner.ID, Removed: slices.Clone(now.Removed)}
	news, err := allNews(t)
	if err != nil {
		return err
	}
	for _, n := range news {
		if !slices.Contains(empty.Removed, n.ID) {
			empty.Removed = append(empty.Removed, n.ID)
		}
	}
	empty.Origin, empty.Reason, empty.Time = memory.OriginUser, "cleared by the user", t.Now()
	_, err = writeProfile(t, empty)
	return err
}

// returnProfile makes the newest restored version current, with the lines added since.
func returnProfile(t *write.Tx, back []memory.Profile) error {
	now, err := profileNow(t)
	if err != nil {
		return err
	}
	newest := slices.MaxFunc(back, func(x, y memory.Profile) int { return x.Version - y.Version })
	if err := fillLines(t.Tx, &newest); err != nil {
		return err
	}
	next := attributed(profile.Join(newest, now), memory.OriginUser, "the deletion was taken back")
	if next, err = rebuildProfile(t, now, next); err == nil {
		_, err = putProfile(t, now, next)
	}
	return err
}

// ErrFinal reports that a change cannot be undone; the message says why.
var ErrFinal = errors.New("it cannot be undone")
