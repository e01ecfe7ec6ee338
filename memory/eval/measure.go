package eval

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
)

const (
	agent = "eval"
	// listed is how many items are asked for. R5's number is applied afterwards,
	// so that one retrieval serves every k.
	listed = 100
	// maxText is the longest content of an item, in bytes: what the manager takes.
	maxText = 19_000
	// others is how many messages of other conversations each one is asked.
	others = 20
)

// moment is when everything happens.
var moment = time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)

// Answer is what one message recalled, best first.
type Answer struct {
	Query Query
	// Chosen passed every limit but min_relevance; All is without limits.
	Chosen, All []Recalled
}

// Recalled is one item of an answer.
type Recalled struct {
	ID      string  // the record's
	Keyword float64 // its keyword score
}

// Outcome is all that was recalled in a set.
type Outcome struct {
	Answers []Answer
	// Unrelated and Others are the answers to unrelated messages and to those of
	// other conversations: the best keyword score of each that recalled anything,
	// and how many were asked.
	Unrelated, Others Strays
}

// Strays are answers to messages that should have none.
type Strays struct {
	Asked int
	Best  []float64 // a value for each message that was answered
	Free  int       // messages that would have been answered without limits
}

// Rate is the share of messages that recall anything at a min_relevance.
func (s Strays) Rate(minRelevance float64) float64 {
	n := 0
	for _, b := range s.Best {
		if b > minRelevance {
			n++
		}
	}
	return ratio(n, s.Asked)
}

// Measure fills a memory with each conversation and asks it everything. The
// folders it needs lie below temp. unrelated are the messages without relation:
// they, and those of other conversations, are asked of about sample conversations,
// evenly chosen, and only of those that have something in the message's language.
func Measure(ctx context.Context, set []Conversation, unrelated []string, sample int, temp string) (Outcome, error) {
	var out Outcome
	var all []Query
	for _, c := range set {
		all = append(all, c.Queries...)
	}
	step := max(1, len(set)/max(1, sample))
	for i, c := range set {
		m, err := remember(ctx, c, temp)
		if err != nil {
			return out, fmt.Errorf("measuring %s: %w", c.Name, err)
		}
		err = out.ask(ctx, m, c)
		if err == nil && i%step == 0 {
			err = out.stray(ctx, m, inLanguageOf(c, unrelated), elsewhere(all, c.Name, i))
		}
		if end := m.forget(); err == nil {
			err = end
		}
		if err != nil {
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

func (o *Outcome) ask(ctx context.Context, m *memories, c Conversation) error {
	for _, q := range c.Queries {
		a, err := m.recall(ctx, q)
		if err != nil {
			return err
		}
		o.Answers = append(o.Answers, a)
	}
	return nil
}

func (o *Outcome) stray(ctx context.Context, m *memories, unrelated, elsewhere []string) error {
	for _, part := range []struct {
		to       *Strays
		messages []string
	}{{&o.Unrelated, unrelated}, {&o.Others, elsewhere}} {
		for _, message := range part.messages {
			a, err := m.recall(ctx, Query{Text: message})
			if err != nil {
				return err
			}
			part.to.add(a)
		}
	}
	return nil
}

func (s *Strays) add(a Answer) {
	s.Asked++
	if len(a.All) > 0 {
		s.Free++
	}
	best := 0.0
	for _, r := range a.Chosen {
		best = max(best, r.Keyword)
	}
	if best > 0 {
		s.Best = append(s.Best, best)
	}
}

// memories is one conversation in a manager of its own.
type memories struct {
	*manager.Manager
	dir     string
	records map[string]string // by item
}

func remember(ctx context.Context, c Conversation, temp string) (*memories, error) {
	dir, err := os.MkdirTemp(temp, "eval")
	if err != nil {
		return nil, err
	}
	cfg := manager.DefaultConfig()
	cfg.MaxContent, cfg.MinRelevance, cfg.TopN = maxText, 0, listed
	m := &memories{dir: dir, records: map[string]string{}}
	m.Manager, err = manager.Open(ctx, manager.Options{Dir: dir, Config: cfg, Now: func() time.Time { return moment }})
	if err != nil {
		return nil, err
	}
	for _, r := range c.Records {
		it, err := m.AddItem(ctx, agent, memory.Item{Content: strings.ToValidUTF8(r.Text[:min(len(r.Text), maxText)], "")})
		if err != nil {
			_ = m.forget()
			return nil, fmt.Errorf("record %s: %w", r.ID, err)
		}
		m.records[it.ID] = r.ID
	}
	return m, m.Settle(ctx, agent)
}

func (m *memories) forget() error {
	return cmp.Or(m.Close(), os.RemoveAll(m.dir))
}

func (m *memories) recall(ctx context.Context, q Query) (Answer, error) {
	res, err := m.Retrieve(ctx, agent, manager.Query{Text: q.Text})
	if err != nil {
		return Answer{}, err
	}
	if res.Degraded != "" {
		return Answer{}, fmt.Errorf("the index did not answer: %s", res.Degraded)
	}
	a := Answer{Query: q, Chosen: m.list(res.Chosen)}
	free := slices.Concat(res.Chosen, res.NotChosen)
	slices.SortStableFunc(free, func(x, y retrieve.Scored) int { return cmp.Compare(y.Score, x.Score) })
	a.All = m.list(free)
	return a, nil
}

// list leaves out what does not match at all: preferences that a voiced
// preference brings in.
func (m *memories) list(scored []retrieve.Scored) []Recalled {
	var out []Recalled
	for _, s := range scored {
		if s.Parts.KeywordScore > 0 {
			out = append(out, Recalled{ID: m.records[s.Item.ID], Keyword: s.Parts.KeywordScore})
		}
	}
	return out
}
