package measure

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
)

// LifeFigures say what a life came to.
type LifeFigures struct {
	Name    string
	Analyst bool // a scripted model read each turn
	// Active are the active items. Each is fine, or one of the three that follow.
	Active int
	// Stale items say only what has ended; Contradicted are those of them whose
	// successor is active too.
	Stale, Contradicted int
	// Garbled items say nothing that was ever true; Unfounded are those of them from
	// messages that state nothing.
	Garbled, Unfounded int
	// Doubled items say again what other items say.
	Doubled int
	// OtherType are fine and have a type that is not among those expected.
	OtherType int
	// Kept are the current facts, minor ones excepted, that an active item says;
	// Waiting are those that only a held item says.
	Kept    Share
	Waiting int
	// First and Top are the questions whose fact is the first item recalled, or among
	// all that are.
	First, Top Share
	// Asked says what became of the scripted model's proposals, and Refused why some were
	// not taken: reasons with the number of their turns.
	Asked   lookup.AnalysisStats
	Refused map[string]int
	Details Details
}

// Bad is the share of active items that are stale, garbled or doubled.
func (f LifeFigures) Bad() Share { return Share{f.Stale + f.Garbled + f.Doubled, f.Active} }

// Lives are the figures of lives.
type Lives []LifeFigures

// MeasureLives plays each life below temp, by rules alone, or with a scripted model that
// is right.
func MeasureLives(ctx context.Context, lives []Life, withAnalyst bool, temp string) (Lives, error) {
	return each(ctx, len(lives), func(ctx context.Context, i int) (LifeFigures, error) {
		var by *analyst
		if withAnalyst {
			by = newAnalyst(lives[i])
		}
		out, err := lives[i].live(ctx, temp, by)
		if err != nil {
			return LifeFigures{}, err
		}
		f := LifeFigures{Name: lives[i].Name, Analyst: withAnalyst}
		f.count(lives[i], out)
		if by != nil {
			f.Asked, f.Refused = out.reading, by.refused
		}
		return f, nil
	})
}

// facts are those that an item says. The facts of the messages that it comes from count
// before others, which may only share words with it.
func (l Life) facts(it memory.Item, turns map[string]Message) []Fact {
	var stated, all []Fact
	for _, f := range l.Facts {
		if !f.expected().Matches(it) {
			continue
		}
		all = append(all, f)
		if slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return slices.Contains(turns[ev.TurnID].Says, f.Name) }) {
			stated = append(stated, f)
		}
	}
	if len(stated) > 0 {
		return stated
	}
	return all
}

// successors are for each fact those that took its place, directly or not: a message
// that ends a fact and states another about the same.
func (l Life) successors() map[string][]string {
	about := map[string]string{}
	for _, f := range l.Facts {
		about[f.Name] = f.About
	}
	next := map[string][]string{}
	for _, m := range l.Messages {
		for _, old := range m.Ends {
			for _, to := range m.Says {
				if about[old] == about[to] && old != to {
					next[old] = append(next[old], to)
				}
			}
		}
	}
	for old := range next {
		for i := 0; i < len(next[old]); i++ { // it grows
			for _, to := range next[next[old][i]] {
				if to != old && !slices.Contains(next[old], to) {
					next[old] = append(next[old], to)
				}
			}
		}
	}
	return next
}

func (f *LifeFigures) count(l Life, out lived) {
	f.Active = len(out.active)
	said := make([][]string, len(out.active)) // the current facts that each item says
	kept := map[string]bool{}
	var ended []Fact
	for i, it := range out.active {
		facts := l.facts(it, out.turns)
		said[i] = namesOf(facts, Fact.current)
		for _, name := range said[i] {
			kept[name] = true
		}
		if len(said[i]) == 0 && len(facts) > 0 {
			ended = append(ended, facts[0])
		}
		f.sort(l, it, facts, said[i], out.turns)
	}
	next := l.successors()
	for _, fact := range ended {
		if slices.ContainsFunc(next[fact.Name], func(to string) bool { return kept[to] }) {
			f.Contradicted++
		}
	}
	for _, i := range doubled(said) {
		f.Doubled++
		f.Details.add("%s: doubled: %q", l.Name, out.active[i].Content)
	}
	f.keep(l, out, kept)
	f.ask(l, out)
}

// namesOf are the names of the facts for which is holds.
func namesOf(facts []Fact, is func(Fact) bool) (out []string) {
	for _, f := range facts {
		if is(f) {
			out = append(out, f.Name)
		}
	}
	return out
}

// sort counts an active item as fine, stale or garbled. facts are those that it says, and
// current the names of those that hold.
func (f *LifeFigures) sort(l Life, it memory.Item, facts []Fact, current []string, turns map[string]Message) {
	switch {
	case len(current) > 0:
		if !slices.ContainsFunc(facts, func(fact Fact) bool { return slices.Contains(fact.Types, it.Type) }) {
			f.OtherType++
		}
	case len(facts) > 0:
		f.Stale++
		f.Details.add("%s: stale: %q", l.Name, it.Content)
	default:
		f.Garbled++
		unfounded := !slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return len(turns[ev.TurnID].Says) > 0 })
		if unfounded {
			f.Unfounded++
		}
		f.Details.add("%s: garbled: %q, unfounded: %v", l.Name, it.Content, unfounded)
	}
}

// keep counts the facts that are remembered.
func (f *LifeFigures) keep(l Life, out lived, kept map[string]bool) {
	held := map[string]bool{}
	for _, it := range out.held {
		for _, fact := range l.facts(it, out.turns) {
			held[fact.Name] = true
		}
	}
	for _, fact := range l.Facts {
		if !fact.current() || fact.Minor {
			continue
		}
		f.Kept.add(kept[fact.Name])
		if !kept[fact.Name] && held[fact.Name] {
			f.Waiting++
		}
		if !kept[fact.Name] {
			f.Details.add("%s: missing: %s, held: %v", l.Name, fact.Name, held[fact.Name])
		}
	}
}

// ask counts the questions that recall finds the answer to.
func (f *LifeFigures) ask(l Life, out lived) {
	for i, q := range l.Questions {
		at := slices.IndexFunc(out.asked[i], func(it memory.Item) bool {
			return slices.ContainsFunc(l.facts(it, out.turns), func(fact Fact) bool { return fact.Name == q.Fact })
		})
		f.First.add(at == 0)
		f.Top.add(at >= 0)
		if at != 0 {
			f.Details.add("%s: %q: %s is at %d of %q", l.Name, q.Text, q.Fact, at+1, contents(out.asked[i]))
		}
	}
}

// doubled returns the items that remain when as many as possible are each given a fact
// of their own. said are the facts of each item; those without any are left out.
func doubled(said [][]string) (over []int) {
	holder := map[string]int{}
	var give func(i int, tried map[string]bool) bool
	give = func(i int, tried map[string]bool) bool {
		for _, fact := range said[i] {
			if tried[fact] {
				continue
			}
			tried[fact] = true
			if other, taken := holder[fact]; !taken || give(other, tried) {
				holder[fact] = i
				return true
			}
		}
		return false
	}
	for i := range said {
		if len(said[i]) > 0 && !give(i, map[string]bool{}) {
			over = append(over, i)
		}
	}
	return over
}

// Print writes the table, and the three rates of the regression script (Q4).
func (all Lives) Print(w io.Writer) error {
	heading := []any{"life"}
	for _, f := range all {
		name := f.Name + ", rules"
		if f.Analyst {
			name = f.Name + ", analyst"
		}
		heading = append(heading, name)
	}
	rows := [][]any{heading}
	row := func(name string, of func(LifeFigures) any) {
		cells := []any{name}
		for _, f := range all {
			cells = append(cells, of(f))
		}
		rows = append(rows, cells)
	}
	row("active", func(f LifeFigures) any { return f.Active })
	row("bad", func(f LifeFigures) any { return f.Bad() })
	row("  stale", func(f LifeFigures) any { return fmt.Sprintf("%d (%d contradicted)", f.Stale, f.Contradicted) })
	row("  garbled", func(f LifeFigures) any { return fmt.Sprintf("%d (%d unfounded)", f.Garbled, f.Unfounded) })
	row("  doubled", func(f LifeFigures) any { return f.Doubled })
	row("other type", func(f LifeFigures) any { return f.OtherType })
	row("facts kept", func(f LifeFigures) any { return f.Kept })
	row("facts waiting", func(f LifeFigures) any { return f.Waiting })
	row("proposals taken", func(f LifeFigures) any { return f.Asked.Learned })
	row("proposals refused", func(f LifeFigures) any { return f.Asked.Refused })
	for _, why := range all.refusals() {
		row("  "+why, func(f LifeFigures) any { return f.Refused[why] })
	}
	row("found first", func(f LifeFigures) any { return f.First })
	row("found", func(f LifeFigures) any { return f.Top })
	if err := table(w, rows); err != nil {
		return err
	}
	for i, f := range all {
		if _, err := fmt.Fprintf(w, "%v: hit %v, misuse %v, look-up %v\n", heading[i+1], f.Kept, f.Bad(), f.Top); err != nil {
			return err
		}
	}
	return nil
}

// Remarks are the details of all lives.
func (all Lives) Remarks() (out Details) {
	for _, f := range all {
		out = append(out, f.Details...)
	}
	return out
}

// refusals are the reasons for which proposals of any life were refused.
func (all Lives) refusals() []string {
	reasons := map[string]int{}
	for _, f := range all {
		maps.Copy(reasons, f.Refused)
	}
	return slices.Sorted(maps.Keys(reasons))
}
