package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

// proven is what archive why --json prints.
type proven struct {
	Sources  []recall.Source `json:"sources"`
	Degraded string          `json:"degraded,omitempty"`
}

func archiveWhy(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "why ID|TEXT", Short: "Show the words that a memory, or a statement, rests on",
		Long: `Show the words that a memory rests on, by its ID or a part of it, or those that say
what TEXT says: of the memories that it would recall, and of the messages with its
words. TEXT may be a question and may name a time ("when did I say that I like tea").`,
		Example: `  memoria archive why 7K3M9Q2A
  memoria archive why "I like oolong tea"
  memoria archive why 我上周什么时候说过陶艺课`,
		Args: need("the ID of a memory, or words", 0), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
	}, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (r actions.Result, _ error) {
		what := strings.Join(args, " ")
		it, byID, err := byID(ctx, p, o, what)
		if err != nil {
			return r, err
		}
		var found recall.Evidence
		if byID {
			found, err = c.Memory.Recall().EvidenceOf(ctx, c.Agent.ID, it)
		} else {
			settle(ctx, p, o)
			var res retrieve.Result
			if res, err = c.Memory.Recall().Retrieve(ctx, c.Agent.ID, recall.Query{Text: what}); err != nil {
				return r, err
			}
			found, err = c.Memory.Recall().FindEvidence(ctx, c.Agent.ID, recall.EvidenceQuery{Text: what,
				Trigger: retrieve.TriggerProof, Recalled: res.Chosen})
		}
		out := proven{Sources: []recall.Source{}, Degraded: found.Degraded}
		for i, quote := range found.Quotes {
			out.Sources = append(out.Sources, quote.Source(i+1))
		}
		r.Data = out
		if text := describeSources(out.Sources); text != "" {
			r.Lines = []string{text}
		}
		if found.Degraded != "" {
			r.Notes = []string{found.Degraded}
		}
		if len(out.Sources) == 0 {
			r.Notes = append(r.Notes, "Nothing in the archive says that.")
		}
		return r, err
	})
}

// shortestID is the shortest word that is taken for a part of an id.
const shortestID = 8

// byID finds the memory whose id, or a part of it, a word is.
func byID(ctx context.Context, _ *Program, o *app.App, what string) (memory.Item, bool, error) {
	if len(what) < shortestID || strings.ContainsAny(what, " \n") {
		return memory.Item{}, false, nil
	}
	it, err := o.Memory.Lookup().Item(ctx, o.Agent.ID, what)
	if errors.Is(err, lookup.ErrNotFound) {
		return it, false, nil
	}
	return it, err == nil, err
}

// describeSources prints sources by their numbers: when, who, where, and the
// words.
func describeSources(all []recall.Source) string {
	var b strings.Builder
	for _, s := range all {
		line := []string{fmt.Sprintf("[%d] %s", s.N, words.Moment(s.Time, time.Local))}
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
func sayCitations(p *Program, all []recall.Source) {
	for _, s := range all {
		who := "memory " + short(s.ItemID)
		if s.RecordID != "" {
			who = "you"
			if s.Role != memory.RoleUser {
				who = string(s.Role)
			}
			who += ", message " + short(s.RecordID)
		}
		p.say("source [%d] %s, %s: %s", s.N, words.Moment(s.Time, time.Local), who, words.Excerpt(s.Text, ""))
	}
}
