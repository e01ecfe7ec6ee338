package lookup

import (
	"errors"
	"iter"
	"strings"

	"memoria/memory"
	"memoria/memory/store"
)

// minPrefix is the minimum length of a partial id.
const minPrefix = 4

// FindItem returns an item by its id, or by an unambiguous beginning or end of it.
func FindItem(tx *store.Tx, agent, id string) (memory.Item, error) {
	id, err := ItemID(tx, agent, id)
	if err != nil {
		return memory.Item{}, err
	}
	return tx.Item(agent, id)
}

// ItemID returns the complete id of an item, also of an unreadable one.
func ItemID(tx *store.Tx, agent, id string) (string, error) {
	if there, err := tx.HasItem(agent, id); there || err != nil {
		return id, err
	}
	return expand(id, tx.ItemIDs(agent))
}

// expand returns the only id that begins or ends with part.
func expand(part string, ids iter.Seq2[string, error]) (string, error) {
	if len(part) < minPrefix {
		return "", ErrNotFound
	}
	part = strings.ToUpper(part)
	match := ""
	for id, err := range ids {
		switch {
		case err != nil:
			return "", err
		case !strings.HasPrefix(id, part) && !strings.HasSuffix(id, part):
		case match != "":
			return "", ErrAmbiguous
		default:
			match = id
		}
	}
	if match == "" {
		return "", ErrNotFound
	}
	return match, nil
}

// FindSession returns a session by its id, or by an unambiguous beginning or end of it. If it
// is unreadable, only the ids are set and the error is returned too.
func FindSession(tx *store.Tx, agent, id string) (memory.Session, error) {
	id, err := SessionID(tx, agent, id)
	if err != nil {
		return memory.Session{}, err
	}
	s, err := tx.Session(agent, id)
	if store.Unreadable(err) {
		s = memory.Session{ID: id, AgentID: agent}
	}
	return s, err
}

// SessionID returns the complete id of a session, also of an unreadable one.
func SessionID(tx *store.Tx, agent, id string) (string, error) {
	if there, err := tx.HasSession(agent, id); there || err != nil {
		return id, err
	}
	return expand(id, tx.SessionIDs(agent))
}

// ErrNotFound reports that the id does not exist.
var ErrNotFound = store.ErrNotFound

// ErrAmbiguous reports that a partial id matches several.
var ErrAmbiguous = errors.New("several ids begin like this")

// Lacking reports whether err means missing or damaged data.
func Lacking(err error) bool { return errors.Is(err, ErrNotFound) || store.Unreadable(err) }

// RecordID returns the complete id of a record that has a session.
func RecordID(tx *store.Tx, agent, id string) (string, error) {
	_, err := tx.SessionOf(agent, id)
	if err == nil || !errors.Is(err, ErrNotFound) && !store.Unreadable(err) {
		return id, err
	}
	return expand(id, tx.RecordIDs(agent, store.Span{}, ""))
}
