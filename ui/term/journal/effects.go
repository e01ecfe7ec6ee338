package journal

import (
	"errors"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/store"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

const noJournal = "A group has no journal of its own; what was said in it is in those of its members."

// Pane is the journal with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
}

// NewPane returns the journal of one screen.
func NewPane(k keys.Map, fx *pane.Effects, h pane.Host) *Pane {
	return &Pane{Model: New(k), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.keys.Journal
	return pane.About{
		Title: "Journal", Careful: k.Careful(), Hints: []key.Binding{k.Open, k.Edit, k.Write, k.Search},
		Capturing: p.Capturing(), Modal: p.Modal(),
	}
}

// Load reads the state of the journal, and the file and the search that are shown.
func (p *Pane) Load() tea.Cmd {
	cmds := []tea.Cmd{p.fx.Look("journal", p.readState)}
	if path := p.Reading(); path != "" {
		cmds = append(cmds, p.read(path))
	}
	if words := p.Asked(); words != "" {
		cmds = append(cmds, p.find(words))
	}
	return tea.Batch(cmds...)
}

// Command does what follows the command of the journal: "run" writes what is pending, other
// words name a file or are looked for.
func (p *Pane) Command(what string) tea.Cmd {
	switch what {
	case "", "status":
		return nil
	case "run":
		return p.do(p.Write())
	}
	return p.fx.Do(func() tea.Msg {
		j, err := p.fx.Memory.Journal(p.fx.Agent)
		if errors.Is(err, manager.ErrGroup) {
			return nil // the pane says so
		}
		if err != nil {
			return namedMsg{asked: what, err: err}
		}
		all, err := j.Files(p.fx.Ctx)
		msg := namedMsg{asked: what, err: err}
		if found := words.JournalNamed(all, what); len(found) > 0 {
			msg.path = found[0].Path
		}
		return msg
	})
}

type (
	stateMsg struct {
		state State
		now   time.Time
		err   error
	}
	// fileMsg is a file; err is not found when it was removed.
	fileMsg struct {
		file  memory.JournalFile
		words string
		err   error
	}
	// dueMsg is the end of a pause in the typing of a search.
	dueMsg   struct{ asked string }
	foundMsg struct {
		asked string
		hits  []files.Hit
		err   error
	}
	// namedMsg is the file that the user named; its path is empty for no file.
	namedMsg struct {
		asked, path string
		err         error
	}
	writtenMsg struct {
		text string
		err  error
	}
	editedMsg struct{ err error }
	// sourceMsg is the session of a message of the journal.
	sourceMsg struct {
		session, record string
		err             error
	}
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case pane.File:
		return p.read(string(msg)), true
	case stateMsg:
		p.host.SetNow(msg.now)
		if msg.err != nil {
			p.NotRead(pane.Short(msg.err))
		} else {
			p.Set(msg.state)
		}
	case fileMsg:
		switch {
		case errors.Is(msg.err, store.ErrNotFound):
			p.Gone(msg.file.Path)
		case msg.err != nil:
			p.Failed(pane.Short(msg.err))
		default:
			p.Show(msg.file, msg.words)
		}
	case dueMsg:
		if msg.asked == p.Asked() {
			return p.find(msg.asked), true
		}
	case foundMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
		} else {
			p.Found(msg.asked, msg.hits)
		}
	case namedMsg:
		switch {
		case msg.err != nil:
			p.Failed(pane.Short(msg.err))
		case msg.path != "":
			return p.read(msg.path), true
		default:
			return tea.Batch(p.host.Open(pane.Journal), p.do(p.OpenSearch(msg.asked))), true
		}
	case writtenMsg:
		if msg.err != nil {
			msg.text = pane.Short(msg.err)
		}
		p.Written(msg.text)
		return p.Load(), true
	case editedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
		}
		return p.Load(), true
	case sourceMsg:
		if msg.err == nil {
			return p.host.Browse(msg.session, msg.record), true
		}
		p.Failed("The message is not there any more. " + pane.Short(msg.err))
	default:
		return pane.Input(p, p.do, msg)
	}
	return nil, true
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
		return p.fx.Do(p.write)
	case Search:
		if a.Typed {
			return p.fx.After(pane.TypingPause, dueMsg{asked: a.Text})
		}
		return p.find(a.Text)
	case Open:
		return p.fx.Do(func() tea.Msg {
			r, err := p.fx.Memory.Record(p.fx.Ctx, p.fx.Agent, a.Record)
			return sourceMsg{session: r.SessionID, record: a.Record, err: err}
		})
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) readState() tea.Msg {
	msg := stateMsg{now: p.fx.Now()}
	j, err := p.fx.Memory.Journal(p.fx.Agent)
	if errors.Is(err, manager.ErrGroup) {
		msg.state.Nobody = noJournal
		return msg
	}
	if msg.err = err; err != nil {
		return msg
	}
	if msg.state.Status, msg.err = j.Status(p.fx.Ctx); msg.err != nil || !msg.state.Status.Enabled {
		return msg
	}
	msg.state.Files, msg.err = j.Files(p.fx.Ctx)
	return msg
}

func (p *Pane) read(path string) tea.Cmd {
	return p.fx.Look("journal file", func() tea.Msg {
		msg := fileMsg{file: memory.JournalFile{Path: path}}
		j, err := p.fx.Memory.Journal(p.fx.Agent)
		if msg.err = err; err != nil {
			return msg
		}
		all, err := j.Files(p.fx.Ctx)
		if msg.err = err; err != nil {
			return msg
		}
		if i := slices.IndexFunc(all, func(f memory.JournalFile) bool { return f.Path == path }); i >= 0 {
			msg.file = all[i]
		}
		msg.words, msg.err = j.Read(path)
		return msg
	})
}

func (p *Pane) find(text string) tea.Cmd {
	return p.fx.Look("journal search", func() tea.Msg {
		msg := foundMsg{asked: text}
		j, err := p.fx.Memory.Journal(p.fx.Agent)
		if msg.err = err; err == nil {
			msg.hits, msg.err = j.Search(p.fx.Ctx, files.Query{Text: text, Limit: files.MostHits})
		}
		return msg
	})
}

// write writes what is pending (J3).
func (p *Pane) write() tea.Msg {
	j, err := p.fx.Memory.Journal(p.fx.Agent)
	if err != nil {
		return writtenMsg{err: err}
	}
	report, err := j.RunWith(p.fx.Ctx, p.fx.Chat.Summariser(), files.Wanted{Now: true, Retry: true})
	msg := writtenMsg{text: words.JournalReport(report), err: err}
	for _, f := range report.Failed {
		msg.text += ". " + f.Path + " was not written: " + pane.Short(f.Err)
	}
	return msg
}

// edit opens a file in the user's editor. The user's own file is created first.
func (p *Pane) edit(command, path string) tea.Cmd {
	file := func() (string, error) {
		j, err := p.fx.Memory.Journal(p.fx.Agent)
		if err == nil && path == files.LongTerm {
			err = j.Begin()
		}
		if err != nil {
			return "", err
		}
		return j.File(path), nil
	}
	return p.fx.EditFile(command, file, func(err error) tea.Msg { return editedMsg{err: err} })
}
