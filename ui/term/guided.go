package term

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/guide"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// guided leads through the first minute of a new memory (package guide). It watches the screen
// after each message, so that no component needs to know of it.
type guided struct {
	*root
	guide.State
	wanted bool // the user was never guided; whether the memory is new is not counted yet
	away   bool // esc put the guide away, until esc or the next message
	trying bool // what to try in the demo is shown, until the first message or esc
	// what was noted
	turn              string // the last one
	learned, answered bool   // of that turn
	led               bool   // the panel has had the keyboard since it was opened for a step
}

// begin reads whether the user was guided before.
func (m *guided) begin() tea.Cmd {
	m.trying = m.opts.Demo
	if m.fx.Chat.Temporary() || len(m.fx.Chat.Members()) > 0 {
		return nil
	}
	return m.fx.Do(func() tea.Msg {
		guided := m.opts.Guided()
		return pane.Callback(func() tea.Cmd {
			m.wanted = !guided
			return nil
		})
	})
}

// watch tells the guide what happened since it was called last.
func (m *guided) watch() tea.Cmd {
	if m.wanted && m.conv.counted {
		m.wanted = false
		if s := m.conv.status; s.Items == 0 && s.Sessions == 0 && m.conv.lastTurn == "" {
			m.State = guide.Begin()
		}
	}
	if m.trying && m.conv.turn != nil {
		m.trying = false
	}
	if !m.On() {
		return nil
	}
	if t := m.conv.lastTurn; t != m.turn && t != "" { // it is empty while a session is read again
		m.turn, m.learned, m.answered = t, false, false
		if m.away {
			m.Skip()
			return m.end()
		}
		m.Note(guide.Said)
	}
	if !m.learned && m.turn != "" && m.lessons.last == m.turn {
		m.learned = true
		m.SetNamed(m.named())
		m.Note(guide.Learned)
	}
	deleted := m.recall.Counting() || m.memories.Counting()
	if deleted && m.Note(guide.Deleted) { // before the answer that says so
		return m.end()
	}
	if !deleted {
		m.Note(guide.Settled)
	}
	if !m.answered && m.turn != "" && m.conv.turn == nil && (m.Step() != guide.Ask || m.used()) {
		m.answered = true
		if m.Note(guide.Answered) {
			return m.end()
		}
	}
	var cmd tea.Cmd
	if m.focus == onPanel {
		if step := m.Step(); !m.led && (step == guide.See || step == guide.Why) { // where the step is done
			cmd = m.Open(pane.Recall)
		}
		m.Note(guide.Looked)
	}
	m.led = m.focus == onPanel
	if m.recall.Opened() != "" || m.memories.Opened() != "" {
		m.Note(guide.Opened)
	}
	return cmd
}

// used reports whether memories took part in the answer of the last turn, as the next step says.
func (m *guided) used() bool {
	p, ok := m.sent.Newest()
	return ok && p.TurnID == m.turn && slices.ContainsFunc(p.Used, func(u memory.Used) bool { return u.Chosen })
}

// named reports whether the last turn taught the user's name.
func (m *guided) named() bool {
	return slices.ContainsFunc(m.lessons.of[m.turn], func(l words.Lesson) bool { return l.Slot == "name" })
}

// dismiss puts the guide away, or shows it again. It ends with the next message, so that a key
// pressed once too often loses nothing; the next start does not show it again. dismiss reports
// whether there was a guide.
func (m *guided) dismiss() (cmd tea.Cmd, was bool) {
	switch {
	case m.trying:
		m.trying = false
	case m.Step() == guide.Done:
		m.Skip()
	case m.On():
		if m.away = !m.away; m.away {
			return m.end(), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// end records that the guide is not shown again.
func (m *guided) end() tea.Cmd {
	return pane.Then(m.fx.Do, func() (struct{}, error) { return struct{}{}, m.opts.SetGuided() }, func(_ struct{}, err error) tea.Cmd {
		if err != nil {
			m.fx.Logger.Warn("the first minute would be shown again", "error", err)
		}
		return nil
	})
}

// lines are what the guide says, under the messages.
func (m *guided) lines(w int) (out []string) {
	if m.trying {
		return m.tries(w)
	}
	if !m.On() {
		return nil
	}
	if m.away {
		return []string{"", " ▸ " + m.styles.Dim.Render(clean.Truncate(m.opts.Words.Say("first.away"), max(1, w-4), cells.Ellipsis))}
	}
	sign := " ▸ "
	for _, l := range clean.Wrap(m.Text(m.opts.Words), max(10, w-4)) {
		out = append(out, sign+m.styles.Accent.Render(l))
		sign = "   "
	}
	return append([]string{""}, out...)
}

// tries are three things to try in the demo.
func (m *guided) tries(w int) []string {
	out := []string{"", " " + m.styles.Strong.Render(clean.Truncate(m.opts.Words.Say("try"), max(1, w-2), cells.Ellipsis))}
	for i, id := range []string{"try.recall", "try.ask", "try.learn"} {
		sign := strconv.Itoa(i+1) + " "
		for _, l := range clean.Wrap(m.opts.Words.Say(id), max(10, w-4)) {
			out = append(out, " "+m.styles.Accent.Render(sign+l))
			sign = "  "
		}
	}
	return out
}
