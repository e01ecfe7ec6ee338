package indexer

import (
	"context"
	"errors"
	"sync"
)

// ErrHeld is the cause that ends a request in the background when somebody needs
// the server. It is no failure: the request is made again.
var ErrHeld = errors.New("the request in the background makes way")

// Gate lets requests in the background to the embedder, one at a time, and none
// while somebody holds it: a local server has one slot, and it is the user's. The
// zero value is open.
type Gate struct {
	mu      sync.Mutex
	holders int
	taken   bool
	end     context.CancelCauseFunc // of the request under way
	opened  chan struct{}           // closed when it may have become free; nil until somebody waits
}

// Hold ends the request under way and keeps others back until the function that it
// returns is called. It does not wait for anything.
func (g *Gate) Hold() (release func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.holders++
	if g.end != nil {
		g.end(ErrHeld)
	}
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.holders--
		g.tell()
	})
}

// enter takes the gate when it is free; otherwise it returns a channel that is
// closed when it may be. leave must be called at the end.
func (g *Gate) enter(ctx context.Context) (inside context.Context, leave func(), wait <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.holders > 0 || g.taken {
		if g.opened == nil {
			g.opened = make(chan struct{})
		}
		return nil, nil, g.opened
	}
	inside, g.end = context.WithCancelCause(ctx)
	g.taken = true
	return inside, sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.end(nil)
		g.taken, g.end = false, nil
		g.tell()
	}), nil
}

// tell wakes who waits; g.mu is held.
func (g *Gate) tell() {
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}
