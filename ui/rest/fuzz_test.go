package rest

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/config"
)

// Whatever is asked, the server answers with what it means: never an error of its own, always
// a problem for what it refuses, and never what is muted.
func FuzzRequests(f *testing.F) {
	w := emptyWorld(f)
	it, err := w.m.Learning().AddItem(f.Context(), luna, memory.Item{Content: "Owns a zanzibar lamp."})
	if err == nil {
		_, err = w.m.Learning().EditItem(f.Context(), luna, it.ID, func(it *memory.Item) { it.State = memory.StateMuted })
	}
	if err != nil {
		f.Fatal(err)
	}
	mux, _ := routes(&Server{Options{Memory: w.m, Agent: luna, Now: time.Now, Version: "test", Logger: w.m.Log}})
	g := newGuard("7411", token, mux, func(pattern string) { f.Errorf("%s panicked", pattern) })
	for _, seed := range [][3]string{
		{"GET", "/memory/long-term?limit=5&offset=1", ""}, {"GET", "/items?type=fact&state=muted", ""}, {"GET", "/items/" + it.ID, ""},
		{"GET", "/search?q=zanzibar&since=2020-01-01&until=2030-01-01T00:00:00Z&all=true", ""}, {"GET", "/journal/memory.md", ""},
		{"GET", "/journal/../api.token", ""}, {"GET", "/sessions/x/records?agent=nova", ""}, {"GET", "/packages/%2e%2e%2f", ""},
		{"POST", "/items", `{"content":"Likes tea","tags":["a"],"value":[1],"importance":0.3}`}, {"PATCH", "/items/" + it.ID, `{"key":null}`},
		{"DELETE", "/memory/long-term", ""}, {"OPTIONS", "/agents", ""}, {"GET", "/memory/working/a/b", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, method, path, body string) {
		u, err := url.ParseRequestURI(path)
		if err != nil || !strings.HasPrefix(path, "/") {
			return
		}
		r := &http.Request{
			Method: method, URL: u, RequestURI: path, Host: "127.0.0.1:7411", Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1,
			Header: http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}},
		}
		a := &recorder{header: http.Header{}}
		g.ServeHTTP(a, r.WithContext(t.Context()))
		switch {
		case a.status >= http.StatusInternalServerError:
			t.Errorf("%q %q %q: %d %s", method, path, body, a.status, a.body.String())
		case a.status >= http.StatusBadRequest:
			a.check(t, a.status)
		case strings.Contains(a.body.String(), it.ID) || strings.Contains(a.body.String(), "zanzibar lamp"):
			t.Errorf("%q %q serves a muted item: %s", method, path, a.body.String())
		}
	})
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"127.0.0.1:7411", "localhost:0", "[::1]:1", "0.0.0.0:1", ":1", "127.1:80", "[::ffff:127.0.0.1]:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		got, err := config.LocalAddress(address)
		if err != nil {
			return
		}
		host, _, err := net.SplitHostPort(got)
		if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
			t.Errorf("%q is opened as %q: %v", address, got, err)
		}
	})
}

func FuzzSpan(f *testing.F) {
	f.Add("2026-01-31", "2026-01-31T12:00:00Z")
	f.Add("", "tomorrow")
	f.Fuzz(func(t *testing.T, since, until string) {
		from, to, err := Span{Since: since, Until: until}.times(time.UTC)
		if err == nil && (since == "") != from.IsZero() && !strings.HasPrefix(since, "0001-01-01") {
			t.Errorf("%q, %q: %v to %v", since, until, from, to)
		}
	})
}
