package archive

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
	"memoria/ui/words"
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
	return &Pane{Model: New(k, loc), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.keys.Archive
	return pane.About{
		Title: "Archive", Careful: k.Careful(), Hints: []key.Binding{k.Open, k.Search, k.Learned, k.Delete},
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
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
	return p.fx.InOrder(func() tea.Msg {
		_, err := p.fx.Chat.UndoDeletion(p.fx.Ctx, deletion)
		return restoredMsg{id: deletion, err: err}
	})
}

type (
	// dueMsg is the end of a pause in the typing of a question.
	dueMsg   struct{ question Question }
	foundMsg struct {
		question Question
		page     Page
		err      error
	}
	markedMsg struct {
		id  string
		on  bool
		err error
	}
	lessonsMsg struct {
		record string
		items  []memory.Item
		err    error
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
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case dueMsg:
		if p.Question().same(msg.question) {
			return p.find(msg.question), true
		}
	case foundMsg:
		if msg.err != nil {
			p.NotFound(msg.question, pane.Short(msg.err))
		} else {
			p.Found(msg.question, msg.page)
		}
	case markedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.Marked(msg.id, msg.on)
		return p.Load(), true
	case lessonsMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
		} else {
			p.ShowLearned(msg.record, msg.items)
		}
	case deletedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.SetNow(msg.now)
		p.Deleted(msg.removed)
		return p.Load(), true
	case restoredMsg:
		p.TakenBack(msg.id)
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.Say("taken back")
		return p.Load(), true
	default:
		return pane.Input(p, p.do, msg)
	}
	return nil, true
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Ask:
		if !a.Typed {
			return p.find(a.Question)
		}
		p.stopSearch()
		return p.fx.After(pane.TypingPause, dueMsg{question: a.Question})
	case Open:
		return p.host.Browse(a.SessionID, a.RecordID)
	case Learned:
		return p.fx.Look("lessons", func() tea.Msg {
			items, err := p.fx.Memory.LearnedFrom(p.fx.Ctx, p.fx.Agent, a.RecordID)
			return lessonsMsg{record: a.RecordID, items: items, err: err}
		})
	case OpenItem:
		return p.host.Open(pane.Recall, a.Item)
	case Mark:
		return p.fx.Do(func() tea.Msg {
			_, err := p.fx.Memory.CollectRecord(p.fx.Ctx, p.fx.Agent, a.RecordID, a.On)
			return markedMsg{id: a.RecordID, on: a.On, err: err}
		})
	case Delete:
		return p.remove(a.RecordID, a.Memories)
	case TakeBack:
		return p.Restore(a.ID)
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
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
	return p.fx.Do(func() tea.Msg {
		defer stop()
		ask := recall.AskArchive(q.Words, p.fx.Now(), p.loc)
		ask.Collected, ask.Offset, ask.Limit = q.Collected, q.Offset, q.Limit
		if ask.Limit == 0 {
			ask.Limit = pageSize
		}
		found, err := p.fx.Memory.Recall().SearchArchive(ctx, p.fx.Agent, ask)
		if ctx.Err() != nil {
			return nil // another search took its place
		}
		page := Page{Total: found.Total, Words: ask.Text, Time: words.Span(ask.From, ask.To, p.loc), Degraded: found.Degraded}
		for _, h := range found.Hits {
			if h.Neighbour {
				h.Title += " · next to a match"
			}
			r := h.Record
			page.Hits = append(page.Hits, Hit{
				RecordID: r.ID, SessionID: r.SessionID, Title: h.Title, Who: words.Speaker(r, ""), Time: r.Timestamp,
				Text: r.Content, Collected: r.Collected,
			})
		}
		return foundMsg{question: q, page: page, err: err}
	})
}

func (p *Pane) remove(record string, memories bool) tea.Cmd {
	return p.fx.InOrder(func() tea.Msg {
		d, err := p.fx.Chat.DeleteMessages(p.fx.Ctx, memories, record)
		what := "1 message"
		if d.Items > 0 {
			what += ", " + part.Plural(d.Items, "memory")
		}
		return deletedMsg{removed: part.Removed{ID: d.ID, Of: record, What: what, Until: d.Until}, now: p.fx.Now(), err: err}
	})
}
