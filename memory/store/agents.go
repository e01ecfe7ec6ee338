package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// ErrInUse says that the agent was begun anew, so what was deleted of it cannot come back.
var ErrInUse = errors.New("the agent was begun anew")

// PutAgent writes how an agent is described.
func (tx *Tx) PutAgent(a memory.Agent) error { return agents.Put(tx.kv, kv.Key(a.ID), a) }

// Agent returns how an agent is described; ErrNotFound when nobody has described it.
func (tx *Tx) Agent(id string) (memory.Agent, error) { return agents.Get(tx.kv, kv.Key(id)) }

// Agents lists the agents that are described, or have an item, a session or a
// profile, in order.
func (tx *Tx) Agents() ([]string, error) {
	var out []string
	for _, b := range []kv.Bucket[[]byte]{raw(agents), raw(counts)} {
		keys, err := tx.keys(b, nil)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			parts, err := kv.ParseKey(key)
			if err != nil {
				return nil, err
			}
			if agent, ok := parts[0].(string); ok && (len(out) == 0 || out[len(out)-1] != agent) {
				out = append(out, agent)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// owned are the buckets whose keys begin with the agent and that hold what it is
// and knows: all but those of deletions.
func owned() []kv.Bucket[[]byte] {
	var out []kv.Bucket[[]byte]
	for _, name := range BucketNames() {
		switch name {
		case trash.Name(), deletions.Name(), departed.Name():
		default:
			out = append(out, kv.NewBucket(name, 1, kv.Bytes()))
		}
	}
	return out
}

// TrashAgent takes everything of an agent out of every view and keeps it under a
// deletion, from which it can be taken back whole until purged. What was deleted
// of it before is destroyed. The caller sees to it that nobody follows the agent
// in the change feed, which does not name it any more. The error is ErrNotFound
// when there is nothing of it.
func (tx *Tx) TrashAgent(agent, deletionID string) (Deleted, error) {
	d := Deleted{ID: deletionID, At: tx.Now(), Title: agent, Agent: true}
	if a, err := tx.Agent(agent); err == nil {
		d.Title = a.Title()
	}
	if err := tx.dropDeletions(agent, &d); err != nil {
		return d, err
	}
	for name, n := range map[string]*int{"items": &d.Items, "sessions": &d.Sessions, "records": &d.Messages} {
		had, err := tx.Count(agent, name)
		if err != nil && !tx.skip(err) {
			return d, err
		}
		*n = had
	}
	b := &bin{tx: tx, agent: agent, deletion: deletionID}
	for _, bucket := range owned() {
		n, err := b.takeAll(bucket, kv.Prefix(agent), func(_, value []byte) error {
			if ref := contentRef(bucket.Name(), value); ref != "" {
				d.Files = append(d.Files, ref)
			}
			return nil
		})
		if err != nil {
			return d, err
		}
		if bucket.Name() == profiles.Name() {
			d.Profiles = n
		}
	}
	if b.count == 0 && len(b.rows) == 0 && len(d.Files) == 0 {
		return d, ErrNotFound
	}
	return d, errors.Join(b.flush(), tx.kv.BlankFeed(agent), deletions.Put(tx.kv, kv.Key(agent, deletionID), d))
}

// contentRef is the file that a record's content lies in; empty for none.
func contentRef(bucket string, value []byte) string {
	switch bucket {
	case records.Name(), incoming.Name(), partials.Name():
	default:
		return ""
	}
	r, err := decodeRecord(value)
	if err != nil {
		return ""
	}
	return r.ContentRef
}

// dropDeletions destroys what was deleted of an agent; its files go with d.
func (tx *Tx) dropDeletions(agent string, d *Deleted) error {
	keys, err := tx.keys(raw(deletions), kv.Prefix(agent))
	if err != nil {
		return err
	}
	for _, key := range keys {
		old, err := deletions.Get(tx.kv, key)
		if err != nil && !tx.skip(err) {
			return err
		}
		d.Files = append(d.Files, old.Files...)
		if err := deletions.Delete(tx.kv, key); err != nil {
			return err
		}
	}
	_, err = trash.DeletePrefix(tx.kv, kv.Prefix(agent))
	return err
}

// RestoreAgent brings back what [Tx.TrashAgent] took, byte for byte. What the agent
// has got since and is no conversation and no memory, such as a draft, makes way.
// The error is ErrNotFound when the deletion was purged, and ErrInUse when the
// agent was begun anew. Its indexes must be made anew.
func (tx *Tx) RestoreAgent(agent, deletionID string) (Deleted, error) {
	d, err := deletions.Get(tx.kv, kv.Key(agent, deletionID))
	if err == nil && !d.Agent {
		err = ErrNotFound
	}
	if err != nil {
		return d, err
	}
	for _, b := range []kv.Bucket[[]byte]{raw(agents), raw(items), raw(sessions), raw(records), raw(incoming), raw(profiles)} {
		if n, err := b.Count(tx.kv, kv.Prefix(agent)); err != nil {
			return d, err
		} else if n > 0 {
			return d, ErrInUse
		}
	}
	for _, b := range owned() {
		if _, err := b.DeletePrefix(tx.kv, kv.Prefix(agent)); err != nil {
			return d, err
		}
	}
	all, err := collect(tx, trash, kv.Prefix(agent, deletionID))
	if err != nil {
		return d, err
	}
	for _, r := range slices.Concat(all...) {
		if err := kv.NewBucket(r.bucket, 1, kv.Bytes()).Put(tx.kv, r.key, r.value); err != nil {
			return d, err
		}
	}
	return d, errors.Join(tx.kv.BlankFeed(agent), tx.dropTrash(agent, deletionID))
}

// AgentTrashed reports whether everything of an agent was deleted and can still be
// taken back.
func (tx *Tx) AgentTrashed(agent string) (bool, error) {
	for e, err := range deletions.Scan(tx.kv, kv.Prefix(agent)) {
		if err != nil && !tx.skip(err) {
			return false, err
		}
		if err == nil && e.Value.Agent {
			return true, nil
		}
	}
	return false, nil
}

// departure is what is left of an agent that is gone for good.
type departure struct {
	At   time.Time `json:"at"` // of the deletion
	Key  []byte    `json:"key"`
	Hash []byte    `json:"hash"`
}

func (d departure) of(agent string) bool { return hmac.Equal(d.Hash, sealedID(d.Key, agent)) }

func sealedID(key []byte, agent string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(agent))
	return h.Sum(nil)
}

// depart leaves word that an agent is gone for good.
func (tx *Tx) depart(agent, deletionID string, at time.Time) error {
	tx.gone = append(tx.gone, "+ "+goneHash(agent, kindAgent, agent))
	key := make([]byte, sealBytes)
	_, _ = rand.Read(key) // it never fails
	return departed.Put(tx.kv, kv.Key(deletionID), departure{At: at, Key: key, Hash: sealedID(key, agent)})
}

// DepartedAt returns when an agent was last deleted for good; zero when it was not.
func (tx *Tx) DepartedAt(agent string) (last time.Time, err error) {
	for e, err := range departed.Scan(tx.kv, nil) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return last, err
		}
		if e.Value.At.After(last) && e.Value.of(agent) {
			last = e.Value.At
		}
	}
	return last, nil
}
