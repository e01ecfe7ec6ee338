package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/actions"
	"memoria/ui/config"
	"memoria/ui/words"
)

const findGroup = "'memoria group list' shows what there is."

// joinGroup makes the conversation that of a group when the chosen id is one's (S9).
func (o *open) joinGroup(ctx context.Context) error {
	members, g, err := o.company(ctx, o.agent.ID)
	if err != nil || g == nil {
		return err
	}
	o.agent, o.members, o.group = chat.Agent{ID: g.ID, Name: g.Name}, members, g
	return nil
}

// company is the group with this id, and its members; nil when it is none's.
func (o *open) company(ctx context.Context, id string) (members []chat.Agent, _ *memory.Group, err error) {
	g, err := o.manager.Group(ctx, id)
	if errors.Is(err, manager.ErrNotFound) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, id := range g.Members {
		info, err := o.manager.Agent(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		info.Name = info.Title()
		members = append(members, info.Agent)
	}
	return members, &g, nil
}

// nameMembers keeps the names that members have by now, and returns them with those
// of who left: they are known by them.
func (o *open) nameMembers(ctx context.Context, g memory.Group, members []chat.Agent) (map[string]string, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("%w: nobody is left in the group %s; add agents: memoria group edit %[2]s --add AGENT,AGENT", manager.ErrInvalid, g.ID)
	}
	known := maps.Clone(g.Names)
	for _, m := range members {
		if known == nil {
			known = map[string]string{}
		}
		if known[m.ID] = m.Name; m.Name == m.ID {
			delete(known, m.ID)
		}
	}
	if maps.Equal(known, g.Names) {
		return known, nil
	}
	_, err := o.manager.EditGroup(ctx, g.ID, func(g *memory.Group) { g.Names = known })
	return known, err
}

// rememberers are those of whom an opened memory may have something to learn.
func (o *open) rememberers() []string {
	ids := []string{o.agent.ID}
	for _, m := range o.members {
		ids = append(ids, m.ID)
	}
	return ids
}

// speaker names who says a record.
func (o *open) speaker(r memory.Record) string {
	if r.Sender == "" {
		return ""
	}
	if o.group != nil {
		for _, m := range o.members {
			if m.ID == r.Sender {
				return m.Name
			}
		}
		return o.group.NameOf(r.Sender)
	}
	a, err := o.manager.Agent(context.Background(), r.Sender)
	if err != nil {
		return r.Sender
	}
	return a.Title()
}

// called are the names of the agents that have one, by id.
func (o *open) called(ctx context.Context) map[string]string {
	names := map[string]string{}
	all, err := o.manager.Agents(ctx)
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

func (p *Program) groupCommand() *cobra.Command {
	list := p.groupList()
	c := group("group", "Talk to several agents at once", list, p.groupShow(), p.groupAdd(), p.groupEdit(), p.groupDelete())
	c.Long = `A group is several agents that you talk to at once: memoria --agent GROUP. They
answer one after the other, or those of them whom the message names: @bo, or
@all. What is said lies once, in the group; each agent remembers for itself what
it heard there, and none sees what another remembers. Each is answered by its own
model, where it has one; --model names one for all.`
	return orElse(c, list)
}

func (p *Program) groupList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the groups", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *open) error {
				all, err := o.manager.Groups(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(append([]memory.Group{}, all...))
				}
				called := o.called(c.Context())
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

func (p *Program) groupShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show a group and who is in it",
		Args: need("the ID of a group", 1), Annotations: hint(findGroup), ValidArgsFunction: p.completeGroup,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error {
				g, err := o.manager.Group(c.Context(), args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(g)
				}
				sessions, total, err := o.manager.Sessions(c.Context(), g.ID, 0, 0)
				if err != nil {
					return err
				}
				messages := 0
				for _, s := range sessions {
					messages += s.Messages
				}
				p.print(fmt.Sprintf("%s\n\nid       %s\nmembers  %s\n", oneLine(g.Name), g.ID, namesIn(g, o.called(c.Context()))))
				if len(g.Left) > 0 {
					p.print(fmt.Sprintf("left     %s\n", strings.Join(g.Left, ", ")))
				}
				p.print(fmt.Sprintf("made     %s\nsaid     %s in %s\n", words.Moment(g.CreatedAt, time.Local), many(messages, "message", "messages"), many(total, "session", "sessions")))
				p.say("To talk: memoria --agent %s", g.ID)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// idsOf are the ids of agents that are called by id or by name.
func (o *open) idsOf(ctx context.Context, names []string) (ids []string, _ error) {
	for _, name := range names {
		a, err := o.manager.FindAgent(ctx, name)
		switch {
		case err == nil:
			name = a.ID
		case errors.Is(err, manager.ErrAmbiguous):
			return nil, wrongUsage("several agents are called %q; give an id: memoria agent list", name)
		case !errors.Is(err, manager.ErrNotFound):
			return nil, err
		case !memory.ValidAgentID(name):
			return nil, wrongUsage("no agent is called %q: memoria agent list", name)
		}
		ids = append(ids, name)
	}
	return ids, nil
}

func (p *Program) groupAdd() *cobra.Command {
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
			return p.with(c.Context(), func(o *open) error {
				if slices.Contains(o.configured(), args[0]) {
					return wrongUsage("%s is an agent; a group needs an id of its own", args[0])
				}
				id := args[0]
				if !memory.ValidAgentID(id) { // a name, such as 读书会
					if name != "" {
						return wrongUsage("%q cannot be the id of a group: ids are 1 to 64 of a-z, 0-9, - and _", id)
					}
					switch there, err := o.manager.FindAgent(c.Context(), id); {
					case err == nil:
						return wrongUsage("there is %s already; a group needs a name of its own", there.Title())
					case errors.Is(err, manager.ErrAmbiguous):
						return wrongUsage("several are called %s already; a group needs a name of its own", id)
					case !errors.Is(err, manager.ErrNotFound):
						return err
					}
					name = strings.TrimSpace(id)
					var err error
					if id, err = o.manager.NewGroupID(c.Context(), name); err != nil {
						return err
					}
				}
				members, err := o.idsOf(c.Context(), args[1:])
				if err == nil {
					err = o.mustKnow(c.Context(), members...)
				}
				if err != nil {
					return err
				}
				g := memory.Group{ID: id, Name: name, Members: members}
				g.Call(o.called(c.Context()))
				if g, err = o.manager.AddGroup(c.Context(), g); err != nil {
					return err
				}
				return p.groupChanged(c.Context(), o, "made", g, asJSON)
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "what it is called; else its ID")
	c.Flags().BoolVar(&asJSON, "json", false, "print the group as JSON")
	return c
}

func (p *Program) groupEdit() *cobra.Command {
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
			return p.with(c.Context(), func(o *open) error {
				for _, list := range []*[]string{&members, &add, &remove} {
					ids, err := o.idsOf(c.Context(), *list)
					if err != nil {
						return err
					}
					*list = ids
				}
				if err := o.mustKnow(c.Context(), append(slices.Clone(members), add...)...); err != nil {
					return err
				}
				strangers, called := []string{}, o.called(c.Context())
				g, err := o.manager.EditGroup(c.Context(), args[0], func(g *memory.Group) {
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
				return p.groupChanged(c.Context(), o, "changed", g, asJSON)
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

// configured are the agents that the configuration names.
func (o *open) configured() []string {
	out := slices.Sorted(maps.Keys(o.cfg.Agents))
	if usual := cmp.Or(o.usual, config.DefaultAgent); !slices.Contains(out, usual) {
		out = append(out, usual)
	}
	return out
}

// groupChanged tells what a group is now.
func (p *Program) groupChanged(ctx context.Context, o *open, what string, g memory.Group, asJSON bool) error {
	if asJSON {
		return p.printJSON(g)
	}
	p.print(g.ID + "\n")
	p.say("%s: %s with %s; to talk: memoria --agent %s", what, oneLine(g.Name), namesIn(g, o.called(ctx)), g.ID)
	return nil
}

// groupDeleted is what group delete --json prints.
type groupDeleted struct {
	Group     string `json:"group"`
	Messages  int    `json:"messages"`
	Memories  int    `json:"memories"`
	TakenBack bool   `json:"taken_back"`
}

func (p *Program) groupDelete() *cobra.Command {
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
	return acting(p, c, func(ctx context.Context, o *open, c *actions.Console, args []string) (actions.Result, error) {
		g, err := c.Memory.Group(ctx, args[0])
		if err != nil {
			return actions.Result{}, err
		}
		sessions, _, err := c.Memory.Sessions(ctx, g.ID, 0, 0)
		if err != nil {
			return actions.Result{}, err
		}
		messages := 0
		for _, s := range sessions {
			messages += s.Messages
		}
		p.say("%s  %s", g.ID, oneLine(g.Name))
		there := *o
		there.agent.ID = g.ID // where it is restored
		d, back, err := p.deleteAsked(ctx, &there, messages, &f, func() (manager.Deletion, error) {
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
	p.peek(c.Context(), func(o *open) error {
		all, err := o.manager.Groups(c.Context())
		for _, g := range all {
			out = append(out, offerOf(g.ID, g.Name))
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}
