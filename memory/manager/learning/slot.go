package learning

import (
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// withTranslated adds the items in the same slot under the key of the other language.
func withTranslated(t *write.Tx, items []memory.Item, key string) ([]memory.Item, error) {
	for _, k := range policy.SlotKeys(key)[1:] {
		ids, err := t.KeyHolders(t.Owner.ID, k)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if slices.ContainsFunc(items, func(it memory.Item) bool { return it.ID == id }) {
				continue
			}
			it, err := t.Item(t.Owner.ID, id)
			if lookup.Lacking(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			items = append(items, it)
		}
	}
	return items, nil
}
