package gone

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"memoria/kv"
	"memoria/memory"
)

// suffix is the suffix of the file beside a store that lists deletions.
const suffix = ".gone"

// List is the list of deletions of a store. It contains hashes of ids.
type List struct{ hashes map[string]bool }

// Path returns the path of a store's list.
func Path(store string) string { return store + suffix }

// Read reads the list beside the store at path; it is empty if there is none.
func Read(path string) (*List, error) {
	l := &List{hashes: map[string]bool{}}
	f, err := os.Open(Path(path))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was deleted: %w", err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		switch op, hash, _ := strings.Cut(lines.Text(), " "); {
		case len(hash) != hashBytes*2: // torn, or damaged
		case op == "+":
			l.hashes[hash] = true
		case op == "-":
			delete(l.hashes, hash)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading what was deleted: %w", err)
	}
	return l, nil
}

// Has reports whether something was deleted. A nil list is empty.
func (l *List) Has(agent string, kind memory.Kind, id string) bool {
	return l != nil && l.hashes[hash(agent, kind, id)]
}

// KindRedacted is the list's kind for a redaction of a record, see [Redaction].
const KindRedacted = memory.Kind("redacted")

// Redaction is the id of the n-th redaction of a record, counted from 1.
func Redaction(id string, n int) string { return id + "/" + strconv.Itoa(n) }

// NextRedaction returns what the list has if a record lost words that it has in this older state.
func NextRedaction(r memory.Record) (memory.Kind, string) {
	return KindRedacted, Redaction(r.ID, r.Metadata.Redacted+1)
}

// KindAgent is the list's kind for a whole agent. An agent may be recreated: existing
// data has precedence over the list.
const KindAgent = memory.Kind("agent")

// Deleted returns the line of a deletion.
func Deleted(agent string, kind memory.Kind, id string) string { return "+ " + hash(agent, kind, id) }

// Restored returns the line of a restoration.
func Restored(agent string, kind memory.Kind, id string) string { return "- " + hash(agent, kind, id) }

const hashBytes = 16

// hash hashes an id. Ids are random, so they cannot be guessed from hashes.
func hash(agent string, kind memory.Kind, id string) string {
	sum := sha256.Sum256(kv.Key(agent, string(kind), id))
	return hex.EncodeToString(sum[:hashBytes])
}

// Append appends lines to the list of the store at path, durably. It is called before the
// transaction commits: an extra line is harmless, since existing data has precedence.
func Append(path string, lines []string) (err error) {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(Path(path), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
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
