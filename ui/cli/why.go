package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// proven is what archive why --json prints.
type proven struct {
	Sources  []recall.Source `json:"sources"`
	Degraded string          `json:"degraded,omitempty"`
}

func (p *Program) archiveWhy() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "why ID|TEXT", Short: "Show the words that a memory, or a statement, rests on",
		Long: `Show the words that a memory rests on, by its ID or a part of it, or those that say
what TEXT says: of the memories that it would recall, and of the messages with its
words. TEXT may be a question and may name a time ("when did I say that I like tea").`,
		Example: `  memoria archive why 7K3M9Q2A
  memoria archive why "I like oolong tea"
  memoria archive why 我上周什么时候说过陶艺课`,
		Args: need("the ID of a memory, or words", 0), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error {
				return p.why(c.Context(), o, strings.Join(args, " "), asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// shortestID is the shortest word that is taken for a part of an id.
const shortestID = 8

func (p *Program) why(ctx context.Context, o *open, what string, asJSON bool) error {
	q := recall.EvidenceQuery{Text: what, Trigger: retrieve.TriggerProof}
	it, byID, err := p.byID(ctx, o, what)
	if err != nil {
		return err
	}
	var found recall.Evidence
	if byID {
		found, err = o.manager.Recall().EvidenceOf(ctx, o.agent.ID, it)
	} else {
		p.settle(ctx, o)
		var res retrieve.Result
		if res, err = o.manager.Recall().Retrieve(ctx, o.agent.ID, recall.Query{Text: what}); err != nil {
			return err
		}
		q.Recalled = res.Chosen
		found, err = o.manager.Recall().FindEvidence(ctx, o.agent.ID, q)
	}
	if err != nil {
		return err
	}
	out := proven{Sources: []recall.Source{}, Degraded: found.Degraded}
	for i, quote := range found.Quotes {
		out.Sources = append(out.Sources, quote.Source(i+1))
	}
	if asJSON {
		return p.printJSON(out)
	}
	p.print(describeSources(out.Sources))
	if found.Degraded != "" {
		p.say("%s", found.Degraded)
	}
	if len(out.Sources) == 0 {
		p.say("Nothing in the archive says that.")
	}
	return nil
}

// byID finds the memory whose id, or a part of it, a word is.
func (p *Program) byID(ctx context.Context, o *open, what string) (memory.Item, bool, error) {
	if len(what) < shortestID || strings.ContainsAny(what, " \n") {
		return memory.Item{}, false, nil
	}
	it, err := o.manager.Item(ctx, o.agent.ID, what)
	if errors.Is(err, manager.ErrNotFound) {
		return it, false, nil
	}
	return it, err == nil, err
}

// describeSources prints sources by their numbers: when, who, where, and the
// words.
func describeSources(all []recall.Source) string {
	var b strings.Builder
	for _, s := range all {
		line := []string{fmt.Sprintf("[%d] %s", s.N, stamp(s.Time))}
		switch {
		case s.RecordID == "":
			line = append(line, "a memory of which no message is left")
		case s.Role == memory.RoleUser:
			line = append(line, "you")
		default:
			line = append(line, string(s.Role))
		}
		if s.RecordID != "" {
			line = append(line, "message "+short(s.RecordID), "session "+short(s.SessionID))
		}
		if s.ItemID != "" {
			line = append(line, "memory "+short(s.ItemID))
		}
		if s.InWindow {
			line = append(line, "in the conversation")
		}
		text := "“" + oneLine(s.Text) + "”"
		if s.Forgotten {
			text = oneLine(s.Text)
		}
		fmt.Fprintf(&b, "%s\n    %s\n", strings.Join(line, " · "), text)
	}
	return b.String()
}

// sayCitations says on standard error what an answer may rest on, a line each.
func (p *Program) sayCitations(all []recall.Source) {
	for _, s := range all {
		who := "memory " + short(s.ItemID)
		if s.RecordID != "" {
			who = "you"
			if s.Role != memory.RoleUser {
				who = string(s.Role)
			}
			who += ", message " + short(s.RecordID)
		}
		p.say("source [%d] %s, %s: %s", s.N, stamp(s.Time), who, excerpt(s.Text, ""))
	}
}
