package term

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/layout"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
	"memoria/ui/term/recall"
	"memoria/ui/term/transcript"
	"memoria/ui/words"
)

// The changes of the memory by a turn are shown under its message (U6): by the rules before
// there is an answer, by the model when it has read the turn.

// lessons are those of the turns that are shown.
type lessons struct {
	of    map[string][]words.Lesson // by turn
	under map[string][]string       // by message, its turns: another answer has one of its own
	last  string                    // the turn that taught last: F7 undoes that
}

// add adds lessons of a turn; who learned them, in a group.
func (l *lessons) add(turn, who string, changes []memory.Change) {
	if l.of == nil {
		l.of = map[string][]words.Lesson{}
	}
	l.of[turn] = words.Taught(l.of[turn], who, changes)
}

// put shows the lessons of a turn under a message.
func (l *lessons) put(message, turn string) {
	if l.under == nil {
		l.under = map[string][]string{}
	}
	if !slices.Contains(l.under[message], turn) {
		l.under[message] = append(l.under[message], turn)
	}
}

// lines returns the lessons of a message for the transcript.
func (m *conversation) lines(message string) (out []transcript.Lesson) {
	for _, turn := range m.lessons.under[message] {
		for i, l := range m.lessons.of[turn] {
			line := transcript.Lesson{Text: l.Line(), Waits: l.Waits, Undone: l.Undone}
			switch last := i == len(m.lessons.of[turn])-1; {
			case len(m.opts.chat.Members()) > 0: // a member's memory and inbox are its own
			case l.Waits:
				in := m.keys.Inbox
				line.Keys = m.keys.Global.Held.Help().Key + ", then " + in.Accept.Help().Key + " accepts or " + in.Reject.Help().Key + " rejects it"
			case last && turn == m.lessons.last && !l.Undone:
				line.Keys = m.keys.Global.Unlearn.Help().Key + " undoes it"
			}
			out = append(out, line)
		}
	}
	return out
}

// showLessons shows the lessons of a turn under its message. It reports whether the message
// is in the transcript.
func (m *conversation) showLessons(turn string) bool {
	message := m.talk.MessageOf(turn)
	if message == "" {
		return false
	}
	m.lessons.put(message, turn)
	m.talk.SetLessons(message, m.lines(message))
	return true
}

// onLearned shows the lessons of a turn. Those that are not visible are said in the last line.
func (m *conversation) onLearned(e chat.Learned) tea.Cmd {
	group := e.Sender != ""
	who := ""
	if group {
		who = m.speaker(e.Sender)
	}
	if told := words.Lessons(e.Changes); len(told) > 0 {
		if !group {
			m.branch.undone = "" // the last change is another one now
		}
		m.lessons.add(e.TurnID, who, e.Changes)
		before := m.lessons.last
		m.lessons.last = e.TurnID
		m.showLessons(before)
		m.tellLessons(words.OneLine(words.Taught(nil, who, e.Changes)), heldIn(e.Changes), m.showLessons(e.TurnID))
	}
	if group {
		return m.current().Load()
	}
	if m.lastTurn == "" || e.TurnID == m.lastTurn { // the model may still read one before
		m.recall.AddLearned(e.Changes)
	}
	// What a read has shown before this news may have been undone since.
	return tea.Batch(m.current().Load(), m.recall.ReadTurn(e.TurnID))
}

// tellLessons says the lessons of a turn where the transcript does not show them. held is the
// number of memories in the inbox that need not be told again when they are counted.
func (m *conversation) tellLessons(line string, held int, shown bool) {
	counted := m.heldWords != "" && m.say == m.heldWords // the count came first; the line says more
	if m.say != "" && !counted {
		return
	}
	if m.say = ""; !shown || m.screen.Mode == layout.Single && m.focus == onPanel {
		m.say = line
	}
	if !counted {
		m.told += held
	}
}

// relearnItems reads the changes of turns again whose items were undone, accepted or rejected.
func (m *conversation) relearnItems(ids ...string) tea.Cmd {
	var all []tea.Cmd
	for turn, list := range m.lessons.of {
		if slices.ContainsFunc(list, func(l words.Lesson) bool { return slices.Contains(ids, l.ItemID) }) {
			all = append(all, m.recall.ReadTurn(turn))
		}
	}
	return tea.Batch(all...)
}

// unlearn undoes what was learned last.
func (m *conversation) unlearn() tea.Cmd { return m.recall.UndoLast() }

// openHeld opens the inbox at the newest memory from this conversation.
func (m *conversation) openHeld() tea.Cmd {
	for _, e := range slices.Backward(m.talk.Entries()) {
		for _, turn := range slices.Backward(m.lessons.under[e.ID]) {
			if ids := words.Waiting(m.lessons.of[turn]); len(ids) > 0 {
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
		all, err := e.Memory.ChangesOfTurns(e.Ctx, id, turns)
		if err != nil {
			return nil, err
		}
		for turn, changes := range all {
			out[turn] = words.Taught(out[turn], who[id], changes)
		}
	}
	return out, nil
}

// onTaught takes the lessons of a session before its messages are shown.
func (m *conversation) onTaught(msg sessionMsg) {
	said := ""
	for _, r := range msg.branch.Records {
		if r.Role == memory.RoleUser {
			said = r.ID
		}
		if l := msg.taught[r.TurnID]; len(l) > 0 && said != "" {
			if m.lessons.of == nil {
				m.lessons.of = map[string][]words.Lesson{}
			}
			m.lessons.of[r.TurnID] = l
			m.lessons.put(said, r.TurnID)
		}
	}
}

// tellHeld says once that something new is in the inbox, unless a turn has said it.
func (m *conversation) tellHeld(n int) {
	more := n - m.status.Held
	known := max(0, min(more, m.told))
	more, m.told = more-known, m.told-known
	if m.counted && more > 0 && m.say == "" {
		m.heldWords = fmt.Sprintf("new in the inbox: %d · /inbox shows what is waiting for your approval", more)
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
func (m *conversation) onConsolidated(e chat.Learned) tea.Cmd {
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
	if e.SessionID == m.session.ID && e.Summary != nil && m.session.State != memory.SessionActive {
		m.session.Title = title
	}
	if len(done) > 0 || e.Summary != nil && !e.Waits {
		m.recall.SetRun(recall.Run{Generation: e.Generation, Title: title, Changes: done})
	}
	if line := words.OneLine(words.Lessons(done)); line != "" && m.say == "" {
		m.say = "From a conversation · " + line
		m.told += heldIn(done)
	}
	return m.current().Load()
}

// onInstructed shows what an instruction to the memory did (U2–U4), and offers to undo a
// deletion with the key that undoes others.
func (m *conversation) onInstructed(e chat.Instructed, at time.Time) tea.Cmd {
	m.branch.undone = "" // the last change is another one now
	m.say = clean.Line(strings.Join(e.Lines, " · "))
	if d := e.Deletion; d.ID != "" {
		m.recall.Deleted(part.Removed{ID: d.ID, Title: d.Title, What: m.say, Until: d.Until})
		m.setNow(at)
	}
	return m.current().Load()
}

// Relearn implements [recall.Host].
func (m *conversation) Relearn(turn string, changes []memory.Change) {
	if turn == "" || m.lessons.of[turn] == nil || len(m.opts.chat.Members()) > 0 {
		return
	}
	m.lessons.of[turn] = nil
	m.lessons.add(turn, "", changes)
	m.showLessons(turn)
}
