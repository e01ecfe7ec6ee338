package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/gone"
)

// Mending holds the additional sources for repairing a salvaged store.
type Mending struct {
	// Backup is an older state, made at BackupTime; nil for none.
	Backup     *Tx
	BackupTime time.Time
	Gone       *gone.List // deletions
	Found      []kv.Found // records from unused pages
	NewID      func() string
}

// Mended is the result of a repair.
type Mended struct {
	Items, Messages             int // final numbers
	BackupItems, BackupMessages int // part of them, from the backup
	FoundItems, FoundMessages   int // part of them, found; the items are in the inbox
	Sessions                    int // reconstructed from their messages
}

// Wanted returns the buckets whose [kv.Salvage] findings [Tx.Mend] can use.
func Wanted() []string { return []string{items.Name(), records.Name()} }

// Mend completes a store that lost records (K1, K2). It takes missing data from an older
// state, except deletions, and from the found records, whose items go to the inbox.
// Sessions that lost their record get a new one from their messages. Index buckets are
// rebuilt ([Tx.Relink]).
func (tx *Tx) Mend(m Mending) (Mended, error) {
	w := &mending{Mending: m, tx: tx, have: map[string]bool{}}
	for _, step := range []struct {
		doing string
		do    func() error
	}{
		{"looking", w.look}, {"completing from the backup", w.fromBackup},
		{"relinking", tx.Relink}, {"looking through lost pages", w.found},
		{"completing sessions", w.orphans}, {"relinking", tx.Relink}, {"counting", w.look},
	} {
		if err := step.do(); err != nil {
			return w.out, fmt.Errorf("%s: %w", step.doing, err)
		}
	}
	return w.out, nil
}

type mending struct {
	Mending
	tx   *Tx
	have map[string]bool // agent and id of existing messages
	out  Mended
}

func ofAgent(agent, id string) string { return string(kv.Key(agent, id)) }

// look records the existing data.
func (m *mending) look() (err error) {
	m.out.Messages = 0
	for e, err := range readable(m.tx, records.Scan(m.tx.kv, nil)) {
		if err != nil {
			return err
		}
		m.have[ofAgent(e.Value.AgentID, e.Value.ID)] = true
		m.out.Messages++
	}
	m.out.Items, err = items.Count(m.tx.kv, nil)
	return err
}

// gone reports whether something was deleted according to either list.
func (m *mending) gone(agent string, kind memory.Kind, id string) (bool, error) {
	at, err := m.tx.ForgottenAt(agent, kind, id)
	if err != nil && !Unreadable(err) {
		return false, err
	}
	return err != nil || !at.IsZero() || m.Gone.Has(agent, kind, id), nil
}

// goneRecord reports whether a record was deleted, or lost words that it has here.
func (m *mending) goneRecord(agent string, r memory.Record) (bool, error) {
	deleted, err := m.gone(agent, memory.KindRecord, r.ID)
	if deleted || err != nil {
		return deleted, err
	}
	kind, redaction := gone.NextRedaction(r)
	return m.gone(agent, kind, redaction)
}

// fromBackup copies missing data.
func (m *mending) fromBackup() error {
	if m.Backup == nil {
		return nil
	}
	for _, b := range []kv.Bucket[[]byte]{raw(seals), raw(refused), raw(departed), raw(texts)} {
		if err := m.take(b, nil, func([]byte, []byte) (bool, error) { return true, nil }); err != nil {
			return err
		}
	}
	known, err := m.Backup.Agents()
	if err != nil {
		return err
	}
	for _, agent := range known {
		left, err := m.tx.DepartedAt(agent)
		if err != nil {
			return err
		}
		trashed, err := m.tx.agentTrashed(agent)
		if err != nil {
			return err
		}
		if m.Gone.Has(agent, gone.KindAgent, agent) {
			if n, err := records.Count(m.tx.kv, kv.Prefix(agent)); err != nil {
				return err
			} else if n == 0 {
				continue
			}
		}
		if trashed || !left.IsZero() && !m.BackupTime.After(left) {
			continue
		}
		if err := m.agent(agent); err != nil {
			return err
		}
	}
	return nil
}

// take copies missing rows that which accepts.
func (m *mending) take(b kv.Bucket[[]byte], prefix []byte, which func(key, value []byte) (bool, error)) error {
	for e, err := range b.Scan(m.Backup.kv, prefix) {
		if err != nil {
			if m.tx.skip(err) || errors.Is(err, kv.ErrNoBucket) {
				continue
			}
			return err
		}
		there, err := b.Has(m.tx.kv, e.Key)
		if err != nil {
			return err
		}
		if there {
			continue
		}
		ok, err := which(e.Key, e.Value)
		if err == nil && ok {
			err = b.Put(m.tx.kv, e.Key, e.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// agent copies the missing data of one agent.
func (m *mending) agent(agent string) error {
	prefix, taken, in := kv.Prefix(agent), map[string]bool{}, map[string]bool{}
	always := func([]byte, []byte) (bool, error) { return true, nil }
	ofTaken := func(key, _ []byte) (bool, error) {
		parts, err := kv.ParseKey(key)
		if err != nil || len(parts) < 2 {
			return false, err
		}
		id, _ := parts[1].(string)
		return taken[id], nil
	}
	for _, step := range []struct {
		bucket kv.Bucket[[]byte]
		which  func(key, value []byte) (bool, error)
	}{
		{raw(items), func(key, _ []byte) (bool, error) {
			var owner, id string
			if err := kv.Unpack(key, &owner, &id); err != nil {
				return false, err
			}
			gone, err := m.gone(agent, memory.KindItem, id)
			if taken[id] = !gone; !gone {
				m.out.BackupItems++
			}
			return !gone, err
		}},
		{raw(itemVersions), ofTaken}, // for other items, old words may have been removed
		{raw(itemChanges), m.ofItems},
		{raw(records), func(_, value []byte) (bool, error) {
			r, err := codec.DecodeRecord(value)
			if err != nil || m.have[ofAgent(agent, r.ID)] {
				return false, nil
			}
			gone, err := m.goneRecord(agent, r)
			if !gone {
				m.have[ofAgent(agent, r.ID)] = true
				m.out.BackupMessages++
			}
			return !gone, err
		}},
		{raw(profiles), func(key, _ []byte) (bool, error) {
			n, err := profileNumber(key)
			if err != nil {
				return false, err
			}
			gone, err := m.gone(agent, memory.KindProfile, strconv.Itoa(n))
			return !gone, err
		}},
		{raw(gaps), always},
		{raw(groups), func([]byte, []byte) (bool, error) {
			gone, err := m.gone(agent, memory.KindGroup, agent)
			return !gone, err
		}},
		{raw(agents), always},
	} {
		if err := m.take(step.bucket, prefix, step.which); err != nil {
			return err
		}
	}
	for key, err := range records.Keys(m.tx.kv, prefix) {
		var owner, session string
		var at uint64
		if err == nil {
			err = kv.Unpack(key, &owner, &session, &at)
		}
		if err != nil {
			return err
		}
		in[session] = true
	}
	err := m.take(raw(sessions), prefix, func(key, _ []byte) (bool, error) {
		var owner, session string
		err := kv.Unpack(key, &owner, &session)
		return in[session], err
	})
	if err != nil {
		return err
	}
	return m.packages(agent)
}

// ofItems accepts the rows of existing items.
func (m *mending) ofItems(key, _ []byte) (bool, error) {
	parts, err := kv.ParseKey(key)
	if err != nil || len(parts) < 2 {
		return false, err
	}
	agent, _ := parts[0].(string)
	id, _ := parts[1].(string)
	return m.tx.HasItem(agent, id)
}

// packages copies the packages of turns whose messages in the backup all exist.
func (m *mending) packages(agent string) error {
	whole := map[string]bool{}
	for r, err := range m.Backup.AllRecords(agent) {
		if err != nil {
			return err
		}
		before, known := whole[r.TurnID]
		whole[r.TurnID] = m.have[ofAgent(agent, r.ID)] && (before || !known)
	}
	return m.take(raw(packages), kv.Prefix(agent), func(key, _ []byte) (bool, error) {
		var owner, session, turn string
		err := kv.Unpack(key, &owner, &session, &turn)
		return whole[turn], err
	})
}

// found adds found records that neither exist nor were deleted: the newest version of
// each item to the inbox, and messages to their sessions, not for memory, since later
// decisions about them are unknown.
func (m *mending) found() error {
	newest := map[string]memory.Item{}
	for _, f := range m.Found {
		switch f.Bucket {
		case items.Name():
			it, err := codec.Item{}.Decode(1, f.Value)
			if err == nil && it.State == memory.StateActive && it.Version > newest[ofAgent(it.AgentID, it.ID)].Version {
				newest[ofAgent(it.AgentID, it.ID)] = it
			}
		case records.Name():
			if err := m.foundRecord(f); err != nil {
				return err
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(newest)) {
		if err := m.foundItem(newest[key]); err != nil {
			return err
		}
	}
	return nil
}

func (m *mending) foundItem(it memory.Item) error {
	there, err := m.tx.HasItem(it.AgentID, it.ID)
	if err != nil || there {
		return err
	}
	if gone, err := m.gone(it.AgentID, memory.KindItem, it.ID); err != nil || gone {
		return err
	}
	// An item with the same content took its place.
	same, err := m.tx.ItemsLike(it.AgentID, it.Key, it.Content)
	if err != nil || len(same) > 0 {
		return err
	}
	it.State = memory.StateHeld
	m.out.FoundItems++
	change := memory.Change{Action: memory.ActionHeld, Reason: "found in a damaged file", Origin: memory.OriginSystem, Time: m.tx.Now()}
	return m.tx.PutItem(it, m.NewID(), change)
}

func (m *mending) foundRecord(f kv.Found) error {
	r, err := codec.DecodeRecord(f.Value)
	if err != nil || r.Heard != "" || m.have[ofAgent(r.AgentID, r.ID)] {
		return nil //nolint:nilerr // of another layout: it cannot be read
	}
	gone, err := m.goneRecord(r.AgentID, r)
	if err != nil || gone {
		return err
	}
	if there, err := records.Has(m.tx.kv, f.Key); err != nil || there {
		return err
	}
	if there, err := m.tx.HasSession(r.AgentID, r.SessionID); err != nil || !there {
		return err
	}
	r.NotForMemory = true
	m.have[ofAgent(r.AgentID, r.ID)] = true
	m.out.FoundMessages++
	return records.Put(m.tx.kv, f.Key, r)
}

// orphans creates sessions for messages that lost theirs.
func (m *mending) orphans() error {
	lost := map[string]*memory.Session{}
	for e, err := range readable(m.tx, records.Scan(m.tx.kv, nil)) {
		if err != nil {
			return err
		}
		r := e.Value
		key := ofAgent(r.AgentID, r.SessionID)
		s, known := lost[key]
		if !known {
			there, err := m.tx.HasSession(r.AgentID, r.SessionID)
			if err != nil {
				return err
			}
			if !there {
				s = &memory.Session{
					ID: r.SessionID, AgentID: r.AgentID, State: memory.SessionArchived, CreatedAt: r.Timestamp, Group: r.Heard,
				}
			}
			lost[key] = s
		}
		if s == nil {
			continue
		}
		if s.Messages++; r.Role == memory.RoleUser {
			s.Turns++
			if s.Title == "" {
				s.Title = firstWords(r.Content)
			}
		}
		s.LastRecordID = r.ID
		if r.Timestamp.After(s.LastMessageAt) {
			s.LastMessageAt, s.ArchivedAt = r.Timestamp, r.Timestamp
		}
	}
	for _, key := range slices.Sorted(maps.Keys(lost)) {
		if s := lost[key]; s != nil {
			m.out.Sessions++
			if err := sessions.Put(m.tx.kv, kv.Key(s.AgentID, s.ID), *s); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstWords makes a title for a session from a message.
func firstWords(content string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	const most = 40
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}
