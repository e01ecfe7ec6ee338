package term

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
)

// settings returns the settings of a session, with a file of the test.
func (w *world) settings() *app.Settings {
	path := filepath.Join(w.t.TempDir(), "config.toml")
	file := "[memory]\nanalysis = \"rules\"\nsession_summary_limit = 0\n[ui]\ntheme = \"none\"\n"
	must(w.t, os.WriteFile(path, []byte(file), 0o600))
	l, err := config.Load(config.Source{Path: path})
	must(w.t, err)
	return app.NewSettings(app.SettingsOptions{
		Loaded: l, Memory: w.opts.Memory, Conversations: w.opts.Conversations, Models: w.opts.Models, Screen: true,
	})
}

// I5, R1: a number that is changed in the panel counts for what is looked up next;
// a refusal leaves what was typed; u takes it back.
func TestSettingsFromThePanel(t *testing.T) {
	w := newWorld(t, "", nil)
	w.opts.Settings = w.settings()
	s := w.show(140, 40)
	for _, said := range []string{"I like green tea", "I like black tea"} {
		s.say(said)
		s.see(said)
	}
	s.see("all 2")
	s.tm.Type("tea?")
	s.see("would recall · 2 of 2")
	s.press(tea.KeyTab)
	s.view(pane.Settings)
	s.see("[settings]", fmt.Sprintf("settings · %d, changed 3", len(config.Settings())), "The language of the program")
	s.press('/')
	s.tm.Type("rag_top_n")
	s.press(tea.KeyEnter)
	s.see("rag_top_n", "How many memories")
	s.press('e')
	s.see("allowed: 0 to 100")
	s.press(tea.KeyBackspace)
	s.tm.Type("101")
	s.ctrl('s')
	s.see("> 101", "rag_top_n is 101; allowed are")
	s.press(tea.KeyBackspace, tea.KeyBackspace)
	s.ctrl('s')
	s.see("memory.rag_top_n is 1 now")
	s.view(pane.Recall)
	s.see("would recall · 1 of 2")
	s.view(pane.Settings)
	s.sure('u')
	s.see("memory.rag_top_n is 5 now")
	if n := w.manager.Config().TopN; n != 5 {
		t.Errorf("taken back it is %d", n)
	}
}

// I5: what belongs to the screen is as the setting says at once.
func TestScreenFollowsItsSettings(t *testing.T) {
	m := still(t, 140, 40)
	m.opts.Settings = (&world{t: t, opts: m.opts}).settings()
	do := func(line string) string {
		t.Helper()
		press(m, "esc", "esc")
		typeIn(m, line)
		for _, msg := range outcomes(press(m, "enter")) {
			if _, ok := msg.(pane.Callback); ok {
				_, cmd := m.Update(msg)
				for _, more := range outcomes(cmd) {
					m.Update(more)
				}
			}
		}
		return m.say
	}
	passive := func() time.Duration { cfg, _ := m.opts.chat.Config(); return cfg.PassiveTimeout }
	before := m.screen.Panel.W
	if say := do("/set panel_width 60"); say != "ui.panel_width is 60 now" || m.screen.Panel.W <= before {
		t.Errorf("%q, %d cells after %d", say, m.screen.Panel.W, before)
	}
	if do("/设为 ui.theme contrast"); m.theme != theme.Contrast {
		t.Error(m.theme)
	}
	if do("/set ui.mouse=false"); m.mouse {
		t.Error("the mouse is on")
	}
	if do("/unset ui.mouse"); !m.mouse {
		t.Error("the mouse is off")
	}
	if do("/set undo"); m.mouse {
		t.Error("the change was not taken back")
	}
	if do("/set chat.passive_timeout 2h"); passive() != 2*time.Hour {
		t.Error(passive())
	}
	if say := do("/set nothing 1"); !strings.Contains(say, `no setting "nothing"`) {
		t.Error(say)
	}
	if say := do("/set rag_top_n 500"); !strings.Contains(say, "allowed are 0 to 100") {
		t.Error(say)
	}
	m.Update(m.settings.Load()())
	do("/设置 panel_width")
	if got := frame(t, m); !strings.Contains(got, "[settings]") || !strings.Contains(got, fmt.Sprintf("settings · 1 of %d", len(config.Settings()))) {
		t.Errorf("the command shows\n%s", got)
	}
	m.commands.useTheme("dark")
	all := []config.Setting{{Key: "ui.theme", Value: "none"}, {Key: "ui.mouse", Value: "true"}}
	if m.commands.InThisRun(all); !strings.Contains(all[0].Note, "dark, by /theme") || !strings.Contains(all[1].Note, "/mouse") {
		t.Errorf("it is not said what counts more in this run: %+v", all)
	}
	m.settings.Show(nil, "The file as it is now cannot be used: x.")
	press(m, "esc")
	if got := frame(t, m); !strings.Contains(got, "cannot be used") {
		t.Errorf("not told:\n%s", got)
	}
	m.settings.Failed("the file is read-only")
	if got := frame(t, m); !strings.Contains(got, "read-only") {
		t.Errorf("not told:\n%s", got)
	}
	m.opts.Settings = nil
	if do("/set ui.mouse true"); m.say != "there are no settings to change here" {
		t.Error(m.say)
	}
}

// The palette finds the settings by what they are for, in both languages, and opens them at the
// one that was chosen.
func TestSettingsInThePalette(t *testing.T) {
	for typed, name := range map[string]string{
		"language": "Language", "语言": "Language", "设置 主题": "Theme", "panel wide": "Width of the panel", "设置 鼠标": "Mouse",
		"rag_top_n": "Memories per message",
	} {
		w := newWorld(t, "", nil)
		w.opts.Settings = w.settings()
		s := w.show(140, 40)
		s.ctrl('p')
		s.see("type to find a command")
		s.tm.Type(typed)
		s.see("▸ Setting " + name + ": ")
		s.press(tea.KeyEnter)
		s.see("[settings]", "▸ "+name)
	}
}
