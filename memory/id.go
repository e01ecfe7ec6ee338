package memory

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs is a source of time-ordered ids (ULIDs: 26 characters, sorted by their
// millisecond, then by order of creation). It is safe for concurrent use.
type IDs struct {
	mu      sync.Mutex
	last    uint64
	entropy *ulid.MonotonicEntropy
}

// NewIDs returns a source that draws from entropy; nil means the system's random
// numbers.
func NewIDs(entropy io.Reader) *IDs {
	if entropy == nil {
		entropy = rand.Reader
	}
	return &IDs{entropy: ulid.Monotonic(entropy, 0)}
}

// New returns an id for the moment now. Ids never decrease, even if the clock does.
func (s *IDs) New(now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := max(ulid.Timestamp(now), s.last)
	for {
		id, err := ulid.New(ms, s.entropy)
		if err == nil {
			s.last = ms
			return id.String()
		}
		if !errors.Is(err, ulid.ErrMonotonicOverflow) {
			panic("memory: no random numbers: " + err.Error())
		}
		ms++
	}
}

// IDTime returns the moment of an id, to the millisecond.
func IDTime(id string) (time.Time, error) {
	u, err := ulid.ParseStrict(id)
	if err != nil {
		return time.Time{}, err
	}
	return u.Timestamp(), nil
}

// IDAt returns the prefix of the ids of a moment: no later id has a smaller prefix. It
// has ten characters, each with five bits of the time.
func IDAt(at time.Time) string {
	var u ulid.ULID
	if err := u.SetTime(ulid.Timestamp(at)); err != nil {
		panic("memory: no ids for this time: " + err.Error()) // after the year 10889
	}
	return u.String()[:10]
}

// DerivedID returns the id of a thing with these names at a moment: always the same one.
// Ids of imported data are derived, so that importing twice makes no duplicates (D1).
func DerivedID(at time.Time, names ...string) string {
	var u ulid.ULID
	if err := u.SetTime(ulid.Timestamp(at)); err != nil {
		panic("memory: no ids for this time: " + err.Error()) // after the year 10889
	}
	sum := sha256.Sum256([]byte(strings.Join(names, "\x00")))
	copy(u[6:], sum[:])
	return u.String()
}

// ValidAgentID reports whether id can name an agent: 1–64 of a–z, 0–9, - and _. Such an
// id is safe as a folder name.
func ValidAgentID(id string) bool {
	const first, rest = "abcdefghijklmnopqrstuvwxyz0123456789", "_-"
	return id != "" && len(id) <= 64 && strings.Contains(first, id[:1]) && strings.Trim(id, first+rest) == ""
}
