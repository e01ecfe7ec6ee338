package term

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/health"
	"memoria/ui/term/pane"
	"memoria/ui/term/status"
)

// conversation is the component for the session on the screen: sending messages, following
// the chat's events, and the state of the running turn.
type conversation struct {
	*root
	ready   bool // Chat.Start has returned
	session memory.Session
	loaded  string            // id of the session in the transcript; its messages may still be loading
	seq     uint64            // number of the last event
	titles  map[string]string // titles of the sessions shown so far, by id
	over    bool              // the session has ended; the next message starts a new one
	pointAt string            // id of a message to select once it is loaded

	turn     *turn          // the running turn; nil for none
	missing  bool           // a group member's answer to the last message is incomplete
	away     bool           // the terminal said that it is in the background
	lastTurn string         // id of the latest turn; the view of what is recalled shows what it taught
	locals   int            // number of messages sent so far, for outgoing.local
	sending  []outgoing     // passed to Chat.Send, which has not returned
	queue    []chat.Waiting // stored, but waiting for the running turn
	handing  string         // text of the message that left the queue and has no turn yet
	judging  *judging       // the running judgement whether a message continues the session; nil for none
	judged   string         // id of the last message with a judgement; empty for none

	frame   memory.Frame // frame of the last message (P5b): role-play or a task, not about the user
	secret  secret       // the last message with a secret, and its erasure
	reading string       // id of the session being consolidated; empty for none

	took    time.Duration // duration of the last turn
	cost    string        // cost of the last turn
	spent   status.Spent  // by the session's answers
	pointed bool          // the panel led to the message at which the conversation points

	status  lookup.Status
	counted bool // status has been read
}

// turn is the running turn.
type turn struct {
	id        string
	sender    string // id of the answering group member; empty outside groups and until known
	since     time.Time
	first     bool      // a first piece of the answer has arrived
	searching string    // words the model is searching for; empty for no search
	retry     *retrying // nil unless a request failed and will be retried
}

// judging is a running judgement and its start.
type judging struct {
	chat.Judging
	since time.Time
	said  string // by m.say about it; empty for nothing
}

// retrying is the pause before the next attempt, and that attempt until it answers.
type retrying struct {
	attempt, of int
	until       time.Time
	reason      string
}

// outgoing is a message that is not yet stored.
type outgoing struct {
	local int // identifies it in its sentMsg, since it has no id yet
	text  string
	spans []memory.Span
	edits memory.Record // the edited message that it replaces; without id for none
}

// busy reports whether a turn is running or about to start.
func (m *conversation) busy() bool { return m.turn != nil || m.handing != "" }

// send sends the text of the input, or replaces the message being edited with it.
func (m *conversation) send() tea.Cmd {
	text, spans, ok := m.input.Take()
	if !ok {
		return nil
	}
	text, spans = unslashed(text, spans)
	m.edited, m.showing = true, false
	m.talk.Unpoint()
	m.talk.ScrollEnd()
	m.locals++
	edits := m.branch.editing
	m.branch.editing = memory.Record{}
	m.sending = append(m.sending, outgoing{local: m.locals, text: text, spans: spans, edits: edits})
	local := m.locals
	return m.fx.InOrder(func() tea.Msg {
		if edits.ID != "" {
			_, err := m.fx.Chat.SendEdited(m.fx.Ctx, edits.ID, text, spans)
			return sentMsg{local: local, err: err}
		}
		_, err := m.fx.Chat.Send(m.fx.Ctx, text, spans)
		return sentMsg{local: local, err: err}
	})
}

// start starts the chat.
func (m *conversation) start() tea.Cmd {
	return pane.Then(m.fx.Do, func() (any, error) { return nil, m.fx.Chat.Start(m.fx.Ctx) }, m.started)
}

func (m *conversation) started(_ any, err error) tea.Cmd {
	m.ready = true
	m.Tell(err)
	return nil
}

// unsend moves a queued message back into the input.
func (m *conversation) unsend(id string) tea.Cmd {
	return pane.Then(m.fx.InOrder, func() (memory.Record, error) { return m.fx.Chat.Unsend(m.fx.Ctx, id) }, m.unsent)
}

// begin starts a new session.
func (m *conversation) begin() tea.Cmd { return m.fx.Change(m.fx.Chat.NewSession) }

// retry requests an answer to the last message again, unless it has a complete one.
func (m *conversation) retry() tea.Cmd {
	if !m.unanswered() {
		m.say = m.keys.Words.Say("turn.answered")
		return nil
	}
	return m.fx.Change(m.fx.Chat.Retry)
}

// waiting returns a line for each message that is being sent or queued (C8).
func (m *conversation) waiting(w int) (out []string) {
	say := m.keys.Words.Say
	for _, o := range m.sending {
		out = append(out, say("turn.sending", o.text))
	}
	if m.turn == nil && m.handing != "" {
		out = append(out, say("turn.sending", m.handing))
	}
	for i, q := range m.queue {
		if !m.busy() { // it leaves the queue at once
			out = append(out, say("turn.sending", q.Text))
			continue
		}
		how := ""
		if i == len(m.queue)-1 && m.input.Empty() { // otherwise ↑ moves in the text
			how = say("turn.queued.edit")
		}
		room := max(8, w-cells.Width(say("turn.queued", "")+how)-2)
		out = append(out, say("turn.queued", clean.Truncate(clean.Line(q.Text), room, cells.Ellipsis))+how)
	}
	return out
}

// unanswered reports whether nothing is running and the last message has no complete answer.
func (m *conversation) unanswered() bool {
	if m.branch.mark != "" { // the last message belongs to the session this one was forked from
		return false
	}
	if m.turn != nil || m.handing != "" || len(m.queue) > 0 || len(m.sending) > 0 || !m.ready {
		return false
	}
	e, ok := m.talk.Last()
	if !ok || m.missing {
		return ok
	}
	return e.Role == memory.RoleUser || e.Role == memory.RoleAssistant && e.Status != memory.StatusComplete && e.Status != ""
}

// activity describes the state of the running turn.
func (m *conversation) activity() string {
	t, say := m.turn, m.keys.Words.Say
	elapsed := max(0, m.now.Sub(t.since))
	sign := spinner[int(elapsed/spinPause)%len(spinner)]
	if r := t.retry; r != nil {
		if left := r.until.Sub(m.now); left > 0 {
			return say("turn.retries.in", sign, r.attempt, r.of, wholeSeconds(left), m.keys.Words.Translate(r.reason))
		}
		return say("turn.retries", sign, r.attempt, r.of, m.keys.Words.Translate(r.reason))
	}
	who := m.speaker(t.sender)
	doing := say("turn.waits", who)
	switch {
	case t.searching != "":
		doing = say("turn.searches", who, t.searching)
	case t.first:
		doing = say("turn.answers", who)
	}
	return say("turn.since", sign, doing, int(elapsed.Seconds()))
}

// onSent handles the result of a send. The text of a failed message returns to the input if
// that is empty.
func (m *conversation) onSent(msg sentMsg) tea.Cmd {
	for i, o := range m.sending {
		if o.local != msg.local {
			continue
		}
		m.sending = append(m.sending[:i:i], m.sending[i+1:]...)
		if msg.err == nil {
			return m.drafts.saveDraft()
		}
		if m.input.Empty() {
			m.input.Set(o.text, o.spans)
			m.edited = true
			m.branch.editing = o.edits
		}
		m.Tell(msg.err)
		break
	}
	return nil
}

// unsent handles the result of unsend. The current text of the input goes to the history.
func (m *conversation) unsent(r memory.Record, err error) tea.Cmd {
	if err != nil {
		m.say = m.keys.Words.Say("turn.unsent.late")
		return nil
	}
	if text, spans := m.input.Text(); text != "" {
		m.input.Remember(text, spans)
	}
	m.input.Set(r.Content, r.Spans)
	m.edited = true
	return nil
}

// Renamed implements [sessions.Host].
func (m *conversation) Renamed(s memory.Session) {
	if s.ID == m.session.ID {
		m.session.Title = s.Title
	}
}

// Forget implements [sessions.Host].
func (m *conversation) Forget() { m.input.Forget() }

// readSession reads a session for the transcript.
func (m *conversation) readSession(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	return m.fx.session(id, m.sent.Packages)
}

// SetStatus implements [health.Host].
func (m *conversation) SetStatus(s lookup.Status) {
	m.status = s
	m.inbox.SetHeld(s.Held)
}

// Program implements [health.Host].
func (m *conversation) Program(r *health.Report) {
	r.At, r.Agent = m.now, m.opts.agent.Name
	if m.problems.storage != nil {
		w := m.keys.Words
		r.Trouble = append(r.Trouble, w.Translate(m.problems.storage.Title)+w.Say("sep.colon")+w.Translate(m.problems.storage.Text))
	}
	if !m.info.Offline {
		r.Model, r.Endpoint = strings.Join(m.models(), ", "), m.info.Endpoint
	}
	r.TokensIn, r.TokensOut, r.Cost = m.session.TokensIn, m.session.TokensOut, m.spent.Sum(m.opts.Models)
	r.Learning.SessionIn, r.Learning.SessionOut = m.session.LearnIn, m.session.LearnOut
}

// unslashed removes the character that marks a command as a message: "//new" becomes "/new".
func unslashed(text string, spans []memory.Span) (string, []memory.Span) {
	said := actions.Message(text)
	cut := len(text) - len(said)
	if cut == 0 || len(spans) > 0 && spans[0].Offset < cut {
		return text, spans
	}
	moved := slices.Clone(spans)
	for i := range moved {
		moved[i].Offset -= cut
	}
	return said, moved
}

// pointNow selects the message pointAt if it is loaded.
func (m *conversation) pointNow() {
	if m.pointAt == "" {
		return
	}
	if m.point(m.pointAt, 0, 0) {
		m.pointAt = ""
	}
}

// point selects a message, marks a range of its text and focuses the transcript. It returns
// false if the message is not loaded. A hidden transcript is laid out first.
func (m *conversation) point(record string, offset, length int) bool {
	if _, ok := m.talk.Entry(record); !ok {
		return false
	}
	m.pointed = m.pointed || m.focus == onPanel
	m.setFocus(onTalk)
	m.arrange()
	return m.talk.Point(record, offset, length)
}
