package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

const findGroup = "'memoria group list' shows what there is."

// called returns the names of the agents that have one, by id.
func called(ctx context.Context, o *app.App) map[string]string {
	names := map[string]string{}
	all, err := o.Memory.Lookup().Agents(ctx)
	if err != nil {
		return names // they are known by their ids
	}
	for _, a := range all {
		if a.Name != "" {
			names[a.ID] = a.Name
		}
	}
	return names
}

func groupCommand(p *Program) *cobra.Command {
	list := groupList(p)
	c := group("group", "Talk to several agents at once", list, groupShow(p), groupAdd(p), groupEdit(p), groupDelete(p))
	c.Long = `A group is several agents that you talk to at once: memoria --agent GROUP. They
answer one after the other, or those of them whom the message names: @bo, or
@all. What is said lies once, in the group; each agent remembers for itself what
it heard there, and none sees what another remembers. Each is answered by its own
model, where it has one; --model names one for all.`
	return orElse(c, list)
}

func groupList(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the groups", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				all, err := o.Memory.Lookup().Groups(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(append([]memory.Group{}, all...))
				}
				called := called(c.Context(), o)
				for _, g := range all {
					p.print(fmt.Sprintf("%-16s %-20s %s\n", g.ID, oneLine(g.Name), namesIn(g, called)))
				}
				if len(all) == 0 {
					p.say("There is no group. To make one: memoria group add NAME AGENT AGENT…")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// namesIn are the members of a group as they are called.
func namesIn(g memory.Group, called map[string]string) string {
	var out []string
	for _, id := range g.Members {
		name := oneLine(called[id])
		if name == "" || name == id {
			out = append(out, id)
		} else {
			out = append(out, fmt.Sprintf("%s (%s)", name, id))
		}
	}
	return strings.Join(out, ", ")
}

func groupShow(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show a group and who is in it",
		Args: need("the ID of a group", 1), Annotations: hint(findGroup), ValidArgsFunction: p.completeGroup,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				g, err := o.Memory.Lookup().Group(c.Context(), args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(g)
				}
				sessions, total, err := o.Memory.Lookup().Sessions(c.Context(), g.ID, 0, 0)
				if err != nil {
					return err
				}
				messages := 0
				for _, s := range sessions {
					messages += s.Messages
				}
				p.print(fmt.Sprintf("%s\n\nid       %s\nmembers  %s\n", oneLine(g.Name), g.ID, namesIn(g, called(c.Context(), o))))
				if len(g.Left) > 0 {
					p.print(fmt.Sprintf("left     %s\n", strings.Join(g.Left, ", ")))
				}
				p.print(fmt.Sprintf("made     %s\nsaid     %s in %s\n", words.Moment(g.CreatedAt, time.Local),
					many(messages, "message", "messages"), many(total, "session", "sessions")))
				p.say("To talk: memoria --agent %s", g.ID)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// idsOf returns the ids of agents, each named by id or by name.
func idsOf(ctx context.Context, o *app.App, names []string) (ids []string, _ error) {
	for _, name := range names {
		a, err := o.Memory.Lookup().FindAgent(ctx, name)
		switch {
		case err == nil:
			name = a.ID
		case errors.Is(err, lookup.ErrAmbiguous):
			return nil, wrongUsage("several agents are called %q; give an id: memoria agent list", name)
		case !errors.Is(err, lookup.ErrNotFound):
			return nil, err
		case !memory.ValidAgentID(name):
			return nil, wrongUsage("no agent is called %q: memoria agent list", name)
		}
		ids = append(ids, name)
	}
	return ids, nil
}

func groupAdd(p *Program) *cobra.Command {
	var name string
	var asJSON bool
	c := &cobra.Command{
		Use: "add NAME AGENT AGENT…", Short: "Make a group of agents, in the order in which they answer",
		Example: `  memoria group add club luna sol --name "Book club"
  memoria --agent club`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1+memory.MinMembers {
				return wrongUsage("%s needs a name for the group and at least %d agents", c.CommandPath(), memory.MinMembers)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				if slices.Contains(o.ConfiguredAgents(), args[0]) {
					return wrongUsage("%s is an agent; a group needs an id of its own", args[0])
				}
				id := args[0]
				if !memory.ValidAgentID(id) { // a name, such as 读书会
					if name != "" {
						return wrongUsage("%q cannot be the id of a group: ids are 1 to 64 of a-z, 0-9, - and _", id)
					}
					switch there, err := o.Memory.Lookup().FindAgent(c.Context(), id); {
					case err == nil:
						return wrongUsage("there is %s already; a group needs a name of its own", there.Title())
					case errors.Is(err, lookup.ErrAmbiguous):
						return wrongUsage("several are called %s already; a group needs a name of its own", id)
					case !errors.Is(err, lookup.ErrNotFound):
						return err
					}
					name = strings.TrimSpace(id)
					var err error
					if id, err = o.Memory.NewGroupID(c.Context(), name); err != nil {
						return err
					}
				}
				members, err := idsOf(c.Context(), o, args[1:])
				if err == nil {
					err = o.CheckAgents(c.Context(), members...)
				}
				if err != nil {
					return err
				}
				g := memory.Group{ID: id, Name: name, Members: members}
				g.Call(called(c.Context(), o))
				if g, err = o.Memory.AddGroup(c.Context(), g); err != nil {
					return err
				}
				return groupChanged(c.Context(), p, o, "made", g, asJSON)
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "what it is called; else its ID")
	c.Flags().BoolVar(&asJSON, "json", false, "print the group as JSON")
	return c
}

func groupEdit(p *Program) *cobra.Command {
	var name string
	var members, add, remove []string
	var asJSON bool
	c := &cobra.Command{
		Use: "edit ID [flags]", Short: "Change a group: its name, its members and their order",
		Long: `Change a group. Who leaves keeps what it heard, and what it said stays in the
group under its name; who comes hears what is said from then on.`,
		Example: `  memoria group edit club --add ming
  memoria group edit club --remove sol --name "Readers"
  memoria group edit club --members ming,luna`,
		Args: need("the ID of a group", 1), Annotations: hint(findGroup), ValidArgsFunction: p.completeGroup,
		RunE: func(c *cobra.Command, args []string) error {
			flags := []string{"name", "members", "add", "remove"}
			if !slices.ContainsFunc(flags, c.Flags().Changed) {
				return wrongUsage("edit needs at least one of --%s", strings.Join(flags, ", --"))
			}
			return p.with(c.Context(), func(o *app.App) error {
				for _, list := range []*[]string{&members, &add, &remove} {
					ids, err := idsOf(c.Context(), o, *list)
					if err != nil {
						return err
					}
					*list = ids
				}
				if err := o.CheckAgents(c.Context(), append(slices.Clone(members), add...)...); err != nil {
					return err
				}
				strangers, called := []string{}, called(c.Context(), o)
				g, err := o.Memory.EditGroup(c.Context(), args[0], func(g *memory.Group) {
					if c.Flags().Changed("name") {
						g.Name = name
					}
					if c.Flags().Changed("members") {
						g.Members = members
					}
					strangers = slices.DeleteFunc(slices.Clone(remove), g.Has)
					g.Members = slices.DeleteFunc(slices.Clone(g.Members), func(id string) bool { return slices.Contains(remove, id) })
					g.Members = append(g.Members, add...)
					g.Call(called)
				})
				if err != nil {
					return err
				}
				if len(strangers) > 0 {
					p.say("memoria: %s was no member", strings.Join(strangers, ", "))
				}
				return groupChanged(c.Context(), p, o, "changed", g, asJSON)
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "what it is called")
	c.Flags().StringSliceVar(&members, "members", nil, "all its `AGENTS`, in the order in which they answer")
	c.Flags().StringSliceVar(&add, "add", nil, "`AGENTS` that come")
	c.Flags().StringSliceVar(&remove, "remove", nil, "`AGENTS` that leave")
	c.Flags().BoolVar(&asJSON, "json", false, "print the group as JSON")
	return c
}

// groupChanged tells what a group is now.
func groupChanged(ctx context.Context, p *Program, o *app.App, what string, g memory.Group, asJSON bool) error {
	if asJSON {
		return p.printJSON(g)
	}
	p.print(g.ID + "\n")
	p.say("%s: %s with %s; to talk: memoria --agent %s", what, oneLine(g.Name), namesIn(g, called(ctx, o)), g.ID)
	return nil
}

// groupDeleted is what group delete --json prints.
type groupDeleted struct {
	Group     string `json:"group"`
	Messages  int    `json:"messages"`
	Memories  int    `json:"memories"`
	TakenBack bool   `json:"taken_back"`
}

func groupDelete(p *Program) *cobra.Command {
	var f deleting
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a group with all that was said in it",
		Long: `Delete a group: all that was said in it, and what each of its members heard of
that. The members stay, and so do the memories that they made of it, unless
--with-memories is given; then those go that come from nowhere else. On a
terminal it can be undone for ten seconds.
` + untilReused,
		Example: `  memoria group delete club --yes`,
		Args:    need("the ID of a group", 1), Annotations: hint(findGroup), ValidArgsFunction: p.completeGroup,
	}
	f.flags(c, "it")
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		g, err := c.Memory.Lookup().Group(ctx, args[0])
		if err != nil {
			return actions.Result{}, err
		}
		sessions, _, err := c.Memory.Lookup().Sessions(ctx, g.ID, 0, 0)
		if err != nil {
			return actions.Result{}, err
		}
		messages := 0
		for _, s := range sessions {
			messages += s.Messages
		}
		p.say("%s  %s", g.ID, oneLine(g.Name))
		there := *o
		there.Agent.ID = g.ID // where it is restored
		d, back, err := deleteAsked(ctx, p, &there, messages, &f, func() (write.Deletion, error) {
			return c.Memory.DeleteGroup(ctx, g.ID, f.withMemories)
		})
		return gone(d, back, groupDeleted{Group: g.ID, Messages: d.Messages, Memories: d.Items, TakenBack: back}), err
	})
}

// completeGroup offers the ids of groups.
func (p *Program) completeGroup(c *cobra.Command, args []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p.peek(c.Context(), func(o *app.App) error {
		all, err := o.Memory.Lookup().Groups(c.Context())
		for _, g := range all {
			out = append(out, offerOf(g.ID, g.Name))
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}
