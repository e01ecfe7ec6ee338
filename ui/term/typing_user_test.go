package term

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unsafe"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/prompts"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// typist is a person at the keyboard of the real program over a real data folder, inside a
// synctest bubble: time passes between keys, and costs nothing. Updates run in the goroutine
// of the test, effects in their own.
type typist struct {
	t      testing.TB
	w      *world
	root   *root
	server *modeltest.Server
	config string // the settings file
	began  string // what was shown when the typing of the last case began
	folder string // where the program runs, and must write nothing; "" where that is not known
	taught int    // how often something new was said
	stop   context.CancelFunc

	mu   sync.Mutex
	got  []tea.Msg
	left bool          // the program asked to end
	held chan struct{} // until it is closed an answer waits
}

// habitat is what a typist's program finds besides its folder.
type habitat struct {
	words words.Words
	ids   *memory.IDs // nil means random ones
	now   func() time.Time
}

// typistIn opens the program over a folder with the data and the settings of a user, at a
// time after everything in it.
func typistIn(t testing.TB, home string, width, height int, change ...func(*habitat)) *typist {
	t.Helper()
	in := habitat{now: time.Now}
	for _, c := range change {
		c(&in)
	}
	time.Sleep(12 * time.Hour) // of the bubble
	p := &typist{t: t, server: modeltest.New(), config: filepath.Join(home, "config.toml")}
	ctx, stop := context.WithCancel(t.Context())
	p.stop = stop
	w := &world{t: t, dir: filepath.Join(home, "data")}
	p.w = w
	rules := write.DefaultConfig()
	rules.Analysis = write.AnalysisRules // the server answers what is said, and nothing else
	rules.SummaryLimit = 0
	var err error
	w.manager, err = manager.Open(ctx, manager.Options{
		Dir: w.dir, Config: rules, Now: in.now, NoSync: true, Journal: journal.DefaultConfig(), IDs: in.ids,
	})
	must(t, err)
	set, err := prompts.New("")
	must(t, err)
	cfg := model.DefaultConfig()
	cfg.BaseURL, cfg.Name, cfg.APIKeyEnv, cfg.Retries = "http://127.0.0.1/v1", "scripted", "", 0
	client, err := model.NewOpenAI(cfg, model.WithTransport(p.server.Transport()))
	must(t, err)
	talk := func(temporary bool) func(chat.Agent) (*chat.Chat, error) {
		return func(a chat.Agent) (*chat.Chat, error) {
			var members []chat.Agent
			if g, err := w.manager.Lookup().Group(ctx, a.ID); err == nil {
				for _, id := range g.Members {
					info, err := w.manager.Lookup().Agent(ctx, id)
					if err != nil {
						return nil, err
					}
					info.Name = info.Title()
					members = append(members, info.Agent)
				}
			}
			return chat.New(chat.Options{
				Agent: a, Members: members, Manager: w.manager, Model: client, Prompts: set,
				Config: chat.DefaultConfig(), Context: compose.DefaultConfig(), Now: in.now,
				Nonce: func() string { return "NONCE" }, Temporary: temporary,
			})
		}
	}
	w.chat, err = talk(false)(chat.Agent{ID: "luna", Name: "luna"})
	must(t, err)
	w.conversations = app.NewConversations(app.ConversationOptions{
		Memory: w.manager, Chat: w.chat, New: talk(false), Temporary: talk(true), Default: "luna",
	})
	models := app.NewModels(app.ModelOptions{
		Config: cfg, Client: client, Logger: slog.New(slog.DiscardHandler), Now: in.now,
		Find: func(context.Context) []model.Found { return nil },
	})
	if _, err := os.Stat(p.config); err != nil {
		file := "[memory]\nanalysis = \"rules\"\nsession_summary_limit = 0\nrag_top_n = 7\n[ui]\ntheme = \"none\"\n"
		must(t, os.WriteFile(p.config, []byte(file), 0o600))
	}
	loaded, err := config.Load(config.Source{Path: p.config})
	must(t, err)
	ui := config.Default().UI
	ui.Theme = theme.None
	w.opts = Options{Session: &app.Session{
		Conversations: w.conversations, Memory: w.manager, Models: models, Now: in.now, Version: "test", Words: in.words,
		Settings: app.NewSettings(app.SettingsOptions{
			Loaded: loaded, Memory: w.manager, Conversations: w.conversations, Models: models, Screen: true,
		}),
		Logger: slog.New(slog.DiscardHandler), LogPath: "/tmp/memoria.log",
	}, Config: ui}.withDefaults()
	if state := filepath.Join(home, "state"); isFolder(state) {
		w.opts.StateDir = state // nobody was guided yet
	}
	w.opts.Env = []string{"TERM=xterm-256color"}
	p.root = newModel(ctx, w.opts)
	p.run(p.root.Init())
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	p.pass(2 * time.Second)
	return p
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// close ends the program as quitting does.
func (p *typist) close() {
	p.t.Helper()
	p.root.drafts.keepDraft()
	p.stop()
	must(p.t, p.w.opts.Models.Close())
	p.w.close()
	p.server.Close()
	time.Sleep(time.Minute) // what waits for a time gives up by then
}

// run does what the program asked for.
func (p *typist) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { p.arrive(cmd()) }()
}

func (p *typist) arrive(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			p.run(cmd)
		}
	case tea.QuitMsg:
		p.mu.Lock()
		p.left = true
		p.mu.Unlock()
	default:
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() { // a sequence
			for i := range v.Len() {
				if cmd, ok := v.Index(i).Interface().(tea.Cmd); ok && cmd != nil {
					p.arrive(cmd())
				}
			}
			return
		}
		p.mu.Lock()
		p.got = append(p.got, msg)
		p.mu.Unlock()
	}
}

// send gives the program a message, and draws what it shows then.
func (p *typist) send(msg tea.Msg) {
	p.t.Helper()
	next, cmd := p.root.Update(msg)
	p.root = next.(*root)
	if p.root.crash != nil {
		p.t.Fatalf("the program panicked: %v", p.root.crash)
	}
	p.run(cmd)
}

// settle takes everything that has come back without time passing.
func (p *typist) settle() {
	p.t.Helper()
	for range 1000 {
		synctest.Wait()
		p.mu.Lock()
		got := p.got
		p.got = nil
		p.mu.Unlock()
		if len(got) == 0 {
			return
		}
		for _, msg := range got {
			p.send(msg)
		}
	}
	p.t.Fatal("the program never rests")
}

// pass lets time pass.
func (p *typist) pass(d time.Duration) {
	p.t.Helper()
	const step = 150 * time.Millisecond
	for p.settle(); d > 0; d -= step {
		time.Sleep(min(d, step))
		p.settle()
	}
}

// rest waits until everything that was said is answered and looked up.
func (p *typist) rest() {
	p.t.Helper()
	for range 100 {
		p.pass(100 * time.Millisecond)
		if !p.root.conv.busy() && len(p.root.conv.sending) == 0 && len(p.root.conv.queue) == 0 && !p.w.conversations.Chat().Busy() {
			p.pass(600 * time.Millisecond) // the draft is saved by then
			return
		}
	}
	p.t.Fatalf("the answer never ends\n%s", p.frame())
}

// frame is what the program shows.
func (p *typist) frame() string {
	p.t.Helper()
	return strings.ReplaceAll(ansi.Strip(p.root.View().Content), "\u00a0", " ")
}

// key presses a key by its code.
func (p *typist) key(codes ...rune) {
	p.t.Helper()
	for _, c := range codes {
		if c >= ' ' && c < 0x7f {
			p.send(keyFor(string(c)))
		} else {
			p.send(tea.KeyPressMsg{Code: c})
		}
		p.pass(200 * time.Millisecond)
	}
}

func (p *typist) ctrl(c rune) {
	p.t.Helper()
	p.send(tea.KeyPressMsg{Code: c, Mod: tea.ModCtrl})
	p.pass(200 * time.Millisecond)
}

// keyFor is what a terminal sends for a letter.
func keyFor(letter string) tea.KeyPressMsg {
	r := []rune(letter)
	switch {
	case len(r) > 1:
		return tea.KeyPressMsg{Code: tea.KeyExtended, Text: letter}
	case unicode.IsUpper(r[0]):
		return tea.KeyPressMsg{Code: unicode.ToLower(r[0]), ShiftedCode: r[0], Mod: tea.ModShift, Text: letter}
	}
	return tea.KeyPressMsg{Code: r[0], Text: letter}
}

// letters are what is typed by one key each.
func letters(text string) (out []string) {
	for g := graphemes.FromString(text); g.Next(); {
		out = append(out, g.Value())
	}
	return out
}

// command enters a command, from wherever the keyboard is.
func (p *typist) command(line string) {
	p.t.Helper()
	p.home()
	for _, l := range letters(line) {
		p.send(keyFor(l))
	}
	p.pass(200 * time.Millisecond)
	p.key(tea.KeyEnter)
	p.pass(500 * time.Millisecond)
}

// say sends a message and waits for the answer.
func (p *typist) say(text string) {
	p.t.Helper()
	p.home()
	p.words(text) // of a paste nothing is learned
	p.key(tea.KeyEnter)
	p.rest()
}

// home goes back to an empty input, closing what is open.
func (p *typist) home() {
	p.t.Helper()
	for range 4 {
		p.key(tea.KeyEscape)
	}
	p.root.setFocus(onInput)
	if !p.root.input.Empty() {
		p.ctrl('c')
	}
	if !p.root.input.Empty() || p.root.focus != onInput || p.root.overlay != noOverlay {
		p.t.Fatalf("the way back to the input fails\n%s", p.frame())
	}
}

// open gives a pane the keyboard.
func (p *typist) open(id pane.ID) {
	p.t.Helper()
	p.send(pane.Callback(func() tea.Cmd { return p.root.Open(id) }))
	p.pass(500 * time.Millisecond)
}

// talk gives the conversation the keyboard.
func (p *typist) talk() {
	p.t.Helper()
	p.root.setFocus(onTalk)
	p.pass(200 * time.Millisecond)
}

// input is the text of the input.
func (p *typist) input() string {
	text, _ := p.root.input.Text()
	return text
}

// fields are the texts of all text fields of the program, by where they are, so that no
// field that is added later is forgotten.
func (p *typist) fields() map[string]string {
	out := map[string]string{}
	walkFields(reflect.ValueOf(p.root), "", map[uintptr]bool{}, out)
	return out
}

var textareaType = reflect.TypeFor[textarea.Model]()

func walkFields(v reflect.Value, path string, seen map[uintptr]bool, out map[string]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && ours(v.Type().Elem()) && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			walkFields(v.Elem(), path, seen, out)
		}
	case reflect.Interface:
		if !v.IsNil() {
			walkFields(v.Elem(), path, seen, out)
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); v.Len() > 64 || k != reflect.Pointer && k != reflect.Interface && k != reflect.Struct {
			return
		}
		for i := range v.Len() {
			walkFields(v.Index(i), path, seen, out)
		}
	case reflect.Struct:
		if v.Type() == textareaType {
			if v.CanAddr() {
				ta := (*textarea.Model)(unsafe.Pointer(v.UnsafeAddr()))
				out[path] += ta.Value()
			}
			return
		}
		if !ours(v.Type()) {
			return
		}
		for i := range v.NumField() {
			walkFields(v.Field(i), path+"."+v.Type().Field(i).Name, seen, out)
		}
	}
}

// ours reports whether a type is of the screen and can hold a field.
func ours(t reflect.Type) bool {
	at := t.PkgPath()
	if t == textareaType {
		return true
	}
	if !strings.HasPrefix(at, "memoria/ui/term") {
		return false
	}
	for _, drawn := range []string{"transcript", "markdown", "theme", "keys", "layout"} {
		if strings.HasSuffix(at, "/"+drawn) {
			return false
		}
	}
	return true
}
