package term

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/prompts"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
)

// patience is how long a test waits for what should come at once.
const patience = time.Minute

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a data folder and the conversation over it.
type world struct {
	t             testing.TB
	dir           string
	clock         *clock
	manager       *manager.Manager
	chat          *chat.Chat
	conversations *app.Conversations
	opts          Options
}

// newWorld opens the folder dir, or a new one when it is empty. Without a
// server there is no model.
func newWorld(t testing.TB, dir string, server *modeltest.Server) *world {
	t.Helper()
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "data")
	}
	w := &world{t: t, dir: dir, clock: &clock{now: noon}}
	var err error
	rules := write.DefaultConfig()
	rules.Analysis = write.AnalysisRules // the server answers what is said, and nothing else
	rules.SummaryLimit = 0               // and hears nothing else
	_, measured := t.(*testing.B)        // the others need not wait for the disk
	w.manager, err = manager.Open(t.Context(), manager.Options{Dir: dir, Config: rules, Now: w.clock.Now, NoSync: !measured})
	must(t, err)
	set, err := prompts.New("")
	must(t, err)
	client := model.NewOffline(w.clock.Now)
	if server != nil {
		client = clientFor(t, server)
	}
	talk := func(a chat.Agent, temporary bool) (*chat.Chat, error) {
		var members []chat.Agent
		if g, err := w.manager.Lookup().Group(context.Background(), a.ID); err == nil {
			for _, id := range g.Members {
				info, err := w.manager.Lookup().Agent(context.Background(), id)
				if err != nil {
					return nil, err
				}
				info.Name = info.Title()
				members = append(members, info.Agent)
			}
		}
		return chat.New(chat.Options{
			Agent: a, Members: members, Manager: w.manager, Model: client, Prompts: set,
			Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: w.clock.Now,
			Nonce: func() string { return "NONCE" }, Temporary: temporary,
		})
	}
	talkTo := func(a chat.Agent) (*chat.Chat, error) { return talk(a, false) }
	talkAside := func(a chat.Agent) (*chat.Chat, error) { return talk(a, true) }
	w.chat, err = talkTo(chat.Agent{ID: "luna", Name: "luna"})
	must(t, err)
	cfg := config.Default().UI
	cfg.Theme = theme.None
	w.conversations = app.NewConversations(app.ConversationOptions{Memory: w.manager, Chat: w.chat, New: talkTo, Temporary: talkAside, Default: "luna"})
	w.opts = Options{Session: &app.Session{
		Conversations: w.conversations, Memory: w.manager, Models: w.models(client, model.DefaultConfig(), nil), Now: w.clock.Now, Version: "test",
		Logger: slog.New(slog.DiscardHandler), LogPath: "/tmp/memoria.log",
	}, Config: cfg}.withDefaults()
	w.opts.Env = []string{"TERM=xterm-256color"}
	t.Cleanup(w.close)
	return w
}

// models returns the models of a session that client answers first; found are the
// servers on this computer.
func (w *world) models(client model.Client, cfg model.Config, found func() []model.Found) *app.Models {
	m := app.NewModels(app.ModelOptions{
		Config: cfg, Client: client, Logger: slog.New(slog.DiscardHandler), Now: w.clock.Now,
		Find: func(context.Context) []model.Found {
			if found == nil {
				return nil
			}
			return found()
		},
	})
	w.t.Cleanup(func() { must(w.t, m.Close()) })
	return m
}

// find lets found be the model servers on this computer.
func (w *world) find(found func() []model.Found) {
	w.opts.Models = w.models(model.NewOffline(w.clock.Now), model.DefaultConfig(), found)
}

func clientFor(t testing.TB, server *modeltest.Server) model.Client {
	t.Helper()
	cfg := model.DefaultConfig()
	cfg.BaseURL, cfg.Name, cfg.APIKeyEnv = server.URL, "scripted", ""
	c, err := model.NewOpenAI(cfg)
	must(t, err)
	return c
}

func (w *world) close() {
	if w.manager == nil {
		return
	}
	must(w.t, w.conversations.Close())
	must(w.t, w.manager.Close())
	w.manager = nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// screen runs the program and keeps every frame it shows.
type screen struct {
	t    testing.TB
	tm   *teatest.TestModel
	root *root

	mu    sync.Mutex
	frame string
	ends  int           // turns whose end was shown
	marks int           // marks that have come through
	more  chan struct{} // closed at the next frame
}

func (w *world) show(width, height int) *screen {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	s := &screen{t: w.t, root: newModel(ctx, w.opts), more: make(chan struct{})}
	s.tm = teatest.NewTestModel(w.t, s, teatest.WithInitialTermSize(width, height))
	w.t.Cleanup(func() {
		_ = s.tm.Quit()
		s.tm.WaitFinished(w.t, teatest.WithFinalTimeout(patience))
		stop()
	})
	return s
}

// Init implements tea.Model.
func (s *screen) Init() tea.Cmd { return s.root.Init() }

// Update implements tea.Model.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	if id, ok := msg.(viewMsg); ok {
		cmd = tea.Batch(goTo(s.root, pane.ID(id))...)
	} else if _, ok := msg.(aloneMsg); ok {
		cmd = s.root.typed.end()
	} else {
		var next tea.Model
		next, cmd = s.root.Update(msg)
		s.root = next.(*root)
	}
	lines, _ := view{s.root}.frame()
	s.mu.Lock()
	if _, ok := msg.(markMsg); ok {
		s.marks++
	}
	if e, ok := unwrapped(msg).(eventMsg); ok {
		if _, ended := e.event.(chat.Finished); ended {
			s.ends++
		}
	}
	s.frame = strings.ReplaceAll(strings.Join(lines, "\n"), "\u00a0", " ")
	close(s.more)
	s.more = make(chan struct{})
	s.mu.Unlock()
	return s, late(cmd)
}

// lateBy is how late effects may run and arrive, as on a machine that has much else to
// do: MEMORIA_TEST_LATE=300ms finds what depends on their order.
var lateBy, _ = time.ParseDuration(os.Getenv("MEMORIA_TEST_LATE"))

func late(cmd tea.Cmd) tea.Cmd {
	if cmd == nil || lateBy <= 0 {
		return cmd
	}
	wait := func() {
		if rand.IntN(3) == 0 {
			time.Sleep(rand.N(lateBy))
		}
	}
	return func() tea.Msg {
		wait()
		msg := cmd()
		if all, ok := msg.(tea.BatchMsg); ok {
			for i := range all {
				all[i] = late(all[i])
			}
			return all
		}
		wait()
		return msg
	}
}

// unwrapped is what an effect came to.
func unwrapped(msg tea.Msg) tea.Msg {
	if o, ok := msg.(pane.Result); ok {
		return o.Msg
	}
	return msg
}

// View implements tea.Model.
func (s *screen) View() tea.View { return s.root.View() }

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frame
}

// until waits for a frame that ok accepts.
func (s *screen) until(what string, ok func(frame string) bool) string {
	s.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		s.mu.Lock()
		frame, more := s.frame, s.more
		s.mu.Unlock()
		if ok(frame) {
			return frame
		}
		select {
		case <-more:
		case <-limit.C:
			s.t.Fatalf("waiting for %s; the screen is\n%s", what, s.text())
		}
	}
}

// ended waits for the end of so many answers: what is on the screen may still arrive.
func (s *screen) ended(n int) {
	s.t.Helper()
	s.until("the end of an answer", func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.ends >= n
	})
}

// noRace skips a test in the run with the race detector.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it draws, which has no races")
	}
}

// viewMsg asks for the keys that lead to a view.
type viewMsg pane.ID

// view goes to a view by its keys. The panel has the keyboard.
func (s *screen) view(id pane.ID) { s.tm.Send(viewMsg(id)) }

// goTo presses the number of the tab of a view, and then the arrow up to it. Where something
// else takes the keys, such as a question, it opens the view.
func goTo(m *root, id pane.ID) (cmds []tea.Cmd) {
	cmds = append(cmds, press(m, strconv.Itoa(id.Tab()+1)))
	for n := 0; n < 4 && m.panel.shown != id; n++ {
		cmds = append(cmds, press(m, "right"))
	}
	if m.panel.shown != id {
		cmds = append(cmds, m.Open(id))
	}
	return cmds
}

// markMsg comes behind everything that was pressed before it.
type markMsg struct{}

// settled waits until every key pressed so far is taken, and returns the frame then.
func (s *screen) settled() string {
	s.t.Helper()
	s.mu.Lock()
	before := s.marks
	s.mu.Unlock()
	s.tm.Send(markMsg{})
	return s.until("the keys to be taken", func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.marks > before
	})
}

// see waits until all texts are on the screen.
func (s *screen) see(texts ...string) string {
	s.t.Helper()
	return s.until(strings.Join(texts, " and "), func(frame string) bool {
		for _, text := range texts {
			if !strings.Contains(frame, text) {
				return false
			}
		}
		return true
	})
}

// gone waits until a text is no longer on the screen.
func (s *screen) gone(text string) {
	s.t.Helper()
	s.until(text+" to go", func(frame string) bool { return !strings.Contains(frame, text) })
}

func (s *screen) say(text string) {
	s.tm.Type(text)
	s.press(tea.KeyEnter)
}

func (s *screen) press(codes ...rune) {
	for _, c := range codes {
		msg := tea.KeyPressMsg{Code: c}
		if c < 0x7f && c > ' ' {
			msg.Text = string(c)
		}
		s.tm.Send(msg)
		s.tm.Send(aloneMsg{})
	}
}

// aloneMsg says that nothing follows a key at once.
type aloneMsg struct{}

// sure presses a letter that asks first, and says yes.
func (s *screen) sure(c rune) {
	s.press(c)
	s.ctrl('y')
}

func (s *screen) ctrl(c rune) { s.tm.Send(tea.KeyPressMsg{Code: c, Mod: tea.ModCtrl}) }
