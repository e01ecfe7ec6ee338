package manager

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/prompts"
)

// SavePackage stores what a turn is about to send and returns it rendered. Exactly the
// returned messages are sent, so that the stored package is accurate (C5). texts holds
// the program's own texts by the ids in the parts. Selected items count as accessed now,
// those of the profile with the answer (L4).
func (m *Manager) SavePackage(ctx context.Context, p memory.Package, texts map[string]string) (memory.Rendered, error) {
	a, err := m.agent(p.AgentID)
	if err != nil {
		return memory.Rendered{}, err
	}
	var out memory.Rendered
	err = m.update(ctx, a, func(t *tx) error {
		out, err = t.savePackage(p, texts)
		return err
	})
	if err != nil {
		return memory.Rendered{}, fmt.Errorf("storing a package: %w", err)
	}
	return out, nil
}

func (t *tx) savePackage(p memory.Package, texts map[string]string) (out memory.Rendered, err error) {
	if err := t.inSession(p.SessionID); err != nil {
		return out, err
	}
	for id, s := range texts {
		if got, err := t.PutText(t.a.id, s); err != nil {
			return out, err
		} else if got != id {
			return out, fmt.Errorf("text %s is not what its id says", id)
		}
	}
	for _, q := range p.Quoted {
		if _, err := t.PutPassage(t.a.id, q.Path, q.Words); err != nil {
			return out, err
		}
	}
	p.CreatedAt = t.Now()
	if out, err = t.m.render(t.Tx, p); err != nil {
		return out, err
	}
	p.Hash = hashOf(out, 0)
	out.Package, out.Exact = p, true
	for _, id := range itemsSent(p) {
		if err := t.markAccessed(id); err != nil {
			return out, err
		}
	}
	return out, t.PutPackage(p)
}

// itemsSent returns the ids of the items whose words a package contains, each once: the
// selected ones and those used as evidence.
func itemsSent(p memory.Package) (ids []string) {
	for _, u := range p.Used {
		if u.Chosen && !u.Overview {
			ids = append(ids, u.ItemID)
		}
	}
	for _, c := range p.Citations {
		if c.RecordID == "" && !slices.Contains(ids, c.ItemID) {
			ids = append(ids, c.ItemID)
		}
	}
	return ids
}

// touchProfile marks the items in a turn's profile as accessed (L4), each once. It runs
// with the answer, because a full profile takes milliseconds that the user would wait
// for.
func (t *tx) touchProfile(turn string) error {
	p, err := t.Package(t.a.id, turn)
	if lacking(err) {
		return nil
	}
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, u := range p.Used {
		done[u.ItemID] = u.Chosen
	}
	for _, b := range p.Blocks {
		for _, part := range b.Parts {
			if b.Layer != memory.LayerProfile || part.Kind != memory.KindItem || done[part.ID] {
				continue
			}
			done[part.ID] = true
			if err := t.markAccessed(part.ID); err != nil && !store.Unreadable(err) {
				return err
			}
		}
	}
	return nil
}

// TextID returns the id of a text of the program in packages.
func TextID(s string) string { return store.TextID(s) }

// Package returns a turn's package with its texts (C5).
func (m *Manager) Package(ctx context.Context, agentID, turn string) (memory.Rendered, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Rendered{}, err
	}
	var out memory.Rendered
	err = m.view(ctx, func(tx *store.Tx) error {
		p, err := tx.Package(a.id, turn)
		if err != nil {
			return err
		}
		if out, err = m.render(tx, p); err != nil {
			return err
		}
		out.Exact = p.Hash == hashOf(out, 0)
		for i := range out.Further {
			out.Further[i].Exact = out.Further[i].Hash == hashOf(out, i+1)
		}
		return nil
	})
	if err != nil {
		return memory.Rendered{}, fmt.Errorf("package of turn %s: %w", turn, err)
	}
	return out, nil
}

// LastSent returns, by reference, the package of the first of the turns that has one, or
// nil.
func (m *Manager) LastSent(ctx context.Context, agentID string, turns []string) (out *memory.Package, err error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	err = m.view(ctx, func(tx *store.Tx) error {
		out, err = lastSent(tx, a.id, turns)
		return err
	})
	return out, err
}

func lastSent(tx *store.Tx, agent string, turns []string) (*memory.Package, error) {
	for _, turn := range turns {
		p, err := tx.Package(agent, turn)
		if err == nil {
			return &p, nil
		}
		if !lacking(err) {
			return nil, fmt.Errorf("package of turn %s: %w", turn, err)
		}
	}
	return nil, nil
}

// Packages returns the packages of a session's turns, by reference, oldest first.
func (m *Manager) Packages(ctx context.Context, agentID, sessionID string) ([]memory.Package, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var out []memory.Package
	err = m.view(ctx, func(tx *store.Tx) error {
		out, err = tx.Packages(a.id, sessionID)
		return err
	})
	return out, err
}

// hashOf returns the hash of a turn's n-th request, counted from 0: SHA-256 in hex over
// the messages' JSON and, if there are tools, a line for each.
func hashOf(r memory.Rendered, n int) string {
	b, err := json.Marshal(r.Request(n))
	if err != nil {
		panic("manager: messages did not encode: " + err.Error()) // strings always encode
	}
	if n == 0 || r.Further[n-1].Tools {
		for _, tool := range r.Offered {
			b = append(append(b, '\n'), tool...)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (m *Manager) render(tx *store.Tx, p memory.Package) (out memory.Rendered, err error) {
	out = memory.Rendered{Package: p, Rendered: make([]memory.RenderedBlock, 0, len(p.Blocks))}
	for _, b := range p.Blocks {
		rb := memory.RenderedBlock{Layer: b.Layer, Role: b.Role, Tokens: b.Tokens, Note: b.Note, Joined: b.Joined}
		if rb.Text, rb.Forgotten, err = m.written(tx, p.AgentID, b.Nonce, b.Parts); err != nil {
			return out, err
		}
		out.Rendered = append(out.Rendered, rb)
	}
	for _, tool := range p.Tools {
		text, _, err := m.resolve(tx, p.AgentID, tool)
		if err != nil {
			return out, err
		}
		out.Offered = append(out.Offered, text)
	}
	for _, f := range p.Found {
		path, err := tx.Passage(p.AgentID, f.File, "")
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return out, err
		}
		if out.Files == nil {
			out.Files = map[string]string{}
		}
		out.Files[f.File] = path
	}
	out.Further, err = m.further(tx, p)
	return out, err
}

// written resolves the parts of a message; forgotten counts the deleted ones.
func (m *Manager) written(tx *store.Tx, agent, nonce string, parts []memory.Ref) (text string, forgotten int, err error) {
	var sb strings.Builder
	for _, part := range parts {
		said, gone, err := m.resolve(tx, agent, part)
		if err != nil {
			return "", 0, err
		}
		if gone {
			forgotten++
			part.From, part.Cut, part.Tail = 0, 0, 0 // the note is complete
		}
		if part.Field != "" && (part.Kind == memory.KindPassage || part.Kind == memory.KindRecord) {
			if part.Source, err = m.journalPath(tx, agent, part); err != nil {
				return "", 0, err
			}
		}
		sb.WriteString(Written(part, nonce, said))
	}
	return sb.String(), forgotten, nil
}

// Written returns a part as it appears in its message, given the text it refers to.
func Written(part memory.Ref, nonce, said string) string {
	said = Extract(said, part)
	switch part.Form {
	case memory.FormFence:
		return prompts.Line(nonce, prompts.FenceLine{Source: part.Source, Text: said}) + "\n"
	case memory.FormWish:
		return "\n" + prompts.WishLine(nonce, said)
	}
	return said
}

// Extract returns the section of a text that a part uses: Cut bytes from From and the
// last Tail bytes, with marks for omissions.
func Extract(said string, part memory.Ref) string {
	from, tail := part.From, ""
	if from > 0 && from <= len(said) {
		said = said[from:]
	} else {
		from = 0
	}
	if part.Cut > 0 && part.Tail > 0 && part.Cut+part.Tail < len(said) {
		tail = strings.ToValidUTF8(said[len(said)-part.Tail:], "")
	}
	if part.Cut > 0 && part.Cut < len(said) && (tail != "" || part.Tail == 0) {
		said = strings.ToValidUTF8(said[:part.Cut], "") + memory.TruncationMark + tail
	}
	if from > 0 {
		said = memory.OmissionMark + said
	}
	return said
}

// resolve returns the text of a reference. gone reports that it was deleted; the text is
// then a note.
func (m *Manager) resolve(tx *store.Tx, agent string, part memory.Ref) (said string, gone bool, err error) {
	switch part.Kind {
	case memory.KindText:
		said, err = tx.Text(agent, part.ID)
	case memory.KindItem:
		var it memory.Item
		it, err = tx.ItemVersion(agent, part.ID, part.Version)
		said = it.Content
	case memory.KindRecord:
		var r memory.Record
		r, err = tx.Record(agent, part.ID)
		said = m.recall.Fetch(r).Content
	case memory.KindWorking:
		var w memory.Working
		w, err = tx.WorkingVersion(agent, part.ID, part.Version)
		if said = w.ContextVariables[part.Field]; part.Field == memory.FieldTopic {
			said = w.CurrentTopic
		}
	case memory.KindSummary:
		var s memory.Summary
		s, err = tx.Summary(agent, part.ID, part.Version)
		said = s.Line()
	case memory.KindPassage:
		said, err = tx.Passage(agent, part.Field, part.ID)
	case memory.KindProfile:
		said, err = profileLine(tx, agent, part)
	default:
		return "", false, fmt.Errorf("part of unknown kind %q", part.Kind)
	}
	if !errors.Is(err, ErrNotFound) {
		return said, false, err
	}
	at, err := tx.ForgottenAt(agent, part.Kind, part.ID)
	return recall.Forgotten(at), true, err
}
