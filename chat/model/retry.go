package model

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 20 * time.Second
	// maxRetryAfter is the longest wait that a server may impose. If the server asks for more, the client gives
	// up at once and reports the wait, because an earlier retry would only be refused.
	maxRetryAfter = 2 * time.Minute
)

// backoff returns the wait after the n-th failure, n from 1: half a second, doubled each time, at most 20 s,
// times 0.75 to 1.25 so that many clients do not retry together. random is from 0 to 1.
func backoff(n int, random float64) time.Duration {
	d := min(float64(firstBackoff)*math.Pow(2, float64(n-1)), float64(maxBackoff))
	return time.Duration(d * (0.75 + 0.5*random))
}

// retryAfter reads the server's requested wait from Retry-After-Ms or Retry-After (RFC 9110 section 10.2.3:
// seconds or a date). A date counts from the server's own Date if present, else from now. The result is at most
// 24 hours, and 0 for an unreadable value.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	v := h.Get("Retry-After")
	if d, ok := number(v, time.Second); ok {
		return d
	}
	until, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		from = now()
	}
	return min(max(until.Sub(from), 0), 24*time.Hour)
}

func number(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if math.IsNaN(f) || (err != nil && !math.IsInf(f, 0)) {
		return 0, false
	}
	f = min(max(f*float64(unit), 0), float64(24*time.Hour))
	return time.Duration(f), true
}

// sleep waits for d; it returns false as soon as ctx ends.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
