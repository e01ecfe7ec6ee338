package cli

import (
	"cmp"
	"context"
	"errors"
	"syscall"
	"time"

	"memoria/memory/manager/write"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/rest"
)

// checkServe refuses an address that other computers could reach, before anything is opened.
func checkServe(_ context.Context, in *input) error {
	if _, err := config.LocalAddress(in.text("listen")); in.given("listen") && err != nil {
		return wrongUsage("usage.listen", in.text("listen"))
	}
	return nil
}

// serve serves the memory to other programs until it is interrupted. The address is opened
// after the memory, so that no request waits at one that is closed again because another
// process has the memory.
func serve(ctx context.Context, in *input) (r actions.Result, err error) {
	served, err := in.served(in.app, func(agent string, d write.Deletion) {
		in.remark("serve.deleted", in.lang().Count(d.Items, "memory"), agent, int(d.Until.Sub(d.At)/time.Second))
	})
	if err != nil {
		return r, err
	}
	// When the process that has the memory ends, serving begins again on the same port.
	l, err := rest.Listen(ctx, cmp.Or(in.Resume, in.text("listen"), in.app.Config.API.Listen, config.DefaultListen))
	if errors.Is(err, syscall.EADDRINUSE) {
		return r, actions.Refusal(in.Say("serve.in-use", cmp.Or(in.text("listen"), in.app.Config.API.Listen, config.DefaultListen)))
	}
	if err != nil {
		return r, err
	}
	if in.Talks != nil {
		in.Talks(l.Addr().String())
	}
	if in.Resume == "" {
		in.print(rest.URL(l) + "\n")
	}
	if err = rest.Serve(ctx, l, served); err == nil {
		err = context.Cause(ctx)
	}
	return r, err
}

// served is an open memory as it is served; deleted tells what other programs delete.
func (p *Program) served(o *app.App, deleted func(agent string, d write.Deletion)) (rest.Options, error) {
	token, err := rest.Token(o.DataDir, p.Notify)
	return rest.Options{
		Memory: o.Memory, Agent: o.Agent.ID, Token: token, Version: p.Options.Version, Now: p.Now, Logger: o.Logger, Deleted: deleted,
	}, err
}

// serveBeside serves the memory beside the terminal program, if the configuration says so
// ([api] listen), until the function that it returns is called. A failure does not keep the
// program from its work. That the address is in use is not told if the process has the memory
// open already: it serves it.
func (p *Program) serveBeside(ctx context.Context, o *app.App) (stop func()) {
	if o.Config.API.Listen == "" || p.Demo || p.Temporary {
		return func() {}
	}
	// The screen and the lines tell of deletions by themselves.
	served, err := p.served(o, func(string, write.Deletion) {})
	if err != nil {
		p.remark("serve.failed", err)
		return func() {}
	}
	l, err := rest.Listen(ctx, o.Config.API.Listen)
	if err != nil {
		if o.Logger.Warn("rest", "error", err); !o.Joined || !errors.Is(err, syscall.EADDRINUSE) {
			p.remark("serve.failed", err)
		}
		return func() {}
	}
	ctx, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := rest.Serve(ctx, l, served); err != nil {
			o.Logger.Warn("rest", "error", err)
		}
	}()
	return func() {
		end()
		<-ended
	}
}
