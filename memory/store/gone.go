package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// goneSuffix is the suffix of the file beside a store that lists deletions.
const goneSuffix = ".gone"

// Gone is the list of deletions beside a store. It duplicates the store's own list, in
// case a page of that is lost (K2). It holds hashes of ids, one a line: + for deleted, -
// for restored.
type Gone struct{ hashes map[string]bool }

// GonePath returns the path of a store's list.
func GonePath(store string) string { return store + goneSuffix }

// ReadGone reads the list beside the store at path; it is empty if there is none.
func ReadGone(path string) (*Gone, error) {
	g := &Gone{hashes: map[string]bool{}}
	f, err := os.Open(GonePath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was deleted: %w", err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		switch op, hash, _ := strings.Cut(lines.Text(), " "); {
		case len(hash) != goneBytes*2: // torn, or damaged
		case op == "+":
			g.hashes[hash] = true
		case op == "-":
			delete(g.hashes, hash)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading what was deleted: %w", err)
	}
	return g, nil
}

// Has reports whether something was deleted.
func (g *Gone) Has(agent string, kind memory.Kind, id string) bool {
	return g.hashes[goneHash(agent, kind, id)]
}

const goneBytes = 16

// kindAgent is the list's kind for a whole agent. An agent may be recreated: existing
// data has precedence over the list.
const kindAgent = memory.Kind("agent")

// goneHash hashes an id. Ids are random, so they cannot be guessed from hashes.
func goneHash(agent string, kind memory.Kind, id string) string {
	sum := sha256.Sum256(kv.Key(agent, string(kind), id))
	return hex.EncodeToString(sum[:goneBytes])
}

// writeGone appends lines to the list, durably. It is called before the transaction
// commits: an extra line is harmless, since existing data has precedence.
func writeGone(path string, lines []string) (err error) {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(GonePath(path), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return kv.Refusal(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// After a torn line the next one starts on its own line.
	if _, err := f.WriteString("\n" + strings.Join(lines, "\n") + "\n"); err != nil {
		return kv.Refusal(err)
	}
	return kv.Refusal(f.Sync())
}

// DropGone permanently deletes everything in the list from an older state of the store.
// newID returns ids for deletions.
func (tx *Tx) DropGone(g *Gone, newID func() string) error {
	known, err := tx.Agents()
	if err != nil {
		return err
	}
	for _, agent := range known {
		if g.Has(agent, kindAgent, agent) {
			if _, err := tx.TrashAgent(agent, newID()); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			continue
		}
		if err := tx.dropGoneOf(agent, g, newID); err != nil {
			return err
		}
	}
	_, _, err = tx.PurgeTrash(time.Time{})
	return err
}

func (tx *Tx) dropGoneOf(agent string, g *Gone, newID func() string) error {
	var itemIDs, recordIDs, sessionIDs []string
	for id, err := range tx.ItemIDs(agent) {
		if err != nil {
			return err
		}
		if g.Has(agent, memory.KindItem, id) {
			itemIDs = append(itemIDs, id)
		}
	}
	left := map[string]int{} // remaining messages, by session
	for r, err := range tx.AllRecords(agent) {
		if err != nil {
			return err
		}
		if g.Has(agent, memory.KindRecord, r.ID) {
			left[r.SessionID] += 0
			recordIDs = append(recordIDs, r.ID)
		} else {
			left[r.SessionID]++
		}
	}
	for session, n := range left {
		if there, err := tx.HasSession(agent, session); err != nil {
			return err
		} else if n == 0 && there {
			sessionIDs = append(sessionIDs, session)
		}
	}
	if len(sessionIDs) > 0 { // deleting them includes their messages
		kept := recordIDs[:0]
		for _, id := range recordIDs {
			session, err := tx.SessionOf(agent, id)
			if err != nil {
				return err
			}
			if !slices.Contains(sessionIDs, session) {
				kept = append(kept, id)
			}
		}
		recordIDs = kept
	}
	var versions []int
	all, err := tx.ProfileVersions(agent)
	if err != nil {
		return err
	}
	for _, v := range all {
		if g.Has(agent, memory.KindProfile, strconv.Itoa(v)) {
			versions = append(versions, v)
		}
	}
	if len(itemIDs)+len(sessionIDs)+len(recordIDs) > 0 {
		if _, err := tx.Trash(agent, newID(), sessionIDs, itemIDs, recordIDs...); err != nil {
			return err
		}
	}
	if len(versions) > 0 {
		_, err = tx.TrashProfiles(agent, newID(), versions, false)
	}
	return err
}

// beginGone creates the list of a store that has none.
func (s *Store) beginGone() error {
	if s.db.ReadOnly() {
		return nil
	}
	if _, err := os.Stat(GonePath(s.db.Path())); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lines []string
	err := s.View(func(tx *Tx) error {
		for key, err := range forgotten.Keys(tx.kv, nil) {
			var agent, kind, id string
			if err == nil {
				err = kv.Unpack(key, &agent, &kind, &id)
			}
			if err != nil {
				return err
			}
			lines = append(lines, "+ "+goneHash(agent, memory.Kind(kind), id))
		}
		return nil
	})
	return errors.Join(err, writeGone(s.db.Path(), lines))
}
