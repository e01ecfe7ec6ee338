package archive

import (
	"context"
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
)

// pageSize is how many messages are loaded at once.
const pageSize = 50

// Pane is the archive with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
	stop func() // ends the search that runs; nil when none does
}

// NewPane returns the archive of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h pane.Host) *Pane {
	p := &Pane{Model: New(k, loc), fx: fx, host: h}
	p.AskFirst(func() []key.Binding { return p.Careful(p.Keys.Archive.Careful(), p.Keys.Archive.Undo) })
	p.KeepUndoable(p.Keys.Archive.Undo, func(d list.Removed) tea.Cmd { return fx.Prolong(fx.Agent, d.ID, d.Title, list.AnswerTime) })
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
	q := p.Question()
	q.Limit = max(q.Limit, pageSize)
	return p.find(q)
}

// Search looks for words.
func (p *Pane) Search(words string) tea.Cmd { return p.do(p.OpenSearch(words)) }

// Lessons shows what was learned from a message.
func (p *Pane) Lessons(h Hit) tea.Cmd { return p.do(p.Learn(h)) }

// Restore undoes the deletion of a message.
func (p *Pane) Restore(deletion string) tea.Cmd {
	return pane.Then(p.fx.InOrder, func() (write.Deletion, error) {
		return p.fx.Chat.UndoDeletion(p.fx.Ctx, deletion)
	}, func(_ write.Deletion, err error) tea.Cmd {
		p.Restored(deletion)
		if err != nil {
			return p.failed(err)
		}
		p.host.Say(p.Words.Say("restored"))
		return p.Load()
	})
}

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Ask:
		if !a.Typed {
			return p.find(a.Question)
		}
		p.stopSearch()
		return p.fx.After(pane.TypingPause, func() tea.Cmd {
			if !p.Question().same(a.Question) {
				return nil
			}
			return p.find(a.Question)
		})
	case Open:
		return p.host.Browse(a.SessionID, a.RecordID)
	case Learned:
		return pane.Then(p.fx.Look("lessons"), func() ([]memory.Item, error) {
			return p.fx.Memory.Lookup().LearnedFrom(p.fx.Ctx, p.fx.Agent, a.RecordID)
		}, func(items []memory.Item, err error) tea.Cmd {
			if err != nil {
				return p.failed(err)
			}
			p.ShowLearned(a.RecordID, items)
			return nil
		})
	case OpenItem:
		return p.host.Open(pane.All, a.Item)
	case Mark:
		return pane.Then(p.fx.Do, func() (memory.Record, error) {
			return p.fx.Memory.CollectRecord(p.fx.Ctx, p.fx.Agent, a.RecordID, a.On)
		}, func(_ memory.Record, err error) tea.Cmd {
			if err != nil {
				return p.failed(err)
			}
			p.Marked(a.RecordID, a.On)
			return p.Load()
		})
	case Delete:
		return pane.Then(p.fx.InOrder, func() (write.Deletion, error) {
			return p.fx.Chat.DeleteMessages(p.fx.Ctx, a.Memories, a.RecordID)
		}, func(d write.Deletion, err error) tea.Cmd {
			if err != nil {
				return p.failed(err)
			}
			what := p.Words.Count(1, "message")
			if d.Items > 0 {
				what = p.Words.List([]string{what, p.Words.Count(d.Items, "memory")})
			}
			p.Deleted(list.Removed{ID: d.ID, Of: a.RecordID, What: what, Until: d.Until})
			return p.Load()
		})
	case Restore:
		return p.Restore(a.ID)
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) failed(err error) tea.Cmd {
	p.Failed(p.fx.Short(err))
	return nil
}

func (p *Pane) stopSearch() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

// find answers a question; the search before it ends.
func (p *Pane) find(q Question) tea.Cmd {
	p.stopSearch()
	ctx, stop := context.WithCancel(p.fx.Ctx)
	p.stop = stop
	return pane.Then(p.fx.Do, func() (Page, error) {
		defer stop()
		ask := recall.AskArchive(q.Words, p.fx.Now(), p.Loc)
		ask.Collected, ask.Offset, ask.Limit = q.Collected, q.Offset, q.Limit
		if ask.Limit == 0 {
			ask.Limit = pageSize
		}
		found, err := p.fx.Memory.Recall().SearchArchive(ctx, p.fx.Agent, ask)
		page := Page{Total: found.Total, Words: ask.Text, Time: p.Words.Span(ask.From, ask.To, p.Loc), Degraded: found.Degraded}
		for _, h := range found.Hits {
			if h.Neighbour {
				h.Title = p.Words.SessionTitle(memory.Session{Title: h.Title}) + " · " + p.Words.Say("message.neighbour")
			}
			r := h.Record
			page.Hits = append(page.Hits, Hit{
				RecordID: r.ID, SessionID: r.SessionID, Title: h.Title, Who: p.Words.Speaker(r, ""), Time: r.Timestamp,
				Text: r.Content, Collected: r.Collected,
			})
		}
		return page, errors.Join(ctx.Err(), err)
	}, func(page Page, err error) tea.Cmd {
		switch {
		case errors.Is(err, context.Canceled): // another search took its place
		case err != nil:
			p.NotFound(q, p.fx.Short(err))
		default:
			p.Found(q, page)
		}
		return nil
	})
}
