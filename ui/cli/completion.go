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

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/words"
)

// shells are the shells that can complete.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) },
	"zsh":        (*cobra.Command).GenZshCompletion,
	"fish":       func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
}

func completion(_ context.Context, in *input) (r actions.Result, _ error) {
	generate, ok := shells[in.args[0]]
	if !ok {
		return r, wrongUsage("usage.completion", in.args[0])
	}
	return r, generate(in.cmd.Root(), in.out)
}

// completionWait is how long a completion waits for a memory that another process has open.
const completionWait = 50 * time.Millisecond

// mostCompleted is how many ids are offered, the newest.
const mostCompleted = 200

// offering lists what a shell offers for a kind of argument that is in the memory.
type offering func(ctx context.Context, o *app.App) (out []string, err error)

// offers are the nouns of the memory that are completed. Ids are offered by their short form.
var offers = map[string]offering{
	"session": func(ctx context.Context, o *app.App) (out []string, err error) {
		list, _, err := o.Memory.Lookup().Sessions(ctx, o.Agent.ID, mostCompleted, 0)
		for _, s := range list {
			out = append(out, offerOf(words.ShortID(s.ID), s.Title))
		}
		return out, err
	},
	"memory": func(ctx context.Context, o *app.App) (out []string, err error) {
		page, err := o.Memory.Lookup().Items(ctx, o.Agent.ID, lookup.ItemFilter{All: true, Limit: mostCompleted})
		for _, it := range page.Items {
			out = append(out, offerOf(words.ShortID(it.ID), it.Content))
		}
		return out, err
	},
	"message": func(ctx context.Context, o *app.App) (out []string, err error) {
		page, err := o.Memory.Recall().SearchArchive(ctx, o.Agent.ID, recall.ArchiveQuery{Limit: mostCompleted})
		for _, h := range page.Hits {
			out = append(out, offerOf(words.ShortID(h.Record.ID), h.Record.Content))
		}
		return out, err
	},
	"journal": func(ctx context.Context, o *app.App) (out []string, err error) {
		j, err := o.Memory.Journals().Journal(o.Agent.ID)
		if err != nil {
			return nil, err
		}
		files, err := j.Files(ctx)
		for _, f := range files[:min(len(files), mostCompleted)] {
			out = append(out, offerOf(f.Path, o.Words().JournalFile(f)))
		}
		return out, err
	},
	"agent": func(ctx context.Context, o *app.App) (out []string, err error) {
		all, err := o.Memory.Lookup().Agents(ctx)
		for _, a := range all {
			out = append(out, offerOf(a.ID, a.Name))
		}
		return out, err
	},
	"group": func(ctx context.Context, o *app.App) (out []string, err error) {
		all, err := o.Memory.Lookup().Groups(ctx)
		for _, g := range all {
			out = append(out, offerOf(g.ID, g.Name))
		}
		return out, err
	},
}

// complete offers values of a kind after the arguments that are already there.
func (p *Program) complete(c *cobra.Command, kind string, args []string, begun string) (out []string, how cobra.ShellCompDirective) {
	how = cobra.ShellCompDirectiveNoFileComp
	if slices.Contains([]string{"session", "memory", "message", "journal", "setting"}, kind) {
		how |= cobra.ShellCompDirectiveKeepOrder // the newest first
	}
	several := kind == "memory" || kind == "message" || kind == "setting"
	of, listed := choices[kind]
	switch {
	case len(args) > 0 && !several:
		return nil, cobra.ShellCompDirectiveNoFileComp
	case listed:
		out = of.values()
	case kind == "color":
		out = memory.AgentColors()
	case kind == "shell":
		out = slices.Sorted(maps.Keys(shells))
	case kind == "model":
		out = p.configuredModels()
	case kind == "setting":
		out = settingsAs(p.lang(), c, args, begun)
	default:
		if p.elsewhere(c.Context(), false) != nil { // the owner has said everything
			p.out.w = io.Discard
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if o, ok := p.Peek(c.Context(), completionWait); ok {
			var err error
			out, err = offers[kind](c.Context(), o)
			_ = errors.Join(err, o.Close()) // without ids there is still no error to show
		}
		if kind == "agent" && out == nil {
			out = p.configuredAgents()
		}
	}
	return out, how
}

// completeFlag lets a shell complete what a flag takes.
func completeFlag(c *cobra.Command, name string, complete cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was not registered before
	}
}

// configuredAgents are the agents that the configuration names.
func (p *Program) configuredAgents() (out []string) {
	s, err := p.Setup()
	if err != nil {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(s.Config.Agents)) {
		out = append(out, offerOf(id, s.Config.Agents[id].Name))
	}
	if _, named := s.Config.Agents[s.Config.Agent]; !named {
		out = append(out, s.Config.Agent)
	}
	return out
}

// configuredModels are the models that the configuration names: asking a server at every
// press of a key would be slow.
func (p *Program) configuredModels() (out []string) {
	s, err := p.Setup()
	if err != nil {
		return nil
	}
	out = slices.Sorted(maps.Keys(s.Config.Model.Prices))
	if !slices.Contains(out, s.Config.Model.Name) {
		out = append(out, s.Config.Model.Name)
	}
	return slices.DeleteFunc(out, func(name string) bool { return !plainName.MatchString(name) })
}

// settingsAs lists the settings with this prefix, or the choices of one setting.
func settingsAs(w words.Words, c *cobra.Command, args []string, begun string) (out []string) {
	switch {
	case len(args) == 0:
		for _, one := range config.Settings() {
			if strings.HasPrefix(one.Key, begun) || strings.HasPrefix(one.Name(), begun) {
				out = append(out, offerOf(one.Key, w.Setting(one).Help))
			}
		}
	case len(args) == 1 && c.Name() == "set":
		one, err := config.Find(args[0])
		if err == nil && one.Kind == config.Switch {
			return []string{"true", "false"}
		}
		return one.Choices
	}
	return out
}

// offerOf is a completion with its description, which the shell shows.
func offerOf(id, about string) string {
	if about = words.Excerpt(clean.Line(about), ""); about == "" {
		return id
	}
	return id + "\t" + about
}
