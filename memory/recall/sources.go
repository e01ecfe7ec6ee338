package recall

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// Source is a source of an answer, with its words: a citation, or a recalled item.
type Source struct {
	memory.Citation
	// Recalled says that it is a recalled item of a turn without citations; N counts the
	// items.
	Recalled bool   `json:"recalled,omitempty"`
	Text     string `json:"text"`
	Title    string `json:"title,omitempty"` // of its session
	// Forgotten says that it has been deleted; Text is a note in its place.
	Forgotten bool `json:"forgotten,omitempty"`
}

// Sources returns the sources of turns' answers, by turn: the citations of a turn that
// searched the archive, the recalled items of any other. Turns without sources are left
// out.
func (r *Reader) Sources(ctx context.Context, agentID string, packages ...memory.Package) (map[string][]Source, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return nil, err
	}
	out := map[string][]Source{}
	titles := map[string]string{}
	err = r.view(ctx, func(tx *store.Tx) error {
		for _, p := range packages {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, s := range sourcesOf(p) {
				if err := r.readSource(tx, a, &s, titles); err != nil {
					return err
				}
				out[p.TurnID] = append(out[p.TurnID], s)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading sources: %w", err)
	}
	return out, nil
}

// SourcesOf is Sources for one turn.
func (r *Reader) SourcesOf(ctx context.Context, agentID, turn string) ([]Source, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return nil, err
	}
	var p memory.Package
	err = r.view(ctx, func(tx *store.Tx) error {
		p, err = tx.Package(a.id, turn)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sources of turn %s: %w", turn, err)
	}
	all, err := r.Sources(ctx, agentID, p)
	return all[turn], err
}

// sourcesOf returns a package's sources without their words.
func sourcesOf(p memory.Package) (out []Source) {
	for _, c := range p.Citations {
		out = append(out, Source{Citation: c})
	}
	if len(out) > 0 {
		return out
	}
	for _, u := range p.Used {
		if u.Chosen {
			out = append(out, Source{Recalled: true, Citation: memory.Citation{N: len(out) + 1, ItemID: u.ItemID, Version: u.Version}})
		}
	}
	return out
}

// readSource adds the words of a source.
func (r *Reader) readSource(tx *store.Tx, a *agent, s *Source, titles map[string]string) error {
	kind, id := memory.KindRecord, s.RecordID
	var err error
	if s.RecordID != "" {
		var rec memory.Record
		if rec, err = tx.Record(a.id, s.RecordID); err == nil {
			s.Text = Quotable(r.Fetch(rec).Content, s.Offset, s.Length)
			s.Title, err = titleIn(tx, a, rec.SessionID, titles)
		}
	} else {
		var it memory.Item
		kind, id = memory.KindItem, s.ItemID
		if it, err = tx.ItemVersion(a.id, s.ItemID, s.Version); err == nil {
			s.Text = it.Content
			if s.Time.IsZero() {
				s.Time = it.CreatedAt
			}
		}
	}
	switch {
	case err == nil:
		return nil
	case store.Unreadable(err):
		s.Text, s.Forgotten = "[cannot be read]", true
		return nil
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	at, err := tx.ForgottenAt(a.id, kind, id)
	unkept, uerr := tx.Unkept(a.id, s.SessionID)
	if s.Text, s.Forgotten = Forgotten(at), true; unkept {
		s.Text = "[not kept]"
	}
	return errors.Join(err, uerr)
}

// titleIn returns a session's title, and caches it in titles.
func titleIn(tx *store.Tx, a *agent, session string, titles map[string]string) (string, error) {
	if title, known := titles[session]; known {
		return title, nil
	}
	s, err := tx.Session(a.id, session)
	if err != nil && !missing(err) {
		return "", err
	}
	titles[session] = s.Title
	return s.Title, nil
}

// Quoted returns the words of a record that are evidence.
func Quoted(r memory.Record, ev memory.Evidence) string {
	lo := min(max(ev.Offset, 0), len(r.Content))
	hi := len(r.Content)
	if ev.Length > 0 {
		hi = min(lo+ev.Length, hi)
	}
	return strings.ToValidUTF8(r.Content[lo:hi], "")
}

// Forgotten returns the text in place of words that were deleted at a time, which may be
// unknown (C5).
func Forgotten(at time.Time) string {
	if at.IsZero() {
		return "[forgotten]"
	}
	return "[forgotten " + at.Format(time.DateOnly) + "]"
}
