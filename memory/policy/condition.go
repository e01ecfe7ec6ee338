package policy

import (
	"fmt"
	"strconv"
	"strings"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// condition is a condition of a rule.
type condition struct {
	not  bool
	test func(s *scene) bool
	and  []condition // further required conditions
}

func (c condition) holds(s *scene) bool {
	if c.test(s) == c.not {
		return false
	}
	for _, also := range c.and {
		if !also.holds(s) {
			return false
		}
	}
	return true
}

// holds reports whether one of the conditions holds.
func holds(s *scene, cs []condition) bool {
	for _, c := range cs {
		if c.holds(s) {
			return true
		}
	}
	return false
}

// flags are conditions on the whole clause.
var flags = map[string]func(s *scene) bool{
	"lasts":      func(s *scene) bool { return s.m.lasts() },
	"durable":    func(s *scene) bool { return s.m.c.durable },
	"explicit":   func(s *scene) bool { return s.m.c.explicit },
	"alone":      func(s *scene) bool { return s.m.c.alone },
	"correcting": func(s *scene) bool { return s.m.c.correction },
}

// contextBytes is the length of the text before a clause in the subject "context".
const contextBytes = 30

// subjects are the subjects of conditions other than objects.
var subjectTexts = map[string]func(s *scene) string{
	"clause": func(s *scene) string { return s.m.c.text },
	"context": func(s *scene) string {
		return s.m.c.v.Text[max(0, s.m.c.at-contextBytes):s.m.c.at] + s.m.c.text
	},
	"earlier": func(s *scene) string {
		lo, _ := s.m.c.bytes()
		return s.m.c.v.Src[:lo]
	},
}

// readConditions parses alternative conditions separated by ";"; " & " joins conditions that must hold
// together. There are none in an empty text.
func (l *language) readConditions(arg string) (out []condition, err error) {
	if arg == "" {
		return nil, nil
	}
	for _, one := range strings.Split(arg, ";") {
		var c condition
		for i, part := range strings.Split(one, " & ") {
			next, err := l.readCondition(strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			if i == 0 {
				c = next
			} else {
				c.and = append(c.and, next)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// readCondition parses "SUBJECT [not] VERB ARGUMENT" or the name of a flag.
func (l *language) readCondition(text string) (condition, error) {
	var c condition
	flag, not := strings.CutPrefix(text, "not ")
	if test, ok := flags[flag]; ok {
		return condition{not: not, test: test}, nil
	}
	subject, rest, _ := strings.Cut(text, " ")
	before := subject == "before"
	if before {
		subject, rest, _ = strings.Cut(rest, " ")
	}
	rest, c.not = strings.CutPrefix(rest, "not ")
	verb, arg, _ := strings.Cut(rest, " ")
	get, err := subjectOf(subject, before)
	if err != nil {
		return c, err
	}
	c.test, err = l.readTest(subject, get, verb, strings.TrimSpace(arg))
	return c, err
}

// subjectOf returns a condition's subject.
func subjectOf(subject string, before bool) (func(s *scene) string, error) {
	if get, ok := subjectTexts[subject]; ok && !before {
		return get, nil
	}
	name, ok := strings.CutSuffix(strings.TrimPrefix(subject, "<"), ">")
	if !ok {
		return nil, fmt.Errorf("unknown subject %q", subject)
	}
	if before {
		return func(s *scene) string { return s.m.c.text[:s.object(name).lo] }, nil
	}
	return func(s *scene) string { return s.object(name).fold }, nil
}

// readTest parses the verb of a condition and its argument.
func (l *language) readTest(subject string, get func(s *scene) string, verb, arg string) (func(s *scene) bool, error) {
	name := strings.Trim(subject, "<>")
	like := func(p pattern.Pattern) func(s *scene) bool {
		return func(s *scene) bool { return p.Match(get(s)) }
	}
	switch verb {
	case "is":
		return like(l.Whole(arg)), nil
	case "begins":
		return like(l.Start("(" + arg + `)\b`)), nil
	case "starts":
		return like(l.Start(arg)), nil
	case "ends":
		return like(l.End(arg)), nil
	case "has":
		return like(l.Pattern(arg)), nil
	case "said":
		return func(s *scene) bool { return get(s) != "" }, nil
	case "capitalised":
		return func(s *scene) bool { return lang.Capitalised(s.object(name).raw) }, nil
	case "set":
		return func(s *scene) bool { _, ok := s.texts[name]; return ok }, nil
	case "keyless":
		return func(s *scene) bool { return objectKey(get(s)) == "" }, nil
	case "longer":
		n, err := strconv.Atoi(arg)
		return func(s *scene) bool { return size(get(s)) > n }, err
	case "a", "an":
		if test, ok := partTests[arg]; ok {
			return func(s *scene) bool { return test(s.object(name)) }, nil
		}
		k := l.kinds[arg]
		if k == nil {
			return nil, fmt.Errorf("unknown kind %q", arg)
		}
		return func(s *scene) bool {
			_, ok := k.take(s, s.object(name), 0)
			return ok
		}, nil
	}
	return nil, fmt.Errorf("unknown verb %q", verb)
}

// partTests are kinds implemented in Go.
var partTests = map[string]func(part) bool{
	"occupation":  func(p part) bool { return occupied(p.fold) },
	"list":        func(p part) bool { return len(p.list()) > 1 },
	"proper-noun": properNoun,
	"first-name":  func(p part) bool { return subject.FirstName(p.fold) },
}
