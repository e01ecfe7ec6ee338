package profile

import (
	"errors"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
)

// pageSize is how many versions are loaded at once.
const pageSize = 30

// Pane is the profile with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
}

// NewPane returns the profile of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h pane.Host) *Pane {
	return &Pane{Model: New(k, loc), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.keys.Profile
	return pane.About{
		Title: "Profile", Careful: k.Careful(), Hints: []key.Binding{k.Open, k.Edit, k.History, k.Undo},
		Capturing: p.Capturing(), Modal: p.Modal(),
	}
}

// Load reads as many versions as there are.
func (p *Pane) Load() tea.Cmd { return p.read(max(pageSize, p.Loaded())) }

// byWord are the keys of what can be asked for by a word.
var byWord = map[string]rune{
	"edit": 'e', "add": 'e', "编辑": 'e', "添加": 'e', "history": 'h', "历史": 'h', "undo": 'u', "撤销": 'u',
}

// Command does what a word asks for; any other word does nothing.
func (p *Pane) Command(word string) tea.Cmd {
	code, ok := byWord[word]
	if !ok || p.Loaded() == 0 || p.Modal() {
		return nil
	}
	a, _ := p.Key(tea.KeyPressMsg{Code: code, Text: string(code)})
	return p.do(a)
}

type (
	readMsg struct {
		page    manager.Profile
		history manager.ProfileHistory // the newest versions
		err     error
	}
	savedMsg struct {
		text  string
		shown int
		err   error
	}
	editedMsg struct {
		text  string
		shown int
		err   error
	}
	undoneMsg struct {
		change manager.ProfileChange
		err    error
	}
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case readMsg:
		if msg.err != nil {
			p.ReadFailed(pane.Short(msg.err))
		} else {
			p.Show(msg.page, msg.history)
		}
		return nil, true
	case editedMsg:
		if msg.err != nil {
			p.Failed("The editor's text was not taken: " + msg.err.Error())
			return nil, true
		}
		return p.save(msg.shown, msg.text), true
	case savedMsg:
		if msg.err != nil {
			p.Retry(msg.text, msg.shown)
			p.Failed(pane.Short(msg.err))
			return nil, true
		}
		p.Saved()
		p.host.Say("the profile is saved")
	case undoneMsg:
		switch {
		case errors.Is(msg.err, manager.ErrNotFound):
			p.Failed("There is nothing to take back.")
		case msg.err != nil:
			p.Failed(pane.Short(msg.err))
		default:
			p.Saved()
			var changes []string
			for _, d := range msg.change.Diff {
				changes = append(changes, d.String())
			}
			p.host.Say("taken back; in the profile now: " + strings.Join(changes, " · "))
		}
	default:
		return pane.Input(p, p.do, msg)
	}
	return p.Load(), true
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Save:
		return p.save(a.Version, a.Text)
	case Editor:
		if command := p.host.Editor(); command != "" {
			return p.fx.Edit(command, a.Text, func(text string, err error) tea.Msg {
				return editedMsg{text: text, shown: a.Version, err: err}
			})
		}
		p.Edited()
	case Undo:
		return p.fx.Do(func() tea.Msg {
			c, err := p.fx.Memory.UndoProfile(p.fx.Ctx, p.fx.Agent, a.Version)
			return undoneMsg{change: c, err: err}
		})
	case Open:
		return p.host.Open(pane.Recall, memory.Item{ID: a.ID})
	case Copy:
		return p.host.Copy(a.Text)
	case More:
		return p.read(p.Loaded() + pageSize)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) read(versions int) tea.Cmd {
	return p.fx.Look("profile", func() tea.Msg {
		page, err := p.fx.Memory.Profile(p.fx.Ctx, p.fx.Agent)
		if err != nil {
			return readMsg{err: err}
		}
		h, err := p.fx.Memory.ProfileHistory(p.fx.Ctx, p.fx.Agent, versions, 0)
		return readMsg{page: page, history: h, err: err}
	})
}

func (p *Pane) save(shown int, text string) tea.Cmd {
	return p.fx.Do(func() tea.Msg {
		_, err := p.fx.Memory.SetProfile(p.fx.Ctx, p.fx.Agent, shown, text)
		return savedMsg{text: text, shown: shown, err: err}
	})
}
