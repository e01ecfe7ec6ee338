package manager

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/profile"
	"memoria/memory/store"
)

// ProfilePart is a line of the profile as part of a package.
type ProfilePart struct {
	memory.Ref        // an item, or a line of the user by its index in the version
	Said       string // its text
	// Wish reports that the user told in their own words how to be answered. Such lines
	// are followed; other lines are data (C6).
	Wish bool
}

// ProfileParts returns the lines of a profile version as parts of a package, without
// empty ones. On a read error, lines of unread origin are not wishes.
func (m *Manager) ProfileParts(ctx context.Context, agentID string, p memory.Profile) (out []ProfilePart, err error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return nil, err
	}
	err = m.View(ctx, func(tx *store.Tx) error {
		var errs []error
		out = nil
		for i, l := range p.Lines {
			said := profile.Said(l.Text)
			if l.Hidden || l.Forgotten || said == "" {
				continue
			}
			part := ProfilePart{Said: said, Ref: memory.Ref{
				Kind: memory.KindProfile, ID: memory.ProfileID(p.Version), Version: p.Version, Field: strconv.Itoa(i),
			}}
			if l.Derived() {
				part.Ref = memory.Ref{Kind: memory.KindItem, ID: l.ItemID, Version: l.ItemVersion}
			}
			part.Form, part.Source = memory.FormFence, string(cmp.Or(l.Section, "profile"))
			if l.Section == memory.SectionReply || l.Section == memory.SectionLanguage {
				var err error
				part.Wish, err = isWish(tx, a.ID, l)
				errs = append(errs, err)
			}
			out = append(out, part)
		}
		return errors.Join(errs...)
	})
	return out, err
}

// isWish reports whether a line about answers or languages is the user's own rule or
// style: written into the profile, or an item that the user wrote or accepted, or stated
// in messages without foreign text (C6).
func isWish(tx *store.Tx, agent string, l memory.ProfileLine) (bool, error) {
	if !l.Derived() {
		return true, nil
	}
	it, err := tx.Item(agent, l.ItemID)
	if err != nil {
		if errors.Is(err, lookup.ErrNotFound) || store.Unreadable(err) {
			err = nil
		}
		return false, err
	}
	switch {
	case it.Type != memory.TypeRule && l.Section != memory.SectionReply, it.Source != memory.SourceUserStated:
		return false, nil
	case it.Origin == memory.OriginUser:
		return true, nil
	}
	if own, err := ownWords(tx, agent, it); own || err != nil {
		return own, err
	}
	changes, err := tx.Changes(agent, it.ID)
	accepted := slices.ContainsFunc(changes, func(c memory.Change) bool {
		return c.Origin == memory.OriginUser && (c.Action == memory.ActionAccepted || c.Action == memory.ActionEdited)
	})
	if store.Unreadable(err) {
		err = nil
	}
	return accepted, err
}

// ownWords reports whether an item has the user's trust and all its source messages
// contain only what the user typed and stated.
func ownWords(tx *store.Tx, agent string, it memory.Item) (bool, error) {
	if it.Trust != memory.TrustUser || len(it.Evidence) == 0 {
		return false, nil
	}
	for _, e := range it.Evidence {
		r, err := tx.Record(agent, e.RecordID)
		switch {
		case errors.Is(err, lookup.ErrNotFound), store.Unreadable(err):
			return false, nil
		case err != nil:
			return false, err
		case r.Role != memory.RoleUser || len(r.Foreign()) > 0:
			return false, nil
		}
	}
	return true, nil
}
