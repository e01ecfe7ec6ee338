package cli

import (
	"context"

	"memoria/ui/actions"
	"memoria/ui/mcp"
)

// serveMCP serves the memory of the agent on standard input and output, until input ends.
// The session goes on when another process takes the memory over.
func serveMCP(ctx context.Context, in *input) (actions.Result, error) {
	if in.app.Group != nil {
		return actions.Result{}, wrongUsage("mcp.group", in.app.Agent.ID)
	}
	if isTerminal(in.Stdin) {
		in.remark("mcp.terminal")
	}
	return actions.Result{}, mcp.Serve(ctx, mcp.Options{
		Memory: in.app.Memory, Agent: in.app.Agent, Prompts: in.app.Prompts, Now: in.Program.Now, Version: in.Program.Version,
		Logger: in.app.Logger, Keep: in.Talks, Resume: in.Resume,
	}, in.Stdin, in.out)
}
