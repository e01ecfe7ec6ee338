package kv

import "errors"

// BlankFeed removes an agent's name and ids from the feed. The entries stay, so that
// the numbering has no gap, but are empty. Followers of that agent have to restart. An
// unreadable entry is blanked too, since its agent is unknown.
func (tx *Tx) BlankFeed(agent string) error {
	var of [][]byte
	for e, err := range feedBucket.Scan(tx, nil) {
		var unreadable *RecordError
		if err != nil && !errors.As(err, &unreadable) {
			return err
		}
		if err != nil || e.Value.Agent == agent {
			of = append(of, e.Key)
		}
	}
	for _, key := range of {
		if err := feedBucket.Put(tx, key, Change{Time: tx.now}); err != nil {
			return err
		}
	}
	return nil
}
