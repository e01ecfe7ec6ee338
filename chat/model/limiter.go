package model

import (
	"context"

	"golang.org/x/time/rate"
)

// newLimiter returns a limiter that lets at most perMinute requests begin in any minute, or nil for no limit. A
// quarter of them may come at once, because a turn is several requests (judging, reply, analysis). A full
// bucket of b tokens, refilled with r a minute, lets b + r − 1 requests begin in the following minute, hence r.
func newLimiter(perMinute int) *rate.Limiter {
	if perMinute <= 0 {
		return nil
	}
	b := max(1, perMinute/4)
	r := perMinute - b + 1
	return rate.NewLimiter(rate.Limit(float64(r)/60), b)
}

// throttle waits for the rate limit and announces the wait. It returns false if ctx ends first.
func throttle(ctx context.Context, l *rate.Limiter, on func(Event)) bool {
	if l == nil {
		return ctx.Err() == nil
	}
	r := l.Reserve()
	wait := r.Delay()
	if wait <= 0 {
		return ctx.Err() == nil
	}
	on(Throttled{Wait: wait})
	if !sleep(ctx, wait) {
		r.Cancel()
		return false
	}
	return true
}
