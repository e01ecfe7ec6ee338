package policy

import (
	"fmt"
	"strings"

	"memoria/memory/pattern"
)

// Ending names active items that end because of what was said (P4).
type Ending struct {
	// Keys are patterns of keys, in which * stands for any text; a key of the other language counts too.
	Keys []string
	// About are words that an item must hold, in either language; empty: any item. Asked and Against are words about how
	// to answer: a rule ends that asks for the first, or that excludes the second.
	About   string `json:",omitempty"`
	Asked   string `json:",omitempty"`
	Against string `json:",omitempty"`
	// Unlike are words that an item must not hold.
	Unlike string `json:",omitempty"`
	// Shared are words of which an item must hold those that say what it is about.
	Shared string `json:",omitempty"`
	// Like and But are expressions that the folded content of an item must match, and must not match.
	Like string `json:",omitempty"`
	But  string `json:",omitempty"`
	// Whole says that all items about the same person or animal end too.
	Whole bool `json:",omitempty"`
	// Along says that this is so only where the candidate replaces another value; Old, that the items must be about that
	// value.
	Along bool `json:",omitempty"`
	Old   bool `json:",omitempty"`
	// How says in a few words how they ended.
	How string `json:",omitempty"`
}

// ending is an [Ending] as a file says it.
type ending struct {
	keys       []template
	when       []condition // one must hold; none: always
	set        map[string]template
	like, but  string
	whole, old bool
	along      bool
}

// endingLines are the lines that belong to the last ends or along.
var endingLines = map[string]bool{
	"about": true, "unlike": true, "asked": true, "against": true, "like": true, "but": true, "how": true, "whole": true,
}

// readEnding reads "ends KEY, … [when CONDITION]", the same with along, or a line that belongs to the last of them; ok is
// false when it is none of these.
func (l *language) readEnding(all *[]ending, verb, arg string) (ok bool, err error) {
	switch {
	case verb == "ends", verb == "along":
		keys, when, _ := strings.Cut(arg, " when ")
		e := ending{set: map[string]template{}, along: verb == "along"}
		for _, key := range commas(keys) {
			e.keys = append(e.keys, l.keyTemplates(key)...)
		}
		if len(e.keys) == 0 {
			return true, fmt.Errorf("%s without a key", verb)
		}
		if when != "" {
			e.when, err = l.readConditions(when)
		}
		*all = append(*all, e)
		return true, err
	case !endingLines[verb] || len(*all) == 0:
		return false, nil
	}
	e := &(*all)[len(*all)-1]
	switch {
	case verb == "whole":
		e.whole = true
	case verb == "about" && arg == "old":
		e.old = true
	case verb == "like":
		e.like = arg
	case verb == "but":
		e.but = arg
	default:
		e.set[verb] = template{text: arg}
	}
	return true, nil
}

// keyTemplates returns a key, or one for each word where it names a list: relation/{partner}/*.
func (l *language) keyTemplates(key string) (out []template) {
	lo, hi := strings.IndexByte(key, '{'), strings.IndexByte(key, '}')
	if lo < 0 || hi < lo {
		return []template{{text: key}}
	}
	for _, w := range l.Words(key[lo+1 : hi]) {
		out = append(out, template{text: key[:lo] + w + key[hi+1:]})
	}
	return out
}

// endings are what a clause ends, of those that a rule or a slot names.
func (s *scene) endings(all []ending) (out []Ending) {
	for i := range all {
		if e := &all[i]; len(e.when) == 0 || holds(s, e.when) {
			if done := e.write(s); done.Keys != nil {
				out = append(out, done)
			}
		}
	}
	return out
}

// write writes an ending; one without keys when words that it asks for were not said.
func (e *ending) write(s *scene) Ending {
	out := Ending{Whole: e.whole, Along: e.along, Old: e.old, Like: s.l.expressionOf(e.like), But: s.l.expressionOf(e.but)}
	for name, t := range e.set {
		text := strings.TrimSpace(t.write(s))
		if text == "" {
			return Ending{}
		}
		switch name {
		case "about":
			out.About = text
		case "asked":
			out.Asked = text
		case "against":
			out.Against = text
		case "unlike":
			out.Unlike = text
		case "how":
			out.How = text
		}
	}
	for _, k := range e.keys {
		out.Keys = append(out.Keys, k.key(s))
	}
	return out
}

func (l *language) expressionOf(notation string) string {
	if notation == "" {
		return ""
	}
	e, err := l.Expression(notation)
	if err != nil {
		panic("policy: " + err.Error())
	}
	return e
}

// bare reports whether a draft writes nothing: it only ends.
func (d draft) bare() bool { return d.content == "" && len(d.ends) > 0 }

// adds reports whether a draft only ends and leaves the clause to other rules too.
func (d draft) adds() bool { return d.bare() && !d.final }

// joined adds to the drafts of a clause what rules end that write nothing.
func joined(ds []draft, more []draft) []draft {
	switch {
	case len(more) == 0:
		return ds
	case len(ds) == 0:
		return more
	}
	for _, d := range more {
		ds[0].ends = append(ds[0].ends, d.ends...)
	}
	return ds
}

// opposites are ways to answer that exclude each other, by the name of what they are about. Of each, every side is a
// pattern.
type opposites map[string][]pattern.Pattern

// readOpposites reads a block "opposites NAME": a side a line. Sides of two languages that have one place are the same.
func (l *language) readOpposites(b pattern.Block) {
	for _, line := range b.Lines {
		l.opposites[b.Name] = append(l.opposites[b.Name], l.Pattern(line.Text))
	}
}
