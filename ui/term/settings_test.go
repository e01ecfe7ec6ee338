package term

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/setting"
	"memoria/ui/term/theme"
)

// book is an access to some settings of a world's real rooms, without a file.
func (w *world) book() setting.Access {
	var mu sync.Mutex
	memories := w.manager // an effect may still look when the world is closed
	ui := DefaultConfig()
	ui.Theme = theme.None
	infos := func() []setting.Info {
		chat, _ := w.chat.Config()
		info := func(key string, kind setting.Kind, value, initial, allowed string) setting.Info {
			from := setting.FromDefault
			if value != initial {
				from = setting.FromFile
			}
			return setting.Info{Key: key, Kind: kind, Value: value, Default: initial, Allowed: allowed, Help: "What " + key + " is for.", From: from}
		}
		theme := info("ui.theme", setting.Choice, string(ui.Theme), "auto", "auto, dark, light, contrast, none")
		theme.Choices = []string{"auto", "dark", "light", "contrast", "none"}
		return []setting.Info{
			info("chat.passive_timeout", setting.Duration, chat.PassiveTimeout.String(), "30m0s", "1s to 720h"),
			info("memory.rag_top_n", setting.Number, strconv.Itoa(memories.Config().TopN), "5", "0 to 100"), theme,
			info("ui.mouse", setting.Switch, strconv.FormatBool(ui.Mouse), "true", "true or false"),
			info("ui.panel_width", setting.Number, strconv.Itoa(ui.PanelWidth), "40", "20 to 70 percent"),
		}
	}
	var last func() (setting.Change, error)
	var set func(key, value string) (setting.Change, error)
	set = func(key, value string) (setting.Change, error) {
		was, err := setting.Find(infos(), key)
		if err != nil {
			return setting.Change{}, err
		}
		switch was.Key {
		case "memory.rag_top_n":
			cfg := memories.Config()
			cfg.TopN, _ = strconv.Atoi(value)
			err = memories.SetConfig(cfg)
		case "chat.passive_timeout":
			cfg, context := w.chat.Config()
			if cfg.PassiveTimeout, err = time.ParseDuration(value); err == nil {
				err = w.chat.SetConfig(cfg, context)
			}
		case "ui.theme":
			ui.Theme = theme.Kind(value)
		case "ui.mouse":
			ui.Mouse = value == "true"
		case "ui.panel_width":
			ui.PanelWidth, err = strconv.Atoi(value)
		}
		if err != nil {
			return setting.Change{}, err
		}
		last = func() (setting.Change, error) { return set(was.Key, was.Value) }
		now, err := setting.Find(infos(), was.Key)
		return setting.Change{Info: now, Before: was.Value}, err
	}
	return setting.Access{
		List: func() ([]setting.Info, error) { mu.Lock(); defer mu.Unlock(); return infos(), nil },
		Set:  func(key, value string) (setting.Change, error) { mu.Lock(); defer mu.Unlock(); return set(key, value) },
		Unset: func(key string) (setting.Change, error) {
			mu.Lock()
			defer mu.Unlock()
			i, err := setting.Find(infos(), key)
			if err != nil {
				return setting.Change{}, err
			}
			return set(i.Key, i.Default)
		},
		Undo: func() (setting.Change, error) {
			mu.Lock()
			defer mu.Unlock()
			if last == nil {
				return setting.Change{}, setting.ErrNothing
			}
			return last()
		},
	}
}

// I5, R1: a number that is changed in the panel counts for what is looked up next;
// a refusal leaves what was typed; u takes it back.
func TestSettingsFromThePanel(t *testing.T) {
	w := newWorld(t, "", nil)
	w.opts.Settings = w.book()
	s := w.show(140, 40)
	for _, said := range []string{"I like green tea", "I like black tea"} {
		s.say(said)
		s.see(said)
	}
	s.see("all memories · 2")
	s.tm.Type("tea?")
	s.see("would recall · 2 of 2")
	s.press(tea.KeyTab, '0')
	s.see("[0 Settings]", "settings · 5, changed 1", "rag_top_n", "What chat.passive_timeout is for.")
	s.press(tea.KeyDown, 'e')
	s.see("allowed: 0 to 100")
	s.press(tea.KeyBackspace)
	s.tm.Type("101")
	s.ctrl('s')
	s.see("> 101", "rag_top_n is 101; allowed are")
	s.press(tea.KeyBackspace, tea.KeyBackspace)
	s.ctrl('s')
	s.see("memory.rag_top_n is 1 now", "changed 2")
	s.press('1')
	s.see("would recall · 1 of 2")
	s.press('0')
	s.sure('u')
	s.see("memory.rag_top_n is 5 now")
	if n := w.manager.Config().TopN; n != 5 {
		t.Errorf("taken back it is %d", n)
	}
}

// I5: what belongs to the screen is as the setting says at once.
func TestScreenFollowsItsSettings(t *testing.T) {
	m := still(t, 140, 40)
	w := &world{manager: m.opts.Manager, chat: m.opts.Chat}
	m.opts.Settings = w.book()
	do := func(line string) string {
		t.Helper()
		press(m, "esc", "esc")
		typeIn(m, line)
		for _, msg := range outcomes(press(m, "enter")) {
			if _, ok := msg.(settingMsg); ok {
				_, cmd := m.Update(msg)
				for _, more := range outcomes(cmd) {
					m.Update(more)
				}
			}
		}
		return m.say
	}
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
	if do("/set chat.passive_timeout 2h"); m.opts.IdleTimeout != 2*time.Hour {
		t.Error(m.opts.IdleTimeout)
	}
	if say := do("/set nothing 1"); !strings.Contains(say, `no setting "nothing"`) {
		t.Error(say)
	}
	if say := do("/set rag_top_n 500"); !strings.Contains(say, "allowed are 0 to 100") {
		t.Error(say)
	}
	m.Update(m.fx.settings(m.opts.Settings)())
	do("/设置 timeout")
	if got := frame(t, m); !strings.Contains(got, "[0 Settings]") || !strings.Contains(got, "settings · 1 of 5") {
		t.Errorf("the command shows\n%s", got)
	}
	m.useTheme("dark")
	if all := m.inThisRun([]setting.Info{{Key: "ui.theme", Value: "none"}, {Key: "ui.mouse", Value: "true"}}); !strings.Contains(all[0].Note, "dark, by /theme") || !strings.Contains(all[1].Note, "/mouse") {
		t.Errorf("it is not said what counts more in this run: %+v", all)
	}
	m.Update(settingsMsg{problem: "The file as it is now cannot be used: x."})
	press(m, "esc")
	if got := frame(t, m); !strings.Contains(got, "cannot be used") {
		t.Errorf("not told:\n%s", got)
	}
	m.Update(settingMsg{err: errors.New("the file is read-only")})
	if got := frame(t, m); !strings.Contains(got, "read-only") {
		t.Errorf("not told:\n%s", got)
	}
	m.opts.Settings = setting.Access{}
	if do("/set ui.mouse true"); m.say != errNoSettings.Error() {
		t.Error(m.say)
	}
}
