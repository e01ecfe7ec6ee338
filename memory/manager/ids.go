package manager

import (
	"iter"
	"strings"

	"memoria/memory"
	"memoria/memory/store"
)

// minPrefix is the minimum length of a partial id.
const minPrefix = 4

func find(tx *store.Tx, agent, id string) (memory.Item, error) {
	id, err := findID(tx, agent, id)
	if err != nil {
		return memory.Item{}, err
	}
	return tx.Item(agent, id)
}

// findID returns the complete id of an item, also of an unreadable one.
func findID(tx *store.Tx, agent, id string) (string, error) {
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

// findSession returns a session by its id or a part of it. If it is unreadable, only the
// ids are set and the error is returned too.
func findSession(tx *store.Tx, agent, id string) (memory.Session, error) {
	id, err := findSessionID(tx, agent, id)
	if err != nil {
		return memory.Session{}, err
	}
	s, err := tx.Session(agent, id)
	if store.Unreadable(err) {
		s = memory.Session{ID: id, AgentID: agent}
	}
	return s, err
}

// findSessionID returns the complete id of a session, also of an unreadable one.
func findSessionID(tx *store.Tx, agent, id string) (string, error) {
	if there, err := tx.HasSession(agent, id); there || err != nil {
		return id, err
	}
	return expand(id, tx.SessionIDs(agent))
}
