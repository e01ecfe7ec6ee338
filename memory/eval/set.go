package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Record is one thing to remember.
type Record struct {
	Conv string `json:"conv"`
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Query is a message with the records that it needs.
type Query struct {
	Conv     string   `json:"conv"`
	ID       string   `json:"qid"`
	Text     string   `json:"question"`
	Evidence []string `json:"evidence"`
}

// Conversation is what one agent remembers, and what is asked of it.
type Conversation struct {
	Name    string
	Records []Record
	Queries []Query
}

// Load reads a set: its conversations in the order of the corpus. A query must
// name a conversation of the corpus, and evidence at least.
func Load(dir string) ([]Conversation, error) {
	var set []Conversation
	at := map[string]int{}
	err := lines(filepath.Join(dir, "corpus.jsonl"), func(r Record) error {
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
	err = lines(filepath.Join(dir, "queries.jsonl"), func(q Query) error {
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
