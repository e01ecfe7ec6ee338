package chat

import (
	"strings"
	"unicode"

	"memoria/memory"
)

// UnknownMemberError reports a message in a group that names no member (I8). Nothing was sent.
type UnknownMemberError struct {
	Name  string   // as it was written, without the @
	Known []string // the members, in the order in which they answer
}

// Error names the members.
func (e *UnknownMemberError) Error() string {
	return "nobody here is called @" + e.Name + "; in this group are @" + strings.Join(e.Known, ", @")
}

// unknownMember finds the first @name in what the user typed that no member has.
func unknownMember(text string, spans []memory.Span, members []Agent) error {
	given := memory.Record{Spans: spans}.Foreign()
	for _, o := range openings(text) {
		if _, _, size := nameAt(o.rest, members); size > 0 || len(o.rest) == 0 || !unicode.IsLetter(o.rest[0]) || within(given, o.at) {
			continue
		}
		e := &UnknownMemberError{}
		for n, r := range o.rest {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' || n == maxShownName {
				break
			}
			e.Name += string(r)
		}
		for _, m := range members {
			e.Known = append(e.Known, m.Name)
		}
		return e
	}
	return nil
}

// maxShownName bounds a name that is repeated, in characters.
const maxShownName = 40

func within(spans []memory.Span, at int) bool {
	for _, s := range spans {
		if at >= s.Offset && at < s.Offset+s.Length {
			return true
		}
	}
	return false
}
