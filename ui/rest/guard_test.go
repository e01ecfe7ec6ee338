package rest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// I1, D4: whatever the method and the path, a foreign Host or Origin is refused first, then a
// missing token; only then the path is looked at.
func TestGuardMatrix(t *testing.T) {
	mux := http.NewServeMux()
	reached := 0
	mux.HandleFunc("GET /there", func(w http.ResponseWriter, _ *http.Request) { reached++; _, _ = io.WriteString(w, "{}") })
	g := newGuard("7411", token, mux, func(string) { t.Error("it panicked") })
	hosts := map[string]bool{
		"127.0.0.1:7411": true, "localhost:7411": true, "LOCALHOST:7411": true, "[::1]:7411": true,
		"127.0.0.1": false, "localhost": false, "127.0.0.1:80": false, "127.0.0.1:74110": false, "evil.example:7411": false, "": false,
		"127.0.0.1:7411.evil.example": false, "localhost.:7411": false, "0.0.0.0:7411": false, "127.0.0.2:7411": false, "[::1%lo]:7411": false,
	}
	origins := map[string]bool{
		"-": true, "http://127.0.0.1:7411": true, "http://localhost:7411": true, "http://[::1]:7411": true, "HTTP://LocalHost:7411": true,
		"": false, "null": false, "https://127.0.0.1:7411": false, "http://127.0.0.1": false, "http://evil.example": false,
		"http://127.0.0.1:7411/": false, "http://127.0.0.1:7411 http://evil.example": false, "127.0.0.1:7411": false, "file://": false,
	}
	tokens := map[string]bool{
		"Bearer " + token: true, "bearer " + token: true,
		"-": false, "": false, "Bearer": false, "Bearer" + " ": false, "Bearer  " + token: false, "Basic " + token: false, token: false,
		"Bearer " + token + "x": false, "Bearer " + token[1:]: false, "Bearer " + strings.ToUpper(token): false,
	}
	methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"}
	paths := map[string]bool{"/there": true, "/nowhere": false, "/": false, "/there/": false, "//there": false, "/x/../there": false}
	for host, goodHost := range hosts {
		for origin, goodOrigin := range origins {
			for auth, goodToken := range tokens {
				for _, method := range methods {
					for path, exists := range paths {
						r := &http.Request{Method: method, Host: host, Header: http.Header{}, Body: http.NoBody}
						r.URL = mustURL(t, path)
						r = r.WithContext(t.Context())
						if origin != "-" {
							r.Header.Set("Origin", origin)
						}
						if auth != "-" {
							r.Header.Set("Authorization", auth)
						}
						w := &recorder{header: http.Header{}}
						g.ServeHTTP(w, r)
						want := http.StatusOK
						switch {
						case !goodHost || !goodOrigin:
							want = http.StatusForbidden
						case !goodToken:
							want = http.StatusUnauthorized
						case !exists || method == "CONNECT":
							want = http.StatusNotFound
						case method != "GET" && method != "HEAD":
							want = http.StatusMethodNotAllowed
						}
						if w.status != want {
							t.Errorf("%s %s, Host %q, Origin %q, Authorization %q: %d, want %d", method, path, host, origin, auth, w.status, want)
						}
						w.check(t, want)
					}
				}
			}
		}
	}
	if reached == 0 {
		t.Error("nothing reached the handler")
	}
	for _, name := range []string{"Origin", "Authorization"} { // two of them, one of them good
		r := &http.Request{Method: http.MethodGet, Host: "127.0.0.1:7411", Header: http.Header{"Authorization": {"Bearer " + token}}, URL: mustURL(t, "/there")}
		r.Header.Set("Origin", "http://127.0.0.1:7411")
		r.Header.Add(name, "evil")
		w := &recorder{header: http.Header{}}
		if g.ServeHTTP(w, r); w.status != http.StatusForbidden && w.status != http.StatusUnauthorized {
			t.Errorf("two headers %s: %d", name, w.status)
		}
	}
}

// recorder records an answer.
type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) { r.status = status }

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.body.Write(b)
}

// check checks what holds for every answer.
func (r *recorder) check(t *testing.T, status int) {
	t.Helper()
	for name := range r.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the answer has the header %s", name)
		}
	}
	if status == http.StatusOK {
		return
	}
	var p Problem
	if err := json.Unmarshal([]byte(r.body.String()), &p); err != nil || p.Status != status || p.Title == "" || p.Detail == "" || p.Type == "" ||
		r.header.Get("Content-Type") != problemType {
		t.Errorf("%d is no problem: %v %v", status, r.header, r.body.String())
	}
	if status == http.StatusMethodNotAllowed && r.header.Get("Allow") == "" {
		t.Error("405 without Allow")
	}
	if status == http.StatusUnauthorized && r.header.Get("Www-Authenticate") == "" {
		t.Error("401 without WWW-Authenticate")
	}
}

// A handler that panics is a problem, and its message is not logged.
func TestGuardPanic(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /there", func(http.ResponseWriter, *http.Request) { panic("canary") })
	var failed []string
	g := newGuard("7411", token, mux, func(pattern string) { failed = append(failed, pattern) })
	w := &recorder{header: http.Header{}}
	g.ServeHTTP(w, &http.Request{
		Method: http.MethodGet, Host: "127.0.0.1:7411", Header: http.Header{"Authorization": {"Bearer " + token}}, URL: mustURL(t, "/there?q=canary"),
	})
	if w.check(t, http.StatusInternalServerError); w.status != http.StatusInternalServerError || fmt.Sprint(failed) != "[GET /there]" {
		t.Errorf("%d, failed %q", w.status, failed)
	}
}

// Nothing of a request is logged, whatever becomes of it.
func TestNothingIsLogged(t *testing.T) {
	w := emptyWorld(t)
	for _, path := range []string{
		"/canary", "/items/canary", "/items?agent=canary", "/search?q=canary&since=canary", "/journal/canary", "/records/canary?canary",
	} {
		w.call(w.request("GET", path, ""))
		w.call(w.request("DELETE", path, ""))
	}
	w.call(w.request("POST", "/items", `{"content":"canary","canary":1}`))
	w.call(w.request("GET", "/items", "", "Host", "canary"))
	w.stop()
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
	if strings.Contains(w.log.String(), "canary") || strings.Contains(w.log.String(), token) {
		t.Errorf("logged: %s", w.log)
	}
}

// I1: bodies and headers are bounded.
func TestBounds(t *testing.T) {
	w := emptyWorld(t)
	big := `{"content":"` + strings.Repeat("a", maxBody) + `"}`
	endless := w.request("POST", "/items", "")
	endless.Body, endless.ContentLength = io.NopCloser(io.LimitReader(zeros{}, 1<<30)), -1 // in chunks, of unknown length
	for _, c := range []struct {
		what string
		req  *http.Request
		want int
	}{
		{"a big body", w.request("POST", "/items", big), http.StatusRequestEntityTooLarge},
		{"an endless body", endless, http.StatusRequestEntityTooLarge},
		{"a long header", w.request("GET", "/items", "", "X-Long", strings.Repeat("a", 1<<18)), http.StatusRequestHeaderFieldsTooLarge},
	} {
		resp, err := http.DefaultClient.Do(c.req)
		if err != nil {
			continue // the server closed the connection while the client was writing
		}
		if _ = resp.Body.Close(); resp.StatusCode != c.want {
			t.Errorf("%s: %d", c.what, resp.StatusCode)
		}
	}
	if status, _, _ := w.call(w.request("GET", "/items?limit=201", "")); status != http.StatusUnprocessableEntity {
		t.Errorf("a long page: %d", status)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// I1: clients that do not send their request do not keep others waiting.
func TestSlowClients(t *testing.T) {
	w := emptyWorld(t)
	for i := range connections / 2 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+w.port)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		part := "GET /items HTTP/1.1\r\nHost: 127.0.0.1:" + w.port + "\r\n"
		if i%2 == 0 {
			part = "POST /items HTTP/1.1\r\nHost: 127.0.0.1:" + w.port + "\r\nAuthorization: Bearer " + token + "\r\nContent-Length: 100\r\n\r\n{"
		}
		_, _ = io.WriteString(c, part)
	}
	if page := get[Listed[Item]](w, "/items"); page.Total != 0 {
		t.Errorf("%+v", page)
	}
}

// I1: many requests at once are all answered.
func TestManyRequests(t *testing.T) {
	w := emptyWorld(t)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	defer client.CloseIdleConnections()
	var done sync.WaitGroup
	for range 16 {
		done.Go(func() {
			for range 10_000 / 16 {
				resp, err := client.Do(w.request("GET", "/items?limit=1", ""))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK {
					t.Errorf("status %d", resp.StatusCode)
				}
			}
		})
	}
	done.Wait()
}

// D4: only addresses of this computer are opened.
func TestAddress(t *testing.T) {
	for _, good := range []string{"127.0.0.1:0", "localhost:0", "LOCALHOST:0"} {
		l, err := Listen(t.Context(), good)
		if err != nil {
			t.Errorf("%s: %v", good, err)
			continue
		}
		_ = l.Close()
	}
	for _, bad := range []string{
		"", ":0", "0.0.0.0:0", "[::]:0", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1", "127.0.0.1:65536", "example.com:80", "10.0.0.1:80",
		"[::ffff:127.0.0.1]:80", "[::1%lo]:80", "127.0.0.2:80", "unix:/x", "http://127.0.0.1:0",
	} {
		if l, err := Listen(t.Context(), bad); err == nil {
			_ = l.Close()
			t.Errorf("%s was opened", bad)
		}
	}
}

// A server that ends closes idle connections and its port.
func TestEnd(t *testing.T) {
	w := emptyWorld(t)
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+w.port)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, _ = io.WriteString(c, "GET /health HTTP/1.1\r\nHost: 127.0.0.1:"+w.port+"\r\nAuthorization: Bearer "+token+"\r\n\r\n")
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	start := time.Now()
	w.stop()
	if err := <-w.ended; err != nil || time.Since(start) > endTime {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+w.port); err == nil {
		t.Error("the port is still open")
	}
}
