package store

import (
	"errors"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/queue"
)

// session moves a session with everything that belongs to it into the bin: records,
// packages, working memory, partial answers, jobs, the draft, and its turns' changes.
// The changed items stay.
func (b *bin) session(id string, d *Deleted) error {
	tx, agent := b.tx, b.agent
	s, err := tx.Session(agent, id)
	if err != nil && tx.skip(err) {
		s, err = b.plainSession(id)
	} else if err == nil {
		_, err = b.take(raw(sessions), kv.Key(agent, id))
	}
	if err != nil {
		return err
	}
	if err := sessionTimes.Delete(tx.kv, kv.Key(agent, s.LastMessageAt, id)); err != nil {
		return err
	}
	d.Title = s.Title
	turns := map[string]bool{}
	if err := b.records(id, turns, d); err != nil {
		return err
	}
	if err := b.packages(id, turns); err != nil {
		return err
	}
	for turn := range turns {
		if _, err := b.takeAll(raw(turnChanges), kv.Prefix(agent, turn), nil); err != nil {
			return err
		}
	}
	if _, err := b.take(raw(working), kv.Key(agent, id)); err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err) {
		return err
	}
	if _, err := b.takeAll(raw(workingVersions), kv.Prefix(agent, id), nil); err != nil {
		return err
	}
	if err := b.summaries(id); err != nil {
		return err
	}
	return errors.Join(
		takeOf(b, partials, func(r memory.Record) bool { return r.SessionID == id }),
		takeOf(b, jobs, func(j queue.Job) bool { return j.SessionID == id }),
		takeOf(b, drafts, func(d memory.Draft) bool { return d.SessionID == id }),
		takeOf(b, gaps, func(g gap) bool { return g.Session == id }),
	)
}

// plainSession deletes an unreadable session record and puts one without a title into
// the bin, so that its messages can be restored. The index by time has the time of its
// last use.
func (b *bin) plainSession(id string) (memory.Session, error) {
	tx := b.tx
	s := memory.Session{ID: id, AgentID: b.agent, State: memory.SessionArchived, CreatedAt: tx.Now()}
	times, err := tx.keys(raw(sessionTimes), kv.Prefix(b.agent))
	if err != nil {
		return s, err
	}
	for _, key := range times {
		var agent, of string
		var at time.Time
		if err := kv.Unpack(key, &agent, &at, &of); err != nil {
			return s, err
		}
		if of == id {
			s.CreatedAt, s.LastMessageAt = at, at
		}
	}
	said, err := tx.keys(raw(records), kv.Prefix(b.agent, id))
	if err != nil {
		return s, err
	}
	s.Messages = len(said)
	value, err := kv.JSON[memory.Session]().Encode(s)
	if err != nil {
		return s, err
	}
	key := kv.Key(b.agent, id)
	b.rows = append(b.rows, codec.Row{Bucket: sessions.Name(), Key: key, Value: value})
	b.size += len(key) + len(value)
	return s, sessions.Delete(tx.kv, key)
}

// records moves a session's records and announces their deletion.
func (b *bin) records(session string, turns map[string]bool, d *Deleted) error {
	read := 0
	n, err := b.takeAll(raw(records), kv.Prefix(b.agent, session), func(_, value []byte) error {
		r, err := codec.DecodeRecord(value)
		if err != nil {
			return nil //nolint:nilerr // see dropPlaces
		}
		read++
		turns[r.TurnID] = true
		if r.ContentRef != "" {
			d.Files = append(d.Files, r.ContentRef)
		}
		return b.recordGone(r.ID)
	})
	d.Messages += n
	if err != nil || read == n {
		return err
	}
	return b.dropPlaces(session)
}

func (b *bin) recordGone(id string) error {
	return errors.Join(
		b.journal(id),
		recordPlaces.Delete(b.tx.kv, kv.Key(b.agent, id)),
		bookmarks.Delete(b.tx.kv, kv.Key(b.agent, id)),
		derived.Delete(b.tx.kv, kv.Key(b.agent, id)),
		b.tx.forget(b.agent, memory.KindRecord, id),
		b.tx.announce(b.agent, KindRecord, id, opDelete),
	)
}

// dropPlaces finds the unreadable records of a session by their remaining places.
func (b *bin) dropPlaces(session string) error {
	var left []string
	for e, err := range readable(b.tx, recordPlaces.Scan(b.tx.kv, kv.Prefix(b.agent))) {
		if err != nil {
			return err
		}
		var agent, id string
		if err := kv.Unpack(e.Key, &agent, &id); err != nil {
			return err
		}
		if e.Value.Session == session {
			left = append(left, id)
		}
	}
	for _, id := range left {
		if err := b.recordGone(id); err != nil {
			return err
		}
	}
	return nil
}

// packages moves the packages of a session's turns.
func (b *bin) packages(session string, turns map[string]bool) error {
	keys, err := b.tx.keys(raw(packages), kv.Prefix(b.agent, session))
	if err != nil {
		return err
	}
	for _, key := range keys {
		var agent, in, turn string
		if err := kv.Unpack(key, &agent, &in, &turn); err != nil {
			return err
		}
		turns[turn] = true
		if _, err := b.take(raw(packages), key); err != nil && !Unreadable(err) {
			return err
		}
		if err := turnSessions.Delete(b.tx.kv, kv.Key(agent, turn)); err != nil {
			return err
		}
	}
	return nil
}

// takeOf moves the agent's chosen rows of a small bucket.
func takeOf[T any](b *bin, bucket kv.Bucket[T], chosen func(T) bool) error {
	var keys [][]byte
	for e, err := range readable(b.tx, bucket.Scan(b.tx.kv, kv.Prefix(b.agent))) {
		if err != nil {
			return err
		}
		if chosen(e.Value) {
			keys = append(keys, e.Key)
		}
	}
	for _, key := range keys {
		if _, err := b.take(raw(bucket), key); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) restoreSession(key []byte, out *Restored) error {
	s, err := sessions.Get(tx.kv, key)
	if err != nil {
		return err
	}
	out.Sessions = append(out.Sessions, s)
	return errors.Join(
		sessionTimes.Put(tx.kv, kv.Key(s.AgentID, s.LastMessageAt, s.ID), none{}),
		tx.remember(s.AgentID, memory.KindSummary, s.ID),
	)
}

// restoreRecord writes the index entries of a restored record.
func (tx *Tx) restoreRecord(key []byte, out *Restored) error {
	r, err := records.Get(tx.kv, key)
	if err != nil {
		return err
	}
	out.records++
	var agent string
	var at Place
	if err := kv.Unpack(key, &agent, &at.Session, &at.Position); err != nil {
		return err
	}
	out.came(at.Session).add(r, at.Position)
	return errors.Join(
		putMarks(tx, agent, r),
		recordPlaces.Put(tx.kv, kv.Key(agent, r.ID), at),
		tx.closeGap(agent, r.ID),
		tx.remember(agent, memory.KindRecord, r.ID),
		tx.announce(agent, KindRecord, r.ID, OpPut),
	)
}

func restorePackage(tx *Tx, key []byte) error {
	var agent, session, turn string
	if err := kv.Unpack(key, &agent, &session, &turn); err != nil {
		return err
	}
	return turnSessions.Put(tx.kv, kv.Key(agent, turn), session)
}
