package term

import (
	"fmt"
	"path/filepath"
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
	"memoria/ui/export"
	"memoria/ui/term/sessions"
	"memoria/ui/term/transcript"
)

// What a conversation can be besides one line: answers made anew, messages edited,
// turns undone, sessions forked.

// branching is what the program knows of that.
type branching struct {
	ways    map[string]lookup.Alternative // of the session shown, by record
	ahead   int                           // branches that go on behind its end
	mark    string                        // where a fork begins, while nothing was said in it
	changed bool                          // another branch is made by the turn that runs
	stale   bool                          // the conversation shows another branch than the session is in
	at      int                           // the entry from which a step was made, from 1; 0: none, or the selection was moved since

	editing memory.Record // whose place the input's text takes; without an id none
	left    *manager.LeftTurns
	undo    string // brings back what turns taught that were left; empty: nothing
	until   time.Time
}

type (
	editThisMsg struct {
		record memory.Record
		err    error
	}
	leftMsg struct {
		left manager.LeftTurns
		now  time.Time
		err  error
	}
	redoneMsg struct {
		said string // the message that is back
		err  error
	}
	steppedMsg struct {
		moved, said bool
		err         error
	}
	exportedMsg struct {
		path string
		n    int
		err  error
	}
)

func (e effects) regenerate(record string) tea.Cmd {
	return e.inOrder(func() tea.Msg { return failure(e.chat.Regenerate(e.ctx, record)) })
}

// step goes to another branch; said is whether the record is a message of the user.
func (e effects) step(record string, by int, said bool) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		moved, err := e.chat.Step(e.ctx, record, by)
		return steppedMsg{moved: moved, said: said, err: err}
	})
}

func (e effects) editThis(record string) tea.Cmd {
	return e.do(func() tea.Msg {
		r, err := e.memory.Lookup().Said(e.ctx, e.agent, e.chat.Session().ID, record)
		return editThisMsg{record: r, err: err}
	})
}

func (e effects) sendEdited(local int, record, text string, spans []memory.Span) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		id, err := e.chat.SendEdited(e.ctx, record, text, spans)
		return sentMsg{local: local, id: id, err: err}
	})
}

func (e effects) undoThisTurn() tea.Cmd {
	return e.inOrder(func() tea.Msg {
		left, err := e.chat.UndoTurn(e.ctx)
		return leftMsg{left: left, now: e.now(), err: err}
	})
}

func (e effects) redoTurn(left manager.LeftTurns) tea.Cmd {
	return e.inOrder(func() tea.Msg { return redoneMsg{said: left.Message.Content, err: e.chat.RedoTurn(e.ctx, left)} })
}

func (e effects) fork(record string) tea.Cmd {
	return e.inOrder(func() tea.Msg { return failure(e.chat.Fork(e.ctx, record)) })
}

// export writes a session to a file in the folder in which the program runs.
func (e effects) export(s memory.Session, agent, file string, loc *time.Location) tea.Cmd {
	return e.do(func() tea.Msg {
		doc, err := export.Load(e.ctx, e.memory, e.agent, s.ID, agent, false)
		if err != nil {
			return exportedMsg{err: err}
		}
		if file == "" {
			file = export.Name(doc.Session)
		}
		path, err := export.Write(file, "", export.Markdown(doc, loc), false)
		return exportedMsg{path: path, n: len(doc.Records), err: err}
	})
}

// ofTalk is a message that a command means: the selected one, or the last such.
func (m *root) ofTalk(such func(transcript.Entry) bool) (transcript.Entry, bool) {
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
func (m *root) regenerate() tea.Cmd {
	if m.oneWay() {
		return nil
	}
	if m.busy() {
		m.say = "an answer is arriving; esc cancels it"
		return nil
	}
	e, ok := m.ofTalk(func(e transcript.Entry) bool { return e.Role != memory.RoleTool })
	if !ok {
		m.say = "there is no answer yet"
		return nil
	}
	return m.fx.regenerate(e.ID)
}

// oneWay reports whether the conversation has no branches, and says so.
func (m *root) oneWay() bool {
	if len(m.opts.chat.Members()) == 0 {
		return false
	}
	m.tell(write.ErrInGroup)
	return true
}

// stepBy shows the answer or message before or behind the selected one.
func (m *root) stepBy(by int) tea.Cmd {
	e, ok := m.talk.Selected()
	if !ok {
		return nil
	}
	if last, _ := m.talk.Last(); by > 0 && m.branch.ways[e.ID].Of == 0 && e.ID == last.ID && m.branch.ahead > 0 {
		return m.fx.step("", by, false)
	}
	if e = m.withWays(e); m.branch.ways[e.ID].Of == 0 {
		if m.oneWay() {
			return nil
		}
		m.say = "there is one only; R asks for another answer, e edits a message"
		return nil
	}
	m.branch.at = 1 + slices.IndexFunc(m.talk.Entries(), func(o transcript.Entry) bool { return o.ID == e.ID })
	return m.fx.step(e.ID, by, saidByUser(e))
}

// withWays is the message that a step from e is meant for: itself; where there is one
// of it alone, the answer to it, or the message that it answers.
func (m *root) withWays(e transcript.Entry) transcript.Entry {
	all := m.talk.Entries()
	at := slices.IndexFunc(all, func(o transcript.Entry) bool { return o.ID == e.ID })
	by := -1
	if saidByUser(e) {
		by = 1
	}
	for i := at; i >= 0 && i < len(all); i += by {
		switch o := all[i]; {
		case m.branch.ways[o.ID].Of > 0:
			return o
		case by > 0 && i > at && saidByUser(o), by < 0 && saidByUser(o):
			return e
		}
	}
	return e
}

// chooseAnswer shows the answer of that number to the last message.
func (m *root) chooseAnswer(number string) tea.Cmd {
	e, ok := m.ofTalk(func(e transcript.Entry) bool { return m.branch.ways[e.ID].Of > 0 })
	if !ok && m.oneWay() {
		return nil
	}
	n := 0
	if _, err := fmt.Sscan(number, &n); !ok || err != nil || n < 1 || n > m.branch.ways[e.ID].Of {
		m.say = "every message has one answer here; /regenerate asks for another"
		if ok {
			w := m.branch.ways[e.ID]
			m.say = fmt.Sprintf("this is %d of %d; /answers takes a number, < and > in the conversation step", w.At, w.Of)
		}
		return nil
	}
	return m.fx.step(e.ID, n-m.branch.ways[e.ID].At, saidByUser(e))
}

// editMessage brings a sent message into the input, to go on from there.
func (m *root) editMessage() tea.Cmd {
	if m.oneWay() {
		return nil
	}
	if m.busy() {
		m.say = "an answer is arriving; esc cancels it"
		return nil
	}
	e, ok := m.ofTalk(saidByUser)
	if !ok {
		m.say = "you have said nothing yet"
		return nil
	}
	return m.fx.editThis(e.ID)
}

func (m *root) undoThisTurn() tea.Cmd { return m.fx.undoThisTurn() }

// forkHere begins a new session behind the message that is selected, or the last.
func (m *root) forkHere() tea.Cmd {
	e, ok := m.ofTalk(func(e transcript.Entry) bool { return e.Role != memory.RoleTool })
	if !ok {
		m.say = "there is nothing to fork yet"
		return nil
	}
	m.setFocus(onInput)
	return m.fx.fork(e.ID)
}

func (m *root) exportThis(file string) tea.Cmd {
	if m.session.ID == "" {
		m.say = "this session begins with its first message"
		return nil
	}
	return m.fx.export(m.session, m.opts.agent.Name, file, m.loc)
}

// exportOf is exportThis for a session of the list.
func (m *root) exportOf(a sessions.Action) tea.Cmd {
	return m.fx.export(memory.Session{ID: a.SessionID}, m.opts.agent.Name, "", m.loc)
}

// leaveEditing ends the editing of a message; its text goes.
func (m *root) leaveEditing() bool {
	if m.branch.editing.ID == "" {
		return false
	}
	m.branch.editing = memory.Record{}
	m.input.Clear()
	m.edited = true
	m.say = "not edited; the message stays as it is"
	return true
}

// takeBackTurn takes back the undoing of a turn, or what editing a message undid,
// while that is offered; nil when nothing is.
func (m *root) takeBackTurn() tea.Cmd {
	b := &m.branch
	if !m.now.Before(b.until) {
		b.left, b.undo = nil, ""
	}
	switch {
	case b.left != nil:
		left := *b.left
		b.left = nil
		return m.fx.redoTurn(left)
	case b.undo != "":
		id := b.undo
		b.undo = ""
		return m.fx.undo(id)
	}
	return nil
}

// branchResult takes what became of an effect on branches.
func (m *root) branchResult(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case editThisMsg:
		m.onEditThis(msg)
	case leftMsg:
		m.onLeft(msg)
	case redoneMsg:
		if msg.err != nil {
			m.tell(msg.err)
			break
		}
		m.say = "the turn is back"
		if text, _ := m.input.Text(); text == msg.said {
			m.input.Clear()
			m.edited = true
		}
	case steppedMsg:
		switch {
		case msg.err != nil:
			m.tell(msg.err)
		case !msg.moved:
			m.say = "there is no other in that direction"
		case msg.said:
			m.say = "another branch of the conversation; the memories are as they were"
		}
	case exportedMsg:
		if msg.err != nil {
			m.say = "not exported: " + msg.err.Error()
			break
		}
		m.say = "written in this folder: " + msg.path
		if filepath.IsAbs(msg.path) {
			m.say = "written: " + msg.path
		}
	default:
		return false
	}
	return true
}

func (m *root) onEditThis(msg editThisMsg) {
	if msg.err != nil {
		m.tell(msg.err)
		return
	}
	if text, spans := m.input.Text(); text != "" {
		m.input.Remember(text, spans) // ↑ brings it back
	}
	m.branch.editing = msg.record
	m.input.Set(msg.record.Content, msg.record.Spans)
	m.edited = true
	m.setFocus(onInput)
}

func (m *root) onLeft(msg leftMsg) {
	if msg.err != nil {
		m.tell(msg.err)
		return
	}
	m.setNow(msg.now)
	m.branch.left, m.branch.undo, m.branch.until = &msg.left, "", msg.now.Add(write.DeletionUndoTime)
	m.say = "the last turn is undone" + unlearned(msg.left.Undone) + " · /undo takes it back"
	if m.input.Empty() {
		m.input.Set(msg.left.Message.Content, msg.left.Message.Spans)
		m.edited = true
		m.setFocus(onInput)
	}
}

// onTurnsLeft tells what editing a message left behind.
func (m *root) onTurnsLeft(e chat.TurnsLeft, at time.Time) {
	m.branch.left, m.branch.undo, m.branch.until = nil, e.Left.Undone.ID, at.Add(write.DeletionUndoTime)
	m.say = "what followed stays in a branch of its own; < in the conversation goes there" + unlearned(e.Left.Undone)
}

// unlearned says in a few words what was taken back.
func unlearned(u learning.Undone) string {
	lines := u.Lines()
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return "; " + lines[0]
	}
	return fmt.Sprintf("; %d memories: %s", len(lines), strings.Join(lines, " · "))
}

// renew takes away what belongs to another branch.
func (m *root) renew() {
	if m.branch.stale {
		m.branch.stale = false
		m.talk.Reset(nil)
	}
}

// selectStep selects in another branch what stands in the place of the entry from
// which a step was made, so that a step back is one key.
func (m *root) selectStep(entries []transcript.Entry) {
	for at := m.branch.at - 1; at >= 0; at-- {
		if at < len(entries) && m.branch.ways[entries[at].ID].Of > 0 {
			m.talk.Point(entries[at].ID, 0, 0)
			return
		}
	}
}

// marked gives an entry the marks of its branches.
func (m *root) marked(e transcript.Entry) transcript.Entry {
	if w := m.branch.ways[e.ID]; w.Of > 0 {
		e.Ways = fmt.Sprintf("‹%d/%d›", w.At, w.Of)
	}
	return e
}

// forkMark says where a session was forked from.
func forkMark(msg sessionMsg) string {
	s := "forked here from a session that was deleted"
	if msg.from != "" {
		s = "forked here from: " + msg.from
	}
	if n := msg.branch.Gone; n > 0 {
		s += fmt.Sprintf(" · %d earlier messages were deleted", n)
	}
	return s
}

// branchTail is what stands under the messages about branches.
func (m *root) branchTail(w int) (out []string) {
	add := func(text string) {
		out = append(out, " "+m.styles.Accent.Render(clean.Truncate(clean.Line(text), max(1, w-2), "…")))
	}
	if m.branch.mark != "" {
		add("── " + m.branch.mark)
	}
	if n := m.branch.ahead; n > 0 && m.turn == nil && len(m.queue)+len(m.sending) == 0 {
		add(fmt.Sprintf("‹0/%d› undone; > in the conversation goes there", n))
	}
	if r := m.branch.editing; r.ID != "" {
		add("editing the message of " + r.Timestamp.In(m.loc).Format("15:04") + " · esc leaves it")
	}
	return out
}
