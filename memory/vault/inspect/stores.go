package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"memoria/kv/pages"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// storeMagic is in the first page of a store, at byte 16.
const storeMagic = 0xED0CDAED

func isStore(head []byte) bool {
	return len(head) >= 20 && (binary.LittleEndian.Uint32(head[16:]) == storeMagic || binary.BigEndian.Uint32(head[16:]) == storeMagic)
}

// openStore searches the records of the open store.
func (s *search) openStore() error {
	if s.Store == nil {
		return nil
	}
	path := filepath.Join(s.Dir, vault.StoreFile)
	return s.Store.View(func(tx *store.Tx) error {
		return texts(tx, func(t stored) {
			for i, n := range s.needles {
				if n.in(t.Text) {
					r := record{t.Agent, t.ID}
					if s.holders[r] == nil {
						s.holders[r] = make([]bool, len(s.needles))
					}
					s.holders[r][i] = true
					s.found(path, Place{Part: t.Bucket, Agent: t.Agent, ID: t.ID})
				}
			}
		})
	})
}

// store searches the records of a store, and judges the hits in its bytes.
func (s *search) store(path string, f *os.File, size int64, hits []hit) error {
	before := len(s.places)
	own := s.Store != nil && path == filepath.Join(s.Dir, vault.StoreFile)
	if !own {
		s.closedStore(path, path)
	}
	decoded := len(s.places) > before || own && len(s.holders) > 0
	if len(hits) == 0 || decoded { // free pages have older copies of pages in use
		return nil
	}
	inFree, outside := inFreePages(f, size, hits)
	if inFree {
		s.found(path, Place{Part: PartFree})
	}
	if outside {
		s.found(path, Place{Part: PartContent})
	}
	return nil
}

// closedStore searches the records of the store at path, which is the content of file.
func (s *search) closedStore(path, file string) {
	err := store.ViewFile(path, slog.New(slog.DiscardHandler), func(tx *store.Tx) error {
		return texts(tx, func(t stored) {
			for _, n := range s.needles {
				if n.in(t.Text) {
					s.found(file, Place{Part: t.Bucket, Agent: t.Agent, ID: t.ID})
				}
			}
		})
	})
	if err != nil { // damaged, or of another program
		s.found(file, Place{Part: PartClosed})
	}
}

// storeInside searches a store that is a member of an archive.
func (s *search) storeInside(file string, content []byte) (err error) {
	dir, err := os.MkdirTemp("", "memoria-verify-*")
	if err != nil {
		return fmt.Errorf("unpacking a backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, vault.StoreFile)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return fmt.Errorf("unpacking a backup: %w", err)
	}
	s.closedStore(path, file)
	return nil
}

// inFreePages reports whether hits are in the free pages of a store, and outside of them.
func inFreePages(r io.ReaderAt, size int64, hits []hit) (inside, outside bool) {
	var free []uint64
	f, err := pages.Open(r, size)
	if err == nil {
		free, err = f.Free()
	}
	if err != nil {
		return false, true
	}
	slices.Sort(free)
	for _, h := range hits {
		for page := h.from / int64(f.PageSize); page <= (h.to-1)/int64(f.PageSize); page++ {
			if _, is := slices.BinarySearch(free, uint64(page)); is {
				inside = true
			} else {
				outside = true
			}
		}
	}
	return inside, outside
}
