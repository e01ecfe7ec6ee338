package plain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/ui/actions"
	"memoria/ui/clean"
)

// event says what happened in the conversation.
func (s *session) event(e chat.Event) {
	switch e := e.(type) {
	case chat.SessionChanged:
		s.changed(e)
	case chat.QueueChanged:
		s.queued(e.Waiting)
	case chat.Judging:
		s.note("talk.judging",
			s.o.Words.SessionTitle(e.Session), clean.Line(cmp.Or(e.Model, s.console.Say("talk.a-model"))), s.o.Words.Seconds(e.Within))
	case chat.TurnsLeft:
		s.console.OfferTurns(e.Left)
		s.note("answers.left")
		for _, line := range s.console.Unlearned(e.Left.Undone) {
			s.say("%s", line)
		}
	case chat.UserStored:
		s.stored(e.Record)
		s.tellFrame(e.Record.Frame)
		if j := e.Record.Judgement; j != nil {
			before := ""
			if in, err := s.o.Memory.Lookup().Session(s.ctx, s.console.Agent.ID, j.SessionID); err == nil {
				before = clean.Line(in.Title)
			}
			s.note("talk.judged", clean.Line(s.o.Words.JudgementSentence(*j, before)), s.o.Words.Overruling(*j, before))
		}
		if e.Unsaved {
			s.note("message.unsaved")
		}
		if len(e.Secrets) > 0 {
			s.console.Secret = e.Record.ID
			s.note("secret.offer", clean.Line(s.o.Words.Secret(e.Secrets)))
		}
	case chat.PackageStored:
		if e.Package.Degraded != "" && len(e.Package.Rounds) == 0 {
			s.note("note", s.o.Words.Translate(e.Package.Degraded))
		}
		if n := len(e.Package.Shortened()); n > 0 && len(e.Package.Rounds) == 0 {
			s.note("message.shortened", s.o.Words.Count(n, "earlier message is"))
		}
	case chat.Thinking:
		s.thinks(e)
	case chat.Reconsidered:
		s.reconsidered()
	case chat.Delta:
		s.begin(e.Head)
		s.speak(s.answer.add(e.Text))
	case chat.Searched:
		s.searched(e)
	case chat.Retrying:
		s.note("answer.retrying", clean.Line(s.o.Words.Translate(e.Reason)), s.o.Words.Seconds(e.Wait), e.Attempt, e.Of)
	case chat.Finished:
		s.finished(e)
	case chat.Consolidating:
		if e.On {
			s.note("talk.reads", s.o.Words.SessionTitle(e.Session))
		}
	case chat.Learned:
		if e.Generation != "" {
			s.consolidated(e)
			return
		}
		s.taught(e)
	case chat.Instructed:
		s.instructed(e)
	case chat.AgentChanged:
		s.console.Agent, s.name = e.Agent, clean.Line(e.Agent.Name)
	case chat.ModelChanged:
		s.came(actions.ModelEvent)
		s.note("talk.model", s.console.Model())
	case chat.Notice:
		s.problem(e.Problem)
	case chat.StorageChanged:
		s.storage(e.Problem)
	}
}

// came notes that an event came that may have been expected.
func (s *session) came(e actions.Event) {
	if s.expected == e {
		s.expected = actions.NoEvent
	}
}

// changed says which session this is, once.
func (s *session) changed(e chat.SessionChanged) {
	s.came(actions.SessionEvent)
	was := s.in
	s.in = e.Session
	if was.ID != s.in.ID {
		s.console.LastAnswer = ""
	}
	switch {
	case e.Why == chat.WhyRenamed:
		s.note("session.now", s.o.Words.SessionTitle(e.Session))
	case e.Why == chat.WhyOverruled:
		s.note("session.moved", s.o.Words.Session(e.Session, s.o.Now()))
	case e.Why == chat.WhyEnded && e.Session.State != memory.SessionActive:
		s.note("session.ended")
	case was.ID == e.Session.ID && was.ID != "":
	case e.Why == chat.WhyForked:
		s.note("session.forked")
	case e.Why == chat.WhyDeleted:
		s.note("session.deleted")
	case e.Why == chat.WhyRequested && e.Session.ID == "":
		s.note("session.next")
	case (e.Why == chat.WhyTimeout || e.Why == chat.WhyEnded) && was.ID != "":
		s.note("session.timeout")
	case e.Why == chat.WhyResumed, e.Why == chat.WhyContinued, e.Why == chat.WhyRestored:
		s.note("talk.continued", s.o.Words.Session(e.Session, s.o.Now()))
	}
}

// queued follows our messages through the queue.
func (s *session) queued(waiting []chat.Waiting) {
	s.console.Queue = waiting
	for i := range s.sent {
		m := &s.sent[i]
		in := slices.ContainsFunc(waiting, func(w chat.Waiting) bool { return w.ID == m.id })
		m.taken = m.taken || m.waited && !in
		m.waited = m.waited || in
	}
}

// stored says whose turn it is, where that is not what was entered last.
func (s *session) stored(r memory.Record) {
	i := slices.IndexFunc(s.sent, func(m sentMessage) bool { return m.id == r.ID })
	switch {
	case i < 0:
		s.note("answer.left-over", clean.Line(r.Content))
	case s.sent[i].delayed:
		s.note("answer.begins", clean.Line(r.Content))
	}
}

// begin notes whose answer arrives.
func (s *session) begin(h chat.Head) {
	if s.turn != h.TurnID || s.sender != h.Sender {
		s.turn, s.sender, s.answer = h.TurnID, h.Sender, answer{}
	}
}

// speaker names who answers: the agent, or a member of the group.
func (s *session) speaker() string {
	if s.sender == "" {
		return s.name
	}
	return clean.Line(s.console.Chat.NameOf(s.sender))
}

// speak writes words of the answer.
func (s *session) speak(words string) {
	if words == "" {
		return
	}
	begins := s.answer.spoken == 0
	s.answer.spoken += len(words)
	if begins || s.aside {
		s.out.fresh()
		s.out.write(s.speaker())
		if !begins {
			s.out.write(s.console.Say("answer.goes-on"))
			words = strings.TrimLeft(words, "\n")
		}
		s.out.write(s.console.Say("sep.colon"))
	}
	s.aside, s.prompted = false, false
	s.out.write(setIn(words))
}

// searched says what the model looked for, between the parts of its answer.
func (s *session) searched(e chat.Searched) {
	s.begin(e.Head)
	s.speak(s.answer.end())
	s.answer = answer{}
	for _, r := range e.Calls {
		s.say("%s", clean.Line(r.Content))
	}
}

// finished ends an answer.
func (s *session) finished(e chat.Finished) {
	s.begin(e.Head)
	if s.answer.all == 0 {
		s.answer.add(e.Record.Content)
	}
	s.speak(s.answer.end())
	s.console.LastAnswer, s.turn, s.answer = e.Record.Content, "", answer{}
	if e.Problem != nil {
		s.problem(*e.Problem)
	}
	switch e.Record.Status {
	case memory.StatusComplete:
		s.note("answer.end", s.figures(e))
	case memory.StatusCancelled:
		s.note("answer.cancelled", s.kept(e))
	default:
		s.note("answer.incomplete", s.kept(e))
	}
	if all, err := s.o.Memory.Recall().SourcesOf(s.ctx, s.whose(e.Head), e.TurnID); err == nil {
		for _, line := range s.console.Sources(all) {
			s.say("%s", line)
		}
	}
	if e.Unsaved {
		s.note("answer.unsaved")
	}
	if !e.More {
		s.settle(e)
	}
}

func (s *session) kept(e chat.Finished) string {
	if e.Record.Content == "" || e.Unsaved {
		return ""
	}
	return s.console.Say("answer.kept")
}

// storage says that the disk takes no writes, or that all is written again.
func (s *session) storage(p *chat.Problem) {
	if p != nil {
		s.problem(*p)
		return
	}
	s.note("storage.well")
}

// figures says what an answer took.
func (s *session) figures(e chat.Finished) string {
	if e.Record.Own() {
		return s.console.Say("answer.offline")
	}
	f := s.o.Words.Seconds(e.Took)
	if u := e.Record.Usage; u != nil {
		f += ", " + s.o.Words.Count(u.TotalTokens, "token") + s.costs(e.Record)
	} else if p, err := s.o.Memory.Lookup().Package(s.ctx, s.whose(e.Head), e.TurnID); err == nil {
		f += s.console.Say("answer.sent", s.o.Words.Count(p.Tokens, "token"))
	}
	return f
}

// costs says what an answer cost, and the session with it; "" when no price is known.
func (s *session) costs(r memory.Record) string {
	if r.Usage == nil {
		return ""
	}
	amount, ok := s.o.Models.Cost(r.Model, *r.Usage)
	if !ok {
		return ""
	}
	text, all := s.o.Models.Money(amount), s.console.SessionCost(s.ctx)
	if all == "" || all == text {
		return ", " + text
	}
	return ", " + s.console.Say("cost.of", text, all)
}

// tellFrame says when learning is paused by a message that is not about the user (P5b), or goes on.
func (s *session) tellFrame(f memory.Frame) {
	was := s.frame
	s.frame = f
	switch {
	case f.Paused() && (!was.Open || was.What != f.What):
		s.say("%s", s.o.Words.Translate(frame.Notice(f)))
	case was.Open && !f.Paused():
		s.note("talk.learns")
	}
}

// settle notes that a turn is over, and that something may be learned from it.
func (s *session) settle(e chat.Finished) {
	if i := slices.IndexFunc(s.sent, func(m sentMessage) bool { return m.taken }); i >= 0 {
		s.sent = slices.Delete(s.sent, i, i+1)
	} else {
		s.retrying = false
	}
	if e.Record.ID != "" && !s.console.Chat.Forgetful() && !s.console.Chat.Temporary() {
		s.learning[e.TurnID] = true
		s.waited = time.After(sayLimit)
	}
}

// consolidated says what a conversation came to (P7, S12). A summary by rules that
// a model is going to better is not told.
func (s *session) consolidated(e chat.Learned) {
	if e.Summary != nil && !e.Waits {
		s.note("talk.summed-up", clean.Line(e.Summary.Title))
	}
	s.learned("", e.Changes)
}

// taught says what a turn taught; in a group, whom.
func (s *session) taught(e chat.Learned) {
	members := s.console.Chat.Members()
	if len(members) == 0 || e.Sender == members[len(members)-1].ID { // they learn in their order
		delete(s.learning, e.TurnID)
	}
	who := ""
	if e.Sender != "" {
		who = s.console.Chat.NameOf(e.Sender)
	}
	s.learned(who, e.Changes)
}

// whose is the id of the agent that stores the records of an answer.
func (s *session) whose(h chat.Head) string {
	if h.Sender != "" {
		return h.Sender
	}
	return s.console.Agent.ID
}

// learned says what was done to the memory, a line for each change (U6). who did, in a
// group.
func (s *session) learned(who string, changes []memory.Change) {
	for _, l := range s.o.Words.Taught(nil, who, changes) {
		line := clean.Line(l.Line())
		if l.Waits && who == "" {
			line += s.console.Say("talk.decide")
		}
		s.say("%s", line)
	}
}

// instructed says what an instruction to the memory did (U2–U4). What was forgotten the
// answer names.
func (s *session) instructed(e chat.Instructed) {
	if e.Restored != "" {
		actions.Restored(s.console, e.Restored)
		return
	}
	if e.Deletion.ID != "" {
		s.console.OfferDeletion(e.Deletion, clean.Line(strings.Join(e.Lines, " ")))
		return
	}
	if !s.console.Chat.Info().Offline { // there the answer says it
		for _, line := range e.Lines {
			s.say("%s", clean.Line(line))
		}
	}
}

func (s *session) problem(p chat.Problem) {
	stop := s.o.Words.Say("sep.stop")
	text := s.o.Words.Say("error", strings.TrimRight(clean.Line(s.o.Words.Translate(p.Title)), ".。"))
	for _, more := range []string{p.Text, p.Hint} {
		if more = clean.Line(s.o.Words.Translate(more)); more != "" {
			text += s.o.Words.Say("sep.sentence") + strings.TrimRight(more, ".。")
		}
	}
	s.say("%s%s", text, stop)
}
