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
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/health"
	"memoria/ui/term/pane"
)

// conversation is the session that is shown, and what happens in it.
type conversation struct {
	*root
	ready   bool // the conversation has begun
	session memory.Session
	loaded  string            // the session whose messages are shown
	seq     uint64            // of the last event
	titles  map[string]string // of sessions that were here, by id
	over    bool              // the session ended by itself: the next message begins another
	pointAt string            // a message to select when its session is there

	turn     *turn
	missing  bool   // a member of the group gave no whole answer to the last message
	lastTurn string // whose message was stored last; its learning is shown
	locals   int
	sending  []outgoing // handed over, not yet acknowledged
	queue    []chat.Waiting
	handing  string   // acknowledged, its turn not yet begun
	judging  *judging // whether a message continues the session is being judged; nil when not
	judged   string   // the last message of the session that was judged; empty: none

	aside   memory.Frame // of the last message (P5b)
	secret  secret       // the last message that holds one
	reading string       // the session that the model reads in the background; empty: none

	took time.Duration  // of the last turn
	cost string         // of the last turn
	uses map[string]use // of the session's answers, by record

	status  lookup.Status
	counted bool // status was read once
}

// turn is the answer that is being given.
type turn struct {
	id        string
	sender    string // in a group, who answers; empty until it is known
	since     time.Time
	first     bool   // a first piece has arrived
	searching string // what the model searches for; empty when it does not
	retry     *retrying
}

// judging is a running judgement.
type judging struct {
	chat.Judging
	since time.Time
}

// retrying is a pause before the next try.
type retrying struct {
	attempt, of int
	until       time.Time
	reason      string
}

// outgoing is a message that is not yet stored.
type outgoing struct {
	local int
	text  string
	spans []memory.Span
	edits memory.Record // the message that it replaces; no id for none
}

// busy reports whether an answer is being given.
func (m *conversation) busy() bool { return m.turn != nil || m.handing != "" }

// send hands the input's text over.
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

// start begins the conversation.
func (m *conversation) start() tea.Cmd {
	return pane.Then(m.fx.Do, func() (any, error) { return nil, m.fx.Chat.Start(m.fx.Ctx) }, m.started)
}

func (m *conversation) started(_ any, err error) tea.Cmd {
	m.ready = true
	m.Tell(err)
	return nil
}

// takeBack brings a message that is waiting into the input.
func (m *conversation) takeBack(id string) tea.Cmd {
	return pane.Then(m.fx.InOrder, func() (memory.Record, error) { return m.fx.Chat.Unsend(m.fx.Ctx, id) }, m.takenBack)
}

// begin begins a new session.
func (m *conversation) begin() tea.Cmd { return m.fx.Change(m.fx.Chat.NewSession) }

func (m *conversation) retry() tea.Cmd {
	if !m.unanswered() {
		m.say = "every message has its answer; a finished one is not asked for again"
		return nil
	}
	return m.fx.Change(m.fx.Chat.Retry)
}

// waiting returns a line for each message that is being sent or queued (C8).
func (m *conversation) waiting(w int) (out []string) {
	for _, o := range m.sending {
		out = append(out, "sending: “"+o.text+"”")
	}
	if m.turn == nil && m.handing != "" {
		out = append(out, "sending: “"+m.handing+"”")
	}
	for i, q := range m.queue {
		if !m.busy() { // it is taken out at once
			out = append(out, "sending: “"+q.Text+"”")
			continue
		}
		how := ""
		if i == len(m.queue)-1 && m.input.Empty() { // else ↑ is for the text
			how = " · ↑ takes it back"
		}
		room := max(8, w-cells.Width("queued: “”"+how)-2)
		out = append(out, "queued: “"+clean.Truncate(clean.Line(q.Text), room, cells.Ellipsis)+"”"+how)
	}
	return out
}

// unanswered reports whether the last message could be answered again.
func (m *conversation) unanswered() bool {
	if m.branch.mark != "" { // it is in the session that this one was forked from
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

// activity says what the answer waits for.
func (m *conversation) activity() string {
	t := m.turn
	gone := max(0, m.now.Sub(t.since))
	sign := spinner[int(gone/spinPause)%len(spinner)]
	if r := t.retry; r != nil {
		if left := r.until.Sub(m.now); left > 0 {
			return fmt.Sprintf("%s try %d of %d in %d s: %s · esc cancels", sign, r.attempt, r.of, wholeSeconds(left), r.reason)
		}
		return fmt.Sprintf("%s try %d of %d: %s · esc cancels", sign, r.attempt, r.of, r.reason)
	}
	doing := "waits for the model"
	switch {
	case t.searching != "":
		doing = "searches your memories: " + t.searching
	case t.first:
		doing = "answers"
	}
	return fmt.Sprintf("%s %s %s · %d s · esc cancels", sign, m.speaker(t.sender), doing, int(gone.Seconds()))
}

// onSent takes the result of a send: a failed message returns to the input.
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

func (m *conversation) takenBack(r memory.Record, err error) tea.Cmd {
	if err != nil {
		m.say = "It is being answered already."
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

// readSession reads a session for the conversation.
func (m *conversation) readSession(id string) tea.Cmd { return m.fx.session(id, m.sent.Packages) }

// SetStatus implements [health.Host].
func (m *conversation) SetStatus(s lookup.Status) {
	m.status = s
	m.inbox.SetHeld(s.Held)
}

// Program implements [health.Host].
func (m *conversation) Program(r *health.Report) {
	r.At, r.Agent = m.now, m.opts.agent.Name
	if m.problems.storage != nil {
		r.Trouble = append(r.Trouble, m.problems.storage.Title+": "+m.problems.storage.Text)
	}
	if !m.info.Offline {
		r.Model, r.Endpoint = strings.Join(m.models(), ", "), m.info.Endpoint
	}
	r.TokensIn, r.TokensOut, r.Cost = m.session.TokensIn, m.session.TokensOut, m.sessionCost()
	r.Learning.SessionIn, r.Learning.SessionOut = m.session.LearnIn, m.session.LearnOut
}

// unslashed removes the character that makes a command a message.
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

// pointNow selects the message that a search or a memory led to, once it is there.
func (m *conversation) pointNow() {
	if m.pointAt == "" {
		return
	}
	if m.point(m.pointAt, 0, 0) {
		m.pointAt = ""
	}
}

// point selects a message, marks some of its words and gives it the keyboard. It returns
// false when the message is not there. The transcript may have been hidden: it gets its size
// first.
func (m *conversation) point(record string, offset, length int) bool {
	if _, there := m.talk.Entry(record); !there {
		return false
	}
	m.setFocus(onTalk)
	m.arrange()
	return m.talk.Point(record, offset, length)
}
