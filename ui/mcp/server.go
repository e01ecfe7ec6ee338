package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memoria/chat"
	"memoria/chat/tools"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/manager"
	"memoria/memory/manager/doors"
)

// Options configures [Serve].
type Options struct {
	Memory *manager.Manager
	Agent  memory.Agent // whose memory is served
	// Prompts has the texts for the client's model.
	Prompts *chat.Prompts
	Now     func() time.Time
	Version string
	Logger  *slog.Logger
	// Keep is called with what another server needs to go on with the session, which gets
	// it as Resume: a process that has the memory may end before its clients. Keep may be
	// nil, and Resume empty.
	Keep   func(state string)
	Resume string
}

// server answers the calls of one session.
type server struct {
	Options
	doors *doors.Writer
	texts *tools.Texts
	life  context.Context // ends with the session
}

// Serve answers what it reads from in until that ends, and writes nothing but protocol to
// out. It returns nil at the end of in, and the cause when ctx is done. The error is
// [ErrTooLong] if a line is longer than [MaxLine]. A blocked read of in outlasts it.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	texts, err := tools.NewTexts(o.Prompts, o.Agent.Title())
	if err != nil {
		return err
	}
	s := &server{Options: o, doors: doors.New(o.Memory.Core), texts: texts, life: ctx}
	c := newConnection(ctx, in, out, o.Keep, o.Resume)
	err = s.build().Run(ctx, transport{c})
	c.finish()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(c.failed(), io.EOF):
		return nil
	case c.failed() != nil:
		return c.failed()
	}
	return err
}

// build returns the server with its tools and resources.
func (s *server) build() *sdk.Server {
	about := &sdk.Implementation{Name: "memoria", Title: "memoria", Version: s.Version}
	m := sdk.NewServer(about, &sdk.ServerOptions{
		Instructions: s.texts.Instructions, Logger: slog.New(slog.DiscardHandler),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
	})
	s.addTools(m)
	s.addResources(m)
	return m
}

// during runs f for a request until the request or the session ends. A panic in f becomes
// an error.
func (s *server) during(ctx context.Context, what string, f func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(s.life, func() { end(context.Cause(s.life)) })()
	return guard.Do(s.Logger, what, func() error { return f(ctx) })
}
