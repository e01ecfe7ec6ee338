package sessions

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/ui/clean"
	"memoria/ui/export"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
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
	p := &Pane{Model: New(k, loc), fx: fx, host: h}
	p.AskFirst(func() []key.Binding { return p.Careful(p.Keys.Sessions.Careful(), p.Keys.Sessions.Undo) })
	p.KeepUndoable(p.Keys.Sessions.Undo, func(d list.Removed) tea.Cmd { return fx.Prolong(fx.Agent, d.ID, d.Title, list.AnswerTime) })
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Command: p.Meant(), Search: p.Searched(), Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load reads as much of the list as there is.
func (p *Pane) Load() tea.Cmd {
	p.SetCurrent(p.host.Session().ID)
	p.reads++
	return p.read(0, max(pageSize, p.Loaded()))
}

// Search looks for words in all sessions.
func (p *Pane) Search(words string) tea.Cmd {
	if words == "" && !p.Typing { // the words of an earlier search are not continued
		return tea.Batch(p.do(p.EndSearch()), p.do(p.OpenSearch("")))
	}
	return p.do(p.OpenSearch(words))
}

// Rename gives a session a title.
func (p *Pane) Rename(id, title string) tea.Cmd {
	return pane.Then(p.fx.Do, func() (memory.Session, error) {
		if err := p.fx.Chat.Rename(p.fx.Ctx, id, title); err != nil {
			return memory.Session{}, err
		}
		return p.fx.Memory.Lookup().Session(p.fx.Ctx, p.fx.Agent, id)
	}, func(s memory.Session, err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
			p.host.Tell(err)
			return nil
		}
		p.Renamed(s)
		p.host.Renamed(s)
		p.host.Say(p.Words.Say("session.renamed", clean.Line(s.Title)))
		return nil
	})
}

// Export writes a session to a file in the working directory; without a name to one named
// after it.
func (p *Pane) Export(id, file string) tea.Cmd {
	return pane.Then(p.fx.Do, func() (path string, err error) {
		doc, err := export.Load(p.fx.Ctx, p.fx.Memory, p.fx.Agent, id, p.fx.Chat.Agent().Name, false)
		if err != nil {
			return "", err
		}
		if file == "" {
			file = export.Name(doc.Session)
		}
		return export.Write(file, "", export.Markdown(doc, p.Loc), false)
	}, func(path string, err error) tea.Cmd {
		switch {
		case err != nil:
			p.host.Say(p.Words.Say("export.failed", err))
		case filepath.IsAbs(path):
			p.host.Say(p.Words.Say("sessions.exported", path))
		default:
			p.host.Say(p.Words.Say("sessions.exported.here", path))
		}
		return nil
	})
}

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Load:
		return p.read(a.Offset, pageSize)
	case Open:
		return p.host.Browse(a.SessionID, a.RecordID)
	case Rename:
		return p.Rename(a.SessionID, a.Title)
	case Delete:
		return pane.Then(p.fx.InOrder, func() (write.Deletion, error) {
			return p.fx.Chat.DeleteSession(p.fx.Ctx, a.SessionID, a.Memories)
		}, func(d write.Deletion, err error) tea.Cmd {
			if err != nil {
				p.Failed(p.fx.Short(err))
				return nil
			}
			p.Deleted(list.Removed{ID: d.ID, Of: a.SessionID, Title: d.Title, Until: d.Until})
			p.host.Forget()
			return tea.Batch(p.Load(), p.find())
		})
	case Restore:
		return pane.Then(p.fx.InOrder, func() (write.Deletion, error) {
			return p.fx.Chat.UndoDeletion(p.fx.Ctx, a.ID)
		}, func(_ write.Deletion, err error) tea.Cmd {
			p.Restored(a.ID)
			if err != nil {
				p.Failed(p.fx.Short(err))
				return nil
			}
			p.host.Say(p.Words.Say("restored"))
			return tea.Batch(p.Load(), p.find())
		})
	case Begin:
		p.host.FocusInput()
		return p.fx.Change(p.fx.Chat.NewSession)
	case Search:
		p.stopSearch()
		if a.Query != "" {
			return p.fx.After(pane.TypingPause, func() tea.Cmd {
				if p.Query() != a.Query {
					return nil
				}
				return p.find()
			})
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
	total := 0
	return pane.Then(p.fx.Do, func() (list []memory.Session, err error) {
		list, total, err = p.fx.Memory.Lookup().Sessions(p.fx.Ctx, p.fx.Agent, limit, offset)
		return list, err
	}, func(list []memory.Session, err error) tea.Cmd {
		switch {
		case read != p.reads: // something was deleted meanwhile, or it is read again
		case err != nil:
			p.LoadFailed(p.fx.Short(err))
		case offset == 0:
			p.SetSessions(list, total)
		default:
			p.AddSessions(offset, list, total)
		}
		return nil
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
	return pane.Then(p.fx.Do, func() (recall.SessionPage, error) {
		defer stop()
		page, err := p.fx.Memory.Recall().SearchSessions(ctx, p.fx.Agent, recall.ArchiveQuery{Text: query, Limit: pageSize})
		return page, errors.Join(ctx.Err(), err)
	}, func(page recall.SessionPage, err error) tea.Cmd {
		switch {
		case errors.Is(err, context.Canceled): // another search took its place
		case err != nil:
			p.SearchFailed(query, p.fx.Short(err))
		default:
			p.Found(query, p.results(page))
		}
		return nil
	})
}

// results are hits as the pane shows them.
func (p *Pane) results(page recall.SessionPage) Results {
	r := Results{Degraded: page.Degraded}
	for _, f := range page.Sessions {
		g := Group{Session: f.Session, Messages: f.Total}
		for _, h := range f.Hits {
			g.Hits = append(g.Hits, Hit{
				RecordID: h.Record.ID, Who: p.Words.Speaker(h.Record, ""), Time: h.Record.Timestamp,
				Text: pane.Head(h.Record.Content, hitBytes),
			})
		}
		r.Sessions = append(r.Sessions, g)
		r.Messages += f.Total
	}
	return r
}
