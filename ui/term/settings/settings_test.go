package settings

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

func infos() []config.Setting {
	const file = "/home/bo/.config/memoria/config.toml"
	all := []config.Setting{
		{Key: "agent", Kind: config.Text, Value: "memoria", Default: "memoria", Allowed: "1 to 64 of a-z, 0-9, - and _", Help: "The agent that is talked to when --agent names none.", From: config.FromDefault, Variable: "MEMORIA_AGENT", AtStart: true},
		{Key: "model.api_key_env", Kind: config.Text, Value: "OPENAI_API_KEY", Default: "OPENAI_API_KEY", Help: "The environment variable that holds the key, never the key itself; \"\" sends none.", From: config.FromDefault, Note: "this variable is set", Variable: "MEMORIA_MODEL_API_KEY_ENV"},
		{Key: "chat.passive_timeout", Kind: config.Duration, Value: "1h", Default: "30m", Allowed: "1s to 720h", Help: "After this pause a message no longer simply belongs to the session.", From: config.FromFile, Where: file + ":7", Variable: "MEMORIA_CHAT_PASSIVE_TIMEOUT"},
		{Key: "memory.rag_top_n", Kind: config.Number, Value: "9", Default: "5", Allowed: "0 to 100", Help: "How many memories may go with a message.", From: config.FromEnvironment, Where: "MEMORY_RETRIEVAL_LIMIT", Variable: "MEMORIA_MEMORY_RAG_TOP_N"},
		{Key: "memory.pii_policy", Kind: config.Choice, Value: "ask", Default: "ask", Choices: []string{"keep", "redact", "ask", "drop"}, Allowed: "keep, redact, ask, drop", Help: "Personal data: \"keep\", \"redact\" (blacked out), \"ask\" (held until you say yes) or \"drop\". What you explicitly ask to remember counts as a yes.", From: config.FromDefault, Variable: "MEMORIA_MEMORY_PII_POLICY"},
		{Key: "memory.archive_triggers", Kind: config.List, Value: "proof, sparse", Default: "proof, sparse, unsure, mentioned", Choices: []string{"proof", "sparse", "unsure", "mentioned"}, Allowed: "proof, sparse, unsure, mentioned", Help: strings.Repeat("When a message starts a search of the archive, at great length. ", 8), From: config.FromFile, Where: file + ":12", Variable: "MEMORIA_MEMORY_ARCHIVE_TRIGGERS"},
		{Key: "backup.daily", Kind: config.Number, Value: "3", Later: "9", Default: "3", Allowed: "0 to 365", Help: "How many automatic backups are kept.", From: config.FromDefault, Variable: "MEMORIA_BACKUP_DAILY", AtStart: true},
		{Key: "ui.mouse", Kind: config.Switch, Value: "true", Default: "true", Allowed: "true or false", Help: "Whether the mouse scrolls and chooses panes.", From: config.FromDefault, Variable: "MEMORIA_UI_MOUSE"},
	}
	config.CommonFirst(all)
	return all
}

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{})), w, h) }

func filled(w, h int) *Model { return fill(newPane(w, h)) }

func fill(m *Model) *Model {
	m.Show(infos(), "")
	m.SetFocus(true)
	return m
}

var (
	press = panetest.Press[Action]
	typed = panetest.Type[Action]
)

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

// I5: every setting with its value, its source, its help and its limits.
func TestViews(t *testing.T) {
	panetest.Views(t, [][2]int{{60, 11}, {55, 20}, {30, 24}, {80, 21}}, newPane, map[string]func(m *Model){"reading": func(*Model) {}})
	panetest.Views(t, [][2]int{{60, 11}, {55, 20}, {30, 24}, {80, 21}}, filled, map[string]func(m *Model){
		"broken": func(m *Model) {
			m.Show(infos(), "The file as it is now cannot be used: config.toml:3: x: no such setting.")
		},
		"list":    func(*Model) {},
		"middle":  func(m *Model) { press(m, "down", "down", "down") },
		"long":    func(m *Model) { press(m, "down", "down", "down", "down", "down") },
		"end":     func(m *Model) { press(m, "end", "up") },
		"quiet":   func(m *Model) { m.SetFocus(false) },
		"filter":  func(m *Model) { press(m, "/"); typed(m, "memor env") },
		"nothing": func(m *Model) { press(m, "/"); typed(m, "xyz"); press(m, "enter") },
		"edit":    func(m *Model) { m.Open("chat.passive_timeout"); press(m, "enter", "down", "enter", "!") },
		"refused": func(m *Model) {
			m.Open("chat.passive_timeout")
			press(m, "e", "!", "ctrl+s")
			m.Failed(`"1h!" is no duration such as 30m`)
		},
		"choose": func(m *Model) { m.Open("memory.pii_policy"); press(m, "e", "up") },
		"menu":   func(m *Model) { m.Open("chat.passive_timeout"); press(m, "enter", "down", "down") },
		"detail": func(m *Model) { m.Open("memory.archive_triggers"); press(m, "o") },
		"done": func(m *Model) {
			m.Open("memory.rag_top_n")
			press(m, "e", "enter")
			m.Done("memory.rag_top_n is 7 now · MEMORY_RETRIEVAL_LIMIT is set, and overrides the file after restart")
		},
	})

}

// The pane in Chinese.
func TestChinese(t *testing.T) {
	w := words.In(config.LanguageChinese)
	chinese := func(width, h int) *Model { return fill(panetest.Show(New(keys.Default(w)), width, h)) }
	panetest.Views(t, [][2]int{{40, 24}, {60, 20}}, chinese, map[string]func(m *Model){
		"list":   func(m *Model) { press(m, "down") },
		"detail": func(m *Model) { m.Open("chat.passive_timeout"); press(m, "o") },
		"filter": func(m *Model) { press(m, "/"); typed(m, "鼠标") },
		"edit":   func(m *Model) { m.Open("memory.rag_top_n"); press(m, "e") },
		"choose": func(m *Model) { m.Open("memory.pii_policy"); press(m, "enter", "up", "enter") },
		"done": func(m *Model) {
			c := app.Change{Setting: infos()[0], Notes: []string{"MEMORIA_AGENT is set, and counts more than the file"}}
			m.Done(c.In(w.Language))
		},
	})
}

// I5: what each kind of setting asks for when it is changed.
func TestWhatIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		key  string
		keys []string
		want Action
	}{
		{"ui.mouse", []string{"enter", "down", "enter", "ctrl+s"}, Action{Do: Set, Key: "ui.mouse", Text: "false"}},
		{"memory.pii_policy", []string{"e", "down", "ctrl+s"}, Action{Do: Set, Key: "memory.pii_policy", Text: "drop"}},
		{"memory.rag_top_n", []string{"e", "backspace", "7", "ctrl+s"}, Action{Do: Set, Key: "memory.rag_top_n", Text: "7"}},
		{"backup.daily", []string{"e", "ctrl+s"}, Action{Do: Set, Key: "backup.daily", Text: "9"}}, // what it will be, not what it is
		{"chat.passive_timeout", []string{"d"}, Action{Do: Unset, Key: "chat.passive_timeout"}},
		{"chat.passive_timeout", []string{"backspace"}, Action{Do: Unset, Key: "chat.passive_timeout"}},
		{"memory.pii_policy", []string{"d"}, Action{}},
		{"memory.rag_top_n", []string{"u"}, Action{Do: Undo}},
		{"memory.rag_top_n", []string{"o", "y"}, Action{Do: Copy, Text: "memory.rag_top_n = 9"}},
		{"memory.rag_top_n", []string{"o", "e", "7", "ctrl+s"}, Action{Do: Set, Key: "memory.rag_top_n", Text: "97"}},
		{"memory.rag_top_n", []string{"enter", "enter", "down", "enter", "7", "ctrl+s"}, Action{Do: Set, Key: "memory.rag_top_n", Text: "97"}},
		{"memory.rag_top_n", []string{"enter", "enter", "enter", "esc"}, Action{Do: Leave}},
		{"memory.rag_top_n", []string{"e", "7", "esc"}, Action{}},
		{"memory.rag_top_n", []string{"esc"}, Action{Do: Leave}},
	} {
		m := filled(60, 20)
		m.Open(c.key)
		if diff := cmp.Diff(c.want, press(m, c.keys...)); diff != "" {
			t.Errorf("%s %v: %s", c.key, c.keys, diff)
		}
	}
}

// Nothing typed is lost by a refusal, and nothing is asked for twice.
func TestRefusal(t *testing.T) {
	m := filled(60, 20)
	m.Open("memory.rag_top_n")
	press(m, "e", "9", "9")
	if a := press(m, "ctrl+s"); a.Text != "999" {
		t.Fatalf("%+v", a)
	}
	if a := press(m, "ctrl+s"); a.Do != Nothing {
		t.Errorf("asked for twice: %+v", a)
	}
	m.Failed("allowed are 0 to 100")
	if got := view(t, m); !m.Capturing() || !strings.Contains(got, "999") || !strings.Contains(got, "allowed are 0 to 100") {
		t.Errorf("after a refusal:\n%s", got)
	}
	press(m, "backspace")
	if a := press(m, "ctrl+s"); a.Text != "99" {
		t.Errorf("%+v", a)
	}
	m.Done("memory.rag_top_n is 99 now")
	if m.Modal() || !strings.Contains(view(t, m), "is 99 now") {
		t.Errorf("after it is done:\n%s", view(t, m))
	}
	press(m, "o")
	changed := infos()
	changed[slices.IndexFunc(changed, func(i config.Setting) bool { return i.Key == "memory.rag_top_n" })].Value = "99"
	m.Show(changed, "")
	if !strings.Contains(view(t, m), "value: 99") {
		t.Error("the detail shows what was")
	}
}

// Typing destroys nothing: text among choices means nothing here, so that it goes to the input.
func TestTextAmongChoices(t *testing.T) {
	m := filled(60, 20)
	m.Open("memory.pii_policy")
	press(m, "e", "down")
	for _, k := range []string{"C", "今", "y"} {
		if a, handled := m.Key(panetest.Key(k)); handled || a.Do != Nothing {
			t.Errorf("%q is taken: %+v", k, a)
		}
	}
	if a := press(m, "ctrl+s"); a.Text != "drop" {
		t.Errorf("the choice is %+v", a)
	}
}

// I5: settings are found by words, and the cursor stays where it was.
func TestFilter(t *testing.T) {
	m := filled(60, 30)
	press(m, "/")
	typed(m, "environ")
	press(m, "enter")
	if i, _ := m.current(); i.Key != "model.api_key_env" || !m.Modal() {
		t.Errorf("on %q", i.Key)
	}
	press(m, "down")
	m.Show(infos(), "")
	if i, _ := m.current(); i.Key != "memory.rag_top_n" {
		t.Errorf("on %q", i.Key)
	}
	press(m, "esc")
	if got := view(t, m); m.Modal() || !strings.Contains(got, "Mouse") {
		t.Errorf("the filter stays:\n%s", got)
	}
	m.Filter("backup")
	if i, _ := m.current(); i.Key != "backup.daily" {
		t.Errorf("on %q", i.Key)
	}
	press(m, "/")
	m.Paste(tea.PasteMsg{Content: " daily"})
	if !strings.Contains(view(t, m), "1 of 8") {
		t.Error("a paste does not filter")
	}
}

// Whatever the size, the state and the keys: no panic, exact lines, a cursor inside.
func TestAnySizeAndKeys(t *testing.T) {
	names := []string{"up", "down", "end", "enter", "esc", "e", "o", "d", "u", "y", "/", "backspace", "pgdn", "茶", " "}
	rapid.Check(t, func(rt *rapid.T) {
		m := newPane(rapid.IntRange(12, 90).Draw(rt, "width"), rapid.IntRange(1, 40).Draw(rt, "height"))
		m.SetFocus(rapid.Bool().Draw(rt, "focus"))
		for range rapid.IntRange(0, 25).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				m.Show(infos()[:rapid.IntRange(0, 8).Draw(rt, "n")], rapid.SampledFrom([]string{"", "broken"}).Draw(rt, "problem"))
			case 1:
				m.Failed("坏了 broken")
			case 2:
				m.Done("done")
			case 3:
				m.SetSize(rapid.IntRange(12, 90).Draw(rt, "width"), rapid.IntRange(1, 40).Draw(rt, "height"))
			case 4:
				m.Wheel(rapid.IntRange(-5, 5).Draw(rt, "wheel"))
			default:
				press(m, rapid.SampledFrom(names).Draw(rt, "key"))
			}
			view(rt, m)
		}
	})
}
