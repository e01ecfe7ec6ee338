package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
)

// days is how long a life lasts.
const days = 60

// Message is what a person writes in a life, and what the assistant answers.
type Message struct {
	Day     int        `json:"day"`
	At      string     `json:"at"`  // 07:40
	New     bool       `json:"new"` // it begins a session
	Text    string     `json:"text"`
	Reply   string     `json:"reply"`
	Says    []string   `json:"says"` // facts that it states
	Ends    []string   `json:"ends"` // facts that end with it
	Analyst []Proposal `json:"analyst"`
}

// Fact is something that is true of the person for some days.
type Fact struct {
	Name  string        `json:"fact"`
	About string        `json:"about"`
	Types []memory.Type `json:"type"`
	Words Words         `json:"words"`
	Not   Words         `json:"not"`
	From  int           `json:"from"`
	To    int           `json:"to"`    // 0: it still is
	Minor bool          `json:"minor"` // it may be remembered, and need not be
}

// current reports whether the fact holds at the end of the life.
func (f Fact) current() bool { return f.To == 0 || f.To > days }

func (f Fact) expected() Expected {
	return Expected{Types: f.Types, About: f.About, Words: f.Words, Not: f.Not}
}

// Question asks for one fact at the end of the last day.
type Question struct {
	Text string `json:"question"`
	Fact string `json:"fact"`
}

// Life is one person's use of the program.
type Life struct {
	Name      string
	Start     time.Time // midnight before the first day
	Messages  []Message
	Facts     []Fact
	Questions []Question
}

// LoadLives reads the life in a folder, or every life in the folders below it.
func LoadLives(dir string) ([]Life, error) {
	if _, err := os.Stat(filepath.Join(dir, "messages.jsonl")); err == nil {
		l, err := loadLife(dir)
		return []Life{l}, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Life
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		l, err := loadLife(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no life", dir)
	}
	return out, nil
}

func loadLife(dir string) (l Life, err error) {
	l = Life{Name: filepath.Base(dir), Start: firstDay}
	// The writers give days, and some of their sentences a date or a day of the week.
	first, err := os.ReadFile(filepath.Join(dir, "start.txt"))
	if err == nil {
		l.Start, err = time.Parse(time.DateOnly, strings.TrimSpace(string(first)))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l, err
	}
	facts := ids{}
	l.Facts, err = lines(filepath.Join(dir, "facts.jsonl"), func(f Fact) error { return errors.Join(facts.take(f.Name), f.valid()) })
	if err != nil {
		return l, err
	}
	var last time.Time
	l.Messages, err = lines(filepath.Join(dir, "messages.jsonl"), func(m Message) error {
		at, err := l.at(m)
		if err == nil && !at.After(last) {
			err = fmt.Errorf("day %d, %s is not after the message before", m.Day, m.At)
		}
		last = at
		return errors.Join(err, m.valid(facts))
	})
	if err != nil {
		return l, err
	}
	l.Questions, err = lines(filepath.Join(dir, "questions.jsonl"), l.answerable)
	return l, err
}

// answerable refuses a question that has no current fact.
func (l Life) answerable(q Question) error {
	if !slices.ContainsFunc(l.Facts, func(f Fact) bool { return f.Name == q.Fact && f.current() }) {
		return fmt.Errorf("%q asks for %s, which is no current fact", q.Text, q.Fact)
	}
	return spoken(q.Text)
}

func (f Fact) valid() error {
	if f.From < 1 || f.From > days || f.To != 0 && f.To < f.From {
		return fmt.Errorf("fact %s holds from %d to %d", f.Name, f.From, f.To)
	}
	return f.expected().valid()
}

func (m Message) valid(facts ids) error {
	errs := []error{spoken(m.Text, m.Reply)}
	names := slices.Concat(m.Says, m.Ends)
	for _, p := range m.Analyst {
		names = append(names, p.Fact)
		if p.Op == opReplace {
			names = append(names, p.Target)
		}
		switch {
		case p.Op != opAdd && p.Op != opReplace && p.Op != opEnd:
			errs = append(errs, fmt.Errorf("op %q is none", p.Op))
		case p.Op != opEnd && (!p.Type.Valid() || p.Content == ""):
			errs = append(errs, fmt.Errorf("the proposal of %s has no type or no content", p.Fact))
		case !strings.Contains(m.Text, p.Quote) || p.Quote == "":
			errs = append(errs, fmt.Errorf("the quotation for %s is not in the message", p.Fact))
		}
	}
	for _, name := range names {
		if !facts[name] {
			errs = append(errs, fmt.Errorf("fact %q is unknown", name))
		}
	}
	return errors.Join(errs...)
}

// at is when a message is sent.
func (l Life) at(m Message) (time.Time, error) {
	clock, err := time.Parse("15:04", m.At)
	if err == nil && (m.Day < 1 || m.Day > days) {
		err = fmt.Errorf("day %d is not from 1 to %d", m.Day, days)
	}
	return l.Start.AddDate(0, 0, m.Day-1).Add(clock.Sub(clock.Truncate(24 * time.Hour))), err
}

// lived is what a life came to.
type lived struct {
	left
	turns   map[string]Message   // by the turns' ids
	reading lookup.AnalysisStats // what became of a model's proposals
	asked   [][]memory.Item      // what each question recalls, best first
}

// live plays a life. The program is started again on every day.
func (l Life) live(ctx context.Context, temp string, by *analyst) (out lived, err error) {
	t, err := begin(ctx, temp, by)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, t.end()) }()
	out.turns = map[string]Message{}
	day := 0
	for i, m := range l.Messages {
		turn, err := t.write(ctx, l, m, m.Day != day)
		if err != nil {
			return out, fmt.Errorf("%s, message %d: %w", l.Name, i+1, err)
		}
		day, out.turns[turn] = m.Day, m
	}
	t.clock.set(l.Start.AddDate(0, 0, days).Add(-time.Minute))
	if out.left, err = t.left(ctx); err != nil {
		return out, err
	}
	status, err := t.manager.Lookup().Status(ctx, agent)
	if err != nil {
		return out, err
	}
	out.reading = status.Asked
	for _, q := range l.Questions {
		found, err := t.recall(ctx, q.Text)
		if err != nil {
			return out, err
		}
		out.asked = append(out.asked, found)
	}
	return out, nil
}

// write sends a message of a life at its time, and returns its turn. It starts the
// program again before the first of a day.
func (t *talk) write(ctx context.Context, l Life, m Message, first bool) (turn string, err error) {
	at, err := l.at(m)
	if err != nil {
		return "", err
	}
	t.clock.set(at.Add(-pause))
	if first {
		if err := t.restart(ctx); err != nil {
			return "", err
		}
	}
	if t.analyst != nil {
		t.analyst.message = m
	}
	if m.New {
		if err := t.chat.NewSession(ctx); err != nil {
			return "", err
		}
	}
	r, err := t.say(ctx, m.Text)
	return r.TurnID, err
}

// recall returns what a question recalls, best first.
func (t *talk) recall(ctx context.Context, question string) (items []memory.Item, err error) {
	found, err := t.manager.Recall().Retrieve(ctx, agent, recall.Query{Text: question})
	if err == nil && found.Degraded != "" {
		err = fmt.Errorf("the index did not answer: %s", found.Degraded)
	}
	for _, s := range found.Chosen {
		items = append(items, s.Item)
	}
	return items, err
}
