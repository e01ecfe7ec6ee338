package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

const (
	longText  = 1000      // characters of a message or summary; the rest is cut
	maxQuotes = 10        // quotes of an item
	maxTags   = 100       // of an item
	maxValue  = 64 << 10  // bytes of an item's value; a longer one is left out
	maxFile   = 256 << 10 // bytes of a resource
)

// found is the result of a search.
type found struct {
	Items    []foundItem    `json:"items"`
	Messages []foundMessage `json:"messages"`
	// Total counts all that was found, also what is not listed.
	Total int `json:"total"`
	// Degraded says why the result may be incomplete.
	Degraded string `json:"degraded,omitempty"`
}

type foundItem struct {
	ID          string       `json:"id"`
	Type        memory.Type  `json:"type"`
	Content     string       `json:"content"`
	Tags        []string     `json:"tags,omitempty"`
	Confidence  float64      `json:"confidence"`
	Importance  float64      `json:"importance"`
	CreatedAt   time.Time    `json:"created_at"`
	ConfirmedAt time.Time    `json:"last_confirmed_at,omitzero"`
	Score       float64      `json:"score"`
	Parts       memory.Parts `json:"parts"`
	Why         string       `json:"why,omitempty"`
}

type foundMessage struct {
	ID        string      `json:"id"`
	SessionID string      `json:"session_id"`
	Title     string      `json:"title,omitempty"` // of the session
	Role      memory.Role `json:"role"`
	Timestamp time.Time   `json:"timestamp"`
	Content   string      `json:"content"`
	Score     float64     `json:"score"`
}

func foundOf(f recall.MemoryFound, keyword string) found {
	out := found{Items: []foundItem{}, Messages: []foundMessage{}, Total: f.Total, Degraded: f.Degraded}
	for _, s := range f.Items {
		it := s.Item
		out.Items = append(out.Items, foundItem{
			ID: it.ID, Type: it.Type, Content: cut(it.Content), Tags: firstTags(it), Confidence: it.Confidence, Importance: it.Importance,
			CreatedAt: it.CreatedAt, ConfirmedAt: it.LastConfirmedAt, Score: s.Score, Parts: s.Parts, Why: s.Why,
		})
	}
	for _, h := range f.Messages {
		r := h.Record
		out.Messages = append(out.Messages, foundMessage{
			ID: r.ID, SessionID: r.SessionID, Title: cut(h.Title), Role: r.Role, Timestamp: r.Timestamp,
			Content: around(r.Content, keyword), Score: h.Score,
		})
	}
	return out
}

// firstTags returns an item's tags, bounded.
func firstTags(it memory.Item) []string { return it.Tags[:min(len(it.Tags), maxTags)] }

// whole is an item with the words that it comes from.
type whole struct {
	memory.Item
	quotes []quote
}

type quote struct {
	RecordID  string      `json:"record_id"`
	Role      memory.Role `json:"role"`
	Timestamp time.Time   `json:"timestamp"`
	Text      string      `json:"text"`
}

// MarshalJSON implements [json.Marshaler].
func (w whole) MarshalJSON() ([]byte, error) {
	return w.JSONWith(struct {
		Quotes []quote `json:"quotes,omitempty"`
	}{w.quotes})
}

// whole returns an item with its first quotes, except those of messages that are gone or
// not for models.
func (s *server) whole(ctx context.Context, it memory.Item) (whole, error) {
	it.Tags = firstTags(it)
	if len(it.Value) > maxValue {
		it.Value = nil
	}
	out := whole{Item: it}
	for _, ev := range it.Evidence[:min(len(it.Evidence), maxQuotes)] {
		r, err := s.Memory.Lookup().Record(ctx, s.Agent.ID, ev.RecordID)
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		if err != nil || r.Withheld() || len(manager.SecretsIn(r)) > 0 {
			continue
		}
		out.quotes = append(out.quotes, quote{r.ID, r.Role, r.Timestamp, cut(recall.Quotable(r.Content, ev.Offset, ev.Length))})
	}
	return out, nil
}

// proposed is the answer to a proposal.
type proposed struct {
	ID    string       `json:"id,omitempty"`
	State memory.State `json:"state,omitempty"`
	Known bool         `json:"known,omitempty"`
	Note  string       `json:"note"`
}

type sessionList struct {
	Sessions []sessionInfo `json:"sessions"`
	Total    int           `json:"total"`
}

type sessionInfo struct {
	ID            string              `json:"id"`
	Title         string              `json:"title"`
	State         memory.SessionState `json:"state"`
	Group         string              `json:"group,omitempty"`
	Summary       string              `json:"summary,omitempty"`
	Messages      int                 `json:"messages"`
	CreatedAt     time.Time           `json:"created_at"`
	LastMessageAt time.Time           `json:"last_message_at"`
}

func sessionsOf(list []memory.Session, total int) sessionList {
	out := sessionList{Sessions: []sessionInfo{}, Total: total}
	for _, s := range list {
		info := sessionInfo{
			ID: s.ID, Title: cut(s.Title), State: s.State, Group: s.Group, Messages: s.Messages,
			CreatedAt: s.CreatedAt, LastMessageAt: s.LastMessageAt,
		}
		if s.Summary != nil {
			info.Summary = cut(s.Summary.Line())
		}
		out.Sessions = append(out.Sessions, info)
	}
	return out
}

// plainJSON encodes a result without escapes for HTML.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// cut returns the beginning of a text.
func cut(s string) string {
	n := 0
	for at := range s {
		if n++; n > longText {
			return strings.ToValidUTF8(s[:at], "\uFFFD") + memory.OmissionMark
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// beforeWord is how much of a long message is kept before a word that was searched for.
const beforeWord = 200

// maxLooked bounds how far a message is looked through, in bytes.
const maxLooked = 64 << 10

// around returns the part of a long message with the first of the words.
func around(said, keyword string) string {
	if utf8.RuneCountInString(said) <= longText {
		return cut(said)
	}
	want := map[string]bool{}
	for _, w := range text.Words(keyword) {
		want[w] = true
	}
	for _, t := range text.Tokens(strings.ToValidUTF8(said[:min(len(said), maxLooked)], " ")) {
		for _, w := range text.Words(t.Text) {
			if want[w] && t.Start > beforeWord {
				from := t.Start - beforeWord
				for from < t.Start && !utf8.RuneStart(said[from]) {
					from++
				}
				return memory.OmissionMark + cut(said[from:])
			}
		}
	}
	return cut(said)
}
