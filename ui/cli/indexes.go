package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory/recall"
	"memoria/ui/app"
)

func indexCommand(p *Program) *cobra.Command {
	return group("index", "Show, rebuild and compact the search indexes",
		indexStatus(p), indexRebuild(p), indexCompact(p))
}

// indexes is what index status --json and index rebuild --json print.
type indexes struct {
	Agent    string           `json:"agent"`
	Items    int              `json:"items"`
	Messages int              `json:"messages"`
	Indexes  []recall.Derived `json:"indexes"`
}

// indexJSON adds --json to a command of the indexes.
func indexJSON(c *cobra.Command, asJSON *bool) *cobra.Command {
	c.Flags().BoolVar(asJSON, "json", false, "print JSON")
	return c
}

func indexStatus(p *Program) *cobra.Command {
	var asJSON bool
	return indexJSON(&cobra.Command{
		Use: "status", Short: "Show how the indexes are doing", Args: cobra.NoArgs,
		Long: `Show how the indexes are doing: ready, building or degraded, how far behind, and
how large; where an embedding model is configured also how many vectors it made. They are derived from the memory and can be made anew at any time. The
archive's is opened when somebody first searches it.`,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				settle(c.Context(), p, o)
				return printIndexes(c.Context(), p, o, asJSON)
			})
		},
	}, &asJSON)
}

func indexRebuild(p *Program) *cobra.Command {
	var asJSON, vectors bool
	c := indexJSON(&cobra.Command{
		Use: "rebuild", Short: "Delete and rebuild the indexes", Args: cobra.NoArgs,
		Long: `Delete and rebuild the indexes from the memory. Vectors are read again
too, and the embedding model is asked for those that are missing; with --vectors
for all of them.`,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				err := watchIndexes(c.Context(), p, o, func(ctx context.Context) error {
					if vectors {
						if err := o.Memory.Recall().RebuildVectors(o.Agent.ID); err != nil {
							return err
						}
					}
					if err := o.Memory.Recall().Rebuild(o.Agent.ID); err != nil {
						return err
					}
					if err := o.Memory.Recall().Settle(ctx, o.Agent.ID); err != nil {
						return err
					}
					return o.Memory.Recall().SettleVectors(ctx, o.Agent.ID)
				})
				if err != nil {
					return err
				}
				return printIndexes(c.Context(), p, o, asJSON)
			})
		},
	}, &asJSON)
	c.Flags().BoolVar(&vectors, "vectors", false, "ask the embedding model for every vector again")
	return c
}

// compacted is what index compact --json prints.
type compacted struct {
	Before int64 `json:"before"` // bytes on disk
	After  int64 `json:"after"`
}

func indexCompact(p *Program) *cobra.Command {
	var asJSON bool
	return indexJSON(&cobra.Command{
		Use: "compact", Short: "Make the indexes small, without a trace of what was deleted", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				var out compacted
				err := watchIndexes(c.Context(), p, o, func(ctx context.Context) (err error) {
					out.Before, out.After, err = o.Memory.CompactIndex(ctx, o.Agent.ID)
					return err
				})
				switch {
				case err != nil:
					return err
				case asJSON:
					return p.printJSON(out)
				}
				p.print(fmt.Sprintf("%s before, %s now\n", size(out.Before), size(out.After)))
				return nil
			})
		},
	}, &asJSON)
}

func printIndexes(ctx context.Context, p *Program, o *app.App, asJSON bool) error {
	st, err := o.Memory.Lookup().Status(ctx, o.Agent.ID)
	if err != nil {
		return err
	}
	list, err := o.Memory.Recall().IndexStatus(ctx, o.Agent.ID)
	if err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(indexes{Agent: o.Agent.ID, Items: st.Items, Messages: st.Records, Indexes: list})
	}
	for _, d := range list {
		line := fmt.Sprintf("%-14s %-14s %8s", d.Name, d.State, size(d.Bytes))
		if d.Behind > 0 {
			line += fmt.Sprintf("  %d behind", d.Behind)
		}
		if d.Model != "" {
			line += fmt.Sprintf("  %d by %s at %s", d.Count, oneLine(d.Model), oneLine(d.Endpoint))
		}
		if d.Reason != "" {
			line += "  " + oneLine(d.Reason)
		}
		p.print(line + "\n")
	}
	p.say("%s, %s of agent %s", many(st.Items, "memory", "memories"), many(st.Records, "message", "messages"), o.Agent.ID)
	return nil
}

// firstNews is after how long the user is told how far a slow piece of work is.
const firstNews = time.Second

// watchIndexes does something to the indexes and tells how far it is, when it
// takes long.
func watchIndexes(ctx context.Context, p *Program, o *app.App, do func(context.Context) error) error {
	return watched(func() error { return do(ctx) }, func() { sayProgress(ctx, p, o) })
}

// watched does something and tells the news of it after a second, after three,
// after seven, and so on.
func watched(do func() error, tell func()) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	pause := firstNews
	news := time.NewTimer(pause)
	defer news.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-news.C:
			tell()
			pause *= 2
			news.Reset(pause)
		}
	}
}

func sayProgress(ctx context.Context, p *Program, o *app.App) {
	list, err := o.Memory.Recall().IndexStatus(ctx, o.Agent.ID)
	if err != nil {
		return
	}
	for _, d := range list {
		if d.Total > 0 {
			p.say("memoria: %s: %d of %d…", d.Name, d.Done, d.Total)
		}
	}
}

// size is a number of bytes for a person.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
