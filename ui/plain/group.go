package plain

import (
	"slices"
	"strings"

	"memoria/ui/clean"
)

// models are the models that answer; in a group with more than one, who is answered by
// which.
func (s *session) models() string {
	members := s.o.Chat.Members()
	var names, who []string
	for _, m := range members {
		name := clean.Line(s.o.Chat.InfoOf(m.ID).Model)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		who = append(who, name+" as "+clean.Line(s.o.Chat.NameOf(m.ID)))
	}
	switch len(names) {
	case 0:
		return clean.Line(s.o.Chat.Info().Model)
	case 1:
		return names[0]
	}
	return strings.Join(who, ", ")
}
