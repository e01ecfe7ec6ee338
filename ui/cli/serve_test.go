package cli

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/ui/app"
	"memoria/ui/rest"
)

// I5: with [api] listen the terminal program serves the memory while it runs.
func TestServeBeside(t *testing.T) {
	for _, mode := range []string{"", "--temp", "--demo"} {
		if mode == "--demo" && testing.Short() {
			continue // to fill a demo is long
		}
		free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := free.Addr().String()
		_ = free.Close()
		h := newHome(t, "MEMORIA_API_LISTEN="+address)
		args := []string{"--screen-reader"}
		if mode != "" {
			args = append(args, mode)
		}
		health := func() int {
			token, _ := os.ReadFile(filepath.Join(h.dir, "XDG_DATA_HOME", "memoria", rest.TokenFile))
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/health", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				return 0
			}
			_ = resp.Body.Close()
			return resp.StatusCode
		}
		p, _, errs := h.program(args...)
		got := 0
		p.Lines = func(context.Context, *app.Session, Terminal) error {
			got = health()
			return nil
		}
		if code := p.Run(t.Context()); code != ExitDone {
			t.Fatalf("%q: exit code %d: %s", mode, code, errs)
		}
		if served := got == http.StatusOK; served != (mode == "") {
			t.Errorf("%q: status %d while it ran", mode, got)
		}
		if got := health(); got != 0 {
			t.Errorf("%q: status %d after it ended", mode, got)
		}
		http.DefaultClient.CloseIdleConnections()
	}
}

// An address that is in use does not keep the terminal program from its work.
func TestServeBesideInUse(t *testing.T) {
	used, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = used.Close() }()
	h := newHome(t, "MEMORIA_API_LISTEN="+used.Addr().String())
	p, _, errs := h.program("--screen-reader")
	ran := false
	p.Lines = func(context.Context, *app.Session, Terminal) error {
		ran = true
		return nil
	}
	if code := p.Run(t.Context()); code != ExitDone || !ran {
		t.Errorf("exit code %d, ran %v: %s", code, ran, errs)
	}
}

// An occupied address is said with what to do.
func TestServeInUse(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	code, out, errs := newHome(t).run(t, nil, "serve", "--listen", l.Addr().String())
	want := l.Addr().String() + " is in use by another program, or another memoria; to use another port: memoria serve --listen 127.0.0.1:PORT"
	if code != ExitFailed || out != "" || !strings.Contains(errs, want) {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
}
