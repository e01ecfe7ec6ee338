package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"memoria/memory"
)

// Teaching is a case whose messages teach something.
type Teaching struct {
	ID       string     `json:"id"`
	Messages []string   `json:"messages"`
	Teaches  []Expected `json:"teaches"`
}

func (c Teaching) valid() error {
	if len(c.Messages) == 0 || len(c.Teaches) == 0 {
		return errors.New("no messages, or nothing taught")
	}
	errs := []error{spoken(c.Messages...)}
	for _, e := range c.Teaches {
		errs = append(errs, e.valid())
	}
	return errors.Join(errs...)
}

// Silent is a case after which only allowed items are active.
type Silent struct {
	ID       string     `json:"id"`
	Category string     `json:"category"`
	Messages []string   `json:"messages"`
	Allowed  []Expected `json:"allowed"`
}

func (c Silent) valid() error {
	if len(c.Messages) == 0 || c.Category == "" {
		return errors.New("no messages, or no category")
	}
	errs := []error{spoken(c.Messages...)}
	for _, e := range c.Allowed {
		errs = append(errs, e.valid())
	}
	return errors.Join(errs...)
}

// StatementSet are the cases by language.
type StatementSet struct {
	Teach  map[string][]Teaching
	Silent map[string][]Silent
}

// LoadStatements reads the set in a folder.
func LoadStatements(dir string) (set StatementSet, err error) {
	seen := ids{}
	set.Teach, err = inLanguages(dir, "teach", func(c Teaching) error { return errors.Join(seen.take(c.ID), c.valid()) })
	if err != nil {
		return set, err
	}
	set.Silent, err = inLanguages(dir, "silent", func(c Silent) error { return errors.Join(seen.take(c.ID), c.valid()) })
	return set, err
}

// TeachFigures say what became of the items that a language's cases teach.
type TeachFigures struct {
	Cases int
	// Found are the expected items that are there in the right state: active, or held
	// where that is expected.
	Found Share
	// HeldInstead are there, and wait where they should be active; ActiveInstead are
	// active where they should wait.
	HeldInstead, ActiveInstead int
	// OtherType are found with a type that is not among those expected.
	OtherType int
	// Extra are the active items, and ExtraHeld the held ones, that say nothing expected.
	Extra, ExtraHeld Share
	ByAbout          map[string]*Share
	ByMessages       map[string]*Share // one message, or several
	Details          Details
}

// SilentFigures say how many of a language's cases left something active.
type SilentFigures struct {
	Active     Share
	Held       Share // cases that left something to approve
	ByCategory map[string]*Share
	Details    Details
}

// Statements are the figures of a set by language.
type Statements struct {
	Teach  map[string]TeachFigures
	Silent map[string]SilentFigures
}

// MeasureStatements plays every case, each as one session with a memory of its own below
// temp, by rules alone.
func MeasureStatements(ctx context.Context, set StatementSet, temp string) (Statements, error) {
	out := Statements{Teach: map[string]TeachFigures{}, Silent: map[string]SilentFigures{}}
	for language, cases := range set.Teach {
		left, err := each(ctx, len(cases), func(ctx context.Context, i int) (left, error) {
			return converse(ctx, temp, cases[i].ID, cases[i].Messages)
		})
		if err != nil {
			return out, err
		}
		f := TeachFigures{Cases: len(cases), ByAbout: shares{}, ByMessages: shares{}}
		for i, c := range cases {
			f.count(c, left[i])
		}
		out.Teach[language] = f
	}
	for language, cases := range set.Silent {
		left, err := each(ctx, len(cases), func(ctx context.Context, i int) (left, error) {
			return converse(ctx, temp, cases[i].ID, cases[i].Messages)
		})
		if err != nil {
			return out, err
		}
		f := SilentFigures{ByCategory: shares{}}
		for i, c := range cases {
			f.count(c, left[i])
		}
		out.Silent[language] = f
	}
	return out, nil
}

// converse has a user say some messages, and returns what they leave.
func converse(ctx context.Context, temp, id string, messages []string) (out left, err error) {
	t, err := begin(ctx, temp, nil)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, t.end()) }()
	for _, m := range messages {
		if _, err := t.say(ctx, m); err != nil {
			return out, fmt.Errorf("%s: %w", id, err)
		}
	}
	return t.left(ctx)
}

func (f *TeachFigures) count(c Teaching, l left) {
	for _, e := range c.Teaches {
		right, wrong, instead := l.active, l.held, &f.HeldInstead
		if e.Held {
			right, wrong, instead = l.held, l.active, &f.ActiveInstead
		}
		it, found := matching(right, e)
		f.Found.add(found)
		shares(f.ByAbout).add(e.About, found)
		shares(f.ByMessages).add(howMany(c.Messages), found)
		switch _, other := matching(wrong, e); {
		case found && !slices.Contains(e.Types, it.Type):
			f.OtherType++
			f.Details.add("%s: %q is a %s, not one of %v", c.ID, it.Content, it.Type, e.Types)
		case found:
		case other:
			*instead++
			f.Details.add("%s: %v is in the wrong state; active %q, held %q", c.ID, e.Words, contents(l.active), contents(l.held))
		default:
			f.Details.add("%s: %v is missing; active %q, held %q", c.ID, e.Words, contents(l.active), contents(l.held))
		}
	}
	for _, it := range l.active {
		f.Extra.add(!expected(c.Teaches, it))
		if !expected(c.Teaches, it) {
			f.Details.add("%s: %q is extra", c.ID, it.Content)
		}
	}
	for _, it := range l.held {
		f.ExtraHeld.add(!expected(c.Teaches, it))
	}
}

func howMany(messages []string) string {
	if len(messages) > 1 {
		return "several messages"
	}
	return "one message"
}

func (f *SilentFigures) count(c Silent, l left) {
	leaks := keep(l.active, func(it memory.Item) bool { return !expected(c.Allowed, it) })
	f.Active.add(len(leaks) > 0)
	f.Held.add(len(l.held) > 0)
	shares(f.ByCategory).add(c.Category, len(leaks) > 0)
	if len(leaks) > 0 {
		f.Details.add("%s (%s): %q is active", c.ID, c.Category, contents(leaks))
	}
}

// matching returns the item with the expected content, one of an expected type before
// others.
func matching(items []memory.Item, e Expected) (it memory.Item, ok bool) {
	for _, one := range items {
		if e.Matches(one) && (!ok || !slices.Contains(e.Types, it.Type) && slices.Contains(e.Types, one.Type)) {
			it, ok = one, true
		}
	}
	return it, ok
}

// expected reports whether an item says anything that is expected.
func expected(all []Expected, it memory.Item) bool {
	return slices.ContainsFunc(all, func(e Expected) bool { return e.Matches(it) })
}

// Print writes the tables.
func (s Statements) Print(w io.Writer) error {
	rows := [][]any{{"teach", "cases", "found", "held instead", "active instead", "other type", "extra active", "extra held"}}
	for _, l := range slices.Sorted(maps.Keys(s.Teach)) {
		f := s.Teach[l]
		rows = append(rows, []any{l, f.Cases, f.Found, f.HeldInstead, f.ActiveInstead, f.OtherType, f.Extra, f.ExtraHeld})
	}
	rows = append(rows, []any{}, []any{"silent", "cases", "active", "held"})
	for _, l := range slices.Sorted(maps.Keys(s.Silent)) {
		f := s.Silent[l]
		rows = append(rows, []any{l, f.Active.Of, f.Active, f.Held})
	}
	for _, l := range slices.Sorted(maps.Keys(s.Teach)) {
		rows = append(rows, []any{}, []any{"teach " + l, "found"})
		rows = append(rows, byName(s.Teach[l].ByMessages)...)
		rows = append(rows, byName(s.Teach[l].ByAbout)...)
	}
	for _, l := range slices.Sorted(maps.Keys(s.Silent)) {
		rows = append(rows, []any{}, []any{"silent " + l, "active"})
		rows = append(rows, byName(s.Silent[l].ByCategory)...)
	}
	return table(w, rows)
}

func byName(s shares) (rows [][]any) {
	for _, name := range s.names() {
		rows = append(rows, []any{"  " + name, *s[name]})
	}
	return rows
}

// Remarks are the details of all languages.
func (s Statements) Remarks() (out Details) {
	for _, l := range slices.Sorted(maps.Keys(s.Teach)) {
		out = append(out, s.Teach[l].Details...)
	}
	for _, l := range slices.Sorted(maps.Keys(s.Silent)) {
		out = append(out, s.Silent[l].Details...)
	}
	return out
}
