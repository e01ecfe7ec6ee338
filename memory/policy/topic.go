package policy

import (
	"fmt"
	"strconv"
	"strings"

	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// topic is a subject of pieces without a matching rule. Its pieces are kept in the user's words.
type topic struct {
	name, title, why string
	typ              memory.Type
	weight           float64
	tags             []string

	alone  pattern.Pattern // implies that it is about the user
	own    pattern.Pattern // likewise, if the piece mentions the user
	unless pattern.Pattern

	others   bool // may be about people and animals near the user: "my gran is from Cork"
	lasting  bool // lasting: momentary words exclude it
	code     bool // also read in messages about programs
	me       bool // also read if the piece is about another but says I or me: "crowds scare me"
	orders   bool // occurs in orders: "always answer in German"
	approval bool // kept only if sensitive, so that it needs approval
}

// addTopic parses a block "topic NAME".
func (l *language) addTopic(b pattern.Block) error {
	t := topic{name: b.Name, title: b.Name, weight: importanceFact, lasting: true}
	patterns := map[string][]string{}
	err := b.Each(func(verb, arg string) (err error) {
		switch verb {
		case "type":
			if t.typ = memory.Type(arg); !t.typ.Valid() {
				return fmt.Errorf("no type %q", arg)
			}
		case "title":
			t.title = arg
		case "why":
			t.why = arg
		case "tags":
			t.tags = lang.Commas(arg)
		case "weight":
			t.weight, err = strconv.ParseFloat(arg, 64)
		case "alone", "own", "unless":
			patterns[verb] = append(patterns[verb], arg)
		case "others":
			t.others = true
		case "events":
			t.lasting = false
		case "code":
			t.code = true
		case "me":
			t.me = true
		case "orders":
			t.orders = true
		case "approval":
			t.approval = true
		default:
			return fmt.Errorf("unknown line %q", verb)
		}
		return err
	})
	t.alone, t.own, t.unless = l.anyOf(patterns["alone"]), l.anyOf(patterns["own"]), l.anyOf(patterns["unless"])
	l.topics = append(l.topics, t)
	return err
}

// anyOf returns a pattern for any of several notations in a text; those without Han characters match only
// whole words.
func (l *language) anyOf(notations []string) pattern.Pattern {
	if len(notations) == 0 {
		return pattern.Pattern{}
	}
	all := make([]string, len(notations))
	for i, n := range notations {
		if all[i] = "(" + n + ")"; !lang.HasHan(n) {
			all[i] = `\b(` + n + `)\b`
		}
	}
	return l.Pattern(strings.Join(all, " | "))
}

// about reports whether a piece is about the topic.
func (t *topic) about(p piece) bool {
	switch {
	case p.code && !t.code:
		return false
	case p.void && !t.orders || p.question || p.asks && !t.orders:
		return false
	case p.of == subject.Another && !(t.others && (p.own || keptParty.Match(p.text))):
		return t.me && p.me && t.alone.Match(p.text) && !t.unless.Match(p.text)
	case p.of == subject.Listener && !t.orders || t.lasting && p.moment:
		return false
	case !t.alone.Match(p.text) && !(p.own && t.own.Match(p.text)):
		return false
	}
	return !t.unless.Match(p.text)
}
