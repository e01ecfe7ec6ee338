package kv

import (
	"context"
	"sync"
)

// watchers holds the channels returned by [DB.Watch]. The zero value is ready to use.
type watchers struct {
	mu     sync.Mutex
	open   map[chan struct{}]bool
	closed bool
}

// Watch returns a channel that wakes a follower of the feed ([Tx.Changes]). It receives
// a value at once, and one after each commit that added to the feed. Pending values are
// merged into one, so a follower must read the feed to its end each time:
//
//	for range db.Watch(ctx) { catchUp() }
//
// The channel is closed when ctx is done or the store closes.
func (db *DB) Watch(ctx context.Context) <-chan struct{} {
	ch := make(chan struct{}, 1)
	ch <- struct{}{}
	if !db.watchers.add(ch) {
		end(ch)
		return ch
	}
	context.AfterFunc(ctx, func() { db.watchers.remove(ch) })
	return ch
}

// add registers ch. It returns false after close.
func (w *watchers) add(ch chan struct{}) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	if w.open == nil {
		w.open = make(map[chan struct{}]bool)
	}
	w.open[ch] = true
	return true
}

func (w *watchers) remove(ch chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[ch] {
		delete(w.open, ch)
		end(ch)
	}
}

// end discards a pending wake-up and closes ch.
func end(ch chan struct{}) {
	select {
	case <-ch:
	default:
	}
	close(ch)
}

// wake wakes all followers. It never blocks.
func (w *watchers) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.open {
		select {
		case ch <- struct{}{}:
		default: // a wake-up is pending
		}
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for ch := range w.open {
		end(ch)
	}
	w.open = nil
}
