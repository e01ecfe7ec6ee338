package lookup

import (
	"context"
	"fmt"

	"memoria/memory/policy/sensitive"

	"memoria/memory"
	"memoria/memory/store"
)

// Records returns the messages of all branches of a session, oldest first.
// [Reader.Branch] returns the branch in use.
func (r *Reader) Records(ctx context.Context, agentID, sessionID string) ([]memory.Record, error) {
	var out []memory.Record
	err := r.read(ctx, agentID, "reading session "+sessionID, func(tx *store.Tx) (err error) {
		out, err = tx.SessionRecords(agentID, sessionID)
		return err
	})
	return r.recall.FetchAll(out), err
}

// LastRecords returns the last n messages of the branch in use, oldest first. In a fork
// they continue into the original session.
func (r *Reader) LastRecords(ctx context.Context, agentID, sessionID string, n int) ([]memory.Record, error) {
	var out []memory.Record
	err := r.read(ctx, agentID, "reading session "+sessionID, func(tx *store.Tx) (err error) {
		out, err = RecordsIn(tx, agentID, sessionID, n)
		return err
	})
	return r.recall.FetchAll(out), err
}

// Record returns one message.
func (r *Reader) Record(ctx context.Context, agentID, id string) (memory.Record, error) {
	var rec memory.Record
	err := r.read(ctx, agentID, "message "+id, func(tx *store.Tx) (err error) {
		rec, err = tx.Record(agentID, id)
		return err
	})
	return r.recall.Fetch(rec), err
}

// FindRecord is [Reader.Record] for an unambiguous beginning or end of an id.
func (r *Reader) FindRecord(ctx context.Context, agentID, id string) (memory.Record, error) {
	var rec memory.Record
	err := r.read(ctx, agentID, "message "+id, func(tx *store.Tx) (err error) {
		full, err := RecordID(tx, agentID, id)
		if err != nil {
			return err
		}
		rec, err = tx.Record(agentID, full)
		return err
	})
	return r.recall.Fetch(rec), err
}

// Incoming returns the messages without a session, oldest first; after a start, those
// left by a crash.
func (r *Reader) Incoming(ctx context.Context, agentID string) ([]memory.Record, error) {
	var out []memory.Record
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		out, err = tx.Incoming(agentID)
		return err
	})
	return r.recall.FetchAll(out), err
}

// SecretRecords returns the ids to erase because of a secret in a message (P5a): the
// message, and those of its session that repeat its secret. They include the user's messages,
// answers and tool results.
func (r *Reader) SecretRecords(ctx context.Context, agentID, id string) (ids []string, err error) {
	var said memory.Record
	var all []memory.Record
	err = r.read(ctx, agentID, "message "+id, func(tx *store.Tx) error {
		full, err := RecordID(tx, agentID, id)
		if err == nil {
			said, err = tx.Record(agentID, full)
		}
		if err == nil {
			all, err = tx.SessionRecords(agentID, said.SessionID)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	secret := r.recall.Fetch(said).Content
	for _, rec := range all {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("message %s: %w", id, context.Cause(ctx))
		}
		if rec.ID == said.ID || sensitive.SharesSecret(secret, r.recall.Fetch(rec).Content) {
			ids = append(ids, rec.ID)
		}
	}
	return ids, nil
}
