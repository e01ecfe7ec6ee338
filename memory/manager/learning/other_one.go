package learning

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager/write"
	"memoria/memory/policy/subject"
	"memoria/memory/store"
)

var otherOne = patternOf("^", "otherOne", "$")

// ofOther reads a message that says only that the one before it was about another of the user's people: "no, the other
// sister", "sorry, I meant Kate". It undoes what that one taught and returns it as it is said of the other; ok is false if
// the message says anything else, or if it is not clear who is meant.
func ofOther(
	ctx context.Context, w *Writer, a *write.Agent, said memory.Record, before []memory.Record, people []subject.Person,
) (meant memory.Record, ok bool) {
	if len(before) == 0 || !otherOne.Match(bare(said)) {
		return meant, false
	}
	last, err := lastSaid(ctx, w, a, said)
	if err != nil || last.ID != before[0].ID { // an order, or not for memory
		return meant, false
	}
	meant, ok = saidOfOther(said, last, taughtIn(ctx, w, a, last.TurnID), people)
	if !ok {
		return meant, false
	}
	if _, err := w.UndoTurn(ctx, a.ID, last.TurnID); err != nil {
		w.Log.Warn("undoing what was said of somebody else failed", "agent", a.ID, "error", err)
		return meant, false
	}
	return meant, true
}

// ForgetOther returns the order to forget of the message before, as it is meant of another of the user's people: "no, the
// other one, Kate" after "forget where Gwen lives". ok is false if the message says anything else.
func ForgetOther(ctx context.Context, w *Writer, said memory.Record) (in instruct.Instruction, ok bool, err error) {
	a, err := w.Agent(said.AgentID)
	if err != nil || !otherOne.Match(bare(said)) {
		return in, false, err
	}
	last, err := lastSaid(ctx, w, a, said)
	if err != nil || last.ID == "" {
		return in, false, err
	}
	var people []subject.Person
	err = w.View(ctx, func(tx *store.Tx) (err error) {
		people, err = peopleIn(tx, a.ID, said)
		return err
	})
	if err != nil {
		return in, false, err
	}
	if order, is := w.instruction(ctx, a, last); !is || order.Kind != instruct.Forget && !order.OrForget {
		return in, false, nil
	}
	var names []string
	for _, p := range people {
		names = append(names, text.Fold(p.Name))
	}
	meant, ok := saidOfOther(said, last, names, people)
	if !ok {
		return in, false, nil
	}
	return w.Instruction(ctx, meant)
}

// lastSaid returns the user's message before another in its session; it is zero if there is none.
func lastSaid(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) (last memory.Record, err error) {
	err = w.View(ctx, func(tx *store.Tx) error {
		for r, err := range tx.Path(a.ID, said.ID) {
			if err != nil {
				return err
			}
			if r.Role == memory.RoleUser && r.TurnID != said.TurnID {
				last = r
				break
			}
		}
		return nil
	})
	return w.Recall().Fetch(last), err
}

// saysOther reports whether a message says only that "the other" is meant, which puts no value right.
func saysOther(said memory.Record) bool {
	folded := bare(said)
	return otherOne.Match(folded) && strings.Contains(folded, "the other ")
}

// bare returns the folded text of a message without what ends it; "" for a question or a message with other text.
func bare(said memory.Record) string {
	if len(said.Foreign()) > 0 || strings.ContainsAny(said.Typed(), "?？") {
		return ""
	}
	return strings.Trim(text.Fold(said.Typed()), " .!")
}

// saidOfOther returns a message with the words of the last one, about the person who is meant instead. contents are what the
// last one can be about.
func saidOfOther(said, last memory.Record, contents []string, people []subject.Person) (meant memory.Record, ok bool) {
	folded := bare(said)
	m := otherOne.Groups(folded)
	if m == nil {
		return meant, false
	}
	group := func(name string) string {
		for i, n := range otherOne.Regexp().SubexpNames() {
			if n, _, _ = strings.Cut(n, "_"); n == name && m[2*i] >= 0 {
				return folded[m[2*i]:m[2*i+1]]
			}
		}
		return ""
	}
	wrong, in, ok := wrongPerson(last.Typed(), contents, people)
	if !ok {
		return meant, false
	}
	var others []subject.Person
	for _, p := range people {
		if p.Relation == wrong.Relation && p.Name != wrong.Name && (group("n") == "" || text.Fold(p.Name) == group("n")) {
			others = append(others, p)
		}
	}
	if len(others) != 1 || group("w") != "" && group("w") != text.Fold(wrong.Relation) && group("w") != "one" {
		return meant, false
	}
	meant = said
	meant.Content, meant.Spans = in(others[0].Name), nil
	return meant, true
}

// taughtIn returns the contents of the items that a turn changed by what was said, none if they cannot be read.
func taughtIn(ctx context.Context, w *Writer, a *write.Agent, turn string) (contents []string) {
	err := w.View(ctx, func(tx *store.Tx) error {
		changes, err := tx.TurnChanges(a.ID, turn)
		for _, c := range changes {
			if it, got := tx.Item(a.ID, c.ItemID); got == nil && c.Origin == memory.OriginTurn {
				contents = append(contents, text.Fold(it.Content))
			}
		}
		return err
	})
	if err != nil {
		return nil
	}
	return contents
}

// wrongPerson returns the one of the user's people whom a message names, or about whom it taught something, and a function
// that puts another name in their place.
func wrongPerson(said string, contents []string, people []subject.Person) (subject.Person, func(name string) string, bool) {
	taught := func(of string) bool {
		return slices.ContainsFunc(contents, func(s string) bool { return strings.Contains(s, text.Fold(of)) })
	}
	var found []subject.Person
	var at *regexp.Regexp
	for _, p := range people {
		name := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(p.Name) + `(?:\b|s\b)`)
		if name.MatchString(said) && taught(p.Name) {
			found, at = append(found, p), regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(p.Name))
		}
	}
	if len(found) == 1 {
		return found[0], func(name string) string { return at.ReplaceAllLiteralString(said, name) }, true
	}
	if len(found) > 1 {
		return subject.Person{}, nil, false
	}
	for _, p := range people {
		relation := regexp.MustCompile(`(?i)\b(?:my |our )?` + regexp.QuoteMeta(p.Relation) + `\b`)
		if taught(p.Name) && relation.MatchString(said) {
			return p, func(name string) string { return relation.ReplaceAllLiteralString(said, "my "+p.Relation+" "+name) }, true
		}
	}
	return subject.Person{}, nil, false
}

// ofOne returns the proposals of a message as it is said of another, with the message that says so as their source.
func ofOne(w *Writer, said, meant memory.Record, people []subject.Person) []Proposal {
	found := proposed(w.Core, meant, nil, people)
	for i := range found {
		found[i].From, found[i].Offset, found[i].Length = said, 0, len(said.Content)
	}
	return found
}
