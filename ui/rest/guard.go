package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

const (
	maxBody     = 1 << 20 // bytes of a request's body
	maxHeader   = 128 << 10
	atOnce      = 32               // requests that are worked on
	requestTime = 20 * time.Second // for one request, waiting for its turn included
)

// guard is what every request passes before it is routed, whatever its method and path. The
// order is part of the contract: Host and Origin, token, path.
type guard struct {
	hosts map[string]bool // the names of the server, with its port
	token [sha256.Size]byte
	turns chan struct{}
	mux   *http.ServeMux
	// failed is told the path's pattern of a request that panicked.
	failed func(pattern string)
}

func newGuard(port, token string, mux *http.ServeMux, failed func(string)) *guard {
	g := &guard{token: sha256.Sum256([]byte(token)), turns: make(chan struct{}, atOnce), mux: mux, failed: failed, hosts: map[string]bool{}}
	for _, name := range hostNames {
		g.hosts[name+":"+port] = true
	}
	return g
}

// hostNames are the names of this computer that a request may use.
var hostNames = []string{"127.0.0.1", "localhost", "[::1]"}

// ServeHTTP implements [http.Handler].
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if p := g.refusal(r); p != nil {
		p.write(w)
		return
	}
	if p := readBody(w, r); p != nil {
		p.write(w)
		return
	}
	ctx, stop := context.WithTimeout(r.Context(), requestTime)
	defer stop()
	select {
	case g.turns <- struct{}{}:
		defer func() { <-g.turns }()
	case <-ctx.Done():
		p := problem(http.StatusServiceUnavailable, "too many requests at once")
		p.header = http.Header{"Retry-After": {"1"}}
		p.write(w)
		return
	}
	g.route(&answer{ResponseWriter: w}, r.WithContext(ctx))
}

// readBody reads the body, before the request takes its turn: a client that sends slowly
// keeps no other waiting.
func readBody(w http.ResponseWriter, r *http.Request) *Problem {
	if r.ContentLength == 0 {
		return nil
	}
	tooLarge := problem(http.StatusRequestEntityTooLarge, "the body has more than %d bytes", maxBody)
	if r.ContentLength > maxBody {
		return tooLarge
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return tooLarge
	case err != nil:
		return problem(http.StatusBadRequest, "the body cannot be read")
	}
	r.Body = io.NopCloser(bytes.NewReader(b))
	return nil
}

// refusal returns why a request is refused, or nil.
func (g *guard) refusal(r *http.Request) *Problem {
	if !g.hosts[strings.ToLower(r.Host)] {
		return problem(http.StatusForbidden, "the Host header does not name this server")
	}
	for _, origin := range r.Header.Values("Origin") {
		host, ok := strings.CutPrefix(strings.ToLower(origin), "http://")
		if !ok || !g.hosts[host] {
			return problem(http.StatusForbidden, "a page of another origin may not use this server")
		}
	}
	if !g.knows(r.Header.Values("Authorization")) {
		p := problem(http.StatusUnauthorized, "send the header Authorization: Bearer TOKEN; the token is in the file %s of the data folder",
			TokenFile)
		p.header = http.Header{"Www-Authenticate": {"Bearer"}}
		return p
	}
	return nil
}

// knows reports whether the only Authorization header has the token. It takes the same time
// for every wrong token.
func (g *guard) knows(headers []string) bool {
	if len(headers) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// route calls the handler of a request, or answers with a problem if it has none.
func (g *guard) route(w *answer, r *http.Request) {
	found, pattern := g.mux.Handler(r)
	defer func() {
		if recover() != nil {
			g.failed(pattern)
			if !w.begun {
				problem(http.StatusInternalServerError, "the request failed").write(w)
			}
		}
	}()
	if r.Method == http.MethodConnect || path.Clean(r.URL.Path) != r.URL.Path {
		pattern, found = "", http.NotFoundHandler() // the mux would redirect
	}
	if pattern != "" {
		g.mux.ServeHTTP(w, r)
		return
	}
	silent := &unrouted{header: http.Header{}}
	found.ServeHTTP(silent, r)
	if silent.status != http.StatusMethodNotAllowed {
		problem(http.StatusNotFound, "there is no such path; GET /openapi.json lists them").write(w)
		return
	}
	p := problem(http.StatusMethodNotAllowed, "this path allows %s", silent.header.Get("Allow"))
	p.header = http.Header{"Allow": silent.header["Allow"]}
	p.write(w)
}

// answer is a response that never fails: a client that has gone is no error of ours, and the
// library would print it.
type answer struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader implements [http.ResponseWriter].
func (a *answer) WriteHeader(status int) {
	if !a.begun {
		a.begun = true
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (a *answer) Write(b []byte) (int, error) {
	a.begun = true
	_, _ = a.ResponseWriter.Write(b)
	return len(b), nil
}

// Unwrap lets the library set deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// unrouted receives how the mux answers a request without a route.
type unrouted struct {
	header http.Header
	status int
}

// Header implements [http.ResponseWriter].
func (u *unrouted) Header() http.Header { return u.header }

// Write implements [http.ResponseWriter].
func (u *unrouted) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader implements [http.ResponseWriter].
func (u *unrouted) WriteHeader(status int) { u.status = status }
