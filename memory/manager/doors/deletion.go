package doors

import (
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// WithEdits adds to items that are deleted what repeats their words in the inbox: changes
// that programs proposed, and questions whether an item is still true (D2).
func WithEdits(t *write.Tx, ids []string) ([]string, error) {
	out := slices.Clone(ids)
	for _, id := range ids {
		it, err := t.Item(t.Owner.ID, id)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		like, err := t.ItemsLike(t.Owner.ID, it.Key, it.Content)
		if err != nil {
			return nil, err
		}
		asked, err := t.KeyHolders(t.Owner.ID, "still/"+id)
		if err != nil {
			return nil, err
		}
		for _, other := range like {
			if other.State == memory.StateHeld && other.Metadata.Program != "" && other.Metadata.WouldReplace == id {
				asked = append(asked, other.ID)
			}
		}
		for _, id := range asked {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out, nil
}
