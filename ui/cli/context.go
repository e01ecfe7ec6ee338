package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/ui/app"
	"memoria/ui/words"
)

func contextCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "context [SESSION [TURN]]",
		Short: "Show what a turn sent to the model",
		Long: `Show what a turn sent to the model, layer by layer, as it was sent. Without
arguments it is the last turn of the last session. Of a group it is what went to each
member, in the order in which they answered. SESSION is an id or a part of
it, or "last"; TURN is an id or a part of it, or a number, counted from 1.`,
		Example: `  memoria context
  memoria context last 1
  memoria context 7K3M9Q2A 3 --json`,
		Args:        cobra.MaximumNArgs(2),
		Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				if o.Group != nil {
					return showGroupContext(c.Context(), p, o, args, asJSON)
				}
				turn, err := findTurn(c.Context(), p, o, args)
				if err != nil {
					return err
				}
				r, err := o.Memory.Lookup().Package(c.Context(), o.Agent.ID, turn)
				if err != nil {
					return err
				}
				out, err := weigh(c.Context(), p, o, r)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(out)
				}
				p.print(describePackage(out, o.Config.Model))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// weighed is what context --json prints: a package with what its answer used.
type weighed struct {
	memory.Rendered
	Sources []recall.Source `json:"sources,omitempty"` // the citations with their words
	Usage   *memory.Usage   `json:"usage,omitempty"`   // as the server counted it
	Cost    *cost           `json:"cost,omitempty"`    // where a price is known
}

// weigh adds what the turn's last answer used.
func weigh(ctx context.Context, p *Program, o *app.App, r memory.Rendered) (weighed, error) {
	out := weighed{Rendered: r}
	sources, err := o.Memory.Recall().Sources(ctx, r.AgentID, r.Package)
	if err != nil {
		return out, err
	}
	if len(r.Citations) > 0 {
		out.Sources = sources[r.TurnID]
	}
	records, err := o.Memory.Lookup().Records(ctx, r.AgentID, r.SessionID)
	for _, said := range records {
		if said.TurnID == r.TurnID && said.Role == memory.RoleAssistant && (said.Sender == "" || said.Sender == r.AgentID) {
			out.Usage, out.Cost = said.Usage, costOf(o.Config.Model, said)
		}
	}
	return out, err
}

// lastSession stands for the session last used.
const lastSession = "last"

// findTurn finds the turn that the arguments name.
func findTurn(ctx context.Context, p *Program, o *app.App, args []string) (string, error) {
	if len(args) == 0 {
		args = []string{lastSession}
	}
	session, err := findSession(ctx, p, o, args[0])
	if err != nil {
		return "", err
	}
	packages, err := o.Memory.Lookup().Packages(ctx, o.Agent.ID, session.ID)
	if err != nil {
		return "", err
	}
	return turnOf(p, packages, args, session.ID)
}

// turnOf is the turn of a session that the arguments name, or the last one. There is
// one package of each turn.
func turnOf(p *Program, packages []memory.Package, args []string, session string) (string, error) {
	if len(packages) == 0 {
		p.say("No turn of session %s was sent to a model.", short(session))
		return "", errTold
	}
	if len(args) < 2 {
		return packages[len(packages)-1].TurnID, nil
	}
	return pickTurn(packages, args[1], session)
}

func findSession(ctx context.Context, p *Program, o *app.App, name string) (memory.Session, error) {
	if name != lastSession {
		return o.Memory.Lookup().Session(ctx, o.Agent.ID, name)
	}
	session, ok, err := o.Memory.Lookup().LastSession(ctx, o.Agent.ID)
	if err != nil || ok {
		return session, err
	}
	heard, _, err := o.Memory.Lookup().Sessions(ctx, o.Agent.ID, 1, 0)
	if err == nil && len(heard) > 0 {
		p.say("%s has no session of its own; the last that it heard was in the group %s", o.Agent.ID, heard[0].Group)
		return heard[0], nil
	}
	if err == nil {
		p.say("Nothing was sent yet. Say something: memoria ask TEXT")
		return session, errTold
	}
	return session, err
}

// minPart is the shortest part of a turn's id that names it.
const minPart = 4

// pickTurn finds a turn by its number or by a part of its id.
func pickTurn(packages []memory.Package, name, session string) (string, error) {
	if n, err := strconv.Atoi(name); err == nil && len(name) < minPart {
		if n < 1 || n > len(packages) {
			return "", wrongUsage("turn %d: session %s has turns 1 to %d", n, short(session), len(packages))
		}
		return packages[n-1].TurnID, nil
	}
	match := ""
	for _, pkg := range packages {
		id := strings.ToUpper(name)
		if len(id) < minPart || !strings.HasPrefix(pkg.TurnID, id) && !strings.HasSuffix(pkg.TurnID, id) {
			continue
		}
		if match != "" {
			return "", fmt.Errorf("turn %s: %w", name, lookup.ErrAmbiguous)
		}
		match = pkg.TurnID
	}
	if match == "" {
		return "", fmt.Errorf("turn %s of session %s: %w", name, short(session), lookup.ErrNotFound)
	}
	return match, nil
}

func describePackage(r weighed, cfg model.Config) string {
	var b strings.Builder
	at := r.CreatedAt.Local().Format("2006-01-02 15:04:05")
	exact := "byte for byte as it was composed"
	if r.Model == memory.ModelOffline {
		fmt.Fprintf(&b, "%s  answered from memory alone: nothing was sent anywhere\n", at)
		exact = "these are the bytes that a model would have been sent"
	} else {
		fmt.Fprintf(&b, "%s  for %s at %s\n", at, r.Model, r.Endpoint)
	}
	if !r.AllExact() {
		exact = "not all of it is still there"
	}
	fmt.Fprintf(&b, "session %s  turn %s\n~%d of %d tokens  sha256 %s (%s)\n",
		r.SessionID, r.TurnID, r.Tokens, r.Limit, r.Hash, exact)
	if u := r.Usage; u != nil {
		fmt.Fprintf(&b, "%d + %d tokens as the server counted", u.PromptTokens, u.CompletionTokens)
		if r.Cost != nil {
			fmt.Fprintf(&b, ", %s", cfg.Money(r.Cost.Amount))
		}
		b.WriteByte('\n')
	}
	if r.Degraded != "" {
		fmt.Fprintf(&b, "degraded: %s\n", r.Degraded)
	}
	for _, block := range r.Rendered.Rendered {
		fmt.Fprintf(&b, "\n── %s (%s, ~%d tokens)", words.Layer(block.Layer), block.Role, block.Tokens)
		if block.Note != "" {
			fmt.Fprintf(&b, " %s", block.Note)
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(block.Text, "\n"))
	}
	if r.Look != nil {
		fmt.Fprintf(&b, "\n── the archive was looked into: %s\n", words.Look(*r.Look, time.Local))
		b.WriteString(describeSources(r.Sources))
	}
	for _, tool := range r.Offered {
		fmt.Fprintf(&b, "\n── tool\n%s\n", tool)
	}
	for i, round := range r.Further {
		describeRound(&b, i+2, round)
	}
	if len(r.Used) > 0 {
		b.WriteString("\n── what recall looked at\n")
	}
	for _, u := range r.Used {
		mark := "not"
		if u.Chosen {
			mark = "yes"
		}
		fmt.Fprintf(&b, "%s %.2f  %s  %s\n", mark, u.Score, short(u.ItemID), u.Why)
	}
	if len(r.Found) > 0 {
		b.WriteString("\n── what was found in the journal\n")
	}
	for _, f := range r.Found {
		mark := "not"
		if f.Chosen {
			mark = "yes"
		}
		fmt.Fprintf(&b, "%s %s\n", mark, words.JournalFound(f, r.Files[f.File]))
	}
	for _, d := range r.Dropped {
		fmt.Fprintf(&b, "left out  %s %s: %s\n", words.Layer(d.Layer), short(d.What), d.Reason)
	}
	return b.String()
}

// describeRound writes what a further request of a turn added: what the model said
// and called, and what it got.
func describeRound(b *strings.Builder, n int, r memory.RenderedRound) {
	fmt.Fprintf(b, "\n── request %d, all of the above and this (~%d tokens more)  sha256 %s", n, r.Tokens, r.Hash)
	if !r.Tools {
		b.WriteString("  without the tool")
	}
	b.WriteByte('\n')
	if r.SaidText != "" {
		fmt.Fprintf(b, "%s\n", strings.TrimRight(r.SaidText, "\n"))
	}
	for _, c := range r.Called {
		came := fmt.Sprintf("%d found", c.Found)
		if c.Failed != "" {
			came = c.Failed
		}
		if c.Name != "" {
			fmt.Fprintf(b, "→ %s %s (%s)\n", c.Name, oneLine(c.Arguments), came)
		}
		if c.Written != "" {
			fmt.Fprintf(b, "  the model wrote: %s\n", oneLine(c.Written))
		}
		fmt.Fprintf(b, "%s\n", strings.TrimRight(c.Text, "\n"))
	}
}
