package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Record is one thing to remember, or one message.
type Record struct {
	Conv    string
	ID      string
	Session string // empty: the conversation's only one
	// Time is when it was said; zero if unknown.
	Time time.Time
	// Speaker is SpeakerUser, SpeakerAssistant, or the name of a person in a group.
	Speaker string
	Text    string
}

// Speakers other than people in a group.
const (
	SpeakerUser      = "user"
	SpeakerAssistant = "assistant"
)

// Query is a message with its evidence.
type Query struct {
	Conv     string
	ID       string
	Text     string
	Evidence []string
	// Now is the time of the query; zero means a day after the conversation's last
	// message.
	Now time.Time
}

// Conversation is the content of one memory, with its queries.
type Conversation struct {
	Name    string
	Records []Record
	Queries []Query
}

// Load reads a set: its conversations in the order of the corpus. A query must name a
// conversation of the corpus, and evidence at least.
func Load(dir string) ([]Conversation, error) {
	var set []Conversation
	at := map[string]int{}
	err := lines(filepath.Join(dir, "corpus.jsonl"), func(l recordLine) error {
		r, err := l.record()
		if err != nil {
			return err
		}
		i, ok := at[r.Conv]
		if !ok {
			i, at[r.Conv] = len(set), len(set)
			set = append(set, Conversation{Name: r.Conv})
		}
		set[i].Records = append(set[i].Records, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = lines(filepath.Join(dir, "queries.jsonl"), func(l queryLine) error {
		q, err := l.query()
		if err != nil {
			return err
		}
		i, ok := at[q.Conv]
		switch {
		case !ok:
			return fmt.Errorf("query %s: no record is of conversation %q", q.ID, q.Conv)
		case len(q.Evidence) == 0:
			return fmt.Errorf("query %s: no evidence", q.ID)
		}
		set[i].Queries = append(set[i].Queries, q)
		return nil
	})
	return set, err
}

// last returns the time of the conversation's last message; zero without times.
func (c Conversation) last() time.Time {
	if len(c.Records) == 0 {
		return time.Time{}
	}
	return slices.MaxFunc(c.Records, func(a, b Record) int { return a.Time.Compare(b.Time) }).Time
}

// recordLine is a line of corpus.jsonl.
type recordLine struct {
	Conv    string          `json:"conv"`
	ID      string          `json:"id"`
	Session json.RawMessage `json:"session"` // a string or a number
	Time    string          `json:"time"`
	Speaker string          `json:"speaker"`
	Text    string          `json:"text"`
}

func (l recordLine) record() (Record, error) {
	at, err := parseTime(l.Time)
	return Record{
		Conv: l.Conv, ID: l.ID, Session: string(bytes.Trim(l.Session, `"`)), Time: at,
		Speaker: cmp.Or(l.Speaker, SpeakerUser), Text: l.Text,
	}, err
}

// queryLine is a line of queries.jsonl.
type queryLine struct {
	Conv     string   `json:"conv"`
	ID       string   `json:"qid"`
	Text     string   `json:"question"`
	Evidence []string `json:"evidence"`
	Now      string   `json:"now"`
}

func (l queryLine) query() (Query, error) {
	at, err := parseTime(l.Now)
	return Query{Conv: l.Conv, ID: l.ID, Text: l.Text, Evidence: l.Evidence, Now: at}, err
}

// parseTime parses a set's time, in UTC; an empty one is zero.
func parseTime(s string) (at time.Time, err error) {
	if s == "" {
		return at, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err = time.Parse(layout, s); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("time %q: %w", s, err)
}

// lines reads a file of JSON lines.
func lines[T any](path string, take func(T) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading a set: %w", err)
	}
	defer func() { _ = f.Close() }()
	d := json.NewDecoder(bufio.NewReader(f))
	for n := 1; ; n++ {
		var v T
		if err = d.Decode(&v); err == nil {
			err = take(v)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading a set: %s, record %d: %w", path, n, err)
		}
	}
}
