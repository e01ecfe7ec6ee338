package inbox

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
)

// pageSize is how many entries are loaded at once.
const pageSize = 100

// Pane is the inbox with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
	held int // memories in the inbox
}

// NewPane returns the inbox of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h pane.Host) *Pane {
	return &Pane{Model: New(k, loc), fx: fx, host: h}
}

// SetHeld sets the number beside the title.
func (p *Pane) SetHeld(n int) { p.held = n }

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.keys.Inbox
	return pane.About{
		Title: "Inbox", Count: p.held, Careful: k.Careful(), Hints: []key.Binding{k.Accept, k.Edit, k.Reject},
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load reads as much of the list as there is.
func (p *Pane) Load() tea.Cmd { return p.read(max(pageSize, p.Loaded())) }

// Undo undoes the last decision.
func (p *Pane) Undo() tea.Cmd { return p.do(p.TakeBack()) }

type (
	listedMsg struct {
		entries []Entry
		total   int
		now     time.Time
		err     error
	}
	acceptedMsg struct {
		items []memory.Item
		err   error
	}
	rejectedMsg struct {
		ids     []string
		removed part.Removed
		now     time.Time
		err     error
	}
	unacceptedMsg struct {
		id     string
		undone manager.Undone
		err    error
	}
	unrejectedMsg struct {
		id, text string
		err      error
	}
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	var decided []string
	switch msg := msg.(type) {
	case listedMsg:
		if msg.err != nil {
			p.ReadFailed(pane.Short(msg.err))
			return nil, true
		}
		p.host.SetNow(msg.now)
		p.SetEntries(msg.entries, msg.total)
		return nil, true
	case acceptedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break // the list shows the present state
		}
		for _, it := range msg.items {
			decided = append(decided, it.ID)
		}
		p.Accepted(decided...)
		said := fmt.Sprintf("accepted %d", len(msg.items))
		if len(msg.items) == 1 {
			said = "accepted: " + msg.items[0].Content
		}
		p.host.Say(said + " · u takes it back")
	case unacceptedMsg:
		p.Undone(msg.id)
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.Say(strings.Join(msg.undone.Lines(), " · "))
		decided = []string{msg.id}
	case rejectedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.Rejected(msg.removed)
		decided = msg.ids
		p.host.Send(pane.Recall, pane.Forgotten(msg.ids))
		p.host.SetNow(msg.now)
	case unrejectedMsg:
		p.TakenBack(msg.id)
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.Say("taken back: " + msg.text)
	default:
		return pane.Input(p, p.do, msg)
	}
	return tea.Batch(p.Load(), p.host.MemoriesChanged(decided...)), true
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Accept:
		return p.fx.Do(func() tea.Msg {
			items, err := p.fx.Memory.Accept(p.fx.Ctx, p.fx.Agent, asShown(a.Items)...)
			return acceptedMsg{items: items, err: err}
		})
	case Edit:
		return p.fx.Do(func() tea.Msg {
			edit := func(it *memory.Item) { it.Content = a.Text }
			it, err := p.fx.Memory.AcceptEdited(p.fx.Ctx, p.fx.Agent, manager.Shown(a.Items[0]), edit)
			return acceptedMsg{items: []memory.Item{it}, err: err}
		})
	case Reject:
		return p.fx.Do(func() tea.Msg { return p.reject(a.Items, a.Text) })
	case TakeBack:
		return p.fx.Do(func() tea.Msg {
			_, err := p.fx.Memory.UndoDeletion(p.fx.Ctx, p.fx.Agent, a.ID)
			return unrejectedMsg{id: a.ID, text: a.Text, err: err}
		})
	case Undo:
		return p.fx.Do(func() tea.Msg { return p.unaccept(a.ID) })
	case Source:
		return p.host.Browse(a.Evidence.SessionID, a.Evidence.RecordID)
	case More:
		return p.read(p.Loaded() + pageSize)
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) read(limit int) tea.Cmd {
	return p.fx.Look("inbox", func() tea.Msg {
		page, err := p.fx.Memory.Inbox(p.fx.Ctx, p.fx.Agent, limit, 0)
		msg := listedMsg{total: page.Total, now: p.fx.Now(), err: err}
		for _, h := range page.Items {
			entry := Entry{Item: h.Item, Reason: h.Reason, Since: h.Since}
			if h.Replaces != nil {
				entry.Replaces = h.Replaces.Content
			}
			if len(h.Evidence) > 0 {
				q, err := p.fx.Quote(h.Evidence[0])
				msg.err = errors.Join(msg.err, err)
				entry.Said, entry.Session, entry.SaidAt, entry.Gone = q.Text, q.Session, q.Time, q.Gone
			}
			msg.entries = append(msg.entries, entry)
		}
		return msg
	})
}

// unaccept undoes the last change of an accepted memory.
func (p *Pane) unaccept(id string) tea.Msg {
	history, err := p.fx.Memory.History(p.fx.Ctx, p.fx.Agent, id)
	if err != nil || len(history) == 0 {
		return unacceptedMsg{id: id, err: err}
	}
	undone, err := p.fx.Memory.Undo(p.fx.Ctx, p.fx.Agent, history[len(history)-1].ID)
	return unacceptedMsg{id: id, undone: undone, err: err}
}

func (p *Pane) reject(items []Shown, text string) tea.Msg {
	d, err := p.fx.Memory.Reject(p.fx.Ctx, p.fx.Agent, asShown(items)...)
	msg := rejectedMsg{removed: part.Removed{ID: d.ID, Title: text, Until: d.Until}, now: p.fx.Now(), err: err}
	for _, s := range items {
		msg.ids = append(msg.ids, s.ID)
	}
	return msg
}

// asShown names entries to the manager, with the version that was decided about.
func asShown(items []Shown) (out []manager.Shown) {
	for _, s := range items {
		out = append(out, manager.Shown(s))
	}
	return out
}
