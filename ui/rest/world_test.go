package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/chat"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/app/demo"
)

const (
	luna  = "luna"
	token = "test-token-that-is-long-enough-for-a-test"
)

// world is a served memory.
type world struct {
	testing.TB
	m         *manager.Manager
	url, port string
	deletions []write.Deletion // told to the user
	stop      context.CancelFunc
	ended     chan error
	log       *strings.Builder
}

// openMemory opens the memory of a folder until the test ends.
func openMemory(t testing.TB, dir string, log io.Writer) *manager.Manager {
	t.Helper()
	m, err := openManager(t.Context(), dir, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func openManager(ctx context.Context, dir string, log io.Writer) (*manager.Manager, error) {
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules
	return manager.Open(ctx, manager.Options{
		Dir: dir, Config: cfg, Now: time.Now, NoSync: true, Journal: journal.DefaultConfig(),
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
}

// emptyWorld serves an empty memory.
func emptyWorld(t testing.TB) *world {
	t.Helper()
	return serve(t, filepath.Join(t.TempDir(), "data"))
}

// demoFolder has the memory of the demo, with one of everything; it is filled once.
var demoFolder = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rest-demo-")
	if err != nil {
		return "", err
	}
	filled = dir
	ctx := context.Background()
	if err = demo.Fill(ctx, demo.Options{Dir: dir, Agent: chat.Agent{ID: luna, Name: "Luna"}, Now: time.Now()}); err != nil {
		return dir, err
	}
	m, err := openManager(ctx, dir, io.Discard)
	if err != nil {
		return dir, err
	}
	_, err = m.Journals().RunJournal(ctx, luna, m.Journals().JournalRules())
	return dir, errors.Join(err, m.Close())
})

var filled string // the folder of demoFolder, once it was called

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(filled)
	os.Exit(code)
}

// demoWorld serves a copy of it.
func demoWorld(t testing.TB) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("to fill a demo is long")
	}
	from, err := demoFolder()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return serve(t, dir)
}

// serve serves the memory of a folder until the test ends.
func serve(t testing.TB, dir string) *world {
	t.Helper()
	w := &world{TB: t, log: &strings.Builder{}, ended: make(chan error, 1)}
	w.m = openMemory(t, dir, io.Discard)
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, w.port, _ = net.SplitHostPort(l.Addr().String())
	w.url = URL(l)
	ctx, stop := context.WithCancel(t.Context())
	w.stop = stop
	go func() {
		w.ended <- Serve(ctx, l, Options{
			Memory: w.m, Agent: luna, Token: token, Version: "test", Now: time.Now, Logger: slog.New(slog.NewTextHandler(w.log, nil)),
			Deleted: func(_ string, d write.Deletion) { w.deletions = append(w.deletions, d) },
		})
		close(w.ended)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-w.ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

// request returns a request with the token.
func (w *world) request(method, path, body string, header ...string) *http.Request {
	w.Helper()
	var r io.Reader = http.NoBody
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(w.Context(), method, w.url+path, r)
	if err != nil {
		w.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	return req
}

// call sends a request, and returns the status and the answer.
func (w *world) call(req *http.Request) (int, http.Header, []byte) {
	w.Helper()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.Fatal(err)
	}
	return resp.StatusCode, resp.Header, b
}

// answered calls a path and decodes the answer, which must have the status.
func answered[T any](w *world, status int, method, path, body string, header ...string) (out T) {
	w.Helper()
	got, _, b := w.call(w.request(method, path, body, header...))
	if got != status {
		w.Fatalf("%s %s: %d %s", method, path, got, b)
	}
	if err := json.Unmarshal(b, &out); err != nil {
		w.Fatalf("%s %s: %v in %s", method, path, err, b)
	}
	return out
}

func get[T any](w *world, path string) T {
	w.Helper()
	return answered[T](w, http.StatusOK, http.MethodGet, path, "")
}
