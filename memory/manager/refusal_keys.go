package manager

import (
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// mostVersions bounds the versions of a deleted item that refusal keys are made from.
const mostVersions = 20

// refusalKeysOf returns the keys by which deleted items are recognised when proposed
// again. They cover earlier versions, so that a corrected and then deleted item does not
// return in its old wording.
func refusalKeysOf(t *write.Tx, items []string) (out []string, err error) {
	for _, id := range items {
		it, err := t.Item(t.Owner.ID, id)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		said, err := refusalKeys(t, it)
		if err == nil {
			said, err = withoutTarget(t, said, it, items)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, said...)
	}
	return out, nil
}

// withoutTarget removes the keys of the item that a proposed change would have replaced,
// unless that is deleted too: the words that a change leaves as they are stay wanted.
func withoutTarget(t *write.Tx, said []string, it memory.Item, deleted []string) ([]string, error) {
	id := it.Metadata.WouldReplace
	if id == "" || slices.Contains(deleted, id) {
		return said, nil
	}
	target, err := t.Item(t.Owner.ID, id)
	if lookup.Lacking(err) {
		return said, nil
	}
	kept := policy.RefusalKeys(target)
	return slices.DeleteFunc(said, func(s string) bool { return slices.Contains(kept, s) }), err
}

func refusalKeys(t *write.Tx, it memory.Item) ([]string, error) {
	out := policy.RefusalKeys(it)
	for n := it.Version - 1; n > max(0, it.Version-mostVersions); n-- {
		old, err := t.ItemVersion(t.Owner.ID, it.ID, n)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, s := range policy.RefusalKeys(old) {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}
