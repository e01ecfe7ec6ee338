package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/profile"
	"memoria/memory/store"
)

// ProfileChange is a version of the profile and what it changed.
type ProfileChange struct {
	Version    int                  `json:"version"`
	Time       time.Time            `json:"time"`
	Origin     memory.Origin        `json:"origin"`
	Reason     string               `json:"reason"`
	Items      []string             `json:"items,omitempty"`
	TurnID     string               `json:"turn_id,omitempty"`
	Generation string               `json:"generation,omitempty"`
	Undoes     int                  `json:"undoes,omitempty"`
	Undone     bool                 `json:"undone,omitempty"` // a later version took it back
	Diff       []profile.Difference `json:"diff"`
}

// Words say who made the version, and why.
func (c ProfileChange) Words() string {
	if c.Origin == memory.OriginUser {
		return c.Reason
	}
	return fmt.Sprintf("%s, by %s", c.Reason, c.Origin)
}

// ProfileHistory is a part of the versions of the profile, newest first.
type ProfileHistory struct {
	Versions []ProfileChange `json:"versions"`
	Total    int             `json:"total"` // that are kept
}

// ProfileHistory lists the versions of the profile with what each changed, newest
// first. limit 0 is all.
func (m *Manager) ProfileHistory(ctx context.Context, agentID string, limit, offset int) (ProfileHistory, error) {
	out := ProfileHistory{Versions: []ProfileChange{}}
	a, err := m.agent(agentID)
	if err != nil {
		return out, err
	}
	err = m.view(ctx, func(tx *store.Tx) error {
		kept, err := tx.ProfileVersions(a.id)
		out.Total = len(kept)
		if err != nil {
			return err
		}
		undone := map[int]bool{}
		seen := 0
		var after *memory.Profile // the version before the one that p comes before
		for p, err := range tx.Profiles(a.id) {
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
			if after.Version > 1 { // those before it are not kept
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

// UndoProfile takes back what made a version of the profile; what was done since
// stays. A line whose item is not in force does not come back, and one that is taken
// out does not come back from the same item. Undoing the version that an undo made
// brings back what it undid. version 0 is the newest one that is no undo and is not
// undone, so that again and again it goes back in time; ErrNotFound when there is
// none within [UndoTime]. ErrFinal says that the version cannot be taken back. It
// returns what that changed.
func (m *Manager) UndoProfile(ctx context.Context, agentID string, version int) (ProfileChange, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return ProfileChange{}, err
	}
	var out ProfileChange
	err = m.update(ctx, a, func(t *tx) error {
		now, err := t.profileNow()
		if err != nil {
			return err
		}
		pairs, err := t.profilesToUndo(version)
		for _, pair := range pairs {
			if err != nil || out.Version > 0 {
				break
			}
			out, err = t.undoProfile(now, pair)
		}
		if err == nil && out.Version == 0 && version == 0 {
			err = ErrNotFound
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

// errOldVersion says that a version is final.
var errOldVersion = fmt.Errorf("%w: it is older than %d days", ErrFinal, UndoTime/(24*time.Hour))

// profilePair is a version with the one before it.
type profilePair struct{ before, after memory.Profile }

// undoProfile writes the version without what made another one. The version of what
// is returned is 0 when that changes nothing.
func (t *tx) undoProfile(now memory.Profile, p profilePair) (ProfileChange, error) {
	if err := errors.Join(fillLines(t.Tx, &p.before), fillLines(t.Tx, &p.after)); err != nil {
		return ProfileChange{}, err
	}
	next := attributed(profile.Undo(now, p.before, p.after), memory.OriginUser, fmt.Sprintf("version %d undone by the user", p.after.Version))
	next.Undoes = p.after.Version
	next, err := t.rebuilt(now, next)
	if err == nil {
		next, err = t.putProfile(now, next)
	}
	if err != nil || next.Version == now.Version {
		return ProfileChange{}, err
	}
	return changeOfProfile(now, next, nil), nil
}

// profilesToUndo returns the version that is to be taken back; of version 0 those
// that could be, the newest first.
func (t *tx) profilesToUndo(version int) (out []profilePair, err error) {
	undone := map[int]bool{}
	var all []memory.Profile
	for p, err := range t.Profiles(t.a.id) {
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		if n := len(all); n > 1 && (t.Now().Sub(all[n-2].Time) > UndoTime || all[n-2].Version == version) {
			break // with the one before the last that can be undone
		}
	}
	for i, p := range all {
		old := t.Now().Sub(p.Time) > UndoTime
		pair := profilePair{after: p, before: memory.Profile{AgentID: p.AgentID}}
		if i+1 < len(all) {
			pair.before = all[i+1]
		}
		first := pair.before.Version == 0 && p.Version > 1 // those before are not kept
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
	if _, err := t.ProfileVersion(t.a.id, version); err != nil {
		return nil, err
	}
	return nil, errOldVersion
}

// mended is a profile put together of older versions, with its lines as their items
// are now.
func (t *tx) rebuilt(now, p memory.Profile) (memory.Profile, error) {
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
	news, err := t.newsOf(ids)
	return profile.Follow(p, news, t.Now()), err
}

// DeleteProfile takes the profile with all its versions out of every view; what it
// was made of is remembered as before and makes no line any more. olderOnly takes the
// versions before the one of now instead. Until Deletion.Until it can be taken back,
// by TakeBack; then it is destroyed (D2).
func (m *Manager) DeleteProfile(ctx context.Context, agentID string, olderOnly bool) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	var gone store.Deleted
	err = m.update(ctx, a, func(t *tx) error {
		now, err := t.profileNow()
		if err != nil {
			return err
		}
		versions, err := t.ProfileVersions(a.id)
		if err != nil {
			return err
		}
		if olderOnly {
			versions = slices.DeleteFunc(versions, func(n int) bool { return n == now.Version })
		} else if err := t.clearProfile(now); err != nil {
			return err
		}
		gone, err = t.TrashProfiles(a.id, t.newID(), versions, !olderOnly)
		t.profiled = true
		return err
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("deleting the profile: %w", err)
	}
	m.schedulePurge(0)
	return deletion(gone), nil
}

// clearProfile writes a version without lines, into which nothing comes back that is
// remembered now.
func (t *tx) clearProfile(now memory.Profile) error {
	empty := memory.Profile{AgentID: t.a.id, Removed: slices.Clone(now.Removed)}
	news, err := t.allNews()
	if err != nil {
		return err
	}
	for _, n := range news {
		if !slices.Contains(empty.Removed, n.ID) {
			empty.Removed = append(empty.Removed, n.ID)
		}
	}
	empty.Origin, empty.Reason, empty.Time = memory.OriginUser, "cleared by the user", t.Now()
	_, err = t.writeProfile(empty)
	return err
}

// returnProfile makes the newest of the versions that are back the one of now, with
// what came into the profile since.
func (t *tx) returnProfile(back []memory.Profile) error {
	now, err := t.profileNow()
	if err != nil {
		return err
	}
	newest := slices.MaxFunc(back, func(x, y memory.Profile) int { return x.Version - y.Version })
	if err := fillLines(t.Tx, &newest); err != nil {
		return err
	}
	next := attributed(profile.Join(newest, now), memory.OriginUser, "the deletion was taken back")
	if next, err = t.rebuilt(now, next); err == nil {
		_, err = t.putProfile(now, next)
	}
	return err
}
