package cli

import (
	"context"
	"time"

	"memoria/memory/manager/write"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/rest"
	"memoria/ui/words"
)

// checkServe refuses an address that other computers could reach, before anything is opened.
func checkServe(_ context.Context, in *input) error {
	if rest.CheckAddress(in.text("listen")) != nil {
		return wrongUsage("usage.listen", in.text("listen"))
	}
	return nil
}

// serve serves the memory to other programs until it is interrupted. The address is opened
// before the memory: if it is in use, another memoria may have both.
func serve(ctx context.Context, in *input) (r actions.Result, err error) {
	l, err := rest.Listen(ctx, in.text("listen"))
	if err != nil {
		return r, err
	}
	defer func() { _ = l.Close() }()
	return r, in.with(ctx, func(o *app.App) error {
		token, err := rest.Token(o.DataDir, in.Notify)
		if err != nil {
			return err
		}
		in.print(rest.URL(l) + "\n")
		err = rest.Serve(ctx, l, rest.Options{
			Memory: o.Memory, Agent: o.Agent.ID, Token: token, Version: in.Options.Version, Now: in.Program.Now, Logger: o.Logger,
			Deleted: func(agent string, d write.Deletion) {
				in.remark("serve.deleted", words.Count(d.Items, "memory"), agent, int(d.Until.Sub(d.At)/time.Second))
			},
		})
		if err == nil {
			err = context.Cause(ctx)
		}
		return err
	})
}
