package indexer

import (
	"context"
	"errors"
	"sync"
)

// ErrHeld is the cause that cancels a background request when the server is needed. It
// is not a failure: the request is repeated.
var ErrHeld = errors.New("the request in the background makes way")

// Gate admits background requests to the embedder, one at a time, and none while it is
// held: a local server has one slot, and the user has priority. The zero value is open.
type Gate struct {
	mu      sync.Mutex
	holders int
	taken   bool
	end     context.CancelCauseFunc // of the request under way
	opened  chan struct{}           // closed when it may be free; nil without waiters
}

// Hold cancels the running request and blocks others until release is called. It does
// not wait.
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

// enter takes the gate if it is free; otherwise it returns a channel that is closed
// when it may be. The caller must call leave at the end.
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

// tell wakes the waiters; g.mu is held.
func (g *Gate) tell() {
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}
