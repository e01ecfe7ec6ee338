package plain

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/prompts"
	"memoria/ui/app"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC
	goleak.VerifyTestMain(m)
}

// patience is how long a test waits for what should come at once.
const patience = time.Minute

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

// talk is a conversation line by line, whose lines a test reads and writes.
type talk struct {
	t             *testing.T
	dir           string
	manager       *manager.Manager
	chat          *chat.Chat
	conversations *app.Conversations
	opts          Options

	in        io.WriteCloser
	interrupt chan os.Signal
	done      chan error

	mu   sync.Mutex
	out  bytes.Buffer
	read int // of out
	more chan struct{}

	clock struct {
		sync.Mutex
		now time.Time
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newTalk opens the folder dir, or a new one when it is empty. Without a server
// there is no model.
func newTalk(t *testing.T, dir string, server *modeltest.Server) *talk {
	t.Helper()
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "data")
	}
	k := &talk{t: t, dir: dir, interrupt: make(chan os.Signal, 1), more: make(chan struct{})}
	k.clock.now = noon
	var err error
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules // the server answers what is said, and nothing else
	cfg.SummaryLimit = 0               // and hears nothing else
	k.manager, err = manager.Open(t.Context(), manager.Options{Dir: dir, Config: cfg, Now: k.Now, NoSync: true})
	must(t, err)
	set, err := prompts.New("")
	must(t, err)
	client := model.NewOffline(k.Now)
	if server != nil {
		client = clientFor(t, server, "scripted")
	}
	talk := func(a chat.Agent, temporary bool) (*chat.Chat, error) {
		return chat.New(chat.Options{
			Agent: a, Manager: k.manager, Model: client, Prompts: set,
			Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: k.Now, Nonce: func() string { return "NONCE" },
			Temporary: temporary,
		})
	}
	talkTo := func(a chat.Agent) (*chat.Chat, error) { return talk(a, false) }
	talkAside := func(a chat.Agent) (*chat.Chat, error) { return talk(a, true) }
	k.chat, err = talkTo(chat.Agent{ID: "luna", Name: "luna"})
	must(t, err)
	k.conversations = app.NewConversations(app.ConversationOptions{Memory: k.manager, Chat: k.chat, New: talkTo,
		Temporary: talkAside, Default: "luna"})
	k.opts = Options{Session: &app.Session{
		Conversations: k.conversations, Memory: k.manager, Now: k.Now, Version: "test", Logger: slog.New(slog.DiscardHandler),
	}, Out: k, Typed: true, Interrupts: k.interrupt}
	configured := model.DefaultConfig()
	if server != nil {
		configured = configFor(server, "scripted")
	}
	k.models(client, configured)
	t.Cleanup(k.close)
	return k
}

// models gives the session the models of a configuration, with client in use, and found
// on this computer.
func (k *talk) models(client model.Client, cfg model.Config, found ...model.Found) {
	k.opts.Models = app.NewModels(app.ModelOptions{
		Config: cfg, Client: client, Logger: slog.New(slog.DiscardHandler), Now: k.Now,
		Find: func(context.Context) []model.Found { return found },
	})
	k.t.Cleanup(func() { must(k.t, k.opts.Models.Close()) })
}

func configFor(server *modeltest.Server, name string) model.Config {
	cfg := model.DefaultConfig()
	cfg.BaseURL, cfg.Name, cfg.APIKeyEnv, cfg.Retries = server.URL, name, "", 0
	return cfg
}

func clientFor(t testing.TB, server *modeltest.Server, name string) model.Client {
	t.Helper()
	c, err := model.NewOpenAI(configFor(server, name))
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

func (k *talk) Now() time.Time {
	k.clock.Lock()
	defer k.clock.Unlock()
	return k.clock.now
}

func (k *talk) wait(d time.Duration) {
	k.clock.Lock()
	defer k.clock.Unlock()
	k.clock.now = k.clock.now.Add(d)
}

// begin runs the conversation on a terminal.
func (k *talk) begin() *talk {
	in, out := io.Pipe()
	k.opts.In, k.in, k.done = in, out, make(chan error, 1)
	go func() { k.done <- Run(context.Background(), k.opts) }()
	return k.hear("/quit leaves", "you: ")
}

func (k *talk) close() {
	if k.in != nil {
		_ = k.in.Close()
	}
	must(k.t, k.conversations.Close())
	for range k.conversations.Chat().Events() { // nobody else takes the last ones
	}
	must(k.t, k.manager.Close())
	checkOutput(k.t, k.text())
}

// Write takes what the conversation says.
func (k *talk) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(k.more)
	k.more = make(chan struct{})
	return k.out.Write(b)
}

func (k *talk) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.out.String()
}

// say types a line.
func (k *talk) say(line string) *talk {
	k.t.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		k.t.Fatal(err)
	}
	return k
}

// hear waits until the texts were said, one after the other, since what was
// heard last.
func (k *talk) hear(texts ...string) *talk {
	k.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for _, text := range texts {
		for {
			k.mu.Lock()
			rest, more := k.out.String()[k.read:], k.more
			i := strings.Index(rest, text)
			if i >= 0 {
				k.read += i + len(text)
			}
			k.mu.Unlock()
			if i >= 0 {
				break
			}
			select {
			case <-more:
			case <-limit.C:
				k.t.Fatalf("waiting for %q; said was\n%s\n— and not yet heard —\n%s", text, k.text(), rest)
			}
		}
	}
	return k
}

// ended waits for the end.
func (k *talk) ended() error {
	k.t.Helper()
	select {
	case err := <-k.done:
		return err
	case <-time.After(patience):
		k.t.Fatalf("it does not end; said was\n%s", k.text())
		return nil
	}
}

// script runs a program's lines to their end and returns what was said, with
// times and tokens of the answers left out.
func (k *talk) script(lines ...string) string {
	k.t.Helper()
	k.opts.Typed, k.opts.Interrupts = false, nil
	k.opts.In = strings.NewReader(strings.Join(lines, "\n") + "\n")
	must(k.t, Run(k.t.Context(), k.opts))
	return figures.ReplaceAllString(k.text(), "end of answer, FIGURES")
}

var figures = regexp.MustCompile(`end of answer, [0-9].*`)

var address = regexp.MustCompile(`scripted at [0-9.:]+ answers`)

// checkOutput: no escape sequence, no control character, no box drawing, and
// every line whole.
func checkOutput(t testing.TB, said string) {
	t.Helper()
	for _, r := range said {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x2500 && r <= 0x259f {
			t.Errorf("%U was written: %q", r, said)
			return
		}
	}
}
