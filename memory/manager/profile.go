package manager

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/profile"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/prompts"
)

// Profile is the profile for display.
type Profile struct {
	memory.Profile
	Markdown string `json:"markdown"`
	// Tokens is the estimated size of the document; it stays under Limit.
	Tokens int `json:"tokens"`
	Limit  int `json:"limit"`
	// Waiting counts the lines without room.
	Waiting int `json:"waiting"`
	// Sent reports whether it is sent to the model (enable_user_profile).
	Sent bool `json:"sent"`
}

// maxDocument bounds a document of the user in bytes, before its tokens are counted.
const maxDocument = 64 << 10

// ProfileSent reports whether the profile is sent to the model (I5).
func (m *Manager) ProfileSent() bool { return m.Config().UserProfile }

// Profile returns the current profile (W5). For an agent that never had one, it is
// created from its items. Without items it is empty, with version 0. A damaged profile is
// an error until a new one is written.
func (m *Manager) Profile(ctx context.Context, agentID string) (Profile, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return Profile{}, err
	}
	p, err := m.readProfile(ctx, a)
	if errors.Is(err, lookup.ErrNotFound) && m.beginProfile(ctx, a) == nil { // a write failure is reported elsewhere
		p, err = m.readProfile(ctx, a)
	}
	if errors.Is(err, lookup.ErrNotFound) {
		p, err = memory.Profile{AgentID: a.ID, Lines: []memory.ProfileLine{}}, nil
	}
	if err != nil {
		return Profile{}, fmt.Errorf("reading the profile: %w", err)
	}
	return m.shownProfile(p), nil
}

func (m *Manager) readProfile(ctx context.Context, a *write.Agent) (p memory.Profile, err error) {
	err = m.View(ctx, func(tx *store.Tx) error {
		if p, err = tx.Profile(a.ID); err == nil {
			err = fillLines(tx, &p)
		}
		return err
	})
	return p, err
}

// beginProfile creates a profile from the items, if there are any.
func (m *Manager) beginProfile(ctx context.Context, a *write.Agent) error {
	var due bool
	err := m.View(ctx, func(tx *store.Tx) error {
		n, err := tx.Count(a.ID, counter.Items)
		if err == nil && n > 0 {
			due, err = needsFirstProfile(tx, a.ID)
		}
		return err
	})
	if err != nil || !due {
		return err
	}
	return m.Update(ctx, a, func(t *write.Tx) error {
		_, err := profileNow(t)
		return err
	})
}

// ProfileVersion returns a version of the profile, without items deleted since. The error
// is ErrNotFound if it is not kept.
func (m *Manager) ProfileVersion(ctx context.Context, agentID string, version int) (Profile, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return Profile{}, err
	}
	var p memory.Profile
	err = m.View(ctx, func(tx *store.Tx) error {
		if p, err = tx.ProfileVersion(a.ID, version); err == nil {
			err = fillLines(tx, &p)
		}
		return err
	})
	if err != nil {
		return Profile{}, fmt.Errorf("version %d of the profile: %w", version, err)
	}
	return m.shownProfile(p), nil
}

func (m *Manager) shownProfile(p memory.Profile) Profile {
	out := Profile{Profile: p, Markdown: profile.Markdown(p.Lines), Limit: profile.MaxTokens, Sent: m.ProfileSent()}
	out.Tokens = prompts.Tokens(out.Markdown)
	out.Waiting = len(p.Lines) - len(p.Shown())
	return out
}

// fillLines fills in the text of item lines.
func fillLines(tx *store.Tx, p *memory.Profile) error {
	lines := make([]memory.ProfileLine, len(p.Lines))
	for i, l := range p.Lines {
		lines[i] = l
		if !l.Derived() {
			continue
		}
		it, err := tx.ItemVersion(p.AgentID, l.ItemID, l.ItemVersion)
		switch {
		case err == nil:
			lines[i].Text = profile.LineOf(it.Content)
		case store.Unreadable(err):
			lines[i].Text, lines[i].Forgotten = profile.LineOf("[cannot be read]"), true
		case errors.Is(err, lookup.ErrNotFound):
			at, err := tx.ForgottenAt(p.AgentID, memory.KindItem, l.ItemID)
			if err != nil && !store.Unreadable(err) {
				return err
			}
			lines[i].Text, lines[i].Forgotten = profile.LineOf(recall.Forgotten(at)), true
		default:
			return err
		}
	}
	p.Lines = lines
	return nil
}

// SetProfile stores the user's own document. shown is the version that the edit began
// with; 0 means the current one. Unchanged item lines keep following their items, removed
// ones do not return, and other lines are the user's. Lines that were added meanwhile
// stay. The error is memory.ErrInvalid if the user's text is too long.
func (m *Manager) SetProfile(ctx context.Context, agentID string, shown int, document string) (Profile, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return Profile{}, err
	}
	var out memory.Profile
	err = m.Update(ctx, a, func(t *write.Tx) error {
		switch {
		case !utf8.ValidString(document):
			return fmt.Errorf("%w: the text is not UTF-8", memory.ErrInvalid)
		case len(document) > maxDocument:
			return fmt.Errorf("%w: the text has %d bytes; a profile has at most %d", memory.ErrInvalid, len(document), maxDocument)
		}
		if err := errors.Join(t.RefuseGroup(), write.WithoutSecrets("the profile", "", document)); err != nil {
			return err
		}
		now, err := profileNow(t)
		if err != nil {
			return err
		}
		base := now
		if shown > 0 && shown != now.Version {
			base, err = t.ProfileVersion(a.ID, shown)
			if err == nil {
				err = fillLines(t.Tx, &base)
			}
			if errors.Is(err, lookup.ErrNotFound) { // deleted meanwhile
				base, err = now, nil
			}
			if err != nil {
				return err
			}
		}
		next := attributed(profile.Edit(now, base, document), memory.OriginUser, "edited by the user")
		out, err = putProfile(t, now, next)
		return err
	})
	if err != nil {
		return Profile{}, fmt.Errorf("writing the profile: %w", err)
	}
	return m.shownProfile(out), nil
}
