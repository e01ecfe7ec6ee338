package policy

import (
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/object"
)

// Objects in keys, see package object.
var (
	objectKey  = object.Key
	bounded    = object.Bounded
	trimObject = object.Trim
	hash       = object.Hash
	closing    = lang.Form("closing") // ends a Chinese phrase without belonging to it
)

// noteKey names a note by its words, ignoring punctuation and politeness.
func noteKey(content string) string {
	return "note/" + hash(sameForm(trimObject(text.Fold(content))))[:12]
}

// keep is one conclusion of a rule: its slot, and its words.
type keep struct {
	slot *slotInfo
	when []condition // alternatives; none: always
	not  []condition // any makes the side negative
	set  map[string]template
}

// readKeep parses "keep SLOT [when CONDITION]" or a line of the last keep.
func (l *language) readKeep(keeps *[]keep, verb, arg string) (err error) {
	if verb == "keep" {
		name, when, _ := strings.Cut(arg, " when ")
		k := keep{slot: l.slots[strings.TrimSpace(name)]}
		if k.slot == nil {
			return fmt.Errorf("unknown slot %q", name)
		}
		k.set = maps.Clone(k.slot.texts)
		k.when, err = l.readConditions(when)
		*keeps = append(*keeps, k)
		return err
	}
	if len(*keeps) == 0 || verb != "negative" && verb != "key" && !(&draft{}).set(verb, arg) {
		return fmt.Errorf("unknown line %q", verb)
	}
	last := &(*keeps)[len(*keeps)-1]
	if verb == "negative" {
		last.not, err = l.readConditions(arg)
		return err
	}
	last.set[verb] = template(arg)
	return nil
}

func (k *keep) wanted(s *scene) bool { return len(k.when) == 0 || holds(s, k.when) }

// draft fills in the conclusion.
func (k *keep) draft(s *scene) draft {
	d := k.slot.draft
	d.key = k.slot.key.key(s)
	d.ends = s.endings(k.slot.ends)
	if t, ok := k.set["key"]; ok {
		d.key = t.key(s)
	}
	d.title = template(d.title).write(s)
	d.st.Value = template("<o>").write(s)
	d.tags = written(s, d.tags)
	for name, t := range k.set {
		d.set(name, t.write(s))
	}
	if k.slot.dated != "" && d.st.When != "" {
		d.tags = append(d.tags, k.slot.dated)
	}
	if holds(s, k.not) {
		d.st.Polarity = Negative
	}
	if k.slot.sentence {
		d.content = sentenceCase(strings.TrimSpace(d.content))
	}
	return d
}

// set sets a field of a conclusion by its name in the files; ok is false for a name that is none.
func (d *draft) set(name, text string) (ok bool) {
	switch name {
	case "type":
		d.typ = memory.Type(text)
	case "title":
		d.title = text
	case "tags":
		d.tags = lang.Commas(text)
	case "weight":
		d.importance = weights[text]
	case "why":
		d.reason = text
	case "side":
		d.st.Polarity = Polarity(text)
	case "text":
		d.content = text
	case "value":
		d.st.Value = text
	case "over":
		d.st.Over = text
	case "when":
		d.st.When = text
	case "corrects":
		d.corrects = text
	default:
		return false
	}
	return true
}

func written(s *scene, texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = template(t).write(s)
	}
	return out
}

// template is a text with <object> and <object:changes> in it.
type template string

// key fills in a key: with objects in the form of [objectKey], unless a change is
// named.
func (t template) key(s *scene) string { return t.fill(s, "key") }

// write fills in a text, with objects in the user's words.
func (t template) write(s *scene) string { return t.fill(s, "") }

func (t template) fill(s *scene, usual string) string {
	var b strings.Builder
	rest := string(t)
	for {
		lo := strings.IndexByte(rest, '<')
		hi := strings.IndexByte(rest, '>')
		if lo < 0 || hi < lo {
			return b.String() + rest
		}
		b.WriteString(rest[:lo])
		name, changes, _ := strings.Cut(rest[lo+1:hi], ":")
		if changes == "" {
			changes = usual
		}
		b.WriteString(s.say(b.String(), name, changes))
		rest = rest[hi+1:]
	}
}

// say returns an object after the text before, with changes, which are separated by blanks.
func (s *scene) say(before, name, changes string) string {
	if text, ok := s.texts[name]; ok {
		for _, c := range strings.Fields(changes) {
			if c != "key" {
				text = s.changed(text, c)
			}
		}
		return text
	}
	if name == "pair" {
		return pairKey(s.object("o"), s.object("y"))
	}
	p := s.named(name)
	text := p.raw
	for _, c := range strings.Fields(changes) {
		switch c {
		case "fold":
			text = p.fold
		case "article":
			text = article(p)
		case "gap":
			text = gap(before, text) + text
		default:
			text = s.changed(text, c)
		}
	}
	return text
}

// changed applies a change of the files or of the program to a text.
func (s *scene) changed(text, name string) string {
	if other, ok := s.l.Tables[name][text]; ok {
		return other
	}
	if change := s.l.Changes[name]; change != nil {
		return change.Of(text)
	}
	if change := changesOf[name]; change != nil && s.l.Tables[name] == nil {
		return change(text)
	}
	return text
}

// pairKey is the key of a choice between two things, in fixed order, so that the opposite choice contradicts
// it.
func pairKey(a, b part) string {
	x, y := objectKey(a.fold), objectKey(b.fold)
	return min(x, y) + "|" + max(x, y)
}

// changesOf are the changes that a template can make to an object's words.
var changesOf = map[string]func(string) string{
	"key":      objectKey,
	"third":    lang.ThirdPerson,
	"base":     lang.Infinitive,
	"title":    sentenceTitle,
	"sentence": sentenceCase,
	"relative": relative,
	"lower":    strings.ToLower,
	"bare":     func(s string) string { return strings.TrimPrefix(strings.TrimPrefix(s, "a "), "an ") },
	"the":      func(s string) string { return strings.TrimPrefix(s, "the ") },
	"dashes":   func(s string) string { return strings.ReplaceAll(s, " ", "-") },
}

// named returns an object, or a part that every clause has: "clause", all of it; "said", all of it cleaned
// up; "rest", the text after its subject, cleaned up; "verb", the text between the subject and <o>.
func (s *scene) named(name string) part {
	c := s.m.c
	switch name {
	case "clause":
		return c.part(c.unsaid(), len(c.text))
	case "said":
		return c.part(c.unsaid(), len(c.text)).trim()
	case "rest":
		return c.part(s.m.afterSelf(), len(c.text)).trim()
	case "verb":
		end := s.verbEnd
		if end < 0 {
			end = s.object("o").lo
		}
		return c.part(s.m.afterSelf(), end)
	case "phrase":
		return c.part(s.m.afterSelf(), s.object("o").hi)
	}
	return s.object(name)
}

// gap returns the usual blank between Chinese and Latin words.
func gap(before, after string) string {
	r, _ := utf8.DecodeRuneInString(after)
	if before != "" && lang.Latin(r) {
		return " "
	}
	return ""
}

// afterSelf returns the end of the Chinese subject in the clause; 0 if there is none.
func (m match) afterSelf() int {
	if loc := selfAhead.Find(m.c.text); loc != nil {
		return loc[1]
	}
	return 0
}

var selfAhead = lang.Form("selfAhead")
