package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Groups lists the groups by id.
func (m *Manager) Groups(ctx context.Context) ([]memory.Group, error) {
	var out []memory.Group
	err := m.view(ctx, func(tx *store.Tx) (err error) {
		out, err = tx.Groups()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing groups: %w", err)
	}
	return out, nil
}

// Group returns one group, or ErrNotFound.
func (m *Manager) Group(ctx context.Context, id string) (memory.Group, error) {
	var g memory.Group
	err := m.view(ctx, func(tx *store.Tx) (err error) {
		g, err = tx.Group(id)
		return err
	})
	if err != nil {
		return g, fmt.Errorf("group %s: %w", id, err)
	}
	return g, nil
}

// AddGroup creates a group. Its id must not belong to an agent and must never have been
// used in a conversation. A group cannot be a member.
func (m *Manager) AddGroup(ctx context.Context, g memory.Group) (memory.Group, error) {
	a, err := m.agent(g.ID)
	if err != nil {
		return g, fmt.Errorf("making a group: %w", err)
	}
	g.Left = nil
	err = m.update(ctx, a, func(t *tx) error {
		if _, err := t.Group(g.ID); err == nil {
			return fmt.Errorf("%w: there is a group %s already", ErrInvalid, g.ID)
		} else if !errors.Is(err, ErrNotFound) {
			return err
		}
		for _, of := range []counter.Name{counter.Items, counter.Records, counter.Sessions, counter.Profiles} {
			if n, err := t.Count(g.ID, of); err != nil {
				return err
			} else if n > 0 {
				return fmt.Errorf("%w: %s is an agent; a group needs an id of its own", ErrInvalid, g.ID)
			}
		}
		if err := t.checkGroup(&g); err != nil {
			return err
		}
		g.CreatedAt, g.UpdatedAt = t.Now(), t.Now()
		a.noHearers = false
		return errors.Join(t.PutGroup(g), t.Add(g.ID, counter.Group, 1))
	})
	if err != nil {
		return g, fmt.Errorf("making a group: %w", err)
	}
	return g, nil
}

// EditGroup changes the name, the members with their order, and their display names. A
// leaving member keeps what it heard, as ended sessions. A new member hears later
// messages only.
func (m *Manager) EditGroup(ctx context.Context, id string, edit func(*memory.Group)) (memory.Group, error) {
	a, err := m.agent(id)
	if err != nil {
		return memory.Group{}, err
	}
	var out memory.Group
	err = m.update(ctx, a, func(t *tx) error {
		was, err := t.Group(id)
		if err != nil {
			return err
		}
		out = was
		out.Members = slices.Clone(was.Members)
		edit(&out)
		out.ID, out.CreatedAt, out.UpdatedAt = was.ID, was.CreatedAt, t.Now()
		out.Left = slices.DeleteFunc(was.Hearers(), out.Has)
		if err := t.checkGroup(&out); err != nil {
			return err
		}
		for _, gone := range slices.DeleteFunc(was.Members, out.Has) {
			h, err := t.of(gone)
			if err == nil {
				err = h.endHeardSessions()
			}
			if err != nil {
				return err
			}
		}
		return t.PutGroup(out)
	})
	if err != nil {
		return memory.Group{}, fmt.Errorf("changing group %s: %w", id, err)
	}
	return out, nil
}

// checkGroup normalises a group, or returns its first fault.
func (t *tx) checkGroup(g *memory.Group) (err error) {
	if g.Name, err = short("a group's name", g.Name, memory.MaxGroupName); err != nil {
		return err
	}
	if g.Name == "" {
		g.Name = g.ID
	}
	if n := len(g.Members); n < memory.MinMembers || n > memory.MaxMembers {
		return fmt.Errorf("%w: a group has %d to %d members, not %d", ErrInvalid, memory.MinMembers, memory.MaxMembers, n)
	}
	for i, id := range g.Members {
		switch _, err := t.Group(id); {
		case !memory.ValidAgentID(id):
			return fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, ErrInvalid)
		case slices.Contains(g.Members[:i], id):
			return fmt.Errorf("%w: %s is named twice", ErrInvalid, id)
		case err == nil || id == g.ID:
			return fmt.Errorf("%w: %s is a group; members are agents", ErrInvalid, id)
		case !errors.Is(err, ErrNotFound):
			return err
		}
	}
	names := map[string]string{}
	for id := range g.Names {
		if name := strings.TrimSpace(g.Names[id]); name != "" && name != id {
			if names[id], err = short("a name", name, maxName); err != nil {
				return err
			}
		}
	}
	g.Names = names
	return nil
}

// DeleteGroup deletes a group with its transcript and the members' references. withItems
// also deletes what each member learned only there. It can be undone like the deletion of
// a session.
func (m *Manager) DeleteGroup(ctx context.Context, id string, withItems bool) (Deletion, error) {
	a, err := m.agent(id)
	if err != nil {
		return Deletion{}, err
	}
	name := ""
	d, err := m.delete(ctx, a, func(t *tx) (deletionSet, error) {
		g, err := t.Group(id)
		if err != nil {
			return deletionSet{}, fmt.Errorf("group %s: %w", id, err)
		}
		name = g.Name
		d := deletionSet{withItems: withItems, group: true}
		for session, err := range t.SessionIDs(id) {
			if err != nil {
				return d, err
			}
			d.sessions = append(d.sessions, session)
		}
		return d, nil
	})
	d.Title = name
	return d, err
}

// OwnSessions returns the agent's n most recently used sessions, without those heard in
// groups.
func (m *Manager) OwnSessions(ctx context.Context, agentID string, n int) ([]memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var out []memory.Session
	err = m.view(ctx, func(tx *store.Tx) error {
		for s, err := range tx.Sessions(a.id) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if s.Group != "" {
				continue
			}
			if out = append(out, s); len(out) == n {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing sessions: %w", err)
	}
	return out, nil
}

// GroupPackages returns what was sent in the turns of a group's session, by reference,
// turn by turn and within a turn by member id.
func (m *Manager) GroupPackages(ctx context.Context, group, sessionID string) ([]memory.Package, error) {
	var out []memory.Package
	err := m.view(ctx, func(tx *store.Tx) error {
		ids, err := tx.Hearers(group)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if s, err := tx.Session(id, sessionID); err != nil && !lacking(err) {
				return err
			} else if s.Group != group {
				continue // the member's own conversation
			}
			sent, err := tx.Packages(id, sessionID)
			if err != nil {
				return err
			}
			out = append(out, sent...)
		}
		return nil
	})
	slices.SortStableFunc(out, func(x, y memory.Package) int { return x.CreatedAt.Compare(y.CreatedAt) })
	return out, err
}
