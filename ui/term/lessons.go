package term

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/term/layout"
	"memoria/ui/term/transcript"
	"memoria/ui/words"
)

// What turns did to the memory stands under their messages (U6): from the rules before
// there is an answer, from the model when it has read the turn.

// lessons are what is known about that.
type lessons struct {
	of    map[string][]words.Lesson // by turn
	under map[string][]string       // by message, its turns: an answer that was made anew has one of its own
	last  string                    // the turn that taught last: F7 undoes that
}

// add adds lessons of a turn; who learned them, in a group.
func (l *lessons) add(turn, who string, changes []memory.Change) {
	if l.of == nil {
		l.of = map[string][]words.Lesson{}
	}
	l.of[turn] = words.Taught(l.of[turn], who, changes)
}

// put says under which message the lessons of a turn stand.
func (l *lessons) put(message, turn string) {
	if l.under == nil {
		l.under = map[string][]string{}
	}
	if !slices.Contains(l.under[message], turn) {
		l.under[message] = append(l.under[message], turn)
	}
}

// lines are the lessons of a message as the conversation shows them.
func (m *root) lines(message string) (out []transcript.Lesson) {
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

// showLessons shows the lessons of a turn under its message, and reports whether that
// is in the conversation.
func (m *root) showLessons(turn string) bool {
	message := m.talk.MessageOf(turn)
	if message == "" {
		return false
	}
	m.lessons.put(message, turn)
	m.talk.SetLessons(message, m.lines(message))
	return true
}

// onLearned shows what a turn taught. What is not on the screen is said in the last line.
func (m *root) onLearned(e chat.Learned) tea.Cmd {
	group := e.Sender != ""
	who := ""
	if group {
		who = m.speaker(e.Sender)
	}
	if told := words.Lessons(e.Changes); len(told) > 0 {
		if !group {
			m.branch.undo = "" // the last change is another one now
		}
		m.lessons.add(e.TurnID, who, e.Changes)
		before := m.lessons.last
		m.lessons.last = e.TurnID
		m.showLessons(before)
		m.tellLessons(words.OneLine(words.Taught(nil, who, e.Changes)), heldIn(e.Changes), m.showLessons(e.TurnID))
	}
	if group {
		return m.loadShown()
	}
	if m.lastTurn == "" || e.TurnID == m.lastTurn { // the model may still read one before
		m.recall.AddLearned(e.Changes)
	}
	// What a read has shown before this news may have been undone since.
	return tea.Batch(m.loadShown(), m.fx.learned(e.TurnID))
}

// tellLessons says what a turn taught where the conversation does not show it. held of
// the memories wait; that is not to be told once more when they are counted.
func (m *root) tellLessons(line string, held int, shown bool) {
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

// relearn takes how the changes of a turn are now.
func (m *root) relearn(turn string, changes []memory.Change) {
	if turn == "" || m.lessons.of[turn] == nil || len(m.opts.chat.Members()) > 0 {
		return
	}
	m.lessons.of[turn] = nil
	m.lessons.add(turn, "", changes)
	m.showLessons(turn)
}

// relearnItems reads again what turns did to these items: it was undone, accepted or
// rejected.
func (m *root) relearnItems(ids ...string) tea.Cmd {
	var all []tea.Cmd
	for turn, list := range m.lessons.of {
		if slices.ContainsFunc(list, func(l words.Lesson) bool { return slices.Contains(ids, l.ItemID) }) {
			all = append(all, m.fx.learned(turn))
		}
	}
	return tea.Batch(all...)
}

// unlearn undoes what was learned last.
func (m *root) unlearn() tea.Cmd { return m.fx.undoLast() }

// openHeld opens the inbox at the memory that came there last from this conversation.
func (m *root) openHeld() tea.Cmd {
	for _, e := range slices.Backward(m.talk.Entries()) {
		for _, turn := range slices.Backward(m.lessons.under[e.ID]) {
			if ids := words.Waiting(m.lessons.of[turn]); len(ids) > 0 {
				m.inbox.Point(ids[len(ids)-1])
				return m.openPart(inboxPart)
			}
		}
	}
	return m.openPart(inboxPart)
}

// taught reads what the turns of a session taught, in a group each member.
func (e effects) taught(records []memory.Record) (map[string][]words.Lesson, error) {
	var turns []string
	for _, r := range records {
		if len(turns) == 0 || turns[len(turns)-1] != r.TurnID {
			turns = append(turns, r.TurnID)
		}
	}
	out := map[string][]words.Lesson{}
	who := map[string]string{e.agent: ""}
	ids := []string{e.agent}
	for _, member := range e.chat.Members() {
		ids = append(ids, member.ID)
		who[member.ID] = e.chat.NameOf(member.ID)
	}
	for _, id := range ids {
		all, err := e.memory.Lookup().ChangesOfTurns(e.ctx, id, turns)
		if err != nil {
			return nil, err
		}
		for turn, changes := range all {
			out[turn] = words.Taught(out[turn], who[id], changes)
		}
	}
	return out, nil
}

// onTaught takes what the turns of a session taught, before their messages are shown.
func (m *root) onTaught(msg sessionMsg) {
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
