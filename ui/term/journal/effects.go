package journal

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// Pane is the journal with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
}

// NewPane returns the journal of one screen.
func NewPane(k keys.Map, fx *pane.Effects, h pane.Host) *Pane {
	p := &Pane{Model: New(k), fx: fx, host: h}
	p.AskFirst(p.Keys.Journal.Careful)
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Command: p.Meant(), Search: p.Searched(), Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(),
	}
}

// Load reads the state of the journal, and the file and the search that are shown.
func (p *Pane) Load() tea.Cmd {
	cmds := []tea.Cmd{pane.Then(p.fx.Look("journal"), p.state, func(s State, err error) tea.Cmd {
		if err != nil {
			p.NotRead(p.fx.Short(err))
		} else {
			p.Set(s)
		}
		return nil
	})}
	if path := p.Reading(); path != "" {
		cmds = append(cmds, p.read(path))
	}
	if words := p.Asked(); words != "" {
		cmds = append(cmds, p.find(words))
	}
	return tea.Batch(cmds...)
}

// Command does what follows the command of the journal: "run" writes pending files, other
// words name a file or are looked for.
func (p *Pane) Command(what string) tea.Cmd {
	switch what {
	case "", "status":
		return nil
	case "run":
		return p.do(p.Write())
	}
	return pane.Then(p.fx.Do, func() (path string, err error) {
		j, err := p.fx.Memory.Journals().Journal(p.fx.Agent)
		if err != nil {
			return "", err
		}
		all, err := j.Files(p.fx.Ctx)
		if found := words.JournalNamed(all, what); len(found) > 0 {
			path = found[0].Path
		}
		return path, err
	}, func(path string, err error) tea.Cmd {
		switch {
		case errors.Is(err, write.ErrGroup): // the pane says so
		case err != nil:
			p.Failed(p.fx.Short(err))
		case path != "":
			return p.read(path)
		default:
			return tea.Batch(p.host.Open(pane.Journal), p.do(p.OpenSearch(what)))
		}
		return nil
	})
}

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	if f, ok := msg.(pane.File); ok {
		return p.read(string(f)), true
	}
	return pane.Input(p, p.do, msg)
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Read:
		return p.read(a.Path)
	case Edit:
		if command := p.host.Editor(); command != "" {
			return p.edit(command, a.Path)
		}
	case Write:
		return pane.Then(p.fx.Do, p.write, func(text string, err error) tea.Cmd {
			if err != nil {
				text = p.fx.Short(err)
			}
			p.Written(text)
			return p.Load()
		})
	case Search:
		if !a.Typed {
			return p.find(a.Text)
		}
		return p.fx.After(pane.TypingPause, func() tea.Cmd {
			if a.Text != p.Asked() {
				return nil
			}
			return p.find(a.Text)
		})
	case Open:
		return pane.Then(p.fx.Do, func() (memory.Record, error) {
			return p.fx.Memory.Lookup().Record(p.fx.Ctx, p.fx.Agent, a.Record)
		}, func(r memory.Record, err error) tea.Cmd {
			if err != nil {
				p.Failed(p.Words.Say("journal.message.gone", p.fx.Short(err)))
				return nil
			}
			return p.host.Browse(r.SessionID, a.Record)
		})
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

// state reads the state of the journal.
func (p *Pane) state() (s State, err error) {
	j, err := p.fx.Memory.Journals().Journal(p.fx.Agent)
	if errors.Is(err, write.ErrGroup) {
		return State{Unavailable: p.Words.Say("journal.of-group")}, nil
	} else if err != nil {
		return s, err
	}
	if s.Status, err = j.Status(p.fx.Ctx); err == nil && s.Status.Enabled {
		s.Files, err = j.Files(p.fx.Ctx)
	}
	return s, err
}

func (p *Pane) read(path string) tea.Cmd {
	file := memory.JournalFile{Path: path}
	return pane.Then(p.fx.Look("journal-file"), func() (words string, err error) {
		j, err := p.fx.Memory.Journals().Journal(p.fx.Agent)
		if err != nil {
			return "", err
		}
		all, err := j.Files(p.fx.Ctx)
		if err != nil {
			return "", err
		}
		if i := slices.IndexFunc(all, func(f memory.JournalFile) bool { return f.Path == path }); i >= 0 {
			file = all[i]
		}
		return j.Read(path)
	}, func(words string, err error) tea.Cmd {
		switch {
		case errors.Is(err, store.ErrNotFound):
			p.Gone(path)
		case err != nil:
			p.Failed(p.fx.Short(err))
		default:
			p.Show(file, words)
		}
		return nil
	})
}

func (p *Pane) find(text string) tea.Cmd {
	return pane.Then(p.fx.Look("journal-search"), func() ([]files.Hit, error) {
		j, err := p.fx.Memory.Journals().Journal(p.fx.Agent)
		if err != nil {
			return nil, err
		}
		return j.Search(p.fx.Ctx, files.Query{Text: text, Limit: files.MostHits})
	}, func(hits []files.Hit, err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
		} else {
			p.Found(text, hits)
		}
		return nil
	})
}

// write writes pending files (J3), and says what it did.
func (p *Pane) write() (string, error) {
	j, err := p.fx.Memory.Journals().Journal(p.fx.Agent)
	if err != nil {
		return "", err
	}
	report, err := j.RunWith(p.fx.Ctx, p.fx.Chat.Summariser(), files.Wanted{Now: true, Retry: true})
	text := p.Words.JournalReport(report)
	for _, f := range report.Failed {
		text += p.Words.Say("sep.sentence") + p.Words.Say("journal.failed", f.Path, p.fx.Short(f.Err))
	}
	return text, err
}

// edit opens a file in the user's editor. The user's own file is created first.
func (p *Pane) edit(command, path string) tea.Cmd {
	return p.fx.EditFile(command, func() (string, error) {
		j, err := p.fx.Memory.Journals().Journal(p.fx.Agent)
		if err == nil && path == files.LongTerm {
			err = j.Begin()
		}
		if err != nil {
			return "", err
		}
		return j.File(path), nil
	}, func(err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
		}
		return p.Load()
	})
}
