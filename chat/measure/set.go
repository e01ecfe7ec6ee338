package measure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// Languages are those of the sets, by the names in their files.
func Languages() []string { return []string{"en", "zh"} }

// Words are groups of alternatives, each written a|b.
type Words []string

// In reports whether a text has an alternative of every group.
func (w Words) In(said string) bool {
	return !slices.ContainsFunc(w, func(group string) bool { return !hasAny(said, group) })
}

// hasAny reports whether a text has one of the alternatives a|b.
func hasAny(said, group string) bool {
	said = text.Fold(said)
	return slices.ContainsFunc(strings.Split(group, "|"), func(one string) bool {
		return strings.Contains(said, text.Fold(strings.TrimSpace(one)))
	})
}

// valid reports the first group that matches everything.
func (w Words) valid() error {
	for _, group := range w {
		for one := range strings.SplitSeq(group, "|") {
			if text.Fold(strings.TrimSpace(one)) == "" {
				return fmt.Errorf("words %q: an alternative is empty", group)
			}
		}
	}
	return nil
}

// Expected describes an item by what its content has to say.
type Expected struct {
	Types []memory.Type `json:"type"`
	About string        `json:"about"`
	Words Words         `json:"words"`
	Not   Words         `json:"not"`
	// Held says that the item waits for the user's approval.
	Held bool `json:"held"`
}

// Matches reports whether an item has the expected content, whatever its type.
func (e Expected) Matches(it memory.Item) bool {
	return e.Words.In(it.Content) && !slices.ContainsFunc(e.Not, func(group string) bool { return hasAny(it.Content, group) })
}

func (e Expected) valid() error {
	for _, t := range e.Types {
		if !t.Valid() {
			return fmt.Errorf("type %q is none", t)
		}
	}
	switch {
	case len(e.Types) == 0:
		return errors.New("an expected item without a type")
	case e.About == "":
		return errors.New("an expected item without about")
	case len(e.Words) == 0:
		return errors.New("an expected item without words")
	}
	return errors.Join(e.Words.valid(), e.Not.valid())
}

// lines reads a file of JSON lines and checks each with valid.
func lines[T any](file string, valid func(T) error) ([]T, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []T
	n := 0
	for line := range bytes.Lines(data) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var v T
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err = d.Decode(&v); err == nil {
			err = valid(v)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s is empty", file)
	}
	return out, nil
}

// inLanguages reads NAME.LANG.jsonl of a folder in every language. A language without a
// file is left out.
func inLanguages[T any](dir, name string, valid func(T) error) (map[string][]T, error) {
	out := map[string][]T{}
	for _, language := range Languages() {
		read, err := lines(filepath.Join(dir, name+"."+language+".jsonl"), valid)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[language] = read
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no %s.LANG.jsonl of %v", dir, name, Languages())
	}
	return out, nil
}

// ids refuses ids that are missing or repeated.
type ids map[string]bool

func (seen ids) take(id string) error {
	switch {
	case id == "":
		return errors.New("no id")
	case seen[id]:
		return fmt.Errorf("id %s is there twice", id)
	}
	seen[id] = true
	return nil
}

// spoken refuses a message without words.
func spoken(messages ...string) error {
	for _, m := range messages {
		if strings.TrimSpace(m) == "" {
			return errors.New("a message without words")
		}
	}
	return nil
}
