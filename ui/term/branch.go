package term

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/ui/clean"
	"memoria/ui/term/pane"
	"memoria/ui/term/transcript"
)

// branches are those of the conversation, with the commands that make and choose them.
type branches struct {
	*root
	branching
}

// branching is the state of the session that is shown.
type branching struct {
	ways    map[string]lookup.Alternative // of the session shown, by record
	ahead   int                           // branches that continue after its end
	mark    string                        // where a fork begins, while nothing was said in it
	changed bool                          // the running turn makes another branch
	stale   bool                          // the transcript still shows another branch
	at      int                           // the entry of the last step, from 1; 0 when the selection was moved since

	editing memory.Record // whose place the input's text takes; without an id none
	left    *manager.LeftTurns
	undone  string // brings back what turns taught that were left; empty: nothing
	until   time.Time
}

// step goes to another branch; said is whether the record is a message of the user.
func (m *branches) step(record string, by int, said bool) tea.Cmd {
	return pane.Then(m.fx.InOrder, func() (bool, error) {
		return m.fx.Chat.Step(m.fx.Ctx, record, by)
	}, func(moved bool, err error) tea.Cmd {
		switch {
		case err != nil:
			m.Tell(err)
		case !moved:
			m.say = m.keys.Words.Say("branch.no-other")
		case said:
			m.say = m.keys.Words.Say("branch.other")
		}
		return nil
	})
}

// ofTalk is a message that a command means: the selected one, or the last such.
func (m *branches) ofTalk(such func(transcript.Entry) bool) (transcript.Entry, bool) {
	if e, ok := m.talk.Selected(); ok && m.focus == onTalk && such(e) {
		return e, true
	}
	for _, e := range slices.Backward(m.talk.Entries()) {
		if such(e) {
			return e, true
		}
	}
	return transcript.Entry{}, false
}

func saidByUser(e transcript.Entry) bool { return e.Role == memory.RoleUser }

// regenerate asks for another answer, to the message that is selected or the last.
func (m *branches) regenerate() tea.Cmd {
	if m.oneWay() {
		return nil
	}
	if m.conv.busy() {
		m.say = m.keys.Words.Say("answer.arrives.esc")
		return nil
	}
	e, ok := m.ofTalk(func(e transcript.Entry) bool { return e.Role != memory.RoleTool })
	if !ok {
		m.say = m.keys.Words.Say("answer.none")
		return nil
	}
	return m.fx.change(m.fx.Chat.Regenerate, e.ID)
}

// oneWay reports whether the conversation has no branches, and says so.
func (m *branches) oneWay() bool {
	if len(m.opts.chat.Members()) == 0 {
		return false
	}
	m.Tell(write.ErrInGroup)
	return true
}

// stepBy shows the answer or message before or after the selected one.
func (m *branches) stepBy(by int) tea.Cmd {
	e, ok := m.talk.Selected()
	if !ok {
		return nil
	}
	if last, _ := m.talk.Last(); by > 0 && m.ways[e.ID].Of == 0 && e.ID == last.ID && m.ahead > 0 {
		return m.step("", by, false)
	}
	if e = m.withWays(e); m.ways[e.ID].Of == 0 {
		if m.oneWay() {
			return nil
		}
		k := m.keys.Talk
		m.say = m.keys.Words.Say("branch.one", k.Regenerate.Help().Key, k.Edit.Help().Key)
		return nil
	}
	m.at = 1 + slices.IndexFunc(m.talk.Entries(), func(o transcript.Entry) bool { return o.ID == e.ID })
	return m.step(e.ID, by, saidByUser(e))
}

// withWays is the message that a step from e is meant for: itself; where there is one
// of it alone, the answer to it, or the message that it answers.
func (m *branches) withWays(e transcript.Entry) transcript.Entry {
	all := m.talk.Entries()
	at := slices.IndexFunc(all, func(o transcript.Entry) bool { return o.ID == e.ID })
	by := -1
	if saidByUser(e) {
		by = 1
	}
	for i := at; i >= 0 && i < len(all); i += by {
		switch o := all[i]; {
		case m.ways[o.ID].Of > 0:
			return o
		case by > 0 && i > at && saidByUser(o), by < 0 && saidByUser(o):
			return e
		}
	}
	return e
}

// chooseAnswer shows the answer of that number to the last message.
func (m *branches) chooseAnswer(number string) tea.Cmd {
	e, ok := m.ofTalk(func(e transcript.Entry) bool { return m.ways[e.ID].Of > 0 })
	if !ok && m.oneWay() {
		return nil
	}
	n := 0
	if _, err := fmt.Sscan(number, &n); !ok || err != nil || n < 1 || n > m.ways[e.ID].Of {
		m.say = m.keys.Words.SayTo(slash, "answers.one")
		if ok {
			w := m.ways[e.ID]
			m.say = m.keys.Words.SayTo(slash, "branch.at", w.At, w.Of, m.keys.Talk.Before.Help().Key, m.keys.Talk.After.Help().Key)
		}
		return nil
	}
	return m.step(e.ID, n-m.ways[e.ID].At, saidByUser(e))
}

// editMessage brings a sent message into the input, to go on from there.
func (m *branches) editMessage() tea.Cmd {
	if m.oneWay() {
		return nil
	}
	if m.conv.busy() {
		m.say = m.keys.Words.Say("answer.arrives.esc")
		return nil
	}
	e, ok := m.ofTalk(saidByUser)
	if !ok {
		m.say = m.keys.Words.Say("session.unsaid")
		return nil
	}
	return pane.Then(m.fx.Do, func() (memory.Record, error) {
		return m.fx.Memory.Lookup().Said(m.fx.Ctx, m.fx.Agent, m.fx.Chat.Session().ID, e.ID)
	}, m.edit)
}

// undoThisTurn undoes the last turn.
func (m *branches) undoThisTurn() tea.Cmd {
	return pane.Then(m.fx.InOrder, func() (manager.LeftTurns, error) { return m.fx.Chat.UndoTurn(m.fx.Ctx) }, m.turnUndone)
}

// forkHere begins a new session after the selected message, or the last.
func (m *branches) forkHere() tea.Cmd {
	e, ok := m.ofTalk(func(e transcript.Entry) bool { return e.Role != memory.RoleTool })
	if !ok {
		m.say = m.keys.Words.Say("fork.nothing")
		return nil
	}
	m.setFocus(onInput)
	return m.fx.change(m.fx.Chat.Fork, e.ID)
}

func (m *branches) exportThis(file string) tea.Cmd {
	if m.conv.session.ID == "" {
		m.say = m.keys.Words.Say("session.empty")
		return nil
	}
	return m.sessions.Export(m.conv.session.ID, file)
}

// leaveEditing ends the editing of a message; its text goes.
func (m *branches) leaveEditing() bool {
	if m.editing.ID == "" {
		return false
	}
	m.editing = memory.Record{}
	m.input.Clear()
	m.edited = true
	m.say = m.keys.Words.Say("branch.unedited")
	return true
}

// redoTurn restores an undone turn, or what editing a message undid,
// while that is offered; nil when nothing is.
func (m *branches) redoTurn() tea.Cmd {
	b := &m.branching
	if !m.now.Before(b.until) {
		b.left, b.undone = nil, ""
	}
	switch {
	case b.left != nil:
		left := *b.left
		b.left = nil
		return pane.Then(m.fx.InOrder, func() (string, error) {
			return left.Message.Content, m.fx.Chat.RedoTurn(m.fx.Ctx, left)
		}, m.turnRestored)
	case b.undone != "":
		id := b.undone
		b.undone = ""
		return m.recall.UndoChange(id)
	}
	return nil
}

// turnRestored takes the message of a turn that is back out of the input.
func (m *branches) turnRestored(said string, err error) tea.Cmd {
	if err != nil {
		m.Tell(err)
		return nil
	}
	m.say = m.keys.Words.Say("branch.restored")
	if text, _ := m.input.Text(); text == said {
		m.input.Clear()
		m.edited = true
	}
	return nil
}

// edit brings a message into the input.
func (m *branches) edit(r memory.Record, err error) tea.Cmd {
	if err != nil {
		m.Tell(err)
		return nil
	}
	if text, spans := m.input.Text(); text != "" {
		m.input.Remember(text, spans) // ↑ brings it back
	}
	m.editing = r
	m.input.Set(r.Content, r.Spans)
	m.edited = true
	m.setFocus(onInput)
	return nil
}

func (m *branches) turnUndone(left manager.LeftTurns, err error) tea.Cmd {
	if err != nil {
		m.Tell(err)
		return nil
	}
	m.left, m.undone, m.until = &left, "", m.now.Add(write.DeletionUndoTime)
	m.say = m.keys.Words.SayTo(slash, "branch.undone", m.unlearned(left.Undone))
	if m.input.Empty() {
		m.input.Set(left.Message.Content, left.Message.Spans)
		m.edited = true
		m.setFocus(onInput)
	}
	return nil
}

// onTurnsLeft tells which turns editing a message left.
func (m *branches) onTurnsLeft(e chat.TurnsLeft, at time.Time) {
	m.left, m.undone, m.until = nil, e.Left.Undone.ID, at.Add(write.DeletionUndoTime)
	m.say = m.keys.Words.Say("branch.left", m.keys.Talk.Before.Help().Key) + m.unlearned(e.Left.Undone)
}

// unlearned says in a few words what was undone in the memory, after another sentence.
func (m *branches) unlearned(u learning.Undone) string {
	w, lines := m.keys.Words, u.Lines()
	for i, l := range lines {
		lines[i] = w.Translate(l)
	}
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return w.Say("branch.unlearned", lines[0])
	}
	return w.Say("branch.unlearned", w.Count(len(lines), "memory")+w.Say("sep.colon")+strings.Join(lines, " · "))
}

// renew takes away what belongs to another branch.
func (m *branches) renew() {
	if m.stale {
		m.stale = false
		m.talk.Reset(nil)
	}
}

// selectStep selects in another branch the entry at the place of the last step, so that a
// step back is one key.
func (m *branches) selectStep(entries []transcript.Entry) {
	for at := m.at - 1; at >= 0; at-- {
		if at < len(entries) && m.ways[entries[at].ID].Of > 0 {
			m.talk.Point(entries[at].ID, 0, 0)
			return
		}
	}
}

// marked gives an entry the marks of its branches.
func (m *branches) marked(e transcript.Entry) transcript.Entry {
	if w := m.ways[e.ID]; w.Of > 0 {
		e.Ways = fmt.Sprintf("‹%d/%d›", w.At, w.Of)
	}
	return e
}

// forkMark says where a session was forked from.
func (m *branches) forkMark(msg sessionMsg) string {
	s := m.keys.Words.Say("branch.forked.gone")
	if msg.from != "" {
		s = m.keys.Words.Say("branch.forked", msg.from)
	}
	if n := msg.branch.Gone; n > 0 {
		s += " · " + m.keys.Words.Say("branch.gone", m.keys.Words.Count(n, "earlier message was"))
	}
	return s
}

// branchTail is shown under the messages: the state of the branch.
func (m *branches) branchTail(w int) (out []string) {
	add := func(text string) {
		out = append(out, " "+m.styles.Accent.Render(clean.Truncate(clean.Line(text), max(1, w-2), "…")))
	}
	if m.mark != "" {
		add("── " + m.mark)
	}
	if n := m.ahead; n > 0 && m.conv.turn == nil && len(m.conv.queue)+len(m.conv.sending) == 0 {
		add(m.keys.Words.Say("branch.ahead", n, m.keys.Talk.After.Help().Key))
	}
	if r := m.editing; r.ID != "" {
		add(m.keys.Words.Say("branch.editing", r.Timestamp.In(m.loc).Format("15:04")))
	}
	return out
}
