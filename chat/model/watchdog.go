package model

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// watchdog cancels one attempt with an [*Error] as its cause when the armed timer runs out. One timer is armed
// at a time. Its methods are safe for concurrent use.
type watchdog struct {
	cancel context.CancelCauseFunc
	now    func() time.Time

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
	idle    time.Duration // once the answer has begun: the longest silence during reads
	left    time.Duration // the part of idle that is left
	since   time.Time     // start of the current Read
}

// arm restarts the timer, replacing a running one.
func (w *watchdog) arm(d time.Duration, kind Kind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armLocked(d, kind)
}

func (w *watchdog) armLocked(d time.Duration, kind Kind) {
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.stopped {
		return
	}
	limit := d
	if kind == KindIdleTimeout && w.idle > 0 {
		limit = w.idle // d is the rest of idle
	}
	w.timer = time.AfterFunc(d, func() { w.cancel(timeout(kind, limit)) })
}

// begun ends the wait for the first token. From then on only the time inside Reads is measured, so that a slow
// event receiver never looks like a slow server.
func (w *watchdog) begun(idle time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle, w.left = idle, idle
	if w.timer != nil {
		w.timer.Stop()
	}
}

// fed says that part of the answer has arrived; an empty event does not count (K8).
func (w *watchdog) fed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = w.idle
}

// finishing bounds the total wait after the finish reason. Only the first call counts.
func (w *watchdog) finishing(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle > 0 {
		w.idle = 0
		w.armLocked(d, KindIdleTimeout)
	}
}

func (w *watchdog) readBegins() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle > 0 {
		w.since = w.now()
		w.armLocked(w.left, KindIdleTimeout)
	}
}

func (w *watchdog) readEnds() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle > 0 {
		w.timer.Stop()
		w.left -= w.now().Sub(w.since)
	}
}

// stop ends the watch for good; a later connection arms nothing.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

func timeout(kind Kind, d time.Duration) *Error {
	what := map[Kind]string{
		KindConnectTimeout:    "no connection within %v",
		KindFirstTokenTimeout: "no answer began within %v",
		KindIdleTimeout:       "nothing came for %v in the middle of the answer",
	}[kind]
	return newError(kind, fmt.Sprintf(what, d))
}
