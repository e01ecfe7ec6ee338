package term

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager/learning"
	"memoria/ui/term/inbox"
	"memoria/ui/term/part"
)

// inboxPage is how many of those that wait are loaded at once.
const inboxPage = 100

// loadInbox reads again as much of the list as there is.
func (m *root) loadInbox() tea.Cmd { return m.fx.inbox(max(inboxPage, m.inbox.Loaded())) }

// inboxDo makes an effect of what the part about the inbox asks for.
func (m *root) inboxDo(a inbox.Action) tea.Cmd {
	switch a.Do {
	case inbox.Accept:
		return m.fx.accept(a.Items)
	case inbox.Edit:
		return m.fx.acceptEdited(a.Items[0], a.Text)
	case inbox.Reject:
		return m.fx.reject(a.Items, a.Text)
	case inbox.TakeBack:
		return m.fx.unreject(a.ID, a.Text)
	case inbox.Undo:
		return m.fx.unaccept(a.ID)
	case inbox.Source:
		return m.browse(a.Evidence.SessionID, a.Evidence.RecordID)
	case inbox.More:
		return m.fx.inbox(m.inbox.Loaded() + inboxPage)
	case inbox.Copy:
		return m.copyText(a.Text)
	case inbox.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) inboxResult(msg tea.Msg) tea.Cmd {
	var decided []string
	switch msg := msg.(type) {
	case inboxMsg:
		if msg.err != nil {
			m.inbox.ReadFailed(short(msg.err))
			return nil
		}
		m.setNow(msg.now)
		m.inbox.SetEntries(msg.entries, msg.total)
		return nil
	case acceptedMsg:
		if msg.err != nil {
			m.inbox.Failed(short(msg.err))
			break // the list shows how it is by now
		}
		var ids []string
		for _, it := range msg.items {
			ids = append(ids, it.ID)
		}
		m.inbox.Accepted(ids...)
		decided = ids
		if m.say = fmt.Sprintf("accepted %d · u takes it back", len(msg.items)); len(msg.items) == 1 {
			m.say = "accepted: " + msg.items[0].Content + " · u takes it back"
		}
	case unacceptedMsg:
		m.inbox.Undone(msg.id)
		if msg.err != nil {
			m.inbox.Failed(short(msg.err))
			break
		}
		m.say = strings.Join(msg.undone.Lines(), " · ")
		decided = []string{msg.id}
	case rejectedMsg:
		if msg.err != nil {
			m.inbox.Failed(short(msg.err))
			break
		}
		m.inbox.Rejected(msg.removed)
		decided = msg.ids
		m.recall.Forgotten(msg.ids...)
		m.setNow(msg.now)
	case unrejectedMsg:
		m.inbox.TakenBack(msg.id)
		if msg.err != nil {
			m.inbox.Failed(short(msg.err))
			break
		}
		m.say = "taken back: " + msg.text
	}
	return tea.Batch(m.loadInbox(), m.fx.status(), m.relearnItems(decided...))
}

// tellHeld says once that something new waits, where no turn has said so.
func (m *root) tellHeld(n int) {
	more := n - m.status.Held
	known := max(0, min(more, m.told))
	more, m.told = more-known, m.told-known
	if m.counted && more > 0 && m.say == "" {
		m.heldWords = fmt.Sprintf("new in the inbox: %d · /inbox shows what is waiting for your approval", more)
		m.say = m.heldWords
	}
}

// heldIn counts what a turn brought into the inbox.
func heldIn(changes []memory.Change) (n int) {
	for _, c := range changes {
		if c.Action == memory.ActionHeld {
			n++
		}
	}
	return n
}

func (e effects) inbox(limit int) tea.Cmd {
	return e.look("inbox", func() tea.Msg {
		page, err := e.memory.Lookup().Inbox(e.ctx, e.agent, limit, 0)
		msg := inboxMsg{total: page.Total, now: e.now(), err: err}
		for _, h := range page.Items {
			entry := inbox.Entry{Item: h.Item, Reason: h.Reason, Since: h.Since}
			if h.Replaces != nil {
				entry.Replaces = h.Replaces.Content
			}
			if len(h.Evidence) > 0 {
				q, err := e.quote(h.Evidence[0])
				if err != nil {
					msg.err = errors.Join(msg.err, err)
				}
				entry.Said, entry.Session, entry.SaidAt, entry.Gone = q.Text, q.Session, q.Time, q.Gone
			}
			msg.entries = append(msg.entries, entry)
		}
		return msg
	})
}

// asShown names what the user decided about to the manager.
func asShown(items []inbox.Shown) (out []learning.Shown) {
	for _, s := range items {
		out = append(out, learning.Shown(s))
	}
	return out
}

func (e effects) accept(items []inbox.Shown) tea.Cmd {
	return e.do(func() tea.Msg {
		out, err := e.memory.Learning().Accept(e.ctx, e.agent, asShown(items)...)
		return acceptedMsg{items: out, err: err}
	})
}

func (e effects) acceptEdited(s inbox.Shown, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		it, err := e.memory.Learning().AcceptEdited(e.ctx, e.agent, learning.Shown(s), func(it *memory.Item) { it.Content = text })
		return acceptedMsg{items: []memory.Item{it}, err: err}
	})
}

// unaccept undoes what was done last to an accepted memory.
func (e effects) unaccept(id string) tea.Cmd {
	return e.do(func() tea.Msg {
		msg := unacceptedMsg{id: id}
		var history []memory.Change
		if history, msg.err = e.memory.Lookup().History(e.ctx, e.agent, id); msg.err == nil && len(history) > 0 {
			msg.undone, msg.err = e.memory.Learning().Undo(e.ctx, e.agent, history[len(history)-1].ID)
		}
		return msg
	})
}

func (e effects) reject(items []inbox.Shown, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		d, err := e.memory.Reject(e.ctx, e.agent, asShown(items)...)
		var ids []string
		for _, s := range items {
			ids = append(ids, s.ID)
		}
		return rejectedMsg{ids: ids, removed: part.Removed{ID: d.ID, Title: text, Until: d.Until}, now: e.now(), err: err}
	})
}

func (e effects) unreject(id, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		_, err := e.memory.UndoDeletion(e.ctx, e.agent, id)
		return unrejectedMsg{id: id, text: text, err: err}
	})
}
