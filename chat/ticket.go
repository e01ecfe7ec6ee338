package chat

import (
	"context"
	"slices"
	"sync"
)

// tickets let the operations on a conversation run one at a time, in the order in which
// they were asked for. An operation that holds a ticket may read and write the memory;
// the lock of the state is free meanwhile.
type tickets struct {
	mu      sync.Mutex
	serving bool
	waiting []chan struct{} // of the operations in line, first come first
}

// take waits until the operation is next and returns a function that lets the next one
// run. It returns the cause of ctx if that ends first, and the operation leaves the line.
func (t *tickets) take(ctx context.Context) (done func(), err error) {
	t.mu.Lock()
	if !t.serving {
		t.serving = true
		t.mu.Unlock()
		return t.serveNext, nil
	}
	called := make(chan struct{})
	t.waiting = append(t.waiting, called)
	t.mu.Unlock()
	select {
	case <-called:
		return t.serveNext, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	i := slices.Index(t.waiting, called)
	if i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
	}
	t.mu.Unlock()
	if i < 0 { // it was called at the same moment
		t.serveNext()
	}
	return nil, context.Cause(ctx)
}

// next is take for an operation that cannot be given up.
func (t *tickets) next() (done func()) {
	done, _ = t.take(context.Background())
	return done
}

func (t *tickets) serveNext() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.serving = false
		return
	}
	close(t.waiting[0])
	t.waiting = slices.Delete(t.waiting, 0, 1)
}
