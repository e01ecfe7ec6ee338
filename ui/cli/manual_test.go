package cli

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/rest"
)

// I1: the curl lines of the manual do what it says. The test sends the same requests itself,
// so that it needs no curl.
func TestCurlLines(t *testing.T) {
	ctx := t.Context()
	m, err := manager.Open(ctx, manager.Options{
		Dir: filepath.Join(t.TempDir(), "data"), Config: write.DefaultConfig(), Now: time.Now, NoSync: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	it, err := m.Learning().AddItem(ctx, "memoria", memory.Item{Content: "Drinks green tea."})
	if err != nil {
		t.Fatal(err)
	}
	said, err := m.KeepIncoming(ctx, "memoria", "We plan the rowing trip.", nil, "")
	if err != nil {
		t.Fatal(err)
	}
	turn, err := m.BeginTurn(ctx, "memoria", said.ID, manager.Place{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := rest.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	const token = "a-token-for-the-lines-of-the-manual-page"
	go func() {
		ended <- rest.Serve(serving, l, rest.Options{
			Memory: m, Agent: "memoria", Token: token, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
			Deleted: func(string, write.Deletion) {},
		})
	}()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	lines := regexp.MustCompile(`(?m)^curl .*$`).FindAllString(manualText, -1)
	if len(lines) < 10 {
		t.Fatalf("the manual has %d lines with curl", len(lines))
	}
	defer http.DefaultClient.CloseIdleConnections()
	values := strings.NewReplacer("$TOKEN", token, "$ID", it.ID, "$SESSION", turn.Session.ID, "http://127.0.0.1:7411", rest.URL(l))
	for _, line := range lines {
		req, err := curl(values.Replace(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		resp, err := http.DefaultClient.Do(req.WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if want := map[bool]int{false: http.StatusOK, true: http.StatusAccepted}[strings.Contains(line, " -d ")]; resp.StatusCode != want {
			t.Errorf("%s: %d %s", line, resp.StatusCode, b)
		}
		if strings.Contains(line, "/search") && !strings.Contains(string(b), "green tea") {
			t.Errorf("%s finds %s", line, b)
		}
	}
}

// curl returns the request of a line for a shell: words, quotes, and the flags -X, -H and -d.
func curl(line string) (*http.Request, error) {
	var words []string
	for _, m := range regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	method, url, body, header := "GET", "", "", http.Header{}
	for i := 1; i < len(words); i++ {
		switch words[i] {
		case "-X":
			i++
			method = words[i]
		case "-H":
			i++
			name, value, _ := strings.Cut(words[i], ": ")
			header.Set(name, value)
		case "-d":
			i++
			if body = words[i]; method == "GET" {
				method = "POST"
			}
		default:
			url = words[i]
		}
	}
	req, err := http.NewRequest(method, url, strings.NewReader(body)) //nolint:noctx // the caller adds it
	if err == nil {
		req.Header = header
	}
	return req, err
}
