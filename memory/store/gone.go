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

// goneSuffix ends the name of the file beside a store that lists what was deleted.
const goneSuffix = ".gone"

// Gone is the list, kept beside a store, of what was deleted in it: what the store's own
// list says a second time, for the day on which a page of that is lost (K2). It holds
// hashes of ids, a line each: + was deleted, - came back.
type Gone struct{ hashes map[string]bool }

// GonePath is where the list of a store lies.
func GonePath(store string) string { return store + goneSuffix }

// ReadGone reads the list beside the store at path; an empty one where there is none.
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

// kindAgent stands in the list for all of an agent. One may be begun anew: what is there
// counts before the list.
const kindAgent = memory.Kind("agent")

// goneHash stands for an id, which is drawn at random: nobody can try out which it is.
func goneHash(agent string, kind memory.Kind, id string) string {
	sum := sha256.Sum256(kv.Key(agent, string(kind), id))
	return hex.EncodeToString(sum[:goneBytes])
}

// writeGone adds lines to the list, durably. It is called before the transaction is: a
// line too many does no harm, because what is there counts before the list.
func writeGone(path string, lines []string) (err error) {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(GonePath(path), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return kv.Refusal(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// After a line that was torn the next begins on its own.
	if _, err := f.WriteString("\n" + strings.Join(lines, "\n") + "\n"); err != nil {
		return kv.Refusal(err)
	}
	return kv.Refusal(f.Sync())
}

// DropGone destroys, for good, what the list names: in an older state of the store, which
// was made before that was deleted. newID gives ids of deletions.
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
	left := map[string]int{} // messages that stay, by session
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
	if len(sessionIDs) > 0 { // they take their messages along
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

// beginGone writes the list of a store that has none beside it.
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
