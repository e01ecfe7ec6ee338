package policy

import (
	"slices"
	"strings"

	"memoria/memory/policy/lang"
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
		for _, o := range wordings(parts[1], parts[0] == "goal") {
			out = append(out, parts[0]+"/"+o)
		}
	case len(parts) >= 3 && parts[0] == "relation":
		whos, objects := wordings(parts[1], false), []string{strings.Join(parts[2:], "/")}
		if len(parts) == 4 {
			objects = objects[:0]
			for _, o := range wordings(parts[3], false) {
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

// wordings returns an object of a key, and its forms in the other language. A goal to learn something may
// include the verb or not.
func wordings(object string, goal bool) []string {
	out := []string{object}
	if a, b, two := strings.Cut(object, "|"); two { // a choice; the order may differ by language
		for _, x := range wordings(a, false)[1:] {
			for _, y := range wordings(b, false)[1:] {
				out = append(out, min(x, y)+"|"+max(x, y))
			}
		}
		return out
	}
	row := concepts(object)
	if len(row) == 0 || slices.ContainsFunc(row, func(c concept) bool { return c.literal != "" }) {
		return out
	}
	if goal {
		row = withoutLearning(row)
	}
	chinese := !lang.HasHan(object)
	for _, w := range spelled(row, chinese) {
		out = append(out, w)
		switch {
		case goal && chinese:
			out = append(out, "学"+w, "学习"+w)
		case goal:
			out = append(out, "learn-"+w, "learn-to-"+w)
		}
	}
	return out
}

// spelled returns the spellings of a row of words in one language.
func spelled(row []concept, chinese bool) []string {
	out := []string{""}
	for i, c := range row {
		var longer []string
		for _, before := range out {
			for _, w := range c.word.Same() {
				if lang.HasHan(w) != chinese || len(longer) > maxSlotKeys {
					continue
				}
				if chinese {
					longer = append(longer, before+w)
					continue
				}
				w = strings.TrimPrefix(before+"-"+strings.ReplaceAll(w, " ", "-"), "-")
				longer = append(longer, w)
				if i == len(row)-1 {
					longer = append(longer, lang.Plural(w))
				}
			}
		}
		out = longer
	}
	return out
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
