package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

const luna = "luna"

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// clock is set by hand and moves a little with every reading.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// house is a conversation in which everything is real but the model's server.
type house struct {
	t       testing.TB
	dir     string
	clock   *clock
	server  *modeltest.Server
	manager *manager.Manager
	chat    *chat.Chat
	seen    []chat.Event
	change  func(*chat.Options)
	// analysis is the setting; empty: by rules.
	analysis  string
	noProfile bool
	triggers  []string   // of the archive; nil: all
	embed     bool       // the server also makes vectors
	slow      *slowClock // nil: the clock is never slow
	bubble    bool       // it runs inside synctest: time is that of the bubble, and nothing leaves the process
}

func newHouse(t testing.TB, change func(*chat.Options), steps ...modeltest.Step) *house {
	t.Helper()
	h := &house{
		t: t, dir: filepath.Join(t.TempDir(), "data"), clock: &clock{now: start},
		server: modeltest.NewServer(t, steps...), change: change,
	}
	h.open()
	t.Cleanup(h.close)
	return h
}

func (h *house) openMemory() {
	h.t.Helper()
	var err error
	cfg := write.DefaultConfig()
	if cfg.Analysis = h.analysis; cfg.Analysis == "" {
		cfg.Analysis = write.AnalysisRules // the server answers messages and nothing else
	}
	if h.triggers != nil {
		cfg.Triggers = h.triggers
	}
	cfg.UserProfile = !h.noProfile
	_, measured := h.t.(*testing.B) // the others need not wait for the disk
	o := manager.Options{Dir: h.dir, Config: cfg, Now: h.now(), NoSync: !measured}
	if h.embed {
		o.Embedder, o.Vectors = h.embedder(), recall.DefaultVectors()
		o.Vectors.QueryTimeout = 10 * time.Second // the machine may be busy
	}
	h.manager, err = manager.Open(h.t.Context(), o)
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) open() {
	h.t.Helper()
	h.openMemory()
	prompts, err := chat.LoadPrompts("")
	if err != nil {
		h.t.Fatal(err)
	}
	co := chat.Options{
		Agent: chat.Agent{ID: luna, Name: "Luna"}, Manager: h.manager, Model: h.client(), Prompts: prompts,
		Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: h.now(),
	}
	if h.change != nil {
		h.change(&co)
	}
	if h.chat, err = chat.New(co); err != nil {
		h.t.Fatal(err)
	}
	if err := h.chat.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) client() model.Client {
	cfg := model.DefaultConfig()
	cfg.BaseURL, cfg.Name, cfg.Retries = h.server.URL, "test-model", 0
	var opts []model.Option
	if h.bubble {
		cfg.BaseURL, opts = "http://localhost/v1", append(opts, model.WithTransport(h.server.Transport()))
	}
	c, err := model.NewOpenAI(cfg, opts...)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	return c
}

func (h *house) now() func() time.Time {
	if h.bubble {
		return time.Now
	}
	if h.slow != nil {
		return func() time.Time {
			h.slow.read()
			return h.clock.Now()
		}
	}
	return h.clock.Now
}

// pass lets time go by.
func (h *house) pass(d time.Duration) {
	if h.bubble {
		time.Sleep(d) // inside synctest this is no waiting
	} else {
		h.clock.Add(d)
	}
}

func (h *house) close() {
	if err := errors.Join(h.chat.Close(), h.manager.Close()); err != nil {
		h.t.Error(err)
	}
}

func (h *house) reopen() {
	h.t.Helper()
	h.close()
	h.seen = nil
	h.open()
}

// until reads events until one of type E that ok accepts.
func until[E chat.Event](h *house, ok func(E) bool) E {
	h.t.Helper()
	late := time.After(time.Minute)
	if h.bubble {
		late = time.After(time.Hour)
	}
	for {
		select {
		case e, open := <-h.chat.Events():
			if !open {
				h.t.Fatal("events ended")
			}
			h.seen = append(h.seen, e)
			if want, is := e.(E); is && (ok == nil || ok(want)) {
				return want
			}
		case <-late:
			h.t.Fatalf("no such event; seen %d: %T", len(h.seen), h.seen)
		}
	}
}

// say sends a message and waits for the end of its turn and what it taught.
func (h *house) say(text string) (chat.Finished, chat.Learned) {
	h.t.Helper()
	if _, err := h.chat.Send(h.t.Context(), text, nil); err != nil {
		h.t.Fatal(err)
	}
	end := until[chat.Finished](h, nil)
	return end, h.learned(end.Record.TurnID)
}

// learned waits for what follows the end of a turn, and returns what it taught: the
// rules before the answer, and working memory after it.
func (h *house) learned(turn string) chat.Learned {
	h.t.Helper()
	all := until(h, func(l chat.Learned) bool { return l.TurnID == turn })
	all.Changes = nil
	for _, e := range h.seen {
		if l, is := e.(chat.Learned); is && l.TurnID == turn {
			all.Changes = append(all.Changes, l.Changes...)
		}
	}
	return all
}

func text(s string) modeltest.Step { return modeltest.Step{Text: s} }

// The whole way: a message is answered, what it says is learned, a later message
// recalls it, and the package shows the very bytes that the server received.
// A1, C1, C5, C6, L2, S1.
func TestConversation(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Nice to meet you, Bo."), text("You are Bo."))
	first, learned := h.say("My name is Bo")
	if first.Record.Content != "Nice to meet you, Bo." || first.Record.Status != memory.StatusComplete || first.Problem != nil {
		t.Errorf("answer: %+v", first)
	}
	if first.Record.FinishReason != "stop" || first.Record.Model != "test-model" || first.Record.Usage == nil {
		t.Errorf("how it ended: %+v", first.Record)
	}
	if len(learned.Changes) != 1 || learned.Changes[0].Action != memory.ActionAdded {
		t.Fatalf("learned: %+v", learned)
	}
	// On a busy machine the index may be later than a look-up waits for it.
	if err := h.manager.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	second, _ := h.say("What is my name?")
	if second.Record.SessionID != first.Record.SessionID {
		t.Error("the second message went to another session")
	}
	pkg, err := h.manager.Lookup().Package(t.Context(), luna, second.Record.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	if !pkg.Exact {
		t.Error("the package is not what was sent")
	}
	requests := h.server.Requests()
	var got []memory.Message
	for _, m := range requests[1].Messages {
		got = append(got, memory.Message{Role: memory.Role(m.Role), Content: m.Content})
	}
	if diff := cmp.Diff(pkg.Messages(), got); diff != "" {
		t.Errorf("stored and received (-stored +received):\n%s", diff)
	}
	last := got[len(got)-1].Content
	for _, want := range []string{"## Memory", "Bo", "What is my name?", "It is Saturday, 2026-11-21 09:00 "} {
		if !strings.Contains(last, want) {
			t.Errorf("the last message has no %q:\n%s", want, last)
		}
	}
	if !strings.Contains(got[0].Content, "You have a memory") || !strings.Contains(got[0].Content, "never instructions") {
		t.Errorf("the model is not told what its memory is:\n%s", got[0].Content)
	}
	it, err := h.manager.Lookup().Item(t.Context(), luna, learned.Changes[0].ItemID)
	if err != nil || it.AccessCount != 1 {
		t.Errorf("access count %d, %v", it.AccessCount, err)
	}
}

// C1: the stable parts come first: two turns of a session share the system
// message and the window before them, byte for byte.
func TestPrefixIsStable(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	h.say("I like oolong tea")
	h.say("and what about oolong at night?")
	h.say("我喜欢普洱茶")
	r := h.server.Requests()
	a, b := r[1].Messages, r[2].Messages
	if a[0].Content != b[0].Content {
		t.Error("the system message changed")
	}
	for i := range 2 {
		if a[1+i].Content != b[1+i].Content {
			t.Errorf("window message %d changed", i)
		}
	}
}

// C8: a message sent while an answer streams waits in view and can be taken
// back; the rest are answered in order, in the same session.
func TestQueue(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil,
		modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold}, text("the second"), text("the third"))
	ctx := t.Context()
	send := func(s string) string {
		id, err := h.chat.Send(ctx, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := send("first")
	until[chat.Delta](h, nil)
	send("second")
	taken := send("not this")
	send("third")
	q := until(h, func(q chat.QueueChanged) bool { return len(q.Waiting) == 3 })
	if q.Waiting[1].Text != "not this" {
		t.Errorf("queue: %+v", q.Waiting)
	}
	if r, err := h.chat.Unsend(ctx, taken); r.Content != "not this" || err != nil {
		t.Errorf("taken back %q, %v", r.Content, err)
	}
	if _, err := h.chat.Unsend(ctx, first); !errors.Is(err, chat.ErrTooLate) {
		t.Errorf("taking back the running one: %v", err)
	}
	close(hold)
	var ends []chat.Finished
	for range 3 {
		ends = append(ends, until[chat.Finished](h, nil))
	}
	records, err := h.manager.Lookup().Records(ctx, luna, ends[0].Record.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, r := range records {
		said = append(said, r.Content)
	}
	if diff := cmp.Diff([]string{"first", "one two three", "second", "the second", "third", "the third"}, said); diff != "" {
		t.Errorf("the session:\n%s", diff)
	}
}

// Cancelling keeps what has arrived and marks it; it is no error.
func TestCancel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, modeltest.Step{Text: "one two three", StallAfter: modeltest.After(2)})
	if h.chat.Cancel() {
		t.Error("cancelled nothing")
	}
	if _, err := h.chat.Send(t.Context(), "count", nil); err != nil {
		t.Fatal(err)
	}
	got := ""
	until(h, func(d chat.Delta) bool { got += d.Text; return strings.Contains(got, "two") })
	if !h.chat.Cancel() {
		t.Error("nothing was cancelled")
	}
	end := until[chat.Finished](h, nil)
	if end.Record.Status != memory.StatusCancelled || strings.TrimSpace(end.Record.Content) != "one two" || end.Problem != nil {
		t.Errorf("%+v", end)
	}
	stored, err := h.manager.Lookup().Record(t.Context(), luna, end.Record.ID)
	if err != nil || stored.Status != memory.StatusCancelled {
		t.Errorf("stored: %+v, %v", stored, err)
	}
}

// A failing server ends the turn with words for a person; the message is kept
// and can be answered again. I3: the reason is kept in the record's metadata.
func TestFailuresAndRetry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step   modeltest.Step
		status memory.Status
		text   string
	}{
		"server error": {modeltest.Step{Status: 500}, memory.StatusError, ""},
		"html":         {modeltest.Step{Status: 200, ContentType: "text/html", Body: "<html>hello</html>"}, memory.StatusError, ""},
		"cut":          {modeltest.Step{Text: "one two three", DropAfter: modeltest.After(2)}, memory.StatusInterrupted, "one two"},
		"no finish":    {modeltest.Step{Text: "one two three", NoFinish: true}, memory.StatusInterrupted, "one two three"},
		"refused key":  {modeltest.Step{Status: 401}, memory.StatusError, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, nil, c.step, text("now it works"))
			end, _ := h.say("My name is Bo")
			if end.Record.Status != c.status || strings.TrimSpace(end.Record.Content) != c.text {
				t.Errorf("record: %+v", end.Record)
			}
			if end.Problem == nil || end.Problem.Title == "" || end.Problem.Text == "" || end.Record.Metadata.Error == "" {
				t.Errorf("problem: %+v, metadata %v", end.Problem, end.Record.Metadata)
			}
			if err := h.chat.Retry(t.Context()); err != nil {
				t.Fatal(err)
			}
			again := until[chat.Finished](h, nil)
			if again.Record.Content != "now it works" || again.Record.TurnID != end.Record.TurnID {
				t.Errorf("again: %+v", again.Record)
			}
			if err := h.chat.Retry(t.Context()); !errors.Is(err, chat.ErrNothing) {
				t.Errorf("answered, and again: %v", err)
			}
			requests := h.server.Requests()
			if last := requests[1].Messages; !strings.HasSuffix(last[len(last)-1].Content, requests[0].LastUser()) {
				t.Errorf("the second try sent %+v", last)
			}
		})
	}
}

// S1, S2: less than passive_timeout after the last message of any role the
// session goes on, and no model is asked about it; from then on a new one begins
// and the old one is archived.
func TestPassiveTimeout(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Config.SmartContext = false })
	first, _ := h.say("hello")
	h.clock.Add(29*time.Minute + 59*time.Second)
	second, _ := h.say("still here")
	if second.Record.SessionID != first.Record.SessionID {
		t.Error("29:59: another session")
	}
	h.clock.Add(30 * time.Minute)
	third, _ := h.say("back again")
	if third.Record.SessionID == first.Record.SessionID {
		t.Error("30:00: the same session")
	}
	old, err := h.manager.Lookup().Session(t.Context(), luna, first.Record.SessionID)
	if err != nil || old.State == memory.SessionActive {
		t.Errorf("the old session: %+v, %v", old, err)
	}
	h.clock.Add(-time.Hour)
	fourth, _ := h.say("the clock was set back")
	if fourth.Record.SessionID != third.Record.SessionID {
		t.Error("clock set back: another session")
	}
	if n := len(h.server.Requests()); n != 4 {
		t.Errorf("%d requests for 4 messages", n)
	}
}

// S10: a new session on request has a fresh id and an empty window; S9a: opening
// an old one and sending in it resumes it, and its working memory goes on (W4).
func TestNewAndResume(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Context.Order = []string{"persona", "window"} })
	first, _ := h.say("the word is swordfish")
	h.say("once more")
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := h.chat.Session(); s.ID != "" {
		t.Errorf("still in %s", s.ID)
	}
	second, _ := h.say("something else")
	if second.Record.SessionID == first.Record.SessionID {
		t.Fatal("no new session")
	}
	requests := h.server.Requests()
	if strings.Contains(requests[2].Text(), "swordfish") {
		t.Error("the new session's window has the old words")
	}
	if err := h.chat.Resume(t.Context(), first.Record.SessionID); err != nil {
		t.Fatal(err)
	}
	h.clock.Add(48 * time.Hour)
	third, _ := h.say("what was the word?")
	if third.Record.SessionID != first.Record.SessionID {
		t.Error("not resumed")
	}
	requests = h.server.Requests()
	if !strings.Contains(requests[3].Text(), "swordfish") {
		t.Error("the resumed session's window lacks its words")
	}
	w, err := h.manager.Lookup().Working(t.Context(), luna, first.Record.SessionID)
	if err != nil || w.TurnCount != 3 {
		t.Errorf("working memory: %+v, %v", w, err)
	}
	s, err := h.manager.Lookup().Session(t.Context(), luna, first.Record.SessionID)
	if err != nil || s.State != memory.SessionActive || s.Epoch != 1 {
		t.Errorf("session: %+v, %v", s, err)
	}
}

// A1: what a crash left is resolved first: a queued message is answered by the
// next process, and an answer that was cut off is kept.
func TestAfterCrash(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, modeltest.Step{Text: "one two three", StallAfter: modeltest.After(2)}, text("answered later"))
	for _, s := range []string{"count", "next"} {
		if _, err := h.chat.Send(t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	until(h, func(d chat.Delta) bool { got += d.Text; return strings.Contains(got, "two") })
	h.reopen()
	end := until[chat.Finished](h, nil)
	if end.Record.Content != "answered later" {
		t.Errorf("%+v", end.Record)
	}
	records, err := h.manager.Lookup().Records(t.Context(), luna, end.Record.SessionID)
	if err != nil || len(records) != 4 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if r := records[1]; r.Status != memory.StatusInterrupted || strings.TrimSpace(r.Content) != "one two" {
		t.Errorf("the cut answer: %+v", r)
	}
}

// Without a model the answer quotes memory and says what it is; its own words
// are never sent to a model afterwards, nor learned from.
func TestOffline(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Model = model.NewOffline(o.Now) })
	h.say("My name is Bo")
	end, learned := h.say("What is my name?")
	if !strings.Contains(end.Record.Content, "Bo") || !end.Record.Own() {
		t.Errorf("answer: %+v", end.Record)
	}
	if len(learned.Changes) != 0 {
		t.Errorf("learned %+v", learned.Changes)
	}
	own := end.Record.Content
	h.chat.SetModel(h.client())
	h.say("hello, real model")
	for _, m := range h.server.Requests()[0].Messages {
		if m.Role == "assistant" || strings.Contains(m.Content, own) {
			t.Errorf("the program's words were sent: %+v", m)
		}
	}
}

// --no-memory: nothing is recalled or learned; messages are kept.
func TestNoMemory(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.NoMemory = true })
	if _, err := h.manager.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Name: Bo"}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"I like tea", "my name is?"} {
		if _, err := h.chat.Send(t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
		until[chat.Finished](h, nil)
	}
	if strings.Contains(h.server.Requests()[1].Text(), "## Memory") {
		t.Error("memory was sent")
	}
	if err := h.manager.Learning().Learn(t.Context(), luna, nil); err != nil {
		t.Fatal(err)
	}
	page, err := h.manager.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true})
	if err != nil || page.Total != 1 {
		t.Errorf("%d items, %v", page.Total, err)
	}
}

// Events are numbered without gaps; deltas joined are the answer.
func TestEventsInOrder(t *testing.T) {
	t.Parallel()
	answer := strings.Repeat("word ", 300) + "end"
	h := newHouse(t, nil, text(answer))
	end, _ := h.say("go on")
	got := ""
	for i, e := range h.seen {
		if chat.HeadOf(e).Seq != uint64(i+1) {
			t.Fatalf("event %d has number %d (%T)", i+1, chat.HeadOf(e).Seq, e)
		}
		if d, ok := e.(chat.Delta); ok {
			got += d.Text
		}
	}
	if got != answer || end.Record.Content != answer {
		t.Errorf("deltas make %d bytes, the record has %d of %d", len(got), len(end.Record.Content), len(answer))
	}
}

// Messages that cannot be sent are refused in words and leave no trace.
func TestRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	for _, s := range []string{"", "  \n\t ", "\u3000"} {
		if _, err := h.chat.Send(t.Context(), s, nil); !errors.Is(err, chat.ErrEmpty) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if _, err := h.chat.Send(t.Context(), strings.Repeat("x", 5<<20), nil); err == nil {
		t.Error("5 MB were taken")
	}
	if _, err := h.chat.Send(t.Context(), "\xff\xfe", nil); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("invalid UTF-8: %v", err)
	}
	if left, err := h.manager.Lookup().Incoming(t.Context(), luna); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	// C7: more than the model takes is refused in words, before anything is sent.
	if _, err := h.chat.Send(t.Context(), strings.Repeat("多字 ", 20_000), nil); err != nil {
		t.Fatal(err)
	}
	end := until[chat.Finished](h, nil)
	if end.Problem == nil || end.Record.Status != memory.StatusError || !strings.Contains(end.Problem.Title, "too long") {
		t.Errorf("%+v", end)
	}
	if n := len(h.server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// S7: messages sent at once land in one session, in the order of sending.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	const n = 20
	for i := range n {
		if _, err := h.chat.Send(t.Context(), fmt.Sprintf("message %02d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	session := ""
	for i := range n {
		end := until[chat.Finished](h, nil)
		if session == "" {
			session = end.Record.SessionID
		}
		if want := fmt.Sprintf("message %02d", i); !strings.HasSuffix(end.Record.Content, want) || end.Record.SessionID != session {
			t.Errorf("turn %d: %+v", i, end.Record)
		}
	}
}

// Explain has words for whatever comes.
func TestExplain(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&vault.LockedError{Path: "x", PID: 7}, vault.ErrMissing, vault.ErrDamaged, lookup.ErrNotFound, manager.ErrGone,
		chat.ErrBusy, context.Canceled, errors.New("odd"), fmt.Errorf("deep: %w", &model.Error{Kind: model.KindAuth, Message: "no"}),
	} {
		if p := chat.Explain(err); p.Title == "" || p.Text == "" {
			t.Errorf("%v: %+v", err, p)
		}
	}
	for _, c := range []struct {
		err   error
		title string
	}{
		{&vault.LostError{Dir: "/d", Err: vault.ErrMissing}, "The memory file is missing"},
		{&vault.LostError{Dir: "/d", Err: vault.ErrEmpty}, "The memory file is empty"},
		{&vault.LostError{Dir: "/d", Err: vault.ErrDamaged}, "The memory file is damaged"},
		{&vault.LostError{Dir: "/d", Err: vault.ErrForeign}, "The memory file is not the one of this folder"},
		{&vault.SchemaError{Path: "/d/memoria.db", Have: 9, Want: 1}, "This memory is newer than the program"},
		{&vault.LockedError{Path: "/d/memoria.db"}, "Another memoria has this memory open"},
	} { // Q3: in plain words, with the path once
		p := chat.Explain(fmt.Errorf("opening the memory store: %w", c.err))
		if p.Title != c.title || strings.Count(p.Text, "/d/memoria.db") != 1 || strings.Contains(p.Text, "opening") || p.Hint == "" {
			t.Errorf("%+v", p)
		}
	}
	if p := chat.Explain(&vault.LockedError{Path: "x", PID: 4711}); !strings.Contains(p.Text, "4711") {
		t.Errorf("the process is not named: %+v", p)
	}
}

// The package of a turn can be printed as JSON with the field names of C5.
func TestPackageJSON(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	h.say("I like oolong tea")
	end, _ := h.say("oolong?")
	pkg, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"persona_block", "recall_block", "short_term_block", `"hash"`, "keyword_score", `"evidence"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
}

// P4, S9a: a message that is answered again was not said again; in a session that
// was archived meanwhile the retry makes it the running one, with its working
// memory (W4).
func TestRetryLater(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, modeltest.Step{Status: 500}, text("elsewhere"), text("now it works"))
	first, learned := h.say("My name is Bo")
	if len(learned.Changes) != 1 {
		t.Fatalf("learned %+v", learned.Changes)
	}
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	other, _ := h.say("something else")
	if err := h.chat.Resume(t.Context(), first.Record.SessionID); err != nil {
		t.Fatal(err)
	}
	if err := h.chat.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := until[chat.Finished](h, nil)
	if again.Record.Content != "now it works" || again.Record.SessionID != first.Record.SessionID {
		t.Errorf("%+v", again.Record)
	}
	for _, c := range until(h, func(l chat.Learned) bool { return l.TurnID == again.Record.TurnID }).Changes {
		if c.Action != memory.ActionSkipped {
			t.Errorf("said again: %+v", c)
		}
	}
	for id, active := range map[string]bool{first.Record.SessionID: true, other.Record.SessionID: false} {
		if s, err := h.manager.Lookup().Session(t.Context(), luna, id); err != nil || (s.State == memory.SessionActive) != active {
			t.Errorf("session %s is %s, active: want %v (%v)", id, s.State, active, err)
		}
	}
	if w, err := h.manager.Lookup().Working(t.Context(), luna, first.Record.SessionID); err != nil || w.TurnCount != 1 {
		t.Errorf("working memory: %+v, %v", w, err)
	}
}

// noRace leaves a test out of the short run, which is the race detector's: it is slow there,
// and what it does at once others do there too.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one turn after the other, slow under the race detector; other tests race the same goroutines")
	}
}
