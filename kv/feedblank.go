package kv

import "errors"

// BlankFeed takes an agent's name and ids out of the feed: its entries stay, so
// that the numbering has no gap, and say nothing any more. Whoever follows that
// agent has to begin anew. An entry that cannot be read is blanked too, as nobody
// can say whose it is.
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
