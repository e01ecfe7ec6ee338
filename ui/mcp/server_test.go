package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

const luna = "luna"

// options opens an empty memory.
func options(t testing.TB) Options {
	t.Helper()
	m, err := manager.Open(t.Context(), manager.Options{
		Dir: filepath.Join(t.TempDir(), "data"), Config: write.DefaultConfig(), Now: time.Now, NoSync: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	texts, err := chat.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Memory: m, Agent: memory.Agent{ID: luna, Name: "Luna"}, Prompts: texts, Now: time.Now, Version: "test", Logger: slog.New(slog.DiscardHandler),
	}
}

// connect serves a memory to a client of the SDK.
func connect(t testing.TB, o Options, name string) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := Serve(t.Context(), o, toServer, fromServer)
		_ = fromServer.Close()
		done <- err
	}()
	c := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return s
}

// call calls a tool and returns its words.
func call(t testing.TB, s *sdk.ClientSession, tool string, args any) (said string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Content {
		said += c.(*sdk.TextContent).Text
	}
	return said, r.IsError
}

// decoded calls a tool that must succeed and decodes its result.
func decoded[T any](t testing.TB, s *sdk.ClientSession, tool string, args any) (out T) {
	t.Helper()
	said, failed := call(t, s, tool, args)
	if failed {
		t.Fatalf("%s %v: %s", tool, args, said)
	}
	if err := json.Unmarshal([]byte(said), &out); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	return out
}

type args = map[string]any

func addItem(t testing.TB, o Options, content string, set ...func(*memory.Item)) memory.Item {
	t.Helper()
	it, err := o.Memory.Learning().AddItem(t.Context(), o.Agent.ID, memory.Item{Content: content}, set...)
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// say has a turn of the user.
func say(t testing.TB, o Options, text string) memory.Record {
	t.Helper()
	ctx, m := t.Context(), o.Memory
	in, err := m.KeepIncoming(ctx, luna, text, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	turn, err := m.BeginTurn(ctx, luna, in.ID, manager.Place{})
	if err != nil {
		t.Fatal(err)
	}
	reply := memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
		Status: memory.StatusComplete,
	}
	if _, err := m.FinishTurn(ctx, reply, true); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m.Learning().Learn(ctx, luna, nil), m.Recall().Settle(ctx, luna)); err != nil {
		t.Fatal(err)
	}
	return turn.Record
}

// I2: the tools and resources are those of the spec, described, and none deletes.
func TestFeatures(t *testing.T) {
	s := connect(t, options(t), "probe")
	about := s.InitializeResult()
	if about.ServerInfo.Name != "memoria" || !strings.Contains(about.Instructions, `"Luna"`) {
		t.Errorf("%+v", about)
	}
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schema := tool.InputSchema.(map[string]any)
		for name, field := range schema["properties"].(map[string]any) {
			if field.(map[string]any)["description"] == "" {
				t.Errorf("%s.%s is not described", tool.Name, name)
			}
		}
		if tool.Description == "" || *tool.Annotations.DestructiveHint {
			t.Errorf("%+v", tool)
		}
	}
	slices.Sort(names)
	if want := []string{"add_memory", "get_memory", "list_recent_sessions", "search_memories"}; !slices.Equal(names, want) {
		t.Errorf("tools %v", names)
	}
	resources, err := s.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 2 {
		t.Fatalf("%+v, %v", resources, err)
	}
	for _, r := range resources.Resources {
		if r.Description == "" || r.MIMEType != "text/markdown" {
			t.Errorf("%+v", r)
		}
	}
}

// I2: the search finds items and messages with their scores, by words and by time.
func TestSearch(t *testing.T) {
	o := options(t)
	it := addItem(t, o, "Likes oolong tea.")
	addItem(t, o, "Plays the cello.")
	said := say(t, o, "Yesterday the oolong tea went cold while we spoke about <b>trains</b> & planes.")
	s := connect(t, o, "probe")
	got := decoded[found](t, s, "search_memories", args{"keyword": "oolong"})
	if len(got.Items) != 1 || got.Items[0].ID != it.ID || got.Items[0].Score <= 0 || got.Items[0].Parts.Confidence != 1 ||
		len(got.Messages) != 1 || got.Messages[0].ID != said.ID || got.Messages[0].Score <= 0 || got.Total != 2 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.Messages[0].Content, "<b>trains</b> & planes") {
		t.Errorf("%q", got.Messages[0].Content)
	}
	for want, span := range map[string]args{
		"2": {"from": "2020-01"}, "0": {"to": "2020-01"}, "2 ": {}, "2  ": {"from": time.Now().Add(-time.Hour).Format(time.RFC3339)},
	} {
		if got := decoded[found](t, s, "search_memories", args{"keyword": "oolong", "time_range": span}); fmt.Sprint(got.Total) != strings.TrimSpace(want) {
			t.Errorf("%v: %+v", span, got)
		}
	}
	for i := range 20 {
		addItem(t, o, fmt.Sprintf("Owns the tea pot number %d.", i))
	}
	if err := o.Memory.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	if got := decoded[found](t, s, "search_memories", args{"keyword": "pot", "limit": 3}); len(got.Items) != 3 {
		t.Errorf("limit 3: %d", len(got.Items))
	}
	whole := decoded[struct {
		memory.Item
		Quotes []quote `json:"quotes"`
	}](t, s, "get_memory", args{"id": it.ID})
	if whole.Content != it.Content || !whole.IsActive() || len(whole.Quotes) != 0 {
		t.Errorf("%+v", whole)
	}
}

// An item is shown with the user's words, but not with those of messages that are not for
// models.
func TestQuotes(t *testing.T) {
	o := options(t)
	said := say(t, o, "I like oolong tea. And what is new?")
	learned, err := o.Memory.Lookup().LearnedFrom(t.Context(), luna, said.ID)
	if err != nil || len(learned) != 1 {
		t.Fatalf("%v, %v", learned, err)
	}
	s := connect(t, o, "probe")
	if got, _ := call(t, s, "get_memory", args{"id": learned[0].ID}); !strings.Contains(got, `"text":"I like oolong tea`) {
		t.Errorf("%s", got)
	}
	if _, err := o.Memory.DeleteRecords(t.Context(), luna, false, said.ID); err != nil {
		t.Fatal(err)
	}
	if got, failed := call(t, s, "get_memory", args{"id": learned[0].ID}); failed || strings.Contains(got, "quotes") {
		t.Errorf("%s", got)
	}
}

// P10: a client adds proposals, in its name; what it may not see is not there.
func TestAdd(t *testing.T) {
	o := options(t)
	s := connect(t, o, "claude-desktop")
	p := decoded[proposed](t, s, "add_memory", args{"content": "Owns a bicycle.", "type": "fact", "tags": []string{"sport"}})
	if p.State != memory.StateHeld || p.Known || !strings.Contains(p.Note, "approval") {
		t.Errorf("%+v", p)
	}
	page, err := o.Memory.Lookup().Inbox(t.Context(), luna, 0, 0)
	if err != nil || page.Total != 1 || page.Items[0].Metadata.Program != "mcp:claude-desktop" || page.Items[0].Tags[0] != "sport" {
		t.Fatalf("%+v, %v", page, err)
	}
	if said, failed := call(t, s, "get_memory", args{"id": p.ID}); !failed || said != "There is no such memory." {
		t.Errorf("a held item: %s", said)
	}
	shown := learning.Shown{ID: p.ID, Version: 1}
	if _, err := o.Memory.Learning().Accept(t.Context(), luna, shown); err != nil {
		t.Fatal(err)
	}
	if again := decoded[proposed](t, s, "add_memory", args{"content": "owns a BICYCLE"}); !again.Known || again.ID != p.ID {
		t.Errorf("%+v", again)
	}
	if _, err := o.Memory.DeleteItems(t.Context(), luna, p.ID); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		"Owns a bicycle.": "deleted or rejected", "The password is hunter2hunter2": "secret", strings.Repeat("a", 700): "at most 600",
		" ": "cannot be used", "\u0000\u001b[2J": "", "name\u2028\u0085": "",
	} {
		if said, failed := call(t, s, "add_memory", args{"content": content}); failed != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%.20q: %s", content, said)
		}
	}
	for i := range 50 {
		call(t, s, "add_memory", args{"content": fmt.Sprintf("Knows the number %d.", i)})
	}
	if said, failed := call(t, s, "add_memory", args{"content": "Owns a boat."}); !failed || !strings.Contains(said, "50 proposals") {
		t.Errorf("one too many: %s", said)
	}
}

// Wrong arguments are answered in words, and the session goes on.
func TestWrongArguments(t *testing.T) {
	o := options(t)
	s := connect(t, o, "probe")
	deep := json.RawMessage(strings.Repeat("[", 5000) + strings.Repeat("]", 5000))
	if r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_memory", Arguments: deep}); err == nil && !r.IsError {
		t.Errorf("nested: %+v", r)
	}
	for tool, all := range map[string][]any{
		"search_memories": {
			nil, args{}, args{"keyword": ""}, args{"keyword": 7}, args{"keyword": []string{"a"}}, args{"keyword": nil}, args{"keyword": "a", "limit": 0},
			args{"keyword": "a", "limit": 51}, args{"keyword": "a", "limit": 2.5}, args{"keyword": "a", "limit": "9"}, args{"keyword": "a", "agent": "bo"},
			args{"keyword": "a", "time_range": "2026"}, args{"keyword": "a", "time_range": args{"from": 5}}, args{"keyword": "a", "time_range": args{"since": "2026"}},
			args{"keyword": "a", "time_range": args{"from": "when pigs fly"}}, args{"keyword": "a", "time_range": args{"from": "2026-02", "to": "2026-01"}},
			args{"keyword": strings.Repeat("a", 10_000)}, args{"keyword": strings.Repeat("b", 900_000)},
		},
		"get_memory": {
			args{}, args{"id": ""}, args{"id": 5}, args{"id": nil}, args{"id": "../x"}, args{"id": strings.Repeat("a", 500_000)}, args{"id": "\x00"},
			args{"id": "x", "agent": "bo"},
		},
		"add_memory": {
			args{}, args{"content": 5}, args{"content": "Is.", "tags": "a"}, args{"content": "Is.", "type": "thing"}, args{"content": "Is.", "state": "active"},
			args{"content": "Is.", "tags": slices.Repeat([]string{"a"}, 21)}, args{"content": strings.Repeat("a", 900_000)},
		},
		"list_recent_sessions": {args{"limit": 0}, args{"limit": -1}, args{"limit": 1e9}, args{"limit": "1"}},
	} {
		for _, a := range all {
			if said, failed := call(t, s, tool, a); !failed || said == "" || len(said) > 1000 {
				t.Errorf("%s %.60v: %s", tool, a, said)
			}
		}
	}
	for _, tool := range []string{"", "delete_memory", "SEARCH_MEMORIES", strings.Repeat("x", 1000)} {
		if r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args{}}); err == nil && !r.IsError {
			t.Errorf("%s: %+v", tool, r)
		}
	}
	for _, uri := range []string{"", "memoria://", "memoria://x", "file:///etc/passwd", "memoria://memory.md/../x", "memoria://memory.md?x"} {
		if r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, r)
		}
	}
	if page, err := o.Memory.Lookup().Inbox(t.Context(), luna, 0, 0); err != nil || page.Total != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	decoded[found](t, s, "search_memories", args{"keyword": "a"})
}

// I2: the profile and the user's notes are resources, without comments, and cut.
func TestResources(t *testing.T) {
	o := options(t)
	s := connect(t, o, "probe")
	read := func(uri string) string {
		t.Helper()
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Contents) != 1 || r.Contents[0].URI != uri {
			t.Fatalf("%+v", r)
		}
		return r.Contents[0].Text
	}
	if got := read(LongTerm); strings.TrimSpace(got) != "" {
		t.Errorf("no file: %q", got)
	}
	j, err := o.Memory.Journals().Journal(luna)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Begin(); err != nil {
		t.Fatal(err)
	}
	if got := read(LongTerm); strings.TrimSpace(got) != "" {
		t.Errorf("an untouched file: %q", got)
	}
	if err := os.WriteFile(j.File("memory.md"), []byte("# Boat\n\n<!-- hidden -->Moored at the quay.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := read(LongTerm); got != "# Boat\n\nMoored at the quay.\n" {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(j.File("memory.md"), bytes.Repeat([]byte("日"), 2<<20/3), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := read(LongTerm); len(got) > maxFile+10 || !strings.HasSuffix(got, memory.OmissionMark) {
		t.Errorf("%d bytes", len(got))
	}
	addItem(t, o, "Lives in Bern.", func(it *memory.Item) { it.Key = "home" })
	if got := read(Profile); !strings.Contains(got, "Lives in Bern.") {
		t.Errorf("%q", got)
	}
}

// I2: sessions are listed, the last used first.
func TestSessions(t *testing.T) {
	o := options(t)
	first, second := say(t, o, "We plan the rowing trip."), say(t, o, "I am learning pottery.")
	s := connect(t, o, "probe")
	got := decoded[sessionList](t, s, "list_recent_sessions", args{})
	if got.Total != 2 || len(got.Sessions) != 2 || got.Sessions[0].ID != second.SessionID || got.Sessions[1].ID != first.SessionID || got.Sessions[1].Title == "" {
		t.Errorf("%+v", got)
	}
	if got := decoded[sessionList](t, s, "list_recent_sessions", args{"limit": 1}); got.Total != 2 || len(got.Sessions) != 1 {
		t.Errorf("%+v", got)
	}
}

// Long contents are cut, a message around the words.
func TestResultsAreBounded(t *testing.T) {
	o := options(t)
	say(t, o, strings.Repeat("Some words about nothing. ", 400)+"Then the zanzibar ferry. "+strings.Repeat("And more of it. ", 400))
	s := connect(t, o, "probe")
	got := decoded[found](t, s, "search_memories", args{"keyword": "zanzibar"})
	if len(got.Messages) != 1 || !strings.Contains(got.Messages[0].Content, "zanzibar ferry") || len(got.Messages[0].Content) > 2*longText {
		t.Errorf("%+v", got)
	}
	for _, s := range []string{"", "é", strings.Repeat("é", longText), strings.Repeat("é", longText+1), "\xff" + strings.Repeat("a", 2*longText)} {
		if out := cut(s); len([]rune(out)) > longText+1 || !strings.HasPrefix(out, strings.ToValidUTF8(s[:min(len(s), 100)], "\uFFFD")[:min(len(s), 1)]) {
			t.Errorf("%.10q: %.10q", s, out)
		}
	}
}

// Every call is answered, however many come at once and although the input ends.
func TestAnswersBeforeTheEnd(t *testing.T) {
	o := options(t)
	addItem(t, o, "Likes oolong tea.")
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"p","version":"1"}}}` + "\n")
	in.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	const calls = 200
	for i := 1; i <= calls; i++ {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_memories","arguments":{"keyword":"tea"}}}`+"\n", i)
		in.WriteString("no JSON\n")
	}
	var out bytes.Buffer
	if err := Serve(t.Context(), o, strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	answered, refused := map[float64]bool{}, 0
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID     any
			Result *struct{ IsError bool }
			Error  *struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		switch id, ok := m.ID.(float64); {
		case ok && m.Result != nil && !m.Result.IsError:
			answered[id] = true
		case m.ID == nil && m.Error != nil && m.Error.Code == -32700:
			refused++
		default:
			t.Errorf("%s", line)
		}
	}
	if len(answered) != calls+1 || refused != calls {
		t.Errorf("%d answers, %d refusals", len(answered), refused)
	}
}

// A line that is too long, a broken output and the end of ctx end the session with an
// error, whatever is in flight.
func TestEnds(t *testing.T) {
	o := options(t)
	var out bytes.Buffer
	if err := Serve(t.Context(), o, io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`), &endless{}), &out); !errors.Is(err, ErrTooLong) {
		t.Errorf("an endless line: %v", err)
	}
	if !strings.Contains(out.String(), `"code":-32600`) || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("an endless line: %s", out.String())
	}
	blocked, w := io.Pipe()
	defer w.Close()
	ctx, stop := context.WithCancelCause(t.Context())
	cause := errors.New("interrupted")
	stop(cause)
	if err := Serve(ctx, o, blocked, io.Discard); !errors.Is(err, cause) {
		t.Errorf("interrupted: %v", err)
	}
	r, broken := io.Pipe()
	_ = r.Close()
	if err := Serve(t.Context(), o, io.MultiReader(strings.NewReader("no JSON\n"), blocked), broken); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a broken output: %v", err)
	}
}

// Several clients and a user write at once; nobody's answer is another's.
func TestClientsAtOnce(t *testing.T) {
	o := options(t)
	var wg sync.WaitGroup
	for i := range 4 {
		s := connect(t, o, fmt.Sprintf("client%d", i))
		wg.Go(func() {
			for j := range 10 {
				content := fmt.Sprintf("Knows the number %d.", 100*i+j)
				r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "add_memory", Arguments: args{"content": content}})
				if err != nil || r.IsError {
					t.Errorf("%s: %+v, %v", content, r, err)
				}
			}
		})
	}
	wg.Wait()
	page, err := o.Memory.Lookup().Inbox(t.Context(), luna, 0, 0)
	if err != nil || page.Total != 40 {
		t.Fatalf("%d wait, %v", page.Total, err)
	}
	for _, it := range page.Items {
		var n int
		if _, err := fmt.Sscanf(it.Content, "Knows the number %d.", &n); err != nil || it.Metadata.Program != fmt.Sprintf("mcp:client%d", n/100) {
			t.Errorf("%s of %s", it.Content, it.Metadata.Program)
		}
	}
}

// script is a stream that a test feeds, as it is read piece by piece.
type script struct {
	pieces chan string
	left   string
}

func (s *script) Read(p []byte) (int, error) {
	if s.left == "" {
		piece, ok := <-s.pieces
		if !ok {
			return 0, io.EOF
		}
		s.left = piece
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// lockedBuffer is an output that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// A session goes on in another process: the client begins it once, and every call has one
// answer, also what was read and not answered.
func TestResume(t *testing.T) {
	o := options(t)
	addItem(t, o, "Likes oolong tea.")
	ask := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add_memory","arguments":{"content":"Knows the number %d."}}}`, id, id) + "\n"
	}
	begin := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}` + "\n"
	const ready = initialized + "\n"
	half := ask(3)[:40]
	for name, stages := range map[string][][]string{
		"at rest":             {{begin, ready, ask(1)}, {ask(2), ask(3)}, {ask(4)}},
		"before it is ready":  {{begin}, {ready + ask(1)}, {ask(2) + ask(3), ask(4)}},
		"within a line":       {{begin + ready + ask(1) + ask(2) + half}, {ask(3)[40:], ask(4)}},
		"before the first":    {{}, {begin + ready + ask(1) + ask(2)}, {ask(3) + ask(4)}},
		"in the first":        {{begin[:30]}, {begin[30:] + ready + ask(1)}, {ask(2) + ask(3) + ask(4)}},
		"all are unanswered":  {{begin + ready + ask(1) + ask(2) + ask(3) + ask(4)}, {}, {}},
		"garbage in between":  {{begin + ready + ask(1), "garbage\n"}, {ask(2) + "{}\n" + ask(3)}, {ask(4)}},
		"ended, then resumed": {{begin + ready, ask(1)}, {}, {}, {ask(2), ask(3), ask(4)}},
	} {
		var mu sync.Mutex
		state := ""
		var out lockedBuffer
		for i, pieces := range stages {
			ctx, stop := context.WithCancel(t.Context())
			in := &script{pieces: make(chan string)}
			next := o
			mu.Lock()
			next.Resume = state
			mu.Unlock()
			next.Keep = func(s string) {
				mu.Lock()
				defer mu.Unlock()
				state = s
			}
			done := make(chan error, 1)
			go func() { done <- Serve(ctx, next, in, &out) }()
			for _, p := range pieces {
				in.pieces <- p
			}
			if i == len(stages)-1 {
				close(in.pieces)
				if err := <-done; err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else {
				in.pieces <- "" // the pieces before it were kept
				stop()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Errorf("%s: moved: %v", name, err)
				}
			}
			stop()
		}
		answers := map[float64]int{}
		for line := range strings.Lines(out.String()) {
			var m struct {
				ID     any
				Result *struct{ IsError bool }
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			if id, ok := m.ID.(float64); ok {
				if answers[id]++; m.Result == nil || m.Result.IsError {
					t.Errorf("%s: %s", name, line)
				}
			}
		}
		for id := range 5 {
			if answers[float64(id)] != 1 {
				t.Errorf("%s: %d answers to the call %d", name, answers[float64(id)], id)
			}
		}
	}
	page, err := o.Memory.Lookup().Inbox(t.Context(), luna, 0, 0)
	if err != nil || page.Total != 4 || page.Items[0].Metadata.Program != "mcp:hand" {
		t.Errorf("%+v, %v", page, err)
	}
}
