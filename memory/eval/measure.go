package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// others is the number of messages from other conversations sent to each one.
const others = 20

// Layer is the layer that a set is evaluated on.
type Layer string

// The layers.
const (
	// LayerRecall makes items of the records and calls [recall.Reader.Retrieve].
	LayerRecall Layer = "recall"
	// LayerArchive makes messages of them and calls [recall.Reader.SearchArchive].
	LayerArchive Layer = "archive"
	// LayerEvidence makes messages of them and processes questions like a turn: whether
	// the message searches the archive, and which messages it quotes (A2).
	LayerEvidence Layer = "evidence"
)

// Layers returns all layers.
func Layers() []Layer { return []Layer{LayerRecall, LayerArchive, LayerEvidence} }

// Options configure a measurement.
type Options struct {
	Layer Layer
	// Ages and Uses set the ages of items, and whether they differ in use and
	// confidence (R3b). The other layers keep the set's own times.
	Ages Ages
	Uses bool
	// Top is rag_top_n, and the number of results listed.
	Top int
	// Unrelated are unrelated messages. They, and those of other conversations, are
	// sent to about Sample evenly chosen conversations, and only to those with content
	// in the message's language.
	Unrelated []string
	Sample    int
	// Temp is the folder for the memories; empty means the system's.
	Temp string
	// Configure changes the default configuration; it may be nil.
	Configure func(*write.Config)
}

// Answer lists the results for one message, best first.
type Answer struct {
	Query Query
	IDs   []string
	// Matched says that something matched, chosen or not.
	Matched bool
	// LookedUp is the reason for searching the archive; empty if it was not searched.
	// Only LayerEvidence sets it.
	LookedUp string
	// Loose says that the results were marked as only loosely related. Only
	// LayerEvidence sets it.
	Loose bool
}

// list adds an id; records unknown to the set, such as an opening, have none.
func (a *Answer) list(id string) {
	if id != "" {
		a.IDs = append(a.IDs, id)
	}
}

// Outcome holds all results for a set.
type Outcome struct {
	Top     int
	Answers []Answer
	// Unrelated and Others count the answers to unrelated messages and to those of
	// other conversations.
	Unrelated, Others Strays
}

// Strays counts answers to messages that should have none.
type Strays struct {
	Asked    int
	Answered int // with something chosen, or quoted
	Matched  int // with a match, chosen or not
}

// Rate returns the share of answered messages.
func (s Strays) Rate() float64 { return ratio(s.Answered, s.Asked) }

// Measure fills a memory with each conversation and sends it all questions.
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

// inLanguageOf picks the messages in a language of at least a fifth of the
// conversation's records. A text with a Chinese character is Chinese.
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

// answer sends one message at its time.
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
	res, err := m.Recall().Retrieve(ctx, m.agent, recall.Query{Text: q.Text})
	if err == nil {
		err = degraded(res.Degraded)
	}
	// Preferences added for a voiced preference are not matches.
	for _, s := range res.Chosen {
		if s.Parts.Relevance > 0 {
			a.list(m.records[s.Item.ID])
		}
	}
	a.Matched = len(res.Chosen)+len(res.NotChosen) > 0
	return a, err
}

func (m *memories) searched(ctx context.Context, q Query, top int) (a Answer, err error) {
	page, err := m.Recall().SearchArchive(ctx, m.agent, recall.ArchiveQuery{Text: q.Text, Limit: top})
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
	res, err := m.Recall().Retrieve(ctx, m.agent, recall.Query{Text: q.Text})
	if err != nil {
		return a, err
	}
	if a.LookedUp = retrieve.Trigger(q.Text, res.Chosen, m.Config().Triggers); a.LookedUp == "" {
		return a, nil
	}
	found, err := m.Recall().FindEvidence(ctx, m.agent, recall.EvidenceQuery{Text: q.Text, Trigger: a.LookedUp, Recalled: res.Chosen})
	if err == nil {
		err = degraded(found.Degraded)
	}
	a.LookedUp = found.Look.Trigger // none if the archive mentions nothing
	for _, quote := range found.Quotes[:min(len(found.Quotes), top)] {
		a.list(m.records[quote.Record.ID])
	}
	a.Matched = len(a.IDs) > 0
	a.Loose = found.Loose
	return a, err
}

// degraded returns an error for an answer without the index, which measures nothing.
func degraded(why string) error {
	if why == "" {
		return nil
	}
	return fmt.Errorf("the index did not answer: %s", why)
}
