package sessions

import (
	"context"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/export"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
	"memoria/ui/words"
)

const (
	// pageSize is how many sessions are loaded at once.
	pageSize = 100
	// hitBytes is how much of a found message is kept, around its words.
	hitBytes = 4 << 10
)

// Host is the root, which shows one of the sessions.
type Host interface {
	pane.Host
	// Renamed updates the title of a session.
	Renamed(memory.Session)
	// Forget removes what was typed from the input history (D2).
	Forget()
}

// Pane is the list of sessions with its effects.
type Pane struct {
	*Model
	fx    *pane.Effects
	host  Host
	reads int    // reads of the list so far
	stop  func() // ends the search that runs; nil when none does
}

// NewPane returns the sessions of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h Host) *Pane {
	return &Pane{Model: New(k, loc), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Title: "Sessions", Careful: p.keys.Sessions.Careful(),
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load reads as much of the list as there is.
func (p *Pane) Load() tea.Cmd {
	p.SetCurrent(p.host.Session().ID)
	p.reads++
	return p.read(0, max(pageSize, p.Loaded()))
}

// Search looks for words in all sessions.
func (p *Pane) Search(words string) tea.Cmd { return p.do(p.OpenSearch(words)) }

// Rename gives a session a title.
func (p *Pane) Rename(id, title string) tea.Cmd {
	return p.fx.Do(func() tea.Msg {
		if err := p.fx.Chat.Rename(p.fx.Ctx, id, title); err != nil {
			return renamedMsg{err: err}
		}
		s, err := p.fx.Memory.Session(p.fx.Ctx, p.fx.Agent, id)
		return renamedMsg{session: s, err: err}
	})
}

// Export writes a session to a file in the working directory; without a name to one named
// after it.
func (p *Pane) Export(id, file string) tea.Cmd {
	return p.fx.Do(func() tea.Msg {
		doc, err := export.Load(p.fx.Ctx, p.fx.Memory, p.fx.Agent, id, p.fx.Chat.Agent().Name, false)
		if err != nil {
			return exportedMsg{err: err}
		}
		if file == "" {
			file = export.Name(doc.Session)
		}
		path, err := export.Write(file, "", export.Markdown(doc, p.loc), false)
		return exportedMsg{path: path, err: err}
	})
}

type (
	listedMsg struct {
		read, offset int
		list         []memory.Session
		total        int
		err          error
	}
	// dueMsg is the end of a pause in the typing of a search.
	dueMsg   struct{ query string }
	foundMsg struct {
		query   string
		results Results
		err     error
	}
	renamedMsg struct {
		session memory.Session
		err     error
	}
	deletedMsg struct {
		removed part.Removed
		now     time.Time
		err     error
	}
	restoredMsg struct {
		id  string
		err error
	}
	exportedMsg struct {
		path string
		err  error
	}
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case listedMsg:
		switch {
		case msg.read != p.reads: // something was deleted meanwhile, or it is read again
		case msg.err != nil:
			p.LoadFailed(pane.Short(msg.err))
		case msg.offset == 0:
			p.SetSessions(msg.list, msg.total)
		default:
			p.AddSessions(msg.offset, msg.list, msg.total)
		}
	case dueMsg:
		if p.Query() == msg.query {
			return p.find(), true
		}
	case foundMsg:
		if msg.err != nil {
			p.SearchFailed(msg.query, pane.Short(msg.err))
		} else {
			p.Found(msg.query, msg.results)
		}
	case renamedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			p.host.Tell(msg.err)
			break
		}
		p.Renamed(msg.session)
		p.host.Renamed(msg.session)
		p.host.Say("renamed")
	case deletedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.SetNow(msg.now)
		p.Deleted(msg.removed)
		p.host.Forget()
		return tea.Batch(p.Load(), p.find()), true
	case restoredMsg:
		p.TakenBack(msg.id)
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.Say("taken back")
		return tea.Batch(p.Load(), p.find()), true
	case exportedMsg:
		switch {
		case msg.err != nil:
			p.host.Say("not exported: " + msg.err.Error())
		case filepath.IsAbs(msg.path):
			p.host.Say("written: " + msg.path)
		default:
			p.host.Say("written in this folder: " + msg.path)
		}
	default:
		return pane.Input(p, p.do, msg)
	}
	return nil, true
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Load:
		return p.read(a.Offset, pageSize)
	case Open:
		return p.host.Browse(a.SessionID, a.RecordID)
	case Rename:
		return p.Rename(a.SessionID, a.Title)
	case Delete:
		return p.fx.InOrder(func() tea.Msg {
			d, err := p.fx.Chat.DeleteSession(p.fx.Ctx, a.SessionID, a.Memories)
			removed := part.Removed{ID: d.ID, Of: a.SessionID, Title: d.Title, Until: d.Until}
			return deletedMsg{removed: removed, now: p.fx.Now(), err: err}
		})
	case TakeBack:
		return p.fx.InOrder(func() tea.Msg {
			_, err := p.fx.Chat.UndoDeletion(p.fx.Ctx, a.ID)
			return restoredMsg{id: a.ID, err: err}
		})
	case Begin:
		p.host.FocusInput()
		return p.fx.InOrder(func() tea.Msg { return pane.Failure(p.fx.Chat.NewSession(p.fx.Ctx)) })
	case Search:
		p.stopSearch()
		if a.Query != "" {
			return p.fx.After(pane.TypingPause, dueMsg{query: a.Query})
		}
	case Copy:
		return p.host.Copy(a.Text)
	case Export:
		return p.Export(a.SessionID, "")
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) read(offset, limit int) tea.Cmd {
	read := p.reads
	return p.fx.Do(func() tea.Msg {
		list, total, err := p.fx.Memory.Sessions(p.fx.Ctx, p.fx.Agent, limit, offset)
		return listedMsg{read: read, offset: offset, list: list, total: total, err: err}
	})
}

func (p *Pane) stopSearch() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

// find answers the search of the pane; the one before it ends.
func (p *Pane) find() tea.Cmd {
	query := p.Query()
	if query == "" {
		return nil
	}
	p.stopSearch()
	ctx, stop := context.WithCancel(p.fx.Ctx)
	p.stop = stop
	return p.fx.Do(func() tea.Msg {
		defer stop()
		page, err := p.fx.Memory.Recall().SearchSessions(ctx, p.fx.Agent, recall.ArchiveQuery{Text: query, Limit: pageSize})
		if ctx.Err() != nil {
			return nil // another search took its place
		}
		return foundMsg{query: query, results: results(page), err: err}
	})
}

// results are hits as the pane shows them.
func results(page recall.SessionPage) Results {
	r := Results{Degraded: page.Degraded}
	for _, f := range page.Sessions {
		g := Group{Session: f.Session, Messages: f.Total}
		for _, h := range f.Hits {
			g.Hits = append(g.Hits, Hit{
				RecordID: h.Record.ID, Who: words.Speaker(h.Record, ""), Time: h.Record.Timestamp, Text: pane.Head(h.Record.Content, hitBytes),
			})
		}
		r.Sessions = append(r.Sessions, g)
		r.Messages += f.Total
	}
	return r
}
