package inspect

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memoria/index"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// segment searches the words and values of an index.
func (s *search) segment(ctx context.Context, path string) error {
	// For each part of each needle: the documents with it.
	with := make([]map[string]map[string]bool, len(s.needles))
	for i, n := range s.needles {
		with[i] = map[string]map[string]bool{}
		for _, part := range n.parts {
			with[i][part] = map[string]bool{}
		}
	}
	err := index.Inspect(ctx, path, func(value string, ids func() []string) {
		for i, n := range s.needles {
			if len(n.parts) > 1 && n.in(value) { // a label, or an id
				for _, id := range ids() {
					s.indexed(path, id)
				}
			}
			for _, part := range n.parts {
				if partIn(part, value) {
					for _, id := range ids() {
						with[i][part][id] = true
					}
				}
			}
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // merged meanwhile
	}
	if err != nil {
		s.found(path, Place{Part: PartClosed})
	}
	for i, n := range s.needles {
		if len(n.parts) == 0 {
			continue
		}
		for id := range with[i][n.parts[0]] {
			all := true
			for _, part := range n.parts {
				all = all && with[i][part][id]
			}
			if all && (len(n.parts) == 1 || s.mayHold(path, id, i)) {
				s.indexed(path, id)
			}
		}
	}
	return nil
}

// indexed adds a document of an index to the report.
func (s *search) indexed(path, id string) {
	agent, _ := s.indexOf(path)
	id, _, _ = strings.Cut(id, "\x1f") // a passage of a journal: its file
	s.found(path, Place{Part: PartIndex, Agent: agent, ID: id})
}

// indexOf returns the agent and the kind of an index.
func (s *search) indexOf(path string) (agent, kind string) {
	rel, err := filepath.Rel(filepath.Join(s.Dir, vault.IndexFolder), path)
	if err != nil {
		return "", ""
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if len(parts) < 3 {
		return "", ""
	}
	return parts[0], parts[1]
}

// mayHold reports whether a document that has all parts of a needle may hold the needle:
// unless the record or the file that it was made of exists and does not.
func (s *search) mayHold(path, id string, needle int) bool {
	agent, _ := s.indexOf(path)
	file, _, passage := strings.Cut(id, "\x1f")
	if !passage {
		held := s.holders[record{agent, id}]
		return !s.exists(agent, id) || held != nil && held[needle]
	}
	b, err := os.ReadFile(filepath.Join(s.Dir, vault.JournalFolder, agent, filepath.FromSlash(file)))
	return err != nil || s.needles[needle].in(string(b))
}

// exists reports whether the open store has an item or a message.
func (s *search) exists(agent, id string) (there bool) {
	if s.Store == nil {
		return false
	}
	_ = s.Store.View(func(tx *store.Tx) (err error) {
		if _, err = tx.Item(agent, id); err == nil {
			there = true
			return nil
		}
		there, err = tx.HasRecord(agent, id)
		return err
	})
	return there
}
