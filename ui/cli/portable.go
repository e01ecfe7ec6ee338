package cli

import (
	"context"
	"errors"
	"os"

	"memoria/memory/lookup"
	"memoria/ui/actions"
)

// exportAgent writes to --output, to standard output, or in a terminal to a file that is
// named after the agent.
func exportAgent(ctx context.Context, in *input) (actions.Result, error) {
	e := actions.AgentExport{File: in.text("output"), Out: in.out, Force: in.on("yes"), Program: in.Program.Version}
	if e.File == "" && (isTerminal(in.Stdout) || in.on("json")) {
		e.File = in.Path(actions.ExportName(in.Console))
	}
	if e.File == "-" {
		e.File = ""
	}
	if _, err := os.Stat(e.File); e.File != "" && err == nil {
		if err := in.agree(ctx, e.Force, in.Say("really.over", e.File)); err != nil {
			return actions.Result{}, err
		}
		e.Force = true
	}
	var err error
	if e.Encryption, err = in.encryption(ctx); err != nil {
		return actions.Result{}, err
	}
	return actions.ExportAgent(ctx, in.Console, e)
}

// readTarget keeps the agent that an import goes into from being opened, because it may not
// exist yet.
func readTarget(_ context.Context, in *input) error {
	if in.given("agent") {
		in.read, in.Program.Agent = in.Program.Agent, ""
	}
	return nil
}

func importAgent(ctx context.Context, in *input) (actions.Result, error) {
	to, unknown := in.read, error(nil)
	if to != "" {
		found, err := in.Memory.Lookup().FindAgent(ctx, to)
		switch {
		case err == nil:
			to = found.ID
		case errors.Is(err, lookup.ErrNotFound):
			unknown = in.app.CheckAgents(ctx, to)
		default:
			return actions.Result{}, err
		}
	}
	return actions.ImportAgent(ctx, in.Console, actions.AgentImport{
		File: in.args[0], To: to, Unknown: unknown, Preview: in.on("dry-run"), Unseen: in.on("yes"), Secret: in.secret(ctx),
		Agree: func(what string) error { return in.agree(ctx, in.on("yes"), what) },
	})
}
