package policy

import (
	"slices"
	"strings"

	"memoria/memory/policy/object"
)

// maxSlotKeys bounds the result of SlotKeys.
const maxSlotKeys = 64

// SlotKeys returns the keys under which an item may fill the slot of a key: the key itself, then those with a
// translation of its words. preference/tea also gives preference/茶.
func SlotKeys(key string) []string {
	parts := strings.Split(key, "/")
	out := []string{key}
	switch {
	case len(parts) == 2 && objectSlots[parts[0]]:
		for _, o := range object.Wordings(parts[1], parts[0] == "goal") {
			out = append(out, parts[0]+"/"+o)
		}
	case len(parts) >= 3 && parts[0] == "relation":
		whos, objects := object.Wordings(parts[1], false), []string{strings.Join(parts[2:], "/")}
		if len(parts) == 4 {
			objects = objects[:0]
			for _, o := range object.Wordings(parts[3], false) {
				objects = append(objects, parts[2]+"/"+o)
			}
		}
		for _, w := range whos {
			for _, o := range objects {
				out = append(out, "relation/"+w+"/"+o)
			}
		}
	}
	return distinct(out[:min(len(out), maxSlotKeys)])
}

// objectSlots are the first parts of keys that end in an object.
var objectSlots = map[string]bool{
	"preference": true, "allergy": true, "diet": true, "use": true, "language": true, "fear": true,
	"favourite": true, "activity": true, "goal": true, "about": true, "fact": true,
}

// SameSlot reports whether two keys name one slot, in one language or two. An empty key names none.
func SameSlot(a, b string) bool {
	return a != "" && b != "" && (a == b || slices.Contains(SlotKeys(a), b))
}

// distinct removes duplicates from a list, in place.
func distinct(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		before := seen[s]
		seen[s] = true
		return before
	})
}
