package policy

import (
	"fmt"
	"strconv"
	"strings"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// fileRule recognises one kind of statement in a clause. The rules of a language are tried in order until one
// matches.
type fileRule struct {
	name  string
	says  pattern.Pattern // of the whole clause
	form  string          // source of says
	steps []step
	keeps []keep
	ends  []ending // endings; a rule without keeps only ends
	final bool     // for a rule that only ends: no other rule is tried
	each  string   // the object whose members are kept separately
	every bool     // the rule applies only if a member can be kept; checked for each
	many  int      // maximum words of a member; 0 for no limit
	then  []step   // for each member
	read  reading
}

// step is one line that cleans an object up or decides whether the rule applies.
type step struct {
	object   string // to be cleaned up by kind
	kind     *kind
	size     int
	optional bool

	let  string // name of a text for the lines of keep
	text template

	split pattern.Pattern // splits the object into others
	cuts  bool            // split is set
	whole bool            // the rule applies only if split matches

	conditions []condition // one must hold, or for unless none may
	unless     bool
	refuse     bool // no other rule is tried either
}

// reading is a Go reader for a rule that the files cannot express.
type reading func(s *scene) []draft

// scene is a clause being tried with a rule: the match, and its objects cleaned up so far.
type scene struct {
	m       match
	l       *language
	objects map[string]part
	verbEnd int               // start of <o>, before the rule took a member; -1 until then
	texts   map[string]string // see step.let
}

// object returns a captured part, empty if missing.
func (s *scene) object(name string) part {
	if p, ok := s.objects[name]; ok {
		return p
	}
	p := s.m.g(name)
	s.objects[name] = p
	return p
}

// apply returns the rule's result for a clause matched with the groups idx: nil if it does not apply, reject
// if no other rule may be tried.
func (r *fileRule) apply(l *language, c *clause, idx []int) []draft {
	s := &scene{m: match{c: c, re: r.says, idx: idx}, l: l, objects: map[string]part{}, texts: map[string]string{}, verbEnd: -1}
	for i := range r.steps {
		if st := &r.steps[i]; !st.take(s) {
			if st.refuse {
				return reject
			}
			return nil
		}
	}
	var out []draft
	if r.read != nil {
		out = r.read(s)
	}
	s.verbEnd = s.object("o").lo
	for _, it := range r.members(s) {
		ds := r.drafts(s, it)
		if ds == nil && r.every {
			return nil
		}
		out = append(out, ds...)
	}
	for i := range out {
		out[i].rule = r.name
	}
	return out
}

// drafts returns the conclusions for one member of a list, or for the clause.
func (r *fileRule) drafts(s *scene, member part) (out []draft) {
	if r.each != "" {
		s.objects[r.each] = member
	}
	for i := range r.then {
		if !r.then[i].take(s) {
			return nil
		}
	}
	for i := range r.keeps {
		if k := &r.keeps[i]; k.wanted(s) {
			out = append(out, k.draft(s))
		}
	}
	if ends := s.endings(r.ends); len(ends) > 0 {
		return joined(out, one(draft{ends: ends, final: r.final}))
	}
	return out
}

// members returns the parts for which drafts are made: one, or each member of a list.
func (r *fileRule) members(s *scene) []part {
	if r.each == "" {
		return []part{{}}
	}
	var out []part
	for _, x := range s.object(r.each).list() {
		if (r.many == 0 || x.valid(r.many)) && objectKey(x.fold) != "" {
			out = append(out, x)
		}
	}
	return out
}

// take executes one step; false means that the rule does not apply.
func (st *step) take(s *scene) bool {
	if st.cuts {
		return st.cut(s) || !st.whole
	}
	if st.let != "" {
		if _, has := s.texts[st.let]; !has && (len(st.conditions) == 0 || holds(s, st.conditions)) {
			s.texts[st.let] = st.text.write(s)
		}
		return true
	}
	if st.object != "" {
		p := s.object(st.object)
		if st.optional && p.empty() {
			return true
		}
		q, ok := st.kind.take(s, p, st.size)
		if !ok && st.optional {
			q, ok = part{c: p.c, lo: p.lo, hi: p.lo}, true
		}
		s.objects[st.object] = q
		return ok
	}
	return holds(s, st.conditions) != st.unless
}

// cut binds the pattern's groups in an object; false means that it does not match.
func (st *step) cut(s *scene) bool {
	p := s.object(st.object)
	idx := st.split.Groups(p.fold)
	if idx == nil {
		return false
	}
	for i, name := range st.split.Regexp().SubexpNames() {
		if name != "" && idx[2*i] >= 0 {
			name, _, _ = strings.Cut(name, "_") // the second group of a name is name_2
			s.objects[name] = p.c.part(p.lo+idx[2*i], p.lo+idx[2*i+1])
		}
	}
	return true
}

// addRule parses a block "rule NAME": one rule, and another after each line "otherwise".
func (l *language) addRule(b pattern.Block) error {
	var says []string
	rules := []fileRule{{name: b.Name}}
	err := b.Each(func(verb, arg string) (err error) {
		r := &rules[len(rules)-1]
		switch verb {
		case "otherwise":
			rules = append(rules, fileRule{name: b.Name})
		case "says":
			says = append(says, "("+arg+")")
		case "object":
			return l.readObjects(r, arg)
		case "only", "unless", "refuse":
			cs, err := l.readConditions(arg)
			r.add(step{conditions: cs, unless: verb != "only", refuse: verb == "refuse"})
			return err
		case "match", "split":
			object, in, _ := strings.Cut(arg, " ")
			r.add(step{
				object: strings.Trim(object, "<>"), split: l.Whole(strings.TrimSpace(in)), cuts: true, whole: verb == "match",
			})
		case "let":
			name, rest, _ := strings.Cut(arg, " ")
			text, when, _ := strings.Cut(rest, " when ")
			cs, err := l.readConditions(when)
			r.add(step{let: strings.Trim(name, "<>"), text: template(blanks(text)), conditions: cs})
			return err
		case "each", "every":
			object, size, _ := strings.Cut(arg, " ")
			if r.each, r.every = strings.Trim(object, "<>"), verb == "every"; size != "" {
				r.many, err = strconv.Atoi(size)
			}
			return err
		case "read":
			if r.read = readers[arg]; r.read == nil {
				return fmt.Errorf("unknown reader %q", arg)
			}
		case "final":
			r.final = true
		default:
			ends, err := l.readEnding(&r.ends, verb, arg)
			if !ends {
				err = l.readKeep(&r.keeps, verb, arg)
			}
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	whole := strings.Join(says, " | ")
	for _, r := range rules {
		if len(says) == 0 || len(r.keeps) == 0 && len(r.ends) == 0 && r.read == nil {
			return fmt.Errorf("%s: rule %s: says or keeps nothing", b.Where, b.Name)
		}
		r.form, r.says = whole, l.Whole(whole)
		l.rules = append(l.rules, r)
	}
	return nil
}

// add adds a step: for the whole list, or for each member.
func (r *fileRule) add(st step) {
	if r.each != "" {
		r.then = append(r.then, st)
		return
	}
	r.steps = append(r.steps, st)
}

// readObjects parses "<o> KIND [WORDS] [optional], …".
func (l *language) readObjects(r *fileRule, arg string) error {
	for _, one := range strings.Split(arg, ",") {
		f := strings.Fields(one)
		if len(f) < 2 || !strings.HasPrefix(f[0], "<") {
			return fmt.Errorf("want <object> and kind, have %q", one)
		}
		st := step{object: strings.Trim(f[0], "<>"), kind: l.kinds[f[1]]}
		if st.kind == nil {
			return fmt.Errorf("unknown kind %q", f[1])
		}
		for _, w := range f[2:] {
			n, err := strconv.Atoi(w)
			switch {
			case w == "optional":
				st.optional = true
			case err != nil:
				return fmt.Errorf("want a number of words or optional, have %q", w)
			default:
				st.size = n
			}
		}
		r.add(st)
	}
	return nil
}

// blanks replaces _ by blanks.
func blanks(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "_", " ") }

// slotInfo is the description of a slot, for every rule that fills it.
type slotInfo struct {
	draft
	key      template // the key; default: the slot's name
	sentence bool     // write the content as a sentence
	dated    string   // tag of a conclusion with a time
	ends     []ending // endings when the slot is filled, or filled with another value
	texts    map[string]template
}

// weights maps names to the importances of slots.
var weights = map[string]float64{
	"pattern": importancePattern, "preference": importancePreference, "fact": importanceFact, "goal": importanceGoal,
	"rule": importanceRule, "identity": importanceIdentity, "health": importanceHealth, "explicit": importanceExplicit,
	"correction": importanceCorrection,
}

// addSlot parses a block "slot NAME".
func (l *language) addSlot(b pattern.Block) error {
	s := &slotInfo{key: template(b.Name), texts: map[string]template{}}
	l.slots[b.Name] = s
	return b.Each(func(verb, arg string) error {
		switch verb {
		case "type", "title", "tags", "why", "side":
			s.set(verb, arg)
		case "key":
			s.key = template(arg)
		case "weight":
			if s.set(verb, arg); s.importance == 0 {
				return fmt.Errorf("unknown weight %q", arg)
			}
		case "sentence":
			s.sentence = true
		case "dated":
			s.dated = arg
		case "over", "when":
			s.texts[verb] = template(arg)
		default:
			if ok, err := l.readEnding(&s.ends, verb, arg); ok || err != nil {
				return err
			}
			return fmt.Errorf("unknown line %q", verb)
		}
		return nil
	})
}

// kind is a kind of object: how it is cut out of a sentence, and its conditions.
type kind struct {
	cuts       []func(part) part
	size       int // words, unless the rule says otherwise
	conditions []step
}

// cutters clean an object up; see data/README.md.
var cutters = map[string]func(part) part{
	"trim":  part.trim,
	"whole": part.whole,
	"plain": func(p part) part { return p },
	// region cuts a place at a comma, unless another name follows: "Springfield, Illinois".
	"region": func(p part) part {
		i := strings.IndexByte(p.fold, ',')
		if i > 0 && !lang.Capitalised(p.skip(i+1).raw) {
			return p.upTo(i)
		}
		return p
	},
}

// addKind parses a block "kind NAME".
func (l *language) addKind(b pattern.Block) error {
	k := &kind{}
	l.kinds[b.Name] = k
	return b.Each(func(verb, arg string) (err error) {
		switch verb {
		case "cut":
			re := l.Pattern(arg)
			k.cuts = append(k.cuts, func(p part) part { return p.before(re) })
		case "skip":
			re := l.Start(arg)
			k.cuts = append(k.cuts, func(p part) part {
				if m := re.Find(p.fold); m != nil {
					return p.skip(m[1])
				}
				return p
			})
		case "size":
			k.size, err = strconv.Atoi(arg)
		case "only", "unless":
			var cs []condition
			cs, err = l.readConditions(arg)
			k.conditions = append(k.conditions, step{conditions: cs, unless: verb == "unless"})
		default:
			cut := cutters[verb]
			if cut == nil {
				return fmt.Errorf("unknown line %q", verb)
			}
			k.cuts = append(k.cuts, cut)
		}
		return err
	})
}

// itself is the object's name in the conditions of a kind.
const itself = "it"

// take cuts an object to its kind; ok is false if it is not of that kind. A size other than 0 overrides the
// kind's maximum in words.
func (k *kind) take(s *scene, p part, size int) (part, bool) {
	for _, cut := range k.cuts {
		p = cut(p)
	}
	if size == 0 {
		size = k.size
	}
	if size > 0 && !p.valid(size) {
		return p, false
	}
	before, had := s.objects[itself]
	s.objects[itself] = p
	ok := true
	for i := range k.conditions {
		ok = ok && k.conditions[i].take(s)
	}
	if had {
		s.objects[itself] = before
	}
	return p, ok
}
