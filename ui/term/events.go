package term

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/sent"
	"memoria/ui/term/status"
	"memoria/ui/term/transcript"
)

// onEvent takes one event of the conversation and waits for the next.
func (m *conversation) onEvent(msg eventMsg) tea.Cmd {
	if msg.closed {
		return nil
	}
	m.setNow(msg.at)
	if msg.session.ID == m.session.ID {
		m.session = msg.session // its title and counts
	}
	head := chat.HeadOf(msg.event)
	var reload tea.Cmd
	if m.seq != 0 && head.Seq != m.seq+1 && m.loaded != "" {
		reload = m.readSession(m.loaded) // something was missed
	}
	m.seq = head.Seq
	return tea.Batch(m.event(msg.event, msg.at), reload, m.fx.nextEvent())
}

func (m *conversation) event(e chat.Event, at time.Time) tea.Cmd {
	switch e := e.(type) {
	case chat.SessionChanged:
		return m.onSessionChanged(e)
	case chat.QueueChanged:
		if n := len(m.queue); n > 0 && len(e.Waiting) < n && (len(e.Waiting) == 0 || e.Waiting[0].ID != m.queue[0].ID) && m.turn == nil {
			m.handing = m.queue[0].Text
		}
		m.queue = e.Waiting
	case chat.Judging:
		m.judging = &judging{Judging: e, since: at}
	case chat.TurnsLeft:
		m.branch.onTurnsLeft(e, at)
	case chat.UserStored:
		if j := m.judging; j != nil && m.say == j.said {
			m.say = ""
		}
		m.handing, m.judging, m.branch.ahead, m.branch.at = "", nil, 0, 0
		if e.Record.Judgement != nil {
			m.judged = e.Record.ID
		}
		m.noteSecret(e.Record)
		m.problems.notices, m.missing = nil, false
		m.recall.SetLearned(nil)
		m.branch.renew()
		said := m.entry(e.Record, nil)
		said.Above, m.branch.mark = m.branch.mark, "" // a fork begins with it
		m.talk.Put(said)
		m.turn, m.lastTurn = &turn{id: e.TurnID, since: at}, e.TurnID
		m.tellFrame(e.Record.Frame)
	case chat.PackageStored:
		if m.turn == nil { // an old message is answered again
			m.missing = false
			m.turn = &turn{id: e.TurnID, since: at}
		}
		m.turn.sender = e.Sender
		m.talk.SetShortened(e.Package.Shortened())
		pack := m.asAnswer(e.Package)
		return tea.Batch(m.sent.Do(m.sent.AddTurn(pack)), m.sources.load(pack))
	case chat.Thinking:
		m.talk.Think(m.answering(e.Head, at), e.Text)
	case chat.Reconsidered:
		m.talk.Unsay(m.answering(e.Head, at))
	case chat.Delta:
		m.onDelta(e, at)
	case chat.Searching:
		if m.turn != nil {
			m.turn.searching = e.Words
		}
	case chat.Searched:
		m.onSearched(e)
	case chat.Retrying:
		if m.turn != nil {
			m.turn.retry = &retrying{attempt: e.Attempt, of: e.Of, until: at.Add(e.Wait), reason: e.Reason}
		}
	case chat.Finished:
		return m.onFinished(e)
	case chat.Consolidating:
		m.reading = ""
		if e.On {
			m.reading = e.Session.ID
		}
	case chat.Learned:
		if e.Generation != "" {
			return m.lessons.onConsolidated(e)
		}
		return m.lessons.onLearned(e)
	case chat.Instructed:
		return m.lessons.onInstructed(e, at)
	case chat.AgentChanged:
		m.switching.setAgent(e.Agent)
	case chat.ModelChanged:
		m.info = e.Info
	case chat.ModelsFound:
		m.found = e.Found
	case chat.StorageChanged:
		return m.onStorage(e.Problem)
	case chat.Notice:
		m.notice(e.Problem)
	}
	return nil
}

// onStorage shows or ends the banner. When everything is written, the messages
// that were in memory only are shown as they are stored.
func (m *conversation) onStorage(p *chat.Problem) tea.Cmd {
	written := m.problems.storage != nil && p == nil
	m.problems.storage, m.problems.warned = p, false
	if !written {
		return m.current().Load()
	}
	m.say, m.drafts.err = m.keys.Words.Say("storage.well"), nil
	if m.turn == nil && m.loaded != "" {
		m.talk.Reset(nil)
		return tea.Batch(m.current().Load(), m.readSession(m.loaded))
	}
	return m.current().Load()
}

func (m *conversation) onSessionChanged(e chat.SessionChanged) tea.Cmd {
	old := m.session
	m.titles[old.ID], m.titles[e.Session.ID] = old.Title, e.Session.Title
	m.session, m.over = e.Session, e.Why == chat.WhyEnded && e.Session.State != memory.SessionActive
	if m.over {
		m.say = m.keys.Words.Say("session.ended")
	}
	again := e.Why == chat.WhyEdited || e.Why == chat.WhyOverruled || e.Why == chat.WhyBranched || e.Why == chat.WhyElsewhere
	if e.Session.ID == m.loaded && e.Session.ID != "" && !again {
		return nil
	}
	if e.Session.ID != m.loaded {
		m.branch.branching = branching{}
	}
	m.branch.ways, m.branch.ahead, m.branch.mark = nil, 0, ""
	m.branch.changed = e.Why == chat.WhyBranched
	if e.Why == chat.WhyForked {
		m.say = m.keys.Words.Say("session.forked")
	}
	m.loaded, m.spent, m.cost = e.Session.ID, status.Spent{}, ""
	m.sources.reset()
	m.sessions.SetCurrent(e.Session.ID)
	m.working.None() // until the new one's is read
	// Until another branch is read the one before stays, so that no key meets an empty
	// conversation; what a turn has begun would get lost by that.
	if m.branch.stale = e.Why == chat.WhyBranched && !m.opts.chat.Busy(); !m.branch.stale {
		m.talk.Reset(nil)
	}
	m.lastTurn, m.judged, m.frame = "", "", memory.Frame{}
	m.secret.record = ""
	m.recall.SetLearned(nil)
	switch {
	case old.ID == "":
	case e.Why == chat.WhyTimeout, e.Why == chat.WhyEnded:
		m.say = m.keys.Words.Say("session.timeout")
	case e.Why == chat.WhyOverruled && e.Session.CreatedAt.Before(old.CreatedAt):
		m.say = m.keys.Words.Say("judging.moved.before")
	case e.Why == chat.WhyOverruled:
		m.say = m.keys.Words.Say("judging.moved.new")
	}
	show := tea.Batch(m.sent.Do(m.sent.SetTurns(nil)), m.current().Load())
	return tea.Batch(show, m.readSession(e.Session.ID))
}

// onSession fills in what a session holds; what arrived meanwhile stays.
func (m *conversation) onSession(msg sessionMsg) tea.Cmd {
	if msg.id != m.session.ID {
		return nil
	}
	if msg.err != nil {
		m.Tell(msg.err)
		return nil
	}
	var entries []transcript.Entry
	var said []memory.Record
	m.lessons.onTaught(msg)
	m.branch.ways, m.branch.ahead = msg.branch.Alternatives, msg.branch.Ahead
	lost, arriving := m.pointAt != "", false
	for i, r := range msg.branch.Records {
		lost = lost && r.ID != m.pointAt
		if m.turn == nil {
			m.lastTurn = r.TurnID
		}
		m.spent.Add(r)
		if r.Role == memory.RoleUser {
			said, m.frame = append(said, r), r.Frame
		}
		if r.Judgement != nil {
			m.judged = r.ID
		}
		m.noteSecret(r)
		// The text of the running answer arrives, and so does what was stored after it.
		arriving = arriving || r.Answers() && m.turn != nil && r.TurnID == m.turn.id && r.Sender == m.turn.sender
		if arriving {
			continue
		}
		e := m.branch.marked(m.entry(r, nil))
		if i == msg.branch.Before && msg.branch.Session.ForkedFrom != nil {
			e.Above = m.branch.forkMark(msg)
		}
		entries = append(entries, e)
	}
	if msg.branch.Session.ForkedFrom != nil && len(msg.branch.Records) == msg.branch.Before {
		m.branch.mark = m.branch.forkMark(msg)
	}
	m.branch.renew()
	m.talk.Load(entries)
	m.branch.selectStep(entries)
	var find tea.Cmd
	if lost { // it is in another branch
		find = m.branch.step(m.pointAt, 0, false)
	} else {
		m.pointNow()
	}
	if !lost {
		m.pointAt = ""
	}
	m.input.Seed(said)
	var learned tea.Cmd
	if m.turn == nil && len(msg.changes) > 0 {
		m.recall.SetLearned(msg.changes)
		learned = m.recall.ReadTurn(m.lastTurn) // some may have been undone since they were read
	}
	m.sources.packs, m.sources.place = nil, nil
	if n := len(msg.packages); n > 0 {
		m.talk.SetShortened(msg.packages[n-1].Shortened())
	}
	return tea.Batch(find, learned, m.sent.Do(m.sent.SetTurns(msg.packages)), m.sources.load(msg.packages...))
}

// answerID names the answer of a turn while no record of it is known.
func answerID(turn string) string { return "turn:" + turn }

func (m *conversation) onDelta(e chat.Delta, at time.Time) {
	m.talk.Append(m.answering(e.Head, at), e.Text)
}

// answering is the id of the message that an answer becomes, which is there by then.
func (m *conversation) answering(e chat.Head, at time.Time) string {
	if m.turn == nil {
		m.turn = &turn{id: e.TurnID, since: at}
	}
	id := answerID(sent.AnswerID(e.TurnID, e.Sender))
	if _, ok := m.talk.Entry(id); !ok {
		m.talk.Put(m.entry(memory.Record{
			ID: id, TurnID: e.TurnID, Sender: e.Sender, Role: memory.RoleAssistant, Timestamp: at, Model: m.modelLabel(e.Sender),
		}, nil))
	}
	m.turn.first, m.turn.retry = true, nil
	return id
}

// onSearched ends what the model said before it searched, shows what it searched
// for, and lets the answer go on below.
func (m *conversation) onSearched(e chat.Searched) {
	if m.turn != nil {
		m.turn.searching, m.turn.first = "", false
	}
	id := answerID(e.TurnID)
	if e.Said != nil {
		m.talk.Replace(id, m.entry(*e.Said, nil))
	} else {
		m.talk.Remove(id)
	}
	for _, r := range e.Calls {
		m.talk.Put(m.entry(r, nil))
	}
}

func (m *conversation) modelLabel(sender string) string {
	if m.info.Offline {
		return memory.ModelOffline
	}
	return m.opts.chat.InfoOf(sender).Model
}

func (m *conversation) onFinished(e chat.Finished) tea.Cmd {
	m.turn, m.handing, m.judging = nil, "", nil
	if e.More {
		m.turn = &turn{id: e.TurnID, since: m.now}
	}
	m.missing = m.missing || e.Sender != "" && e.Record.Status != memory.StatusComplete
	m.took = e.Took
	r := e.Record
	m.cost = status.Cost(m.opts.Models, r)
	m.spent.Add(r)
	id := answerID(sent.AnswerID(e.TurnID, e.Sender))
	if r.ID == "" {
		r.ID = id
	}
	if r.Timestamp.IsZero() {
		r.Timestamp = m.now
	}
	m.talk.Replace(id, m.entry(r, e.Problem))
	if r.Own() {
		m.talk.ShowBeginning(r.ID)
	}
	if m.away && e.Took > bellAfter && !e.More {
		return tea.Batch(m.finished(), tea.Raw("\a"))
	}
	return m.finished()
}

// bellAfter is how long an answer takes for the terminal's bell to tell of its end, where the
// terminal is in the background.
const bellAfter = 10 * time.Second

// finished reads again what shows the turn that has ended.
func (m *conversation) finished() tea.Cmd {
	if m.branch.changed && m.loaded != "" { // there is another beside it now
		m.branch.changed = false
		return tea.Batch(m.sent.Do(m.sent.Stale()), m.current().Load(), m.readSession(m.loaded))
	}
	return tea.Batch(m.sent.Do(m.sent.Stale()), m.current().Load())
}

// entry is a record as the conversation shows it.
func (m *conversation) entry(r memory.Record, p *chat.Problem) transcript.Entry {
	w := m.keys.Words
	e := transcript.Entry{
		ID: r.ID, TurnID: r.TurnID, Role: r.Role, Time: r.Timestamp, Text: r.Content, Status: r.Status,
	}
	switch r.Role {
	case memory.RoleUser:
		e.Author = w.Say("you")
		m.lessons.put(r.ID, r.TurnID)
		e.Lessons = m.lessons.lines(r.ID)
	case memory.RoleAssistant:
		e.Author, e.Color = m.opts.agent.Name, m.opts.agent.Color
		if r.Own() {
			e.Label = w.Say("answer.from-memory")
		}
		e.Sources = m.sources.shownOf(r.TurnID)
		if r.Reasoning != nil {
			e.Thought = transcript.Thought{Text: r.Reasoning.Text, Took: r.Reasoning.Took}
		}
	default:
		e.Author = w.Named("role", string(r.Role))
	}
	if r.Sender != "" {
		e.Author, e.Color, e.TurnID = m.speaker(r.Sender), m.colorOf(r.Sender), sent.AnswerID(r.TurnID, r.Sender)
		e.Sources = m.sources.shownOf(e.TurnID)
	}
	if j := r.Judgement; j != nil {
		before := clean.Line(m.titles[j.SessionID])
		overrule := func(string) string { return m.keys.Global.Overrule.Help().Key }
		e.Remark = w.SayTo(overrule, "talk.judged", w.JudgementSentence(*j, before), w.Overruling(*j, before))
	}
	e.Offer = m.eraseOffer(r)
	if p != nil {
		e.Note = &transcript.Note{Title: w.Translate(p.Title), Text: w.Translate(p.Text), Hint: w.Translate(p.Hint)}
	} else if why := r.Metadata.Error; why != "" && r.Status != memory.StatusCancelled && r.Status != memory.StatusComplete {
		e.Note = &transcript.Note{Title: w.Named("answer.is", string(r.Status)), Text: w.Translate(why)}
	}
	return e
}
