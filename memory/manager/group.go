package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store/counter"
)

// AddGroup creates a group. Its id must not belong to an agent and must never have been
// used in a conversation. A group cannot be a member.
func (m *Manager) AddGroup(ctx context.Context, g memory.Group) (memory.Group, error) {
	a, err := m.Agent(g.ID)
	if err != nil {
		return g, fmt.Errorf("making a group: %w", err)
	}
	g.Left = nil
	err = m.Update(ctx, a, func(t *write.Tx) error {
		if _, err := t.Group(g.ID); err == nil {
			return fmt.Errorf("%w: there is a group %s already", memory.ErrInvalid, g.ID)
		} else if !errors.Is(err, lookup.ErrNotFound) {
			return err
		}
		for _, of := range []counter.Name{counter.Items, counter.Records, counter.Sessions, counter.Profiles} {
			if n, err := t.Count(g.ID, of); err != nil {
				return err
			} else if n > 0 {
				return fmt.Errorf("%w: %s is an agent; a group needs an id of its own", memory.ErrInvalid, g.ID)
			}
		}
		if err := checkGroup(t, &g); err != nil {
			return err
		}
		g.CreatedAt, g.UpdatedAt = t.Now(), t.Now()
		a.NoHearers = false
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
	a, err := m.Agent(id)
	if err != nil {
		return memory.Group{}, err
	}
	var out memory.Group
	err = m.Update(ctx, a, func(t *write.Tx) error {
		was, err := t.Group(id)
		if err != nil {
			return err
		}
		out = was
		out.Members = slices.Clone(was.Members)
		edit(&out)
		out.ID, out.CreatedAt, out.UpdatedAt = was.ID, was.CreatedAt, t.Now()
		out.Left = slices.DeleteFunc(was.Hearers(), out.Has)
		if err := checkGroup(t, &out); err != nil {
			return err
		}
		for _, gone := range slices.DeleteFunc(was.Members, out.Has) {
			h, err := t.Of(gone)
			if err == nil {
				err = endHeardSessions(h)
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
func checkGroup(t *write.Tx, g *memory.Group) (err error) {
	if g.Name, err = short("a group's name", g.Name, memory.MaxGroupName); err != nil {
		return err
	}
	if g.Name == "" {
		g.Name = g.ID
	}
	if n := len(g.Members); n < memory.MinMembers || n > memory.MaxMembers {
		return fmt.Errorf("%w: a group has %d to %d members, not %d", memory.ErrInvalid, memory.MinMembers, memory.MaxMembers, n)
	}
	for i, id := range g.Members {
		switch _, err := t.Group(id); {
		case !memory.ValidAgentID(id):
			return fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, memory.ErrInvalid)
		case slices.Contains(g.Members[:i], id):
			return fmt.Errorf("%w: %s is named twice", memory.ErrInvalid, id)
		case err == nil || id == g.ID:
			return fmt.Errorf("%w: %s is a group; members are agents", memory.ErrInvalid, id)
		case !errors.Is(err, lookup.ErrNotFound):
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
func (m *Manager) DeleteGroup(ctx context.Context, id string, withItems bool) (write.Deletion, error) {
	a, err := m.Agent(id)
	if err != nil {
		return write.Deletion{}, err
	}
	name := ""
	d, err := m.delete(ctx, a, func(t *write.Tx) (deletionSet, error) {
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
