package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
)

// others is how many messages of other conversations each one is asked.
const others = 20

// Layer is where a set is looked for.
type Layer string

// The layers.
const (
	// LayerRecall makes items of the records and asks [manager.Manager.Retrieve].
	LayerRecall Layer = "recall"
	// LayerArchive makes messages of them and asks [manager.Manager.SearchArchive].
	LayerArchive Layer = "archive"
	// LayerEvidence makes messages of them and asks as a turn does: whether the
	// message looks into the archive, and which messages are then quoted (A2).
	LayerEvidence Layer = "evidence"
)

// Layers are all of them.
func Layers() []Layer { return []Layer{LayerRecall, LayerArchive, LayerEvidence} }

// Options say how a set is measured.
type Options struct {
	Layer Layer
	// Ages and Uses say how old items are, and whether they have been used and are
	// of different confidence (R3b). The other layers keep the set's own times.
	Ages Ages
	Uses bool
	// Top is rag_top_n, and how many are listed of each answer.
	Top int
	// Unrelated are messages without relation: they, and those of other
	// conversations, are asked of about Sample conversations, evenly chosen, and
	// only of those that have something in the message's language.
	Unrelated []string
	Sample    int
	// Temp is the folder in which the memories are made; empty: the system's.
	Temp string
	// Configure changes the default configuration; nil leaves it.
	Configure func(*manager.Config)
}

// Answer lists what one message brought, best first.
type Answer struct {
	Query Query
	IDs   []string
	// Matched says that something matched at all, chosen or not.
	Matched bool
	// LookedUp is the reason for which a turn looked into the archive; empty when it
	// did not. Only LayerEvidence has it.
	LookedUp string
	// Loose says that what is listed was told to be only loosely related. Only
	// LayerEvidence has it.
	Loose bool
}

// list adds an id; what the set does not know, such as an opening, has none.
func (a *Answer) list(id string) {
	if id != "" {
		a.IDs = append(a.IDs, id)
	}
}

// Outcome is everything that a set brought.
type Outcome struct {
	Top     int
	Answers []Answer
	// Unrelated and Others are the answers to unrelated messages and to those of
	// other conversations.
	Unrelated, Others Strays
}

// Strays count answers to messages that should have none.
type Strays struct {
	Asked    int
	Answered int // something was chosen, or quoted
	Matched  int // something matched, chosen or not
}

// Rate is the share of the messages that were answered.
func (s Strays) Rate() float64 { return ratio(s.Answered, s.Asked) }

// Measure fills a memory with each conversation and asks it everything.
func Measure(ctx context.Context, set []Conversation, o Options) (Outcome, error) {
	out := Outcome{Top: o.Top}
	var all []Query
	for _, c := range set {
		all = append(all, c.Queries...)
	}
	step := max(1, len(set)/max(1, o.Sample))
	for i, c := range set {
		m, err := remember(ctx, c, o)
		if err != nil {
			return out, fmt.Errorf("measuring %s: %w", c.Name, err)
		}
		err = out.ask(ctx, m, c, o)
		if err == nil && o.Sample > 0 && i%step == 0 {
			err = errors.Join(
				m.stray(ctx, o, &out.Unrelated, inLanguageOf(c, o.Unrelated)),
				m.stray(ctx, o, &out.Others, elsewhere(all, c.Name, i)))
		}
		if err = cmp.Or(err, m.forget()); err != nil {
			return out, fmt.Errorf("measuring %s: %w", c.Name, err)
		}
	}
	return out, nil
}

// elsewhere picks messages of other conversations, spread over the set.
func elsewhere(all []Query, conv string, from int) []string {
	var out []string
	for k := range min(others, len(all)) {
		if q := all[(from*37+k*53)%len(all)]; q.Conv != conv {
			out = append(out, q.Text)
		}
	}
	return out
}

// inLanguageOf picks the messages in a language that at least a fifth of the
// conversation's records are in. Chinese is what has a Chinese character.
func inLanguageOf(c Conversation, messages []string) []string {
	chinese := func(s string) bool { return strings.ContainsFunc(s, text.Han) }
	n := 0
	for _, r := range c.Records {
		if chinese(r.Text) {
			n++
		}
	}
	return slices.DeleteFunc(slices.Clone(messages), func(s string) bool {
		if chinese(s) {
			return 5*n < len(c.Records)
		}
		return 5*(len(c.Records)-n) < len(c.Records)
	})
}

func (o *Outcome) ask(ctx context.Context, m *memories, c Conversation, with Options) error {
	for _, q := range c.Queries {
		a, err := m.answer(ctx, q, with)
		if err != nil {
			return err
		}
		o.Answers = append(o.Answers, a)
	}
	return nil
}

func (m *memories) stray(ctx context.Context, o Options, to *Strays, messages []string) error {
	for _, message := range messages {
		a, err := m.answer(ctx, Query{Text: message}, o)
		if err != nil {
			return err
		}
		to.Asked++
		if len(a.IDs) > 0 {
			to.Answered++
		}
		if a.Matched {
			to.Matched++
		}
	}
	return nil
}

// answer asks one message at its time.
func (m *memories) answer(ctx context.Context, q Query, o Options) (a Answer, err error) {
	m.clock.set(m.asked)
	if q.Now.After(m.asked) {
		m.clock.set(q.Now)
	}
	switch o.Layer {
	case LayerArchive:
		a, err = m.searched(ctx, q, o.Top)
	case LayerEvidence:
		a, err = m.quoted(ctx, q, o.Top)
	default:
		a, err = m.recalled(ctx, q)
	}
	a.Query = q
	return a, err
}

func (m *memories) recalled(ctx context.Context, q Query) (a Answer, err error) {
	res, err := m.Retrieve(ctx, m.agent, manager.Query{Text: q.Text})
	if err == nil {
		err = degraded(res.Degraded)
	}
	// Preferences that a voiced preference brings in are no match.
	for _, s := range res.Chosen {
		if s.Parts.Relevance > 0 {
			a.list(m.records[s.Item.ID])
		}
	}
	a.Matched = len(res.Chosen)+len(res.NotChosen) > 0
	return a, err
}

func (m *memories) searched(ctx context.Context, q Query, top int) (a Answer, err error) {
	page, err := m.SearchArchive(ctx, m.agent, manager.ArchiveQuery{Text: q.Text, Limit: top})
	if err == nil {
		err = degraded(page.Degraded)
	}
	for _, h := range page.Hits {
		a.list(m.records[h.Record.ID])
	}
	a.Matched = page.Total > 0
	return a, err
}

func (m *memories) quoted(ctx context.Context, q Query, top int) (a Answer, err error) {
	res, err := m.Retrieve(ctx, m.agent, manager.Query{Text: q.Text})
	if err != nil {
		return a, err
	}
	if a.LookedUp = retrieve.Trigger(q.Text, res.Chosen, m.Triggers()); a.LookedUp == "" {
		return a, nil
	}
	found, err := m.FindEvidence(ctx, m.agent, manager.EvidenceQuery{Text: q.Text, Trigger: a.LookedUp, Recalled: res.Chosen})
	if err == nil {
		err = degraded(found.Degraded)
	}
	a.LookedUp = found.Look.Trigger // none where the archive mentions nothing
	for _, quote := range found.Quotes[:min(len(found.Quotes), top)] {
		a.list(m.records[quote.Record.ID])
	}
	a.Matched = len(a.IDs) > 0
	a.Loose = found.Loose
	return a, err
}

// degraded makes an error of an answer that is not the index's: it measures nothing.
func degraded(why string) error {
	if why == "" {
		return nil
	}
	return fmt.Errorf("the index did not answer: %s", why)
}
