package cli

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memoria/memory/lookup"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// shells are the shells that can complete, and how to tell them.
var shells = []struct {
	name string
	load string
	gen  func(root *cobra.Command, w io.Writer) error
}{
	{"bash", "source <(memoria completion bash)", func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }},
	{"zsh", "source <(memoria completion zsh)", func(c *cobra.Command, w io.Writer) error { return c.GenZshCompletion(w) }},
	{"fish", "memoria completion fish | source", func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) }},
	{"powershell", "memoria completion powershell | Out-String | Invoke-Expression",
		func(c *cobra.Command, w io.Writer) error { return c.GenPowerShellCompletionWithDesc(w) }},
}

func completionCommand(p *Program) *cobra.Command {
	var names, how []string
	for _, s := range shells {
		names = append(names, s.name)
		how = append(how, "  "+s.load)
	}
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print a script that lets a shell complete: " + strings.Join(names, ", "),
		Long: `Print a script that lets a shell complete commands, flags, and the ids of sessions
and memories. Ids are left out while another memoria has the memory open. Put the
line for your shell into its start-up file.`,
		Example: strings.Join(how, "\n"), ValidArgs: names,
		Args: need("a SHELL: "+strings.Join(names, ", "), 1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.gen(c.Root(), p.out)
				}
			}
			return wrongUsage("there is no completion for %q; the shells are %s", args[0], strings.Join(names, ", "))
		},
	}
}

// completionWait is how long a completion waits for a memory that somebody else
// has open.
const completionWait = 50 * time.Millisecond

// mostCompleted is how many ids are offered, the newest.
const mostCompleted = 200

// peek opens an existing memory for a completion, if it can be opened.
func (p *Program) peek(ctx context.Context, do func(*app.App) error) {
	o, ok := p.Peek(ctx, completionWait)
	if !ok {
		return
	}
	_ = errors.Join(do(o), o.Close())
}

// completeSession offers the ids of sessions for a command's first argument.
func (p *Program) completeSession(c *cobra.Command, args []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p.peek(c.Context(), func(o *app.App) error {
		list, _, err := o.Memory.Lookup().Sessions(c.Context(), o.Agent.ID, mostCompleted, 0)
		for _, s := range list {
			out = append(out, offerOf(short(s.ID), s.Title))
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeMemory offers the ids of memories.
func (p *Program) completeMemory(c *cobra.Command, _ []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	p.peek(c.Context(), func(o *app.App) error {
		page, err := o.Memory.Lookup().Items(c.Context(), o.Agent.ID, lookup.ItemFilter{All: true, Limit: mostCompleted})
		for _, it := range page.Items {
			out = append(out, offerOf(short(it.ID), it.Content))
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// alias lets a flag go by another name as well.
func alias(c *cobra.Command, other, name string) {
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == other {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}

// completeFlag lets a shell complete what a flag takes.
func completeFlag(c *cobra.Command, name string, complete cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was not registered before
	}
}

// completeAgent offers the agents that there are; while another memoria has the
// memory open, those that the configuration names.
func (p *Program) completeAgent(c *cobra.Command, _ []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	p.peek(c.Context(), func(o *app.App) error {
		all, err := o.Memory.Lookup().Agents(c.Context())
		for _, a := range all {
			out = append(out, offerOf(a.ID, a.Name))
		}
		return err
	})
	if out != nil {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	if s, err := p.Setup(); err == nil {
		for _, id := range slices.Sorted(maps.Keys(s.Config.Agents)) {
			out = append(out, offerOf(id, s.Config.Agents[id].Name))
		}
		if _, named := s.Config.Agents[s.Config.Agent]; !named {
			out = append(out, s.Config.Agent)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeFirstAgent is completeAgent for a command's only argument.
func (p *Program) completeFirstAgent(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.completeAgent(c, args, word)
}

// completeModel offers the models that the configuration names: asking a server
// at every press of a key would be slow.
func (p *Program) completeModel(*cobra.Command, []string, string) (out []string, _ cobra.ShellCompDirective) {
	if s, err := p.Setup(); err == nil {
		out = slices.Sorted(maps.Keys(s.Config.Model.Prices))
		if !slices.Contains(out, s.Config.Model.Name) {
			out = append(out, s.Config.Model.Name)
		}
		out = slices.DeleteFunc(out, func(name string) bool { return !plainName.MatchString(name) })
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// offerOf is a completion with its description, which the shell shows.
func offerOf(id, about string) string {
	if about = words.Excerpt(clean.Line(about), ""); about == "" {
		return id
	}
	return id + "\t" + about
}
