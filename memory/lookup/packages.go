package lookup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memoria/memory"
	"memoria/memory/profile"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/prompts"
)

// TextID returns the id of a text of the program in packages.
func TextID(s string) string { return store.TextID(s) }

// Package returns a turn's package with its texts (C5).
func (r *Reader) Package(ctx context.Context, agentID, turn string) (memory.Rendered, error) {
	var out memory.Rendered
	err := r.read(ctx, agentID, "package of turn "+turn, func(tx *store.Tx) (err error) {
		p, err := tx.Package(agentID, turn)
		if err != nil {
			return err
		}
		if out, err = r.Render(tx, p); err != nil {
			return err
		}
		out.Exact = p.Hash == HashOf(out, 0)
		for i := range out.Further {
			out.Further[i].Exact = out.Further[i].Hash == HashOf(out, i+1)
		}
		return nil
	})
	return out, err
}

// LastSent returns, by reference, the package of the first of the turns that has one, or
// nil.
func (r *Reader) LastSent(ctx context.Context, agentID string, turns []string) (out *memory.Package, err error) {
	err = r.read(ctx, agentID, "", func(tx *store.Tx) error {
		out, err = LastSent(tx, agentID, turns)
		return err
	})
	return out, err
}

// LastSent returns the package of the first of the turns that has one, or nil.
func LastSent(tx *store.Tx, agent string, turns []string) (*memory.Package, error) {
	for _, turn := range turns {
		p, err := tx.Package(agent, turn)
		if err == nil {
			return &p, nil
		}
		if !Lacking(err) {
			return nil, fmt.Errorf("package of turn %s: %w", turn, err)
		}
	}
	return nil, nil
}

// Packages returns the packages of a session's turns, by reference, oldest first.
func (r *Reader) Packages(ctx context.Context, agentID, sessionID string) ([]memory.Package, error) {
	var out []memory.Package
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		out, err = tx.Packages(agentID, sessionID)
		return err
	})
	return out, err
}

// GroupPackages returns what was sent in the turns of a group's session, by reference,
// turn by turn and within a turn by member id.
func (r *Reader) GroupPackages(ctx context.Context, group, sessionID string) ([]memory.Package, error) {
	var out []memory.Package
	err := r.view(ctx, "", func(tx *store.Tx) error {
		ids, err := tx.Hearers(group)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if s, err := tx.Session(id, sessionID); err != nil && !Lacking(err) {
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

// HashOf returns the hash of a turn's n-th request, counted from 0: SHA-256 in hex over
// the messages' JSON and, if there are tools, a line for each.
func HashOf(r memory.Rendered, n int) string {
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

// Render resolves the references of a package within a transaction.
func (r *Reader) Render(tx *store.Tx, p memory.Package) (out memory.Rendered, err error) {
	out = memory.Rendered{Package: p, Rendered: make([]memory.RenderedBlock, 0, len(p.Blocks))}
	for _, b := range p.Blocks {
		rb := memory.RenderedBlock{Layer: b.Layer, Role: b.Role, Tokens: b.Tokens, Note: b.Note, Joined: b.Joined}
		if rb.Text, rb.Forgotten, err = r.written(tx, p.AgentID, b.Nonce, b.Parts); err != nil {
			return out, err
		}
		out.Rendered = append(out.Rendered, rb)
	}
	for _, tool := range p.Tools {
		text, _, err := r.Resolve(tx, p.AgentID, tool)
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
	out.Further, err = r.further(tx, p)
	return out, err
}

// written resolves the parts of a message; forgotten counts the deleted ones.
func (r *Reader) written(tx *store.Tx, agent, nonce string, parts []memory.Ref) (text string, forgotten int, err error) {
	var sb strings.Builder
	for _, part := range parts {
		said, gone, err := r.Resolve(tx, agent, part)
		if err != nil {
			return "", 0, err
		}
		if gone {
			forgotten++
			part.From, part.Cut, part.Tail = 0, 0, 0 // the note is complete
		}
		if OfJournal(part) {
			if part.Source, err = r.journalPath(tx, agent, part); err != nil {
				return "", 0, err
			}
		}
		sb.WriteString(Written(part, nonce, said))
	}
	return sb.String(), forgotten, nil
}

// OfJournal reports whether a part is words of a journal file.
func OfJournal(part memory.Ref) bool {
	return part.Field != "" && (part.Kind == memory.KindPassage || part.Kind == memory.KindRecord)
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

// Resolve returns the text of a reference. gone reports that it was deleted, or words of it;
// the text is then a note, or the rest.
func (r *Reader) Resolve(tx *store.Tx, agent string, part memory.Ref) (said string, gone bool, err error) {
	switch part.Kind {
	case memory.KindText:
		said, err = tx.Text(agent, part.ID)
	case memory.KindItem:
		var it memory.Item
		it, err = tx.ItemVersion(agent, part.ID, part.Version)
		said = it.Content
	case memory.KindRecord:
		var rec memory.Record
		rec, err = tx.Record(agent, part.ID)
		said = r.recall.Fetch(rec).Content
		if rec.Metadata.Redacted > 0 {
			return said, true, err
		}
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

// further resolves the requests of a turn after the first.
func (r *Reader) further(tx *store.Tx, p memory.Package) (out []memory.RenderedRound, err error) {
	for _, round := range p.Rounds {
		rr := memory.RenderedRound{Round: round}
		if round.Said != "" {
			if rr.SaidText, _, err = r.Resolve(tx, p.AgentID, memory.Ref{Kind: memory.KindRecord, ID: round.Said}); err != nil {
				return nil, err
			}
		}
		for _, id := range round.Calls {
			c, err := r.renderCall(tx, p.AgentID, id)
			if err != nil {
				return nil, err
			}
			rr.Called = append(rr.Called, c)
		}
		out = append(out, rr)
	}
	return out, nil
}

// renderCall resolves a call and its result.
func (r *Reader) renderCall(tx *store.Tx, agent, id string) (memory.RenderedCall, error) {
	out := memory.RenderedCall{RecordID: id}
	rr, err := tx.Record(agent, id)
	if errors.Is(err, ErrNotFound) {
		out.Text, _, err = r.Resolve(tx, agent, memory.Ref{Kind: memory.KindRecord, ID: id})
		out.Forgotten = 1
		return out, err
	}
	if err != nil || rr.Call == nil {
		return out, err
	}
	out.Call = *rr.Call
	out.Text, out.Forgotten, err = r.written(tx, agent, rr.Call.Nonce, rr.Call.Parts)
	return out, err
}

// CallText returns the result of a tool call as it was sent, without content deleted
// since; forgotten counts the missing parts. A record that is no call has none.
func (r *Reader) CallText(ctx context.Context, agentID, recordID string) (out memory.RenderedCall, err error) {
	err = r.read(ctx, agentID, "result of call "+recordID, func(tx *store.Tx) error {
		out, err = r.renderCall(tx, agentID, recordID)
		return err
	})
	return out, err
}

// journalPath returns the path of the file that a part of a package refers to, as shown
// in its fence.
func (r *Reader) journalPath(tx *store.Tx, agent string, part memory.Ref) (string, error) {
	p, err := tx.Passage(agent, part.Field, "")
	if errors.Is(err, ErrNotFound) {
		return "journal", nil
	}
	return p, err
}

// profileLine returns the text of a reference to a line of the user.
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
