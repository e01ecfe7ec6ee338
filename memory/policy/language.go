package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// language holds the vocabulary of one language and what the rules make of it. It is read once and then safe
// for concurrent use.
type language struct {
	*lang.Language
	rules []fileRule // in the order of order.txt, and in each file from top to bottom
	slots map[string]*slotInfo
	kinds map[string]*kind

	opposites map[string][]pattern.Pattern // mutually exclusive ways to answer, by subject; a pattern for each side
	feelings  []feeling                    // in file order
	topics    []topic                      // likewise
}

var (
	english = sync.OnceValue(func() *language { return mustReadRules(lang.English()) })
	chinese = sync.OnceValue(func() *language { return mustReadRules(lang.Chinese()) })
)

// both returns the languages, English first.
func both() []*language { return []*language{english(), chinese()} }

// mustReadRules is readRules for embedded files, which a test checks.
func mustReadRules(v *lang.Language) *language {
	l, err := readRules(v)
	if err != nil {
		panic("policy: " + err.Error())
	}
	return l
}

// readRules reads the blocks that only the rules know.
func readRules(v *lang.Language) (*language, error) {
	l := &language{
		Language: v, slots: map[string]*slotInfo{}, kinds: map[string]*kind{}, opposites: map[string][]pattern.Pattern{},
	}
	rules := map[string][]pattern.Block{} // by subject
	var order []string
	for _, b := range v.Blocks {
		var err error
		switch b.Kind {
		case "slot":
			err = l.addSlot(b)
		case "kind":
			err = l.addKind(b)
		case "opposites": // sides at the same place in two languages are the same
			for _, line := range b.Lines {
				l.opposites[b.Name] = append(l.opposites[b.Name], l.Pattern(line.Text))
			}
		case "feeling":
			err = l.addFeeling(b)
		case "topic":
			err = l.addTopic(b)
		case "rule":
			subject, _, _ := strings.Cut(path.Base(b.Where), ".txt:")
			rules[subject] = append(rules[subject], b)
		case "order":
			for _, line := range b.Lines {
				order = append(order, line.Text)
			}
		default:
			err = fmt.Errorf("%s: unknown kind of block %q", b.Where, b.Kind)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, subject := range order {
		for _, b := range rules[subject] {
			if err := l.addRule(b); err != nil {
				return nil, err
			}
		}
		delete(rules, subject)
	}
	for subject, blocks := range rules {
		return nil, fmt.Errorf("%s: the rules of %s have no place in order.txt", blocks[0].Where, subject)
	}
	return l, nil
}

// apply returns the result of the first matching rule, with the endings of rules without content.
func (l *language) apply(c clause) []draft {
	var idx []int
	var ended []draft
	last := ""
	for i := range l.rules {
		r := &l.rules[i]
		if r.form != last { // rules with the same form are adjacent
			idx, last = r.says.Groups(c.text), r.form
		}
		if idx == nil {
			continue
		}
		ds := r.apply(l, &c, idx)
		switch {
		case slices.ContainsFunc(ds, draft.adds):
			ended = append(ended, ds...)
		case ds != nil:
			return joined(ds, ended)
		}
	}
	return joined(nil, ended)
}
