package store

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// sealBytes is the length of the key for hashing refused statements.
const sealBytes = 32

// Refuse records that the user does not want these statements remembered. It stores
// only keyed hashes, so that they can neither be read nor guessed without the store
// (D2).
func (tx *Tx) Refuse(agent string, sayings []string) error {
	if len(sayings) == 0 {
		return nil
	}
	seal, err := seals.Get(tx.kv, kv.Key(agent))
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		seal = make([]byte, sealBytes)
		_, _ = rand.Read(seal) // never fails
		err = seals.Put(tx.kv, kv.Key(agent), seal)
	}
	for _, s := range sayings {
		if err == nil {
			err = refused.Put(tx.kv, sealed(agent, seal, s), tx.Now())
		}
	}
	return err
}

// takeRefused takes over the refusals of a newer state, where both hash with the same key: what
// was deleted since is not learned again from older messages.
func takeRefused(tx, newer *Tx, agent string) error {
	theirs, err := orZero(seals.Get(newer.kv, kv.Key(agent)))
	if err != nil || theirs == nil {
		return err
	}
	ours, err := orZero(seals.Get(tx.kv, kv.Key(agent)))
	if err == nil && ours == nil {
		ours, err = theirs, seals.Put(tx.kv, kv.Key(agent), theirs)
	}
	if err != nil || !bytes.Equal(ours, theirs) {
		return err
	}
	for e, err := range readable(newer, refused.Scan(newer.kv, kv.Prefix(agent))) {
		if err = errors.Join(err, refused.Put(tx.kv, e.Key, e.Value)); err != nil {
			return err
		}
	}
	return nil
}

// Unrefuse undoes [Tx.Refuse].
func (tx *Tx) Unrefuse(agent string, sayings []string) error {
	return tx.eachSealed(agent, sayings, func(key []byte) error { return refused.Delete(tx.kv, key) })
}

// RefusedAt returns when one of the statements was last refused, or zero.
func (tx *Tx) RefusedAt(agent string, sayings []string) (last time.Time, err error) {
	err = tx.eachSealed(agent, sayings, func(key []byte) error {
		at, err := refused.Get(tx.kv, key)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if Unreadable(err) { // the time is unknown; the refusal is not
			at, err = tx.Now(), nil
		}
		if at.After(last) {
			last = at
		}
		return err
	})
	return last, err
}

func (tx *Tx) eachSealed(agent string, sayings []string, do func(key []byte) error) error {
	seal, err := seals.Get(tx.kv, kv.Key(agent))
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return nil // nothing was refused under a readable key
	}
	for _, s := range sayings {
		if err == nil {
			err = do(sealed(agent, seal, s))
		}
	}
	return err
}

func sealed(agent string, seal []byte, saying string) []byte {
	h := hmac.New(sha256.New, seal)
	_, _ = h.Write([]byte(saying))
	return kv.Key(agent, hex.EncodeToString(h.Sum(nil)))
}

// Note writes a change of a deleted item, without its words.
func (tx *Tx) Note(agent, changeID string, c memory.Change) error {
	c.Item, c.Replaced = nil, nil
	return tx.addChange(agent, changeID, c)
}
