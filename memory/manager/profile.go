package manager

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/profile"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/prompts"
)

// Profile is the profile as it is shown.
type Profile struct {
	memory.Profile
	Markdown string `json:"markdown"`
	// Tokens is the size of the document, an estimate; it stays under Limit.
	Tokens int `json:"tokens"`
	Limit  int `json:"limit"`
	// Waiting is how many lines have no room.
	Waiting int `json:"waiting"`
	// Sent says that it goes to the model (enable_user_profile).
	Sent bool `json:"sent"`
}

// maxDocument bounds a document that the user writes, in bytes, before its tokens
// are counted.
const maxDocument = 64 << 10

// ProfileSent reports whether the profile goes to the model (I5).
func (m *Manager) ProfileSent() bool { return m.cfg().UserProfile }

// Profile returns the profile of now (W5). Of an agent that never had one it is made
// of what is remembered; without anything it has no lines and version 0. One that is
// damaged is an error; writing another ends that.
func (m *Manager) Profile(ctx context.Context, agentID string) (Profile, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Profile{}, err
	}
	p, err := m.readProfile(ctx, a)
	if errors.Is(err, ErrNotFound) && m.beginProfile(ctx, a) == nil { // a disk that takes nothing is told elsewhere
		p, err = m.readProfile(ctx, a)
	}
	if errors.Is(err, ErrNotFound) {
		p, err = memory.Profile{AgentID: a.id, Lines: []memory.ProfileLine{}}, nil
	}
	if err != nil {
		return Profile{}, fmt.Errorf("reading the profile: %w", err)
	}
	return m.shownProfile(p), nil
}

func (m *Manager) readProfile(ctx context.Context, a *agent) (p memory.Profile, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		if p, err = tx.Profile(a.id); err == nil {
			err = worded(tx, &p)
		}
		return err
	})
	return p, err
}

// beginProfile makes a profile of what there is, if there is anything.
func (m *Manager) beginProfile(ctx context.Context, a *agent) error {
	var due bool
	err := m.view(ctx, func(tx *store.Tx) error {
		n, err := tx.Count(a.id, "items")
		if err == nil && n > 0 {
			due, err = unbegun(tx, a.id)
		}
		return err
	})
	if err != nil || !due {
		return err
	}
	return m.update(ctx, a, func(t *tx) error {
		_, err := t.profileNow()
		return err
	})
}

// ProfileVersion returns the profile as it was at a version, but for what was
// deleted since. The error is ErrNotFound when that version is not kept.
func (m *Manager) ProfileVersion(ctx context.Context, agentID string, version int) (Profile, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Profile{}, err
	}
	var p memory.Profile
	err = m.view(ctx, func(tx *store.Tx) error {
		if p, err = tx.ProfileVersion(a.id, version); err == nil {
			err = worded(tx, &p)
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

// worded fills in what the lines of items say.
func worded(tx *store.Tx, p *memory.Profile) error {
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
		case errors.Is(err, ErrNotFound):
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

// profileLine is the text behind a reference to a line of the user.
func profileLine(tx *store.Tx, agent string, part memory.Ref) (string, error) {
	p, err := tx.ProfileVersion(agent, part.Version)
	if err != nil {
		return "", err
	}
	i, err := strconv.Atoi(part.Field)
	if err != nil || i < 0 || i >= len(p.Lines) || p.Lines[i].Derived() {
		return "", fmt.Errorf("the profile has no line %q", part.Field)
	}
	return profile.Said(p.Lines[i].Text), nil
}

// SetProfile writes the user's own document. shown is the version that he was shown
// when he began; 0 is the one of now. Lines of items that he left alone go on
// following their items, what he took out does not come back, and everything else is
// his. What came into the profile meanwhile stays. The error is ErrInvalid when his
// own text is too long.
func (m *Manager) SetProfile(ctx context.Context, agentID string, shown int, document string) (Profile, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Profile{}, err
	}
	var out memory.Profile
	err = m.update(ctx, a, func(t *tx) error {
		switch {
		case !utf8.ValidString(document):
			return fmt.Errorf("%w: the text is not UTF-8", ErrInvalid)
		case len(document) > maxDocument:
			return fmt.Errorf("%w: the text has %d bytes; a profile has at most %d", ErrInvalid, len(document), maxDocument)
		}
		if err := errors.Join(t.remembers(), withoutSecrets("the profile", "", document)); err != nil {
			return err
		}
		now, err := t.profileNow()
		if err != nil {
			return err
		}
		base := now
		if shown > 0 && shown != now.Version {
			base, err = t.ProfileVersion(a.id, shown)
			if err == nil {
				err = worded(t.Tx, &base)
			}
			if errors.Is(err, ErrNotFound) { // it was deleted meanwhile
				base, err = now, nil
			}
			if err != nil {
				return err
			}
		}
		next := made(profile.Edit(now, base, document), memory.OriginUser, "edited by the user")
		out, err = t.putProfile(now, next)
		return err
	})
	if err != nil {
		return Profile{}, fmt.Errorf("writing the profile: %w", err)
	}
	return m.shownProfile(out), nil
}
