package model

import "context"

// Named returns a client for another model of the same server; that model answers every request without a model
// name. Named returns c itself for "", for c's own model, and offline. The caller still owns c and closes it.
func Named(c Client, name string) Client {
	if info := c.Info(); name == "" || info.Offline || info.Model == name {
		return c
	}
	return named{c, name}
}

type named struct {
	Client
	name string
}

// Info implements [Client].
func (n named) Info() Info {
	info := n.Client.Info()
	info.Model = n.name
	return info
}

// contextSize implements [sizer].
func (n named) contextSize(ctx context.Context, model string) int {
	if s, ok := n.Client.(sizer); ok {
		return s.contextSize(ctx, model)
	}
	return 0
}

// Stream implements [Client].
func (n named) Stream(ctx context.Context, req Request, on func(Event)) (Reply, error) {
	if req.Model == "" {
		req.Model = n.name
	}
	return n.Client.Stream(ctx, req, on)
}
