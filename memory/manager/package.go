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

// SavePackage stores what a turn is about to send and returns it with its text:
// the very messages to send, so that what is sent is what is stored (C5). texts
// holds the program's own words by the ids that the parts name. The items that
// were chosen count as accessed from now on, those of the profile from the answer on
// (L4).
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
		if err := t.touch(id); err != nil {
			return out, err
		}
	}
	return out, t.PutPackage(p)
}

// itemsSent are the memories whose words a package holds, each once: the chosen
// ones, and those that stand for themselves as evidence.
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

// touchProfile counts the items as accessed that a turn sent as lines of the profile
// (L4), each once. It is done with the answer and not before the question: a whole
// page of them takes milliseconds for which the user would wait.
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
			if err := t.touch(part.ID); err != nil && !store.Unreadable(err) {
				return err
			}
		}
	}
	return nil
}

// TextID is the id by which a package names words of the program.
func TextID(s string) string { return store.TextID(s) }

// Package returns what a turn sent, with its text (C5).
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

// LastSent returns what the first of some turns that has a package sent, by reference;
// nil if none has one.
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

// Packages returns what a session's turns sent, by reference, oldest first.
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

// hashOf is the hash of what went to the model with a turn's n-th further request,
// 0 being the first: SHA-256 of the messages' JSON and, where it could call tools,
// a line for each of them, hex.
func hashOf(r memory.Rendered, n int) string {
	b, err := json.Marshal(r.Request(n))
	if err != nil {
		panic("manager: messages did not encode: " + err.Error()) // strings
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

// written resolves the parts of a message; forgotten counts those that were
// deleted.
func (m *Manager) written(tx *store.Tx, agent, nonce string, parts []memory.Ref) (text string, forgotten int, err error) {
	var sb strings.Builder
	for _, part := range parts {
		said, gone, err := m.resolve(tx, agent, part)
		if err != nil {
			return "", 0, err
		}
		if gone {
			forgotten++
			part.From, part.Cut, part.Tail = 0, 0, 0 // the note of that is whole
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

// Written is how a part stands in its message, given the text it refers to.
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

// Extract is what a part uses of the text that it refers to: Cut bytes from From on and
// Tail bytes of the end, with the marks of what was left out.
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

// resolve returns the text behind a reference; gone is true when it was deleted
// and the text is a note of that.
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
