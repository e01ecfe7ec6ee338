package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"maps"
	"slices"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
)

// PutIncoming stores a message whose session is not yet known (A1).
func (tx *Tx) PutIncoming(r memory.Record) error {
	return incoming.Put(tx.kv, kv.Key(r.AgentID, r.ID), r)
}

// Incoming returns the messages waiting for a session, oldest first.
func (tx *Tx) Incoming(agent string) ([]memory.Record, error) {
	return collect(tx, incoming, kv.Prefix(agent))
}

// TakeIncoming removes a waiting message and returns it.
func (tx *Tx) TakeIncoming(agent, id string) (memory.Record, error) {
	key := kv.Key(agent, id)
	r, err := incoming.Get(tx.kv, key)
	if err != nil {
		return memory.Record{}, err
	}
	return r, incoming.Delete(tx.kv, key)
}

// AppendRecord appends a record to its session. It returns an error if the record
// exists.
func (tx *Tx) AppendRecord(r memory.Record) error {
	pointer := kv.Key(r.AgentID, r.ID)
	if there, err := recordPlaces.Has(tx.kv, pointer); err != nil {
		return err
	} else if there {
		return errors.New("a record is never rewritten")
	}
	position, err := tx.nextPosition(r.AgentID, r.SessionID)
	if err != nil {
		return err
	}
	at := Place{Session: r.SessionID, Position: position}
	return errors.Join(
		records.Put(tx.kv, kv.Key(r.AgentID, r.SessionID, at.Position), r),
		recordPlaces.Put(tx.kv, pointer, at),
		putMarks(tx, r.AgentID, r),
		tx.Add(r.AgentID, counter.Records, 1),
		tx.announce(r.AgentID, KindRecord, r.ID, OpPut),
	)
}

// nextPosition returns the position after all records of a session, including those
// that may be restored.
func (tx *Tx) nextPosition(agent, session string) (uint64, error) {
	position := uint64(1)
	for e, err := range records.ScanReverse(tx.kv, kv.Prefix(agent, session)) {
		var bad *kv.RecordError
		if err != nil && !errors.As(err, &bad) {
			return 0, err
		}
		if err := kv.Unpack(e.Key, &agent, &session, &position); err != nil {
			return 0, err
		}
		position++
		break
	}
	after, err := tx.trashedTail(agent, session)
	return max(position, after+1), err
}

// Record returns one archival record.
func (tx *Tx) Record(agent, id string) (memory.Record, error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(agent, id))
	if err != nil {
		return memory.Record{}, err
	}
	return tx.RecordAt(agent, at)
}

// SessionOf returns the session of a record.
func (tx *Tx) SessionOf(agent, id string) (string, error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(agent, id))
	return at.Session, err
}

// Place is the position of a record. A session's records are in the order of appending,
// which differs from that of their ids if a message waited in a queue. Positions rise,
// with gaps for deleted records.
type Place struct {
	Session  string `json:"session"`
	Position uint64 `json:"position"`
}

// PlaceOf returns the place of a record.
func (tx *Tx) PlaceOf(agent, id string) (Place, error) {
	return recordPlaces.Get(tx.kv, kv.Key(agent, id))
}

// HasRecord reports whether a record exists, in a session or still incoming.
func (tx *Tx) HasRecord(agent, id string) (bool, error) {
	key := kv.Key(agent, id)
	if there, err := recordPlaces.Has(tx.kv, key); there || err != nil {
		return there, err
	}
	return incoming.Has(tx.kv, key)
}

// SessionRecords returns a session's records, oldest first.
func (tx *Tx) SessionRecords(agent, session string) ([]memory.Record, error) {
	return first(0, tx.RecordsOf(agent, session))
}

// LastRecords returns at most n of a session's newest records, oldest first.
func (tx *Tx) LastRecords(agent, session string, n int) ([]memory.Record, error) {
	if n == 0 {
		return nil, nil
	}
	out, err := first(n, tx.resolved(records.ScanReverse(tx.kv, kv.Prefix(agent, session))))
	slices.Reverse(out)
	return out, err
}

// AllRecords yields every record of the agent, session by session.
func (tx *Tx) AllRecords(agent string) iter.Seq2[memory.Record, error] {
	return tx.resolved(records.Scan(tx.kv, kv.Prefix(agent)))
}

// RecordsOf yields a session's records, oldest first.
func (tx *Tx) RecordsOf(agent, session string) iter.Seq2[memory.Record, error] {
	return tx.resolved(records.Scan(tx.kv, kv.Prefix(agent, session)))
}

// resolved yields the readable records of a scan, with their words.
func (tx *Tx) resolved(scan iter.Seq2[kv.Entry[memory.Record], error]) iter.Seq2[memory.Record, error] {
	return readable(tx, mapped(scan, func(e kv.Entry[memory.Record]) (memory.Record, error) { return tx.resolve(e.Value) }))
}

// PutWorking writes a session's working memory, and the version for the turn with this
// count (C5).
func (tx *Tx) PutWorking(agent string, w memory.Working) error {
	return errors.Join(
		workingVersions.Put(tx.kv, kv.Key(agent, w.SessionID, uint64(w.TurnCount)), w),
		working.Put(tx.kv, kv.Key(agent, w.SessionID), w),
	)
}

// SetWorking writes a session's working memory for the next turn.
func (tx *Tx) SetWorking(agent string, w memory.Working) error {
	return working.Put(tx.kv, kv.Key(agent, w.SessionID), w)
}

// Working returns a session's working memory.
func (tx *Tx) Working(agent, session string) (memory.Working, error) {
	return working.Get(tx.kv, kv.Key(agent, session))
}

// WorkingVersion returns the working memory that a turn used.
func (tx *Tx) WorkingVersion(agent, session string, turns int) (memory.Working, error) {
	w, err := workingVersions.Get(tx.kv, kv.Key(agent, session, uint64(turns)))
	w.ContextVariables = maps.Clone(w.ContextVariables)
	return w, err
}

// DeleteWorking deletes a session's working memory.
func (tx *Tx) DeleteWorking(agent, session string) error {
	return working.Delete(tx.kv, kv.Key(agent, session))
}

// PutPackage writes the package of a turn.
func (tx *Tx) PutPackage(p memory.Package) error {
	return errors.Join(
		turnSessions.Put(tx.kv, kv.Key(p.AgentID, p.TurnID), p.SessionID),
		packages.Put(tx.kv, kv.Key(p.AgentID, p.SessionID, p.TurnID), p),
	)
}

// Package returns the package of a turn.
func (tx *Tx) Package(agent, turn string) (memory.Package, error) {
	session, err := turnSessions.Get(tx.kv, kv.Key(agent, turn))
	if err != nil {
		return memory.Package{}, err
	}
	p, err := packages.Get(tx.kv, kv.Key(agent, session, turn))
	if err != nil {
		return p, err
	}
	return p, (&whereabouts{tx: tx, agent: agent}).ofPackage(&p)
}

// Packages returns the packages of a session's turns, oldest first.
func (tx *Tx) Packages(agent, session string) ([]memory.Package, error) {
	all, err := collect(tx, packages, kv.Prefix(agent, session))
	w := &whereabouts{tx: tx, agent: agent}
	for i := range all {
		if err == nil {
			err = w.ofPackage(&all[i])
		}
	}
	return all, err
}

// PutText stores words of the program for references in packages and returns their id.
// Equal words are stored once.
func (tx *Tx) PutText(agent, s string) (string, error) {
	id := TextID(s)
	key := kv.Key(agent, id)
	if there, err := texts.Has(tx.kv, key); there || err != nil {
		return id, err
	}
	return id, texts.Put(tx.kv, key, s)
}

// TextID returns the id that PutText gives s.
func TextID(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// Text returns words stored by PutText.
func (tx *Tx) Text(agent, id string) (string, error) { return texts.Get(tx.kv, kv.Key(agent, id)) }

// PutDraft stores the user's draft; an empty draft is deleted.
func (tx *Tx) PutDraft(d memory.Draft) error {
	if d.Text == "" {
		return drafts.Delete(tx.kv, kv.Key(d.AgentID))
	}
	return drafts.Put(tx.kv, kv.Key(d.AgentID), d)
}

// Draft returns the agent's draft, empty if there is none.
func (tx *Tx) Draft(agent string) (memory.Draft, error) {
	d, err := drafts.Get(tx.kv, kv.Key(agent))
	if errors.Is(err, ErrNotFound) {
		return memory.Draft{AgentID: agent}, nil
	}
	return d, err
}

// PutPartial stores the received part of an answer, in case the program dies.
func (tx *Tx) PutPartial(r memory.Record) error {
	return partials.Put(tx.kv, kv.Key(r.AgentID, r.TurnID), r)
}

// Partial returns the partial answer of a turn.
func (tx *Tx) Partial(agent, turn string) (memory.Record, error) {
	return partials.Get(tx.kv, kv.Key(agent, turn))
}

// DeletePartial deletes the partial answer of a turn.
func (tx *Tx) DeletePartial(agent, turn string) error {
	return partials.Delete(tx.kv, kv.Key(agent, turn))
}

// Partials returns the answers that a crash interrupted, oldest first.
func (tx *Tx) Partials(agent string) ([]memory.Record, error) {
	return collect(tx, partials, kv.Prefix(agent))
}

// PutJob queues a job.
func (tx *Tx) PutJob(j queue.Job) error { return jobs.Put(tx.kv, kv.Key(j.AgentID, j.ID), j) }

// DeleteJob deletes a finished job.
func (tx *Tx) DeleteJob(agent, id string) error { return jobs.Delete(tx.kv, kv.Key(agent, id)) }

// Job returns a queued job, or ErrNotFound if it is done.
func (tx *Tx) Job(agent, id string) (queue.Job, error) { return jobs.Get(tx.kv, kv.Key(agent, id)) }

// Jobs returns the agent's queued jobs, oldest first.
func (tx *Tx) Jobs(agent string) ([]queue.Job, error) { return collect(tx, jobs, kv.Prefix(agent)) }

// RecordsAfter returns at most n of the agent's records with ids after the given one,
// in order of ids, which is the order of time.
func (tx *Tx) RecordsAfter(agent, after string, n int) ([]memory.Record, error) {
	scan := recordPlaces.ScanFrom(tx.kv, kv.Prefix(agent), kv.After(kv.Key(agent, after)))
	return first(n, readable(tx, mapped(scan, func(e kv.Entry[Place]) (memory.Record, error) { return tx.RecordAt(agent, e.Value) })))
}
