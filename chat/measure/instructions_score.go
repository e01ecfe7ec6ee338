package measure

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// KindFigures say how the wordings of one kind were understood.
type KindFigures struct {
	// Recognised are those that [Recognise] takes for this kind, with the right object.
	Recognised Share
	// Done are those after which the memory, or the answer, is as it should be.
	Done Share
	// Understood are those that are either.
	Understood Share
	// Mistaken are those that are recognised as another kind.
	Mistaken int
	// Unlearned are those whose setups taught too little to tell whether it was done.
	Unlearned int
}

// SayFigures are the figures of a language's wordings.
type SayFigures struct {
	ByKind  map[string]*KindFigures
	Details Details
}

// Understood are the wordings of all kinds that were understood.
func (f SayFigures) Understood() (sum Share) {
	for _, k := range f.ByKind {
		sum.N, sum.Of = sum.N+k.Understood.N, sum.Of+k.Understood.Of
	}
	return sum
}

// NearFigures say what near misses set off.
type NearFigures struct {
	// Destructive are those after which a memory is gone or changed, or that are
	// recognised as an instruction which does that.
	Destructive Share
	// Changed are those of them after which a memory is gone or changed.
	Changed int
	// Others are those recognised as an instruction that destroys nothing.
	Others      Share
	ByResembles map[string]*Share // any alarm
	Details     Details
}

// Instructions are the figures of a set by language.
type Instructions struct {
	Say  map[string]SayFigures
	Near map[string]NearFigures
}

func (f *SayFigures) count(c Instruction, p told, recognise Recogniser) {
	k := f.ByKind[c.Kind]
	if k == nil {
		k = &KindFigures{}
		f.ByKind[c.Kind] = k
	}
	kind, object, all, ok := recognise(c.Text)
	right := ok && kind == c.Kind && c.rightObject(object, all)
	testable, done := c.done(p)
	if c.Kind == kindUnrecorded {
		done = done && right
	}
	k.Recognised.add(right)
	k.Done.add(done)
	k.Understood.add(right || done)
	if ok && kind != c.Kind {
		k.Mistaken++
		f.Details.add("%s: recognised as %s, is %s", c.ID, kind, c.Kind)
	}
	if !testable {
		k.Unlearned++
	}
	if !right && !done {
		f.Details.add("%s (%s): not understood; active before %q, after %q",
			c.ID, c.Kind, contents(p.before.active), contents(p.agreed.active))
	}
}

// rightObject reports whether an instruction was recognised with the object that it has.
// The object of a narrowed list or deletion may name a subject ("my job") where the set
// names what it selects, so that any will do there; Done tells whether it selects that.
func (c Instruction) rightObject(object string, all bool) bool {
	switch c.Kind {
	case kindList, kindForget:
		return all == c.All && (c.All || strings.TrimSpace(object) != "")
	case kindCorrect:
		return c.Object.In(object)
	}
	return true
}

// done reports whether the memory, or the answer, is as the instruction wants it, and
// whether the setups taught enough for it to be seen.
func (c Instruction) done(p told) (testable, done bool) {
	about := func(it memory.Item) bool { return c.All || c.Object.In(it.Content) }
	target := keep(p.before.all(), about)
	others := keep(p.before.active, func(it memory.Item) bool { return !about(it) })
	gone := func(in left) bool { return !slices.ContainsFunc(target, in.has) }
	switch c.Kind {
	case kindList:
		return len(target) > 0, len(target) > 0 && !slices.ContainsFunc(target, func(it memory.Item) bool { return !c.shows(p.answer, it) })
	case kindForget, kindWithdraw:
		in := p.after
		if !gone(in) && c.Kind == kindForget { // it may have asked
			in = p.agreed
		}
		return len(target) > 0, len(target) > 0 && gone(in) && in.hasAll(others)
	case kindCorrect:
		old := p.before.active
		if len(old) == 0 {
			return false, false
		}
		lost := keep(old, func(it memory.Item) bool { return !p.after.has(it) })
		corrected := slices.ContainsFunc(p.after.active, func(it memory.Item) bool { return about(it) && !p.before.has(it) })
		return true, corrected && len(p.after.active) <= len(old) && len(lost) <= 1
	case kindUndo:
		made := !same(p.earlier.all(), p.before.all())
		return made, made && same(p.earlier.all(), p.after.all())
	}
	return true, !slices.ContainsFunc(p.agreed.all(), func(it memory.Item) bool { return !p.before.has(it) })
}

// shows reports whether an answer shows an item: its content, or its words of each group
// of the object.
func (c Instruction) shows(answer string, it memory.Item) bool {
	if strings.Contains(text.Fold(answer), strings.TrimRight(text.Fold(it.Content), ".。")) {
		return true
	}
	return len(c.Object) > 0 && !slices.ContainsFunc(c.Object, func(group string) bool {
		return !slices.ContainsFunc(strings.Split(group, "|"), func(one string) bool {
			return hasAny(it.Content, one) && hasAny(answer, one)
		})
	})
}

// keep returns the items for which f holds, in a list of their own.
func keep(items []memory.Item, f func(memory.Item) bool) (out []memory.Item) {
	for _, it := range items {
		if f(it) {
			out = append(out, it)
		}
	}
	return out
}

// has reports whether an item is still there and says the same.
func (l left) has(it memory.Item) bool {
	return slices.ContainsFunc(l.all(), func(now memory.Item) bool {
		return now.ID == it.ID && now.Content == it.Content && now.State == it.State
	})
}

func (l left) hasAll(items []memory.Item) bool {
	return !slices.ContainsFunc(items, func(it memory.Item) bool { return !l.has(it) })
}

// same reports whether two states of a memory say the same.
func same(a, b []memory.Item) bool {
	return slices.Equal(slices.Sorted(slices.Values(contents(a))), slices.Sorted(slices.Values(contents(b))))
}

func (f *NearFigures) count(c NearMiss, p told, recognise Recogniser) {
	kind, _, _, ok := recognise(c.Text)
	changed := !p.after.hasAll(p.before.all())
	destructive := changed || ok && destroys(kind)
	f.Destructive.add(destructive)
	f.Others.add(ok && !destroys(kind))
	shares(f.ByResembles).add(c.Resembles, destructive || ok)
	if changed {
		f.Changed++
	}
	if destructive || ok {
		f.Details.add("%s: recognised as %q, a memory changed: %v; before %q, after %q",
			c.ID, kind, changed, contents(p.before.all()), contents(p.after.all()))
	}
}

// Print writes the tables.
func (s Instructions) Print(w io.Writer) error {
	var rows [][]any
	for _, l := range slices.Sorted(maps.Keys(s.Say)) {
		f := s.Say[l]
		rows = append(rows, []any{"say " + l, "understood", "recognised", "done", "mistaken", "unlearned"})
		for _, kind := range Kinds() {
			if k := f.ByKind[kind]; k != nil {
				rows = append(rows, []any{"  " + kind, k.Understood, k.Recognised, k.Done, k.Mistaken, k.Unlearned})
			}
		}
		rows = append(rows, []any{"  all", f.Understood()}, []any{})
	}
	for _, l := range slices.Sorted(maps.Keys(s.Near)) {
		f := s.Near[l]
		rows = append(rows, []any{"near " + l, "alarms"})
		rows = append(rows, byName(f.ByResembles)...)
		rows = append(rows,
			[]any{"  destructive", f.Destructive, fmt.Sprintf("changed %d", f.Changed)}, []any{"  others", f.Others}, []any{})
	}
	return table(w, rows)
}

// Remarks are the details of all languages.
func (s Instructions) Remarks() (out Details) {
	for _, l := range slices.Sorted(maps.Keys(s.Say)) {
		out = append(out, s.Say[l].Details...)
	}
	for _, l := range slices.Sorted(maps.Keys(s.Near)) {
		out = append(out, s.Near[l].Details...)
	}
	return out
}
