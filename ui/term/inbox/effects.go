package inbox

import (
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
)

// pageSize is how many entries are loaded at once.
const pageSize = 250

// Pane is the inbox with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
	held int // memories in the inbox
}

// NewPane returns the inbox of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h pane.Host) *Pane {
	p := &Pane{Model: New(k, loc), fx: fx, host: h}
	p.AskFirst(p.careful)
	p.KeepUndoable(p.Keys.Inbox.Undo, func(d list.Removed) tea.Cmd { return fx.Prolong(fx.Agent, d.ID, d.Title, list.AnswerTime) })
	return p
}

// SetHeld sets the number beside the name.
func (p *Pane) SetHeld(n int) { p.held = n }

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Waiting:   p.held,
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load reads as much of the list as there is.
func (p *Pane) Load() tea.Cmd { return p.read(max(pageSize, p.Loaded())) }

// Undo undoes the last decision.
func (p *Pane) Undo() tea.Cmd { return p.do(p.UndoLast()) }

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

func (p *Pane) do(a Action) tea.Cmd {
	ctx, agent, store := p.fx.Ctx, p.fx.Agent, p.fx.Memory
	switch a.Do {
	case Accept:
		return pane.Then(p.fx.Do, func() ([]memory.Item, error) {
			return store.Learning().Accept(ctx, agent, asShown(a.Items)...)
		}, p.accept)
	case Edit:
		return pane.Then(p.fx.Do, func() ([]memory.Item, error) {
			it, err := store.Learning().AcceptEdited(ctx, agent, learning.Shown(a.Items[0]), func(it *memory.Item) { it.Content = a.Text })
			return []memory.Item{it}, err
		}, p.accept)
	case Reject:
		return p.reject(a.Items, a.Text)
	case Restore:
		undo := func() (write.Deletion, error) { return store.UndoDeletion(ctx, agent, a.ID) }
		return pane.Then(p.fx.Do, undo, func(_ write.Deletion, err error) tea.Cmd {
			p.Restored(a.ID)
			return p.decided(err, p.Words.Say("inbox.undone", a.Text))
		})
	case Undo:
		return p.unaccept(a.Items)
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
	var entries []Entry
	return pane.Then(p.fx.Look("inbox"), func() (total int, err error) {
		page, err := p.fx.Memory.Lookup().Inbox(p.fx.Ctx, p.fx.Agent, limit, 0)
		for _, h := range page.Items {
			entry := Entry{Item: h.Item, Reason: h.Reason, Since: h.Since}
			if h.Replaces != nil {
				entry.Replaces = h.Replaces.Content
			}
			if len(h.Evidence) > 0 {
				q, failed := p.fx.Quote(h.Evidence[0])
				err = errors.Join(err, failed)
				entry.Said, entry.Session, entry.SaidAt, entry.Gone = q.Text, q.Session, q.Time, q.Gone
			}
			entries = append(entries, entry)
		}
		return page.Total, err
	}, func(total int, err error) tea.Cmd {
		if err != nil {
			p.ReadFailed(p.fx.Short(err))
		} else {
			p.SetEntries(entries, total)
		}
		return nil
	})
}

// careful returns the keys that ask first. The one that undoes is among them while there is an acceptance or a
// rejection to undo.
func (p *Pane) careful() []key.Binding {
	k := p.Keys.Inbox
	_, ok := p.last()
	switch {
	case ok && len(p.entries) == 0:
		return []key.Binding{k.Undo}
	case len(p.entries) == 0:
		return nil
	case ok:
		return k.Careful()
	}
	return p.Careful(k.Careful(), k.Undo)
}

// decided tells the result of a decision about memories, and reads the list.
func (p *Pane) decided(err error, said string, ids ...string) tea.Cmd {
	if err != nil {
		p.Failed(p.fx.Short(err))
		ids = nil
	} else {
		p.host.Say(said)
	}
	return tea.Batch(p.Load(), p.host.MemoriesChanged(ids...))
}

func (p *Pane) accept(items []memory.Item, err error) tea.Cmd {
	if err != nil {
		return p.decided(err, "")
	}
	var ids []string
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	p.Accepted(items...)
	said := list.Count(p.Words.Words, len(items), "memory")
	if len(items) == 1 {
		said = items[0].Content
	}
	return p.decided(nil, p.Words.Say("inbox.accepted", said)+" · "+p.Words.Say("inbox.undoes"), ids...)
}

// unaccept undoes the last change of each of some accepted memories.
func (p *Pane) unaccept(items []Shown) tea.Cmd {
	var ids []string
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return pane.Then(p.fx.Do, func() (all learning.Undone, failed error) {
		for _, id := range ids {
			history, err := p.fx.Memory.Lookup().History(p.fx.Ctx, p.fx.Agent, id)
			var undone learning.Undone
			if err == nil && len(history) > 0 {
				undone, err = p.fx.Memory.Learning().Undo(p.fx.Ctx, p.fx.Agent, history[len(history)-1].ID)
			}
			all.Did, all.Left = append(all.Did, undone.Did...), append(all.Left, undone.Left...)
			failed = errors.Join(failed, err)
		}
		return all, failed
	}, func(undone learning.Undone, err error) tea.Cmd {
		p.Undone(ids[0])
		said := p.fx.Undone(undone)
		if len(ids) > 1 && len(undone.Left) == 0 {
			said = p.Words.Say("inbox.undone", list.Count(p.Words.Words, len(ids), "memory"))
		}
		return p.decided(err, said, ids...)
	})
}

func (p *Pane) reject(items []Shown, text string) tea.Cmd {
	return pane.Then(p.fx.Do, func() (write.Deletion, error) {
		return p.fx.Memory.Reject(p.fx.Ctx, p.fx.Agent, asShown(items)...)
	}, func(d write.Deletion, err error) tea.Cmd {
		if err != nil {
			return p.decided(err, "")
		}
		p.Rejected(list.Removed{ID: d.ID, Title: text, Until: d.Until})
		var ids []string
		for _, s := range items {
			ids = append(ids, s.ID)
		}
		gone := pane.Forgotten(ids)
		return tea.Batch(p.host.Send(pane.Recall, gone), p.host.Send(pane.All, gone), p.Load(), p.host.MemoriesChanged(ids...))
	})
}

// asShown names entries to the manager, with the version that was decided about.
func asShown(items []Shown) (out []learning.Shown) {
	for _, s := range items {
		out = append(out, learning.Shown(s))
	}
	return out
}
