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
	// Sole says that the item must be the only one that fits.
	Sole bool `json:",omitempty"`
	// Whole says that all items about the same person or animal end too.
	Whole bool `json:",omitempty"`
	// Along says that this applies only if the candidate replaces another value. Old says that the items must
	// concern that value.
	Along bool `json:",omitempty"`
	Old   bool `json:",omitempty"`
	// How says in a few words how they ended.
	How string `json:",omitempty"`
}

// ending is the source form of an [Ending]: its keys and words are templates.
type ending struct {
	Ending
	when []condition // alternatives; none: always
}

// texts returns the words that lines fill, by name.
func (e *Ending) texts() map[string]*string {
	return map[string]*string{
		"about": &e.About, "unlike": &e.Unlike, "asked": &e.Asked, "against": &e.Against, "how": &e.How,
	}
}

// readEnding parses "ends KEY, … [when CONDITION]", the same with along, or a continuation line.
// ok is false for other lines.
func (l *language) readEnding(all *[]ending, verb, arg string) (ok bool, err error) {
	if verb == "ends" || verb == "along" {
		keys, when, _ := strings.Cut(arg, " when ")
		e := ending{Ending: Ending{Along: verb == "along"}}
		for _, key := range lang.Commas(keys) {
			e.Keys = append(e.Keys, l.keyTemplates(key)...)
		}
		if len(e.Keys) == 0 {
			return true, fmt.Errorf("%s without a key", verb)
		}
		e.when, err = l.readConditions(when)
		*all = append(*all, e)
		return true, err
	}
	if len(*all) == 0 {
		return false, nil
	}
	e := &(*all)[len(*all)-1]
	text := e.texts()[verb]
	switch {
	case verb == "whole":
		e.Whole = true
	case verb == "sole":
		e.Sole = true
	case verb == "about" && arg == "old":
		e.Old = true
	case verb == "like":
		e.Like, err = l.Expression(arg)
	case verb == "but":
		e.But, err = l.Expression(arg)
	case text != nil:
		*text = arg
	default:
		return false, nil
	}
	return true, err
}

// keyTemplates returns a key, or one for each word of a list in it: relation/{partner}/*.
func (l *language) keyTemplates(key string) (out []string) {
	lo, hi := strings.IndexByte(key, '{'), strings.IndexByte(key, '}')
	if lo < 0 || hi < lo {
		return []string{key}
	}
	for _, w := range l.Words(key[lo+1 : hi]) {
		out = append(out, key[:lo]+w+key[hi+1:])
	}
	return out
}

// endings returns the applicable endings of a rule or a slot for a clause, without those whose required words were
// not said.
func (s *scene) endings(all []ending) (out []Ending) {
	for _, e := range all {
		if (len(e.when) == 0 || holds(s, e.when)) && e.write(s) {
			out = append(out, e.Ending)
		}
	}
	return out
}

// write fills in an ending; it is false if required words were not said.
func (e *ending) write(s *scene) bool {
	for _, text := range e.texts() {
		if *text == "" {
			continue
		}
		if *text = strings.TrimSpace(template(*text).write(s)); *text == "" {
			return false
		}
	}
	keys := e.Keys
	e.Keys = nil
	for _, k := range keys {
		e.Keys = append(e.Keys, template(k).key(s))
	}
	return true
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
