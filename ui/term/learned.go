package term

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	memrecall "memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
	"memoria/ui/term/recall"
	"memoria/ui/term/transcript"
	"memoria/ui/words"
)

// The changes of the memory by a turn are shown under its message (U6): by the rules before
// there is an answer, by the model when it has read the turn.

// lessons are those of the turns that are shown.
type lessons struct {
	*root
	of        map[string][]words.Lesson // by turn
	under     map[string][]string       // by message, its turns: another answer has one of its own
	last      string                    // the turn that taught last: F7 undoes that
	announced string                    // id of the deletion by another program that was told last
	deletedAt time.Time                 // of the last deletion that was offered to be undone

	heldWords string // how m.say last told that something new is in the inbox
	told      int    // memories in the inbox that turns told of and that are not counted yet
}

// add adds lessons of a turn; who learned them, in a group.
func (m *lessons) add(turn, who string, changes []memory.Change) {
	if m.of == nil {
		m.of = map[string][]words.Lesson{}
	}
	m.of[turn] = m.keys.Words.Taught(m.of[turn], who, changes)
}

// put shows the lessons of a turn under a message.
func (m *lessons) put(message, turn string) {
	if m.under == nil {
		m.under = map[string][]string{}
	}
	if !slices.Contains(m.under[message], turn) {
		m.under[message] = append(m.under[message], turn)
	}
}

// lines returns the lessons of a message for the transcript.
func (m *lessons) lines(message string) (out []transcript.Lesson) {
	for _, turn := range m.under[message] {
		for i, l := range m.of[turn] {
			line := transcript.Lesson{Text: l.Line(), Waits: l.Waits, Undone: l.Undone}
			switch last := i == len(m.of[turn])-1; {
			case len(m.opts.chat.Members()) > 0: // a member's memory and inbox are its own
			case l.Waits:
				line.Keys = m.keys.Words.Say("lessons.decide", m.keys.Global.Held.Help().Key)
			case last && turn == m.last && !l.Undone:
				line.Keys = m.keys.Words.Say("lessons.undo", m.keys.Global.Unlearn.Help().Key)
			}
			out = append(out, line)
		}
	}
	return out
}

// showLessons shows the lessons of a turn under its message. It reports whether the message
// is in the transcript.
func (m *lessons) showLessons(turn string) bool {
	message := m.talk.MessageOf(turn)
	if message == "" {
		return false
	}
	m.put(message, turn)
	m.talk.SetLessons(message, m.lines(message))
	return true
}

// onLearned shows the lessons of a turn. Those that are not visible are said in the last line.
func (m *lessons) onLearned(e chat.Learned) tea.Cmd {
	group := e.Sender != ""
	who := ""
	if group {
		who = m.conv.speaker(e.Sender)
	}
	if told := m.keys.Words.Lessons(e.Changes); len(told) > 0 {
		if !group {
			m.branch.undone = "" // the last change is another one now
		}
		m.add(e.TurnID, who, e.Changes)
		before := m.last
		m.last = e.TurnID
		m.showLessons(before)
		m.tellLessons(words.OneLine(m.keys.Words.Taught(nil, who, e.Changes)), heldIn(e.Changes), m.showLessons(e.TurnID))
	}
	if group {
		return m.current().Load()
	}
	if m.conv.lastTurn == "" || e.TurnID == m.conv.lastTurn { // the model may still read one before
		m.recall.AddLearned(e.Changes)
	}
	// What a read has shown before this news may have been undone since.
	return tea.Batch(m.current().Load(), m.recall.ReadTurn(e.TurnID))
}

// tellLessons says the lessons of a turn where the transcript does not show them. held is the
// number of memories in the inbox that need not be told again when they are counted.
func (m *lessons) tellLessons(line string, held int, shown bool) {
	counted := m.heldWords != "" && m.say == m.heldWords // the count came first; the line says more
	if m.say != "" && !counted {
		return
	}
	if m.say = ""; !shown || m.screen.Transcript.Empty() {
		m.say = line
	}
	if !counted {
		m.told += held
	}
}

// hidden is what the last turn taught, in a line, while neither the transcript nor the panel
// shows it, because a memory is open there; "" otherwise.
func (m *lessons) hidden() string {
	opened := map[pane.ID]string{pane.Recall: m.recall.Opened(), pane.All: m.memories.Opened()}[m.panel.shown]
	switch {
	case opened == "" || m.last == "" || m.last != m.conv.lastTurn || m.screen.Panel.Empty():
		return ""
	case !m.screen.Transcript.Empty() && slices.Contains(m.talk.ShownTurns(), m.last):
		return ""
	}
	return words.OneLine(m.of[m.last])
}

// relearnItems reads the changes of turns again whose items were undone, accepted or rejected.
func (m *lessons) relearnItems(ids ...string) tea.Cmd {
	var all []tea.Cmd
	for turn, list := range m.of {
		if slices.ContainsFunc(list, func(l words.Lesson) bool { return slices.Contains(ids, l.ItemID) }) {
			all = append(all, m.recall.ReadTurn(turn))
		}
	}
	return tea.Batch(all...)
}

// openHeld opens the inbox at the newest memory from this conversation.
func (m *lessons) openHeld() tea.Cmd {
	for _, e := range slices.Backward(m.talk.Entries()) {
		for _, turn := range slices.Backward(m.under[e.ID]) {
			if ids := words.Waiting(m.of[turn]); len(ids) > 0 {
				m.inbox.Point(ids[len(ids)-1])
				return m.Open(pane.Inbox)
			}
		}
	}
	return m.Open(pane.Inbox)
}

// taught reads the lessons of the turns of a session, in a group of each member.
func (e effects) taught(records []memory.Record) (map[string][]words.Lesson, error) {
	var turns []string
	for _, r := range records {
		if len(turns) == 0 || turns[len(turns)-1] != r.TurnID {
			turns = append(turns, r.TurnID)
		}
	}
	out := map[string][]words.Lesson{}
	who := map[string]string{e.Agent: ""}
	ids := []string{e.Agent}
	for _, member := range e.Chat.Members() {
		ids = append(ids, member.ID)
		who[member.ID] = e.Chat.NameOf(member.ID)
	}
	for _, id := range ids {
		all, err := e.Memory.Lookup().ChangesOfTurns(e.Ctx, id, turns)
		if err != nil {
			return nil, err
		}
		for turn, changes := range all {
			out[turn] = e.Words.Taught(out[turn], who[id], changes)
		}
	}
	return out, nil
}

// onTaught takes the lessons of a session before its messages are shown.
func (m *lessons) onTaught(msg sessionMsg) {
	said := ""
	for _, r := range msg.branch.Records {
		if r.Role == memory.RoleUser {
			said = r.ID
		}
		if l := msg.taught[r.TurnID]; len(l) > 0 && said != "" {
			if m.of == nil {
				m.of = map[string][]words.Lesson{}
			}
			m.of[r.TurnID] = l
			m.put(said, r.TurnID)
		}
	}
}

// tellHeld says once that something new is in the inbox, unless a turn has said it.
func (m *lessons) tellHeld(n int) {
	more := n - m.conv.status.Held
	known := max(0, min(more, m.told))
	more, m.told = more-known, m.told-known
	if m.conv.counted && more > 0 && m.say == "" {
		m.heldWords = m.keys.Words.SayTo(slash, "lessons.held", more)
		m.say = m.heldWords
	}
}

// heldIn counts the changes that put a memory into the inbox.
func heldIn(changes []memory.Change) (n int) {
	for _, c := range changes {
		if c.Action == memory.ActionHeld {
			n++
		}
	}
	return n
}

// onConsolidated shows the result of a consolidation, at the end of a session or during a long
// one (P7, S12).
func (m *lessons) onConsolidated(e chat.Learned) tea.Cmd {
	var done []memory.Change // what was proposed and not used is of no use here
	for _, c := range e.Changes {
		if c.Item != nil {
			done = append(done, c)
		}
	}
	title := ""
	if e.Summary != nil {
		title = e.Summary.Title
	}
	if e.SessionID == m.conv.session.ID && e.Summary != nil && m.conv.session.State != memory.SessionActive {
		m.conv.session.Title = title
	}
	if len(done) > 0 || e.Summary != nil && !e.Waits {
		m.recall.SetRun(recall.Run{Generation: e.Generation, Title: title, Changes: done})
	}
	if line := words.OneLine(m.keys.Words.Lessons(done)); line != "" && m.say == "" {
		m.say = m.keys.Words.Say("lessons.read", line)
		m.told += heldIn(done)
	}
	return m.current().Load()
}

// onInstructed shows what an instruction to the memory did (U2–U4), and offers to undo a
// deletion with the key that undoes others.
func (m *lessons) onInstructed(e chat.Instructed, at time.Time) tea.Cmd {
	m.branch.undone = "" // the last change is another one now
	m.say = clean.Line(strings.Join(e.Lines, " · "))
	if e.Restored != "" {
		m.restored(e.Restored)
	}
	if d := e.Deletion; d.ID != "" {
		r := list.Removed{ID: d.ID, Title: d.Title, What: m.say, Until: d.Until, Longer: d.Until.Sub(d.At) - write.DeletionUndoTime}
		m.recall.Deleted(r)
		m.memories.DeletedElsewhere(r)
		m.setNow(at)
	}
	return tea.Batch(m.current().Load(), m.Reread())
}

// Reread implements [recall.Host].
func (m *lessons) Reread() tea.Cmd { return m.conv.readSession(m.conv.loaded) }

// tellAnnounced tells of a deletion that another program asked for, and lets /undo undo it.
func (m *lessons) tellAnnounced() {
	d := m.opts.Memory.LastAnnounced()
	if d == nil || d.ID == m.announced || d.Agent != m.fx.Agent {
		return
	}
	if m.announced = d.ID; !m.opts.Now().Before(d.Until) {
		return
	}
	what := m.keys.Words.Count(d.Items, "memory")
	m.say = m.keys.Words.Say("lessons.deleted", what, m.keys.Global.Unlearn.Help().Key)
	r := list.Removed{ID: d.ID, Title: d.Title, What: what, Until: d.Until, Longer: d.Until.Sub(d.At) - write.DeletionUndoTime}
	m.recall.DeletedElsewhere(r)
	m.memories.DeletedElsewhere(r)
}

// undoLast undoes what was deleted or learned last, whichever was later (U2, U4, D2).
func (m *lessons) undoLast() tea.Cmd {
	if _, ok := m.deleted(); !ok {
		return m.undoChange()
	}
	return pane.Then(m.fx.Do, func() (memory.Change, error) {
		return m.fx.Memory.Lookup().LastChange(m.fx.Ctx, m.fx.Agent)
	}, func(c memory.Change, err error) tea.Cmd {
		if err == nil && c.Time.After(m.deletedAt) {
			return m.undoChange()
		}
		return m.undoDeletion("")
	})
}

// removals are the deletions that the panes offer to undo.
func (m *lessons) removals() []*list.Removals {
	return []*list.Removals{
		&m.memories.Removed, &m.recall.Removed, &m.sessions.Removed, &m.archive.Removed, &m.inbox.Removed, &m.agents.Removed,
	}
}

// deleted returns the last deletion that is offered to be undone.
func (m *lessons) deleted() (d list.Removed, ok bool) {
	if d, ok = list.Latest(m.removals()); ok {
		m.deletedAt = d.Until.Add(-d.Longer - write.DeletionUndoTime)
	}
	return d, ok
}

// keepDeletion extends the time of a deletion for a question about it.
func (m *lessons) keepDeletion(id string) (cmd tea.Cmd) {
	for _, r := range m.removals() {
		if d, ok := r.Extend(id); ok {
			agent := map[bool]string{true: d.Of, false: m.fx.Agent}[r == &m.agents.Removed]
			cmd = m.fx.Prolong(agent, id, d.Title, list.AnswerTime)
		}
	}
	return cmd
}

// undoDeletion undoes the last deletion, if it is the asked one; "" is any.
func (m *lessons) undoDeletion(asked string) tea.Cmd {
	if d, ok := m.deleted(); ok && m.agents.Removed.Has(d.ID) && (asked == "" || d.ID == asked) {
		return m.agents.Undo()
	}
	return pane.Then(m.fx.Do, func() (write.Deletion, error) {
		return m.fx.Memory.LastDeletion(m.fx.Ctx, m.fx.Agent)
	}, func(d write.Deletion, err error) tea.Cmd {
		if err != nil || asked != "" && d.ID != asked {
			switch {
			case err == nil:
				m.say = m.keys.Words.Say("list.undo.newer")
			case errors.Is(err, lookup.ErrNotFound):
				m.say = m.keys.Words.Say("list.undo.late")
			default:
				m.Tell(err)
			}
			return nil
		}
		undo, run := m.fx.Chat.UndoDeletion, m.fx.InOrder
		if d.Sessions+d.Messages == 0 { // it need not wait for an answer
			undo, run = func(ctx context.Context, id string) (write.Deletion, error) {
				return m.fx.Memory.UndoDeletion(ctx, m.fx.Agent, id)
			}, m.fx.Do
		}
		return pane.Then(run, func() (write.Deletion, error) { return undo(m.fx.Ctx, d.ID) }, func(back write.Deletion, err error) tea.Cmd {
			m.restored(d.ID)
			if err != nil {
				m.Tell(err)
				return nil
			}
			m.say = m.keys.Words.Say("undo.restored", cmp.Or(clean.Line(back.Title), m.extent(back)))
			return tea.Batch(m.current().Load(), m.Reread())
		})
	})
}

// extent says how much a deletion deleted.
func (m *lessons) extent(d write.Deletion) string {
	items := m.keys.Words.Count(d.Items, "memory")
	if d.Messages == 0 {
		return items
	}
	return m.keys.Words.Say("gone.extent", m.keys.Words.Count(d.Messages, "message"), items)
}

// restored takes back the offers to undo a deletion.
func (m *lessons) restored(id string) {
	m.deletedAt = time.Time{}
	m.recall.Restored(id)
	m.memories.Restored(id)
	m.inbox.Restored(id)
	m.sessions.Restored(id)
	m.archive.Restored(id)
}

// undoChange undoes the last change of the memory. It asks first, unless the change is fresh
// ([actions.Fresh]).
func (m *lessons) undoChange() tea.Cmd {
	asked, session := false, m.conv.session.ID
	return pane.Then(m.fx.Do, func() (memory.Change, error) {
		asked = actions.AsksToForget(m.fx.Ctx, m.fx.Memory.Lookup(), m.fx.Agent, session)
		return m.fx.Memory.Lookup().LastChange(m.fx.Ctx, m.fx.Agent)
	}, func(c memory.Change, err error) tea.Cmd {
		last, _ := m.sent.Newest()
		fresh := actions.Fresh(c, last.TurnID, m.now) || actions.Fresh(c, m.conv.lastTurn, m.now)
		if err != nil || c.Item == nil || fresh && !asked && c.Time.After(m.deletedAt) { // else the deletion may be meant
			return m.recall.UndoLast()
		}
		if late := c.Time.Before(m.deletedAt) && m.now.Sub(m.deletedAt) < list.AnswerTime; late { // it is not asked for
			m.say, m.deletedAt = m.keys.Words.Say("list.undo.late"), time.Time{}
			return nil
		}
		m.ask(m.keys.Words.Say("lessons.older", clean.Truncate(clean.Line(c.Item.Content), olderWidth, cells.Ellipsis)), func() tea.Cmd {
			return m.recall.UndoChange(c.ID)
		})
		return nil
	})
}

// olderWidth is how many cells a question has for the memory that it names.
const olderWidth = 28

// Cited implements [recall.Host].
func (m *lessons) Cited(id string) bool {
	for _, sources := range m.sources.of {
		if slices.ContainsFunc(sources, func(s memrecall.Source) bool { return s.ItemID == id }) {
			return true
		}
	}
	return false
}

// Relearn implements [recall.Host].
func (m *lessons) Relearn(turn string, changes []memory.Change) {
	if turn == "" || m.of[turn] == nil || len(m.opts.chat.Members()) > 0 {
		return
	}
	m.of[turn] = nil
	m.add(turn, "", changes)
	m.showLessons(turn)
}
