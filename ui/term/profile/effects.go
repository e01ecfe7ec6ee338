package profile

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/profiles"
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
	p := &Pane{Model: New(k, loc), fx: fx, host: h}
	p.AskFirst(p.Keys.Profile.Careful)
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(),
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

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Save:
		return p.save(a.Version, a.Text)
	case Editor:
		if command := p.host.Editor(); command != "" {
			return p.fx.Edit(command, a.Text, func(text string, err error) tea.Cmd { return p.edited(a.Version, text, err) })
		}
		p.Edited()
	case Undo:
		return pane.Then(p.fx.Do, func() (profiles.Change, error) {
			return p.fx.Memory.Profiles().UndoProfile(p.fx.Ctx, p.fx.Agent, a.Version)
		}, p.undone)
	case Open:
		return p.host.Open(pane.All, memory.Item{ID: a.ID})
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
	var page profiles.Profile
	return pane.Then(p.fx.Look("profile"), func() (h profiles.History, err error) {
		if page, err = p.fx.Memory.Profiles().Profile(p.fx.Ctx, p.fx.Agent); err == nil {
			h, err = p.fx.Memory.Profiles().ProfileHistory(p.fx.Ctx, p.fx.Agent, versions, 0)
		}
		return h, err
	}, func(h profiles.History, err error) tea.Cmd {
		if err != nil {
			p.ReadFailed(p.fx.Short(err))
		} else {
			p.Show(page, h)
		}
		return nil
	})
}

// edited takes the text of the user's editor, which began with a version.
func (p *Pane) edited(version int, text string, err error) tea.Cmd {
	if err != nil {
		p.Failed(p.Words.Say("profile.not-taken", err))
		return nil
	}
	return p.save(version, text)
}

func (p *Pane) save(version int, text string) tea.Cmd {
	return pane.Then(p.fx.Do, func() (profiles.Profile, error) {
		return p.fx.Memory.Profiles().SetProfile(p.fx.Ctx, p.fx.Agent, version, text)
	}, func(_ profiles.Profile, err error) tea.Cmd {
		if err != nil {
			p.Retry(text, version)
			p.Failed(p.fx.Short(err))
			return nil
		}
		p.Saved()
		p.host.Say(p.Words.Say("profile.is-saved"))
		return p.Load()
	})
}

func (p *Pane) undone(c profiles.Change, err error) tea.Cmd {
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		p.Failed(p.Words.Say("list.undo.nothing"))
	case err != nil:
		p.Failed(p.fx.Short(err))
	default:
		p.Saved()
		var changes []string
		for _, d := range c.Diff {
			changes = append(changes, p.difference(d))
		}
		p.host.Say(p.Words.Say("profile.now", strings.Join(changes, " · ")))
	}
	return p.Load()
}
