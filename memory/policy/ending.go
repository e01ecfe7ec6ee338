package policy

import (
	"fmt"
	"strings"

	"memoria/memory/policy/lang"
)

// Ending names active items that a statement ends (P4).
type Ending struct {
	// Keys are patterns of keys, in which * is any text; keys of the other language count too.
	Keys []string
	// About are words that an item must have, in either language; empty means any item. Asked and Against are
	// words about how to answer: a rule ends if it asks for the first, or excludes the second.
	About   string `json:",omitempty"`
	Asked   string `json:",omitempty"`
	Against string `json:",omitempty"`
	// Unlike are words that an item must not have.
	Unlike string `json:",omitempty"`
	// Shared are words of which an item must have those that name its subject.
	Shared string `json:",omitempty"`
	// Like and But are expressions that the folded content of an item must match, and must not match.
	Like string `json:",omitempty"`
	But  string `json:",omitempty"`
	// Whole says that all items about the same person or animal end too.
	Whole bool `json:",omitempty"`
	// Along says that this applies only if the candidate replaces another value. Old says that the items must
	// concern that value.
	Along bool `json:",omitempty"`
	Old   bool `json:",omitempty"`
	// How says in a few words how they ended.
	How string `json:",omitempty"`
}

// ending is the source form of an [Ending].
type ending struct {
	keys       []template
	when       []condition // alternatives; none: always
	set        map[string]template
	like, but  string
	whole, old bool
	along      bool
}

// endingLines are the lines that may follow ends or along.
var endingLines = map[string]bool{
	"about": true, "unlike": true, "asked": true, "against": true, "like": true, "but": true, "how": true, "whole": true,
}

// readEnding parses "ends KEY, … [when CONDITION]", the same with along, or a continuation line.
// ok is false for other lines.
func (l *language) readEnding(all *[]ending, verb, arg string) (ok bool, err error) {
	switch {
	case verb == "ends", verb == "along":
		keys, when, _ := strings.Cut(arg, " when ")
		e := ending{set: map[string]template{}, along: verb == "along"}
		for _, key := range lang.Commas(keys) {
			e.keys = append(e.keys, l.keyTemplates(key)...)
		}
		if len(e.keys) == 0 {
			return true, fmt.Errorf("%s without a key", verb)
		}
		e.when, err = l.readConditions(when)
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
		e.like, err = l.Expression(arg)
	case verb == "but":
		e.but, err = l.Expression(arg)
	default:
		e.set[verb] = template(arg)
	}
	return true, err
}

// keyTemplates returns a key, or one for each word of a list in it: relation/{partner}/*.
func (l *language) keyTemplates(key string) (out []template) {
	lo, hi := strings.IndexByte(key, '{'), strings.IndexByte(key, '}')
	if lo < 0 || hi < lo {
		return []template{template(key)}
	}
	for _, w := range l.Words(key[lo+1 : hi]) {
		out = append(out, template(key[:lo]+w+key[hi+1:]))
	}
	return out
}

// endings returns the applicable endings of a rule or a slot for a clause.
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

// write fills in an ending. The result has no keys if required words were not said.
func (e *ending) write(s *scene) Ending {
	out := Ending{Whole: e.whole, Along: e.along, Old: e.old, Like: e.like, But: e.but}
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

// bare reports whether a draft only ends items.
func (d draft) bare() bool { return d.content == "" && len(d.ends) > 0 }

// adds reports whether a draft only ends items and lets other rules read the clause
// too.
func (d draft) adds() bool { return d.bare() && !d.final }

// joined adds the endings of rules without content to the drafts of a clause.
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
