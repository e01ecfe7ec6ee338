package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/ui/app"
	"memoria/ui/editor"
	"memoria/ui/words"
)

func agentCommand(p *Program) *cobra.Command {
	list := agentList(p)
	c := group("agent", "Make, edit and delete agents: personas, each with a memory of its own",
		list, agentAdd(p), agentShow(p), agentEdit(p), agentDelete(p))
	c.Long = `An agent is a persona that you talk to. Each has a memory of its own: nothing that
one knows ever comes up at another. In the program /agent switches between them, for
a command --agent names one. What a configuration file gives of an agent wins and is
changed in that file.`
	return orElse(c, list)
}

// agentRow is an agent in agent list --json.
type agentRow struct {
	lookup.AgentInfo
	// Default says that it is talked to when none is named.
	Default bool `json:"default"`
}

func agentList(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the agents, the last used first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error { return printAgents(c.Context(), p, o, asJSON) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printAgents(ctx context.Context, p *Program, o *app.App, asJSON bool) error {
	all, err := o.Memory.Lookup().Agents(ctx)
	if err != nil {
		return err
	}
	rows := make([]agentRow, 0, len(all))
	for _, a := range all {
		rows = append(rows, agentRow{AgentInfo: a, Default: a.ID == o.DefaultAgent()})
	}
	if asJSON {
		return p.printJSON(struct {
			Agents []agentRow `json:"agents"`
		}{rows})
	}
	for _, a := range rows {
		p.print(agentLine(a.AgentInfo, a.Default) + "\n")
	}
	p.say("%s; to talk to one: memoria --agent ID", many(len(rows), "agent", "agents"))
	return nil
}

// agentLine is an agent in a list.
func agentLine(a lookup.AgentInfo, usual bool) string {
	out := fmt.Sprintf("%-12s  %-16s  %-12s  %-12s", a.ID, words.Moment(a.LastUsed, time.Local), many(a.Memories, "memory", "memories"), many(a.Sessions, "session", "sessions"))
	in := ""
	if a.Group {
		in = "group of " + cmp.Or(strings.Join(a.Members, ", "), "nobody")
	}
	for _, part := range []string{oneLine(a.Name), oneLine(a.Model), a.Color, in} {
		if part != "" {
			out += "  " + part
		}
	}
	if usual {
		out += "  (default)"
	}
	return strings.TrimRight(out, " ")
}

// describing are the flags that describe an agent.
type describing struct {
	name, persona, file, model, color string
	json                              bool
}

func (d *describing) flags(p *Program, c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.persona, "persona", "", "`TEXT` that tells a model who it is")
	f.StringVar(&d.file, "persona-file", "", "`FILE` with that text; - is standard input")
	f.StringVar(&d.model, "model", "", "`MODEL` that answers as this agent; empty: the configured one")
	f.StringVar(&d.color, "color", "", "`COLOR` of its name: "+strings.Join(memory.AgentColors(), ", "))
	f.BoolVar(&d.json, "json", false, "print the agent as JSON")
	completeFlag(c, "model", p.completeModel)
	completeFlag(c, "color", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return memory.AgentColors(), cobra.ShellCompDirectiveNoFileComp
	})
	c.MarkFlagsMutuallyExclusive("persona", "persona-file")
}

// read reads the file that a flag names.
func (d *describing) read(ctx context.Context, p *Program) error {
	if d.file == "" {
		return nil
	}
	text, err := readText(ctx, p, d.file)
	d.persona = strings.TrimSpace(text)
	return err
}

func agentAdd(p *Program) *cobra.Command {
	var d describing
	var id string
	c := &cobra.Command{
		Use: "add NAME", Short: "Make an agent", Args: need("a NAME", 0),
		Long: `Make an agent. Its id is made of its name: a to z, 0 to 9, - and _; where nothing of
the name is left of that it is agent-1, unless --id gives another.`,
		Example: `  memoria agent add Luna --persona "You answer in one sentence." --color violet
  memoria agent add 露娜 --id luna`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := d.read(c.Context(), p); err != nil {
				return err
			}
			a := memory.Agent{ID: id, Name: strings.TrimSpace(strings.Join(args, " ")), Persona: d.persona, Model: d.model, Color: d.color}
			if a.Name == "" {
				return wrongUsage("an agent needs a name")
			}
			return p.with(c.Context(), func(o *app.App) (err error) {
				if a.ID == "" {
					if a.ID, err = o.Memory.NewAgentID(c.Context(), a.Name); err != nil {
						return err
					}
				}
				made, err := o.Memory.CreateAgent(c.Context(), a)
				if err != nil {
					return err
				}
				return tellAgent(p, made, d.json, "made; to talk to it: memoria --agent "+made.ID)
			})
		},
	}
	c.Flags().StringVar(&id, "id", "", "`ID` of the agent: 1 to 64 of a-z, 0-9, - and _")
	d.flags(p, c)
	return c
}

// tellAgent prints the id of an agent that was changed.
func tellAgent(p *Program, a lookup.AgentInfo, asJSON bool, said string) error {
	if asJSON {
		return p.printJSON(a)
	}
	p.print(a.ID + "\n")
	p.say("%s", said)
	return nil
}

func agentShow(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show [ID]", Short: "Show an agent: who it is, and what it has", Args: cobra.MaximumNArgs(1),
		Annotations: hint(listAgents), ValidArgsFunction: p.completeFirstAgent,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				a, err := findAgent(c.Context(), p, o, args)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(a)
				}
				p.print(agentPage(a))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// findAgent is the agent that is named, or the one of this run.
func findAgent(ctx context.Context, p *Program, o *app.App, args []string) (lookup.AgentInfo, error) {
	if len(args) == 0 || args[0] == o.Agent.ID {
		return o.Memory.Lookup().Agent(ctx, o.Agent.ID)
	}
	return o.Memory.Lookup().FindAgent(ctx, args[0])
}

// agentPage is everything about an agent.
func agentPage(a lookup.AgentInfo) string {
	var b strings.Builder
	line := func(name, field, value string) {
		if value = oneLine(value); value == "" {
			value = "-"
		}
		if where := a.Given[field]; where != "" {
			value += "  (from " + oneLine(where) + ")"
		}
		fmt.Fprintf(&b, "%-9s %s\n", name, value)
	}
	line("id", "", a.ID)
	line("name", lookup.AgentName, a.Name)
	if a.Group {
		line("members", "", strings.Join(a.Members, ", "))
		line("has", "", a.Says())
		line("last used", "", words.Moment(a.LastUsed, time.Local))
		return b.String()
	}
	line("model", lookup.AgentModel, a.Model)
	line("color", lookup.AgentColor, a.Color)
	line("has", "", a.Says())
	line("last used", "", words.Moment(a.LastUsed, time.Local))
	line("persona", lookup.AgentPersona, a.Persona)
	return b.String()
}

func agentEdit(p *Program) *cobra.Command {
	var d describing
	c := &cobra.Command{
		Use: "edit [ID]", Short: "Change an agent; without flags its persona in your editor", Args: cobra.MaximumNArgs(1),
		Long: `Change an agent: what the flags name, or else its persona in your editor ($VISUAL or
$EDITOR). What a configuration file gives of it is changed in that file.`,
		Example: `  memoria agent edit luna --name Nova --color cyan
  memoria agent edit luna`,
		Annotations: hint(listAgents), ValidArgsFunction: p.completeFirstAgent,
		RunE: func(c *cobra.Command, args []string) error {
			if err := d.read(c.Context(), p); err != nil {
				return err
			}
			given := slices.ContainsFunc([]string{"name", "persona", "persona-file", "model", "color"}, c.Flags().Changed)
			command := editor.Of(p.Env)
			if !given && command == "" {
				return wrongUsage("edit needs an editor: set VISUAL or EDITOR, or use --name, --persona, --model or --color")
			}
			return p.with(c.Context(), func(o *app.App) error {
				a, err := findAgent(c.Context(), p, o, args)
				if err != nil {
					return err
				}
				if a.Group { // before an editor opens
					return fmt.Errorf("agent %s: %w", a.ID, manager.ErrGroup)
				}
				if !given {
					text, err := edited(c.Context(), p, o, command, a.Persona)
					if err != nil {
						return err
					}
					d.persona = strings.TrimSpace(text)
				}
				now, err := o.Memory.EditAgent(c.Context(), a.ID, func(a *memory.Agent) { d.apply(c, a, !given) })
				if err != nil {
					return err
				}
				if now.Name == a.Name && now.Persona == a.Persona && now.Model == a.Model && now.Color == a.Color {
					return tellAgent(p, now, d.json, "nothing was changed")
				}
				return tellAgent(p, now, d.json, "changed; it counts from the next message on")
			})
		},
	}
	c.Flags().StringVar(&d.name, "name", "", "another `NAME`")
	d.flags(p, c)
	return c
}

// apply changes what the flags name, and the persona when it was edited.
func (d describing) apply(c *cobra.Command, a *memory.Agent, persona bool) {
	changed := c.Flags().Changed
	if changed("name") {
		a.Name = strings.TrimSpace(d.name)
	}
	if persona || changed("persona") || changed("persona-file") {
		a.Persona = d.persona
	}
	if changed("model") {
		a.Model = strings.TrimSpace(d.model)
	}
	if changed("color") {
		a.Color = d.color
	}
}

// agentDeleted is what agent delete --json prints.
type agentDeleted struct {
	Agent    string `json:"agent"`
	Memories int    `json:"memories"`
	Sessions int    `json:"sessions"`
	Messages int    `json:"messages"`
	// TakenBack is true when the user changed their mind: nothing is gone.
	TakenBack bool `json:"taken_back"`
}

func agentDelete(p *Program) *cobra.Command {
	var yes, asJSON bool
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete an agent with everything it has",
		Long: `Delete an agent with everything it has: memories, sessions, messages, profile, files
and indexes, in the backups too. On a terminal it asks first, and can be taken back
for ten seconds; with --yes it is gone at once. Other agents are not touched. What a
configuration file says of it stays in that file.
` + untilReused,
		Args: need("the ID of an agent", 1), Annotations: hint(listAgents), ValidArgsFunction: p.completeFirstAgent,
		Example: `  memoria agent delete luna --yes`,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error { return deleteAgent(c.Context(), p, o, args, yes, asJSON) })
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func deleteAgent(ctx context.Context, p *Program, o *app.App, args []string, yes, asJSON bool) error {
	a, err := findAgent(ctx, p, o, args)
	if err != nil {
		return err
	}
	if a.Group {
		return fmt.Errorf("deleting the agent %s: %w", a.ID, manager.ErrGroup)
	}
	if a.Empty() && a.CreatedAt.IsZero() {
		p.say("there is nothing of the agent %s to delete", a.ID)
		if asJSON {
			return p.printJSON(agentDeleted{Agent: a.ID})
		}
		return nil
	}
	what := "the agent " + a.ID + " with " + a.Says()
	if err := p.confirm(ctx, yes, "delete "+what); err != nil {
		return err
	}
	d, err := o.Memory.DeleteAgent(ctx, a.ID)
	if err != nil {
		return err
	}
	back := false
	if !yes {
		back, err = offerBack(ctx, p, what, func() error {
			_, err := o.Memory.UndoAgentDeletion(ctx, a.ID, d.ID)
			return err
		})
		if err != nil {
			return err
		}
	}
	if !back {
		if err := finishDeletion(ctx, p, o); err != nil {
			return err
		}
	}
	if asJSON {
		return p.printJSON(agentDeleted{Agent: a.ID, Memories: d.Items, Sessions: d.Sessions, Messages: d.Messages, TakenBack: back})
	}
	if back {
		p.say("it is back; nothing was deleted")
		return nil
	}
	p.say("deleted %s", what)
	return nil
}
