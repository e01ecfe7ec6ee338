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
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
	"memoria/memory/store/gone"
)

// ErrInUse says that the agent was recreated, so its deletion cannot be undone.
var ErrInUse = errors.New("the agent was recreated")

// PutAgent writes an agent's description.
func (tx *Tx) PutAgent(a memory.Agent) error { return agents.Put(tx.kv, kv.Key(a.ID), a) }

// Agent returns an agent's description, or ErrNotFound if it has none.
func (tx *Tx) Agent(id string) (memory.Agent, error) { return agents.Get(tx.kv, kv.Key(id)) }

// Agents lists the agents that have a description, an item, a session or a profile, in
// order.
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

// owned returns the buckets with an agent's data, whose keys begin with the agent: all
// but those of deletions.
func owned() []kv.Bucket[[]byte] {
	var out []kv.Bucket[[]byte]
	for _, name := range bucketNames {
		switch name {
		case trash.Name(), deletions.Name(), departed.Name():
		default:
			out = append(out, kv.NewBucket(name, 1, kv.Bytes()))
		}
	}
	return out
}

// TrashAgent moves all data of an agent to the trash, under a deletion that can be
// undone until purged. Earlier deletions of the agent are purged. The change feed no
// longer names the agent, so the caller must stop its followers. The error is
// ErrNotFound if the agent has no data.
func (tx *Tx) TrashAgent(agent, deletionID string) (Deleted, error) {
	d := Deleted{ID: deletionID, At: tx.Now(), Title: agent, Agent: true}
	if a, err := tx.Agent(agent); err == nil {
		d.Title = a.Title()
	}
	if err := tx.dropDeletions(agent, &d); err != nil {
		return d, err
	}
	for name, n := range map[counter.Name]*int{counter.Items: &d.Items, counter.Sessions: &d.Sessions, counter.Records: &d.Messages} {
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

// contentRef returns the file of a record's content, "" for none.
func contentRef(bucket string, value []byte) string {
	switch bucket {
	case records.Name(), incoming.Name(), partials.Name():
	default:
		return ""
	}
	r, err := codec.DecodeRecord(value)
	if err != nil {
		return ""
	}
	return r.ContentRef
}

// dropDeletions purges an agent's deletions; their files are added to d.
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

// RestoreAgent undoes [Tx.TrashAgent] byte for byte. It replaces newer data other than
// conversations and memories, such as a draft. The error is ErrNotFound if the deletion
// was purged, and ErrInUse if the agent was recreated. The agent's indexes must be
// rebuilt.
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
		if err := kv.NewBucket(r.Bucket, 1, kv.Bytes()).Put(tx.kv, r.Key, r.Value); err != nil {
			return d, err
		}
	}
	// An older program has deleted it without the index entries.
	return d, errors.Join(linkAllSources(tx, kv.Prefix(agent)), tx.kv.BlankFeed(agent), tx.dropTrash(agent, deletionID))
}

// agentTrashed reports whether an agent is in the trash.
func (tx *Tx) agentTrashed(agent string) (bool, error) {
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

// departure is the tombstone of an agent.
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

// depart writes an agent's tombstone.
func (tx *Tx) depart(agent, deletionID string, at time.Time) error {
	tx.gone = append(tx.gone, gone.Deleted(agent, gone.KindAgent, agent))
	key := make([]byte, sealBytes)
	_, _ = rand.Read(key) // never fails
	return departed.Put(tx.kv, kv.Key(deletionID), departure{At: at, Key: key, Hash: sealedID(key, agent)})
}

// DepartedAt returns when an agent was last deleted permanently, or zero.
func (tx *Tx) DepartedAt(agent string) (last time.Time, err error) {
	for e, err := range readable(tx, departed.Scan(tx.kv, nil)) {
		if err != nil {
			return last, err
		}
		if e.Value.At.After(last) && e.Value.of(agent) {
			last = e.Value.At
		}
	}
	return last, nil
}
