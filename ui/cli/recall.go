package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/ui/app"
)

// settleTime is how long a command waits for an index that is being built
// before it answers by reading through the items.
const settleTime = 3 * time.Second

// recalled is what recall --json prints.
type recalled struct {
	Keywords  []string          `json:"keywords"`
	TookMS    float64           `json:"took_ms"`
	Degraded  string            `json:"degraded,omitempty"`
	Note      string            `json:"note,omitempty"`
	Items     []retrieve.Scored `json:"items"`
	NotChosen []left            `json:"not_chosen"`
	// Journal are the passages of the journal that would go with it.
	Journal []journal.Hit `json:"journal"`
	// Unreadable is how many records of the store cannot be read: something may be missing.
	Unreadable int `json:"unreadable,omitempty"`
}

type left struct {
	Item  memory.Item `json:"item"`
	Score float64     `json:"score"`
	Why   string      `json:"why"`
}

func recallCommand(p *Program) *cobra.Command {
	var k int
	var explain, asJSON bool
	c := &cobra.Command{
		Use:     "recall [flags] QUERY",
		Short:   "Show what a message would recall, and why",
		Example: `  memoria recall --explain "我喜欢喝什么"`,
		Args:    need("a QUERY", 0),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("k") && k < 1 {
				return wrongUsage("--k %d: at least 1", k)
			}
			return p.with(c.Context(), func(o *app.App) error {
				return printRecall(c.Context(), p, o, recall.Query{Text: strings.Join(args, " "), Limit: k}, explain, asJSON)
			})
		},
	}
	c.Flags().IntVar(&k, "k", 0, "choose at most `N` items (default: rag_top_n)")
	c.Flags().BoolVar(&explain, "explain", false, "show every part of the score, and what was not chosen")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printRecall(ctx context.Context, p *Program, o *app.App, q recall.Query, explain, asJSON bool) error {
	settle(ctx, p, o)
	settleVectors(ctx, p, o)
	res, err := o.Memory.Recall().Retrieve(ctx, o.Agent.ID, q)
	if err != nil {
		return err
	}
	passages, err := passages(ctx, p, o, q.Text, res)
	if err != nil {
		return err
	}
	if asJSON {
		out := asRecalled(res)
		out.Journal = passages
		out.Unreadable = o.Memory.Vault().Unreadable()
		return p.printJSON(out)
	}
	if res.Degraded != "" {
		p.say("memoria: %s", oneLine(res.Degraded))
	}
	if res.Note != "" {
		p.say("memoria: %s", oneLine(res.Note))
	}
	if len(res.Chosen)+len(passages) == 0 {
		p.say("Nothing would be recalled: %s.", emptyReason(res, explain))
	}
	for _, s := range res.Chosen {
		p.print(fmt.Sprintf("%.2f  %-12s %s  %s\n", s.Score, s.Item.Type, short(s.Item.ID), oneLine(s.Item.Content)))
		if explain {
			p.print("      " + parts(s) + "\n      " + s.Why + "\n")
		}
	}
	for _, h := range passages {
		p.print(fmt.Sprintf("[%s] %s\n", h.Path, oneLine(h.Text[h.From:h.To])))
		if explain {
			p.print(fmt.Sprintf("      words %.2f: %s\n", h.Score, strings.Join(h.Words, ", ")))
		}
	}
	if !explain {
		return nil
	}
	for _, s := range res.NotChosen {
		p.print(fmt.Sprintf("not %.2f  %-12s %s  %s\n          %s\n", s.Score, s.Item.Type, short(s.Item.ID), oneLine(s.Item.Content), s.Why))
	}
	return nil
}

// passages are those of the journal that would go with a message, but for what the chosen
// memories were made of.
func passages(ctx context.Context, p *Program, o *app.App, text string, res retrieve.Result) ([]journal.Hit, error) {
	shown := map[string]bool{}
	for _, s := range res.Chosen {
		for _, ev := range s.Item.Evidence {
			shown[ev.RecordID] = true
		}
	}
	found, err := o.Memory.SearchJournal(ctx, o.Agent.ID, journal.Query{
		Text: text, Limit: journal.MostHits, Skip: func(id string) bool { return shown[id] },
	})
	out := []journal.Hit{}
	for _, f := range found {
		out = append(out, f.Hit)
	}
	return out, err
}

// settle waits for the index, and says so when it takes long.
func settle(ctx context.Context, p *Program, o *app.App) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	slow := time.AfterFunc(time.Second, func() {
		if st, err := o.Memory.Lookup().Status(ctx, o.Agent.ID); err == nil && st.Index.Total > 0 {
			p.say("memoria: building the index (%d of %d)…", st.Index.Done, st.Index.Total)
		}
	})
	defer slow.Stop()
	_ = o.Memory.Recall().Settle(ctx, o.Agent.ID)
}

// settleVectors waits a moment for the items that have no vector yet. What is wrong
// with the embedding model is told with the result.
func settleVectors(ctx context.Context, p *Program, o *app.App) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	_ = o.Memory.Recall().SettleVectors(ctx, o.Agent.ID)
}

func emptyReason(res retrieve.Result, explained bool) string {
	switch {
	case res.Total == 0:
		return "nothing is remembered yet"
	case len(res.Keywords) == 0:
		return "the message has no word to look for"
	case len(res.NotChosen) > 0 && explained:
		return many(len(res.NotChosen), "memory", "memories") + " came close"
	case len(res.NotChosen) > 0:
		return many(len(res.NotChosen), "memory", "memories") + " came close; --explain shows why not"
	}
	return fmt.Sprintf("no word of it is in what is remembered (%d)", res.Total)
}

func asRecalled(res retrieve.Result) recalled {
	out := recalled{
		Keywords: res.Keywords, TookMS: float64(res.Took.Microseconds()) / 1000, Degraded: res.Degraded, Note: res.Note,
		Items: res.Chosen, NotChosen: []left{},
	}
	if out.Keywords == nil {
		out.Keywords = []string{}
	}
	if out.Items == nil {
		out.Items = []retrieve.Scored{}
	}
	for _, s := range res.NotChosen {
		out.NotChosen = append(out.NotChosen, left{Item: s.Item, Score: s.Score, Why: s.Why})
	}
	return out
}

// parts shows what each part contributes to a score, and the relevance, which decides
// whether an item may be chosen (R3a).
func parts(s retrieve.Scored) string {
	c := s.Contribution
	meaning := ""
	if c.VectorScore > 0 {
		meaning = fmt.Sprintf("  meaning %.2f", c.VectorScore)
	}
	return fmt.Sprintf("words %.2f%s  kind %.2f  recent %.2f  often %.2f  sure %.2f  ×%.1f  relevance %.3g",
		c.KeywordScore, meaning, c.CategoryBoost, c.RecencyScore, c.FrequencyScore, c.Confidence, s.Parts.TopicBoost, s.Parts.Relevance)
}
