package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/editor"
)

func agentList(ctx context.Context, in *input) (actions.Result, error) {
	return actions.Agents(ctx, in.Console, in.app.DefaultAgent())
}

// readPersona reads the file that --persona-file names.
func readPersona(ctx context.Context, in *input) error {
	if in.read = in.text("persona"); in.text("persona-file") == "" {
		return nil
	}
	err := in.readFile(ctx, "persona-file")
	in.read = strings.TrimSpace(in.read)
	return err
}

func agentAdd(ctx context.Context, in *input) (actions.Result, error) {
	return actions.AddAgent(ctx, in.Console, memory.Agent{
		ID: in.text("id"), Name: in.words(), Persona: in.read, Model: in.text("model"), Color: in.text("color"),
	})
}

// described reports whether a flag describes the agent; else its persona is edited.
func (in *input) described() bool {
	return in.given("name", "persona", "persona-file", "model", "color")
}

func checkAgentEdit(ctx context.Context, in *input) error {
	if !in.described() && editor.Named(in.Env) == "" {
		return wrongUsage("usage.editor.agent")
	}
	return readPersona(ctx, in)
}

func agentEdit(ctx context.Context, in *input) (r actions.Result, err error) {
	a, err := actions.FindAgent(ctx, in.Console, in.first(""))
	if err == nil && a.Group { // before an editor opens
		err = fmt.Errorf("agent %s: %w", a.ID, write.ErrGroup)
	}
	if err != nil {
		return r, err
	}
	persona := in.given("persona", "persona-file")
	if !in.described() {
		persona = true
		if in.read, err = in.edited(ctx, a.Persona); err != nil {
			return r, err
		}
		in.read = strings.TrimSpace(in.read)
	}
	return actions.EditAgent(ctx, in.Console, a, func(a *memory.Agent) {
		if in.given("name") {
			a.Name = strings.TrimSpace(in.text("name"))
		}
		if persona {
			a.Persona = in.read
		}
		if in.given("model") {
			a.Model = strings.TrimSpace(in.text("model"))
		}
		if in.given("color") {
			a.Color = in.text("color")
		}
	})
}

// groupChange is what the flags change of a group.
func (in *input) groupChange() actions.GroupChange {
	g := actions.GroupChange{ID: in.args[0], Check: in.app.CheckAgents}
	if in.given("name") {
		name := in.text("name")
		g.Name = &name
	}
	return g
}

func groupAdd(ctx context.Context, in *input) (actions.Result, error) {
	if slices.Contains(in.app.ConfiguredAgents(), in.args[0]) {
		return actions.Result{}, app.UsageError(in.Say("group.is-agent", in.args[0]))
	}
	g := in.groupChange()
	g.Members = in.args[1:]
	return actions.AddGroup(ctx, in.Console, g)
}

func groupEdit(ctx context.Context, in *input) (actions.Result, error) {
	g := in.groupChange()
	g.Add, g.Remove = in.list("add"), in.list("remove")
	if in.given("members") {
		g.Members = in.list("members")
	}
	return actions.EditGroup(ctx, in.Console, g)
}

func showContext(ctx context.Context, in *input) (actions.Result, error) {
	turn := ""
	if len(in.args) > 1 {
		turn = in.args[1]
	}
	return actions.ShowContext(ctx, in.Console, in.app.Group != nil, in.first(actions.LastSession), turn)
}

func showRecall(ctx context.Context, in *input) (actions.Result, error) {
	return actions.Recall(ctx, in.Console, recall.Query{Text: in.words(), Limit: in.count("k")}, in.on("explain"))
}

func showWorking(ctx context.Context, in *input) (actions.Result, error) {
	s, err := actions.FindSession(ctx, in.Console, in.first(actions.LastSession))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.ShowWorking(ctx, in.Console, s)
}
