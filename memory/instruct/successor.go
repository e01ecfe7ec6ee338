package instruct

import (
	"regexp"
	"strings"

	"memoria/memory"
	"memoria/memory/policy/subject"
)

// successor is a message that says who is in somebody's place: "noreen retired, its philip now".
var successor = regexp.MustCompile(`^(?:(?:so|and|but|well|oh|sadly),? )?([a-z]+(?: [a-z]+)??)` +
	`(?:'s|s| has| have)?(?: (?:just|now|finally|sadly))? ` +
	`(?:retired|retiring|left|quit|moved on|moved away|gone|finished up|stepped down|` +
	`resigned|been replaced|been let go|on maternity leave)` +
	`(?: (?:now|there|last [a-z]+|this [a-z]+|in [a-z]+))?(?:,? (?:so|and|but))?,? ` +
	`(?:it'?s|i'?ve got|ive got|we'?ve got|weve got|i have|we have|now it'?s|my new one is|the new one is|the new one'?s) ` +
	`(?:(?:a|called) )?((?:mr|mrs|ms|miss|dr) [a-z]+|[a-z]+)(?: (?:now|instead|these days|from now on))?$`)

func saysSuccessor(folded string) []string {
	return successor.FindStringSubmatch(strings.Trim(folded, " .!"))
}

// succeeded reads who is in the place of one of the user's people whom a memory names. The new one must be named, too.
func (r contrastReader) succeeded(all func() []memory.Item) (Contrast, bool) {
	m := saysSuccessor(r.v.Text)
	if m == nil || !strings.Contains(m[2], " ") && !subject.FirstName(m[2]) {
		return Contrast{}, false
	}
	var found []Contrast
	for _, it := range all() {
		if !strings.HasPrefix(it.Key, "relation/") || !strings.HasSuffix(it.Key, "/name") || it.Type != memory.TypeRelationship {
			continue
		}
		if old, ok := heldAs(m[1], it.Content); ok && !family.MatchString(it.Key) {
			found = append(found, Contrast{Item: it, Old: old, New: named(m[2]), Named: true})
		}
	}
	if len(found) != 1 {
		return Contrast{}, false
	}
	return found[0], true
}

// named is a name in lower case as names are written.
func named(folded string) string {
	words := strings.Fields(folded)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// family has nobody in somebody's place.
var family = regexp.MustCompile(`/(?:[a-z-]*(?:son|daughter|child|kid|brother|sister|mother|father|mum|mom|dad|wife|husband` +
	`|uncle|aunt|cousin|niece|nephew)` +
	`|[a-z-]*friend` +
	`|gran[a-z]*|nan[a-z]*|dog|cat|pet)\b`)
