package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// What has arrived is kept on disk once a second, when it has grown by this part of
// what was kept before: a long answer is not written again and again.
const (
	partialEvery = time.Second
	partialPart  = 16
)

// answer is the answer of one agent to a turn. In a group a turn may have several.
type answer struct {
	*conversation
	turn     *turn
	who      Agent        // that answers
	client   model.Client // also if another is set meanwhile
	start    time.Time
	text     strings.Builder
	thought  thought
	saved    time.Time // when the text was last kept, and how long it was
	savedLen int
	pkg      memory.Package
	estimate int // tokens of pkg without the calibration

	firstUsage memory.Usage    // of the first request, which is the one that was estimated
	callIDs    map[string]bool // of the turn
	added      int             // tokens of the rounds

	late   *manager.UnsavedTurn // what the memory is told of this answer; the turn's own for the first one
	before unsaved              // all before it that is not written

	instructed *instructed // what became of an instruction to the memory; nil: there was none

	next []string // in a group, the members that answer after this one; none once the turn is cancelled
}

// run asks for the answer, stores it and tells its end. It returns what could not be
// written.
func (a *answer) run(ctx context.Context) unsaved {
	var reply model.Reply
	err := a.guard("answering", func() (err error) {
		reply, err = a.respond(ctx)
		return err
	})
	if errors.Is(err, errFault) {
		reply.Text = a.text.String()
	}
	record := a.record(reply)
	if record.FinishReason == memory.FinishCalls {
		record.FinishReason = model.FinishStop // it is the end of an answer all the same
	}
	if reply.Usage.TotalTokens > 0 {
		u := reply.Usage
		record.Usage = &u
	}
	if n := a.firstUsage.PromptTokens; n > 0 {
		a.composer.Observe(a.pkg.Model, a.estimate, n)
	}
	var problem *Problem
	if err != nil {
		problem = a.fail(ctx, &record, err)
	}
	if ctx.Err() != nil { // cancelled: no other member is asked
		a.next = nil
	}
	a.late.Next = a.next
	stored, serr := a.finish(ctx, record)
	if serr != nil && problem == nil {
		p := Explain(serr)
		problem = &p
	}
	more := len(a.next) > 0
	a.end(record.SessionID, record.TurnID, serr == nil && !more, func(h Head) Event {
		h.Sender = a.sender()
		return Finished{
			Head: h, Record: stored, FirstToken: reply.FirstToken, Took: reply.Took, Problem: problem, Unsaved: serr != nil, More: more,
		}
	})
	if serr == nil && !a.temporary {
		return nil
	}
	return unsaved{*a.late}
}

// record is the record of a reply.
func (a *answer) record(reply model.Reply) memory.Record {
	if blank(reply.Text) {
		reply.Text = ""
	}
	return memory.Record{
		AgentID: a.agent.ID, SessionID: a.turn.begun.Session.ID, TurnID: a.turn.begun.Record.TurnID,
		Role: memory.RoleAssistant, Sender: a.sender(), Content: reply.Text, Model: a.modelName(reply), FinishReason: reply.FinishReason,
		Status: memory.StatusComplete, Reasoning: a.thought.of(reply),
	}
}

// view is the turn as the answering agent sees it: in a group each member has a working
// memory of its own.
func (a *answer) view() manager.Turn {
	t := a.turn.begun
	if a.inGroup() {
		t.Working = t.Heard[a.who.ID]
	}
	return t
}

// sender is, in a group, the member that answers.
func (a *answer) sender() string {
	if !a.inGroup() {
		return ""
	}
	return a.who.ID
}

// emit sends an event of the turn, with its sender.
func (a *answer) emit(make func(Head) Event) {
	a.conversation.emit(a.turn.begun.Record.TurnID, func(h Head) Event {
		h.Sender = a.sender()
		return make(h)
	})
}

// heard are, in a group, the answers that other members gave in the turn already.
func (a *answer) heard(records []memory.Record) (out []memory.Record) {
	for _, r := range records {
		if a.inGroup() && r.TurnID == a.turn.begun.Record.TurnID && r.Sender != "" && r.Sender != a.who.ID && r.Answers() &&
			!r.Withheld() && !blank(r.Content) {
			out = append(out, r)
		}
	}
	return out
}

// thought measures how long a model thinks, before it answers.
type thought struct {
	first  time.Time // of the answer's words
	began  time.Time
	took   time.Duration
	before *memory.Reasoning // what it thought before calls that it said nothing with
}

func (t *thought) goesOn(now time.Time) {
	if t.began.IsZero() {
		t.began = now
	}
	t.took = now.Sub(t.began)
}

func (t *thought) answers(now time.Time) {
	if !t.first.IsZero() {
		return
	}
	t.first = now
	if !t.began.IsZero() {
		t.took = now.Sub(t.began)
	}
}

// reconsidered says that the words so far were no answer.
func (t *thought) reconsidered() { t.began, t.first = t.first, time.Time{} }

func (t *thought) of(reply model.Reply) *memory.Reasoning {
	switch {
	case reply.Reasoning == "":
		return t.before
	case t.before != nil:
		return &memory.Reasoning{Text: t.before.Text + "\n\n" + reply.Reasoning, Took: t.before.Took + t.took}
	}
	return &memory.Reasoning{Text: reply.Reasoning, Took: t.took}
}

// ask composes, stores and sends the package, and reads the answer.
func (a *answer) ask(ctx context.Context) (model.Reply, error) {
	records, err := a.records(ctx)
	if err != nil {
		return model.Reply{}, err
	}
	heard := a.heard(records)
	message := a.turn.begun.Record
	records = slices.DeleteFunc(records, func(r memory.Record) bool { return r.TurnID == message.TurnID || r.ID == message.ID })
	tool, err := a.searchTool(a.client, a.turn.set.memory.SearchLimit)
	if err != nil {
		return model.Reply{}, err
	}
	comp, err := a.composer.Compose(ctx, compose.Request{
		Config: a.turn.set.context, WindowLimit: a.turn.set.ContextLimit, MemoryConfig: a.turn.set.memory,
		Agent: a.who, Turn: a.view(), Client: a.client, Records: records, Heard: heard, Last: a.lastSent(ctx, records),
		Tool: tool, Instruction: a.instructed.forModel(),
	})
	if err != nil {
		return model.Reply{}, err
	}
	sent, err := a.pack(ctx, comp)
	if err != nil {
		return model.Reply{}, err
	}
	a.pkg, a.estimate = sent.Package, comp.Estimate
	if a.late.Package == nil {
		a.emit(func(h Head) Event { return PackageStored{Head: h, Package: sent.Package} })
	}
	req := model.Request{
		Asked: message.Content, Asks: retrieve.Asks(message.Content), Chinese: compose.InChinese(records, a.chinese),
		Quotes: comp.Quotes, Proofs: comp.Proof,
		ProofAsked: comp.ProofAsked, Looked: comp.Looked, Wordless: len(comp.Package.Keywords) == 0,
		Brief:   a.brief,
		Told:    slices.ContainsFunc(records, memory.Record.Own),
		Purpose: model.PurposeReply, Learned: a.turn.begun.Learned[a.who.ID],
		Own: a.instructed.ownAnswer(), Unlearned: a.unlearned(),
	}
	if a.client.Info().Offline && !a.noMemory {
		if req.Waiting, err = recall.HeldAbout(ctx, a.memory.Recall(), a.who.ID, message.Content); err != nil {
			a.log.Warn("looking for what waits for approval failed", "error", err)
		}
	}
	req.Messages = messages(sent.Messages())
	if tool != nil {
		req.Tools = []model.Tool{*tool}
	}
	reply, err := a.converse(ctx, req)
	var refused *model.Error
	if tool != nil && errors.As(err, &refused) && refused.Kind == model.KindTools && len(a.callIDs) == 0 {
		a.refuses(a.client)
		return a.ask(ctx) // once: no tool is offered now
	}
	return reply, err
}

// event passes on what the model's client says.
func (a *answer) event(ctx context.Context, e model.Event) {
	switch e := e.(type) {
	case model.Reasoning:
		a.thought.goesOn(a.now())
		a.emit(func(h Head) Event { return Thinking{Head: h, Text: e.Text} })
	case model.Reconsidered:
		a.text.Reset()
		a.thought.reconsidered()
		a.emit(func(h Head) Event { return Reconsidered{Head: h} })
	case model.Delta:
		a.thought.answers(a.now())
		a.text.WriteString(e.Text)
		a.emit(func(h Head) Event { return Delta{Head: h, Text: e.Text} })
		a.savePartial(ctx)
	case model.Retrying:
		a.emit(func(h Head) Event {
			return Retrying{Head: h, Attempt: e.Attempt, Of: e.Of, Wait: e.Wait, Reason: e.Reason}
		})
	}
}

// savePartial keeps what has arrived, at most once a second, and also what arrives after
// the answer was cancelled.
func (a *answer) savePartial(ctx context.Context) {
	if !a.late.Begun || len(a.before) > 0 {
		return // there is no turn to keep it with
	}
	now := a.now()
	if !a.saved.IsZero() && (now.Sub(a.saved) < partialEvery || a.text.Len() < a.savedLen+a.savedLen/partialPart) {
		return
	}
	a.saved, a.savedLen = now, a.text.Len()
	err := a.memory.SavePartial(context.WithoutCancel(ctx), memory.Record{
		AgentID: a.agent.ID, SessionID: a.turn.begun.Session.ID, TurnID: a.turn.begun.Record.TurnID,
		Role: memory.RoleAssistant, Sender: a.sender(), Content: a.text.String(), Model: a.modelName(model.Reply{}),
		Status: memory.StatusInterrupted,
	})
	if err != nil {
		a.log.Warn("partial answer was not kept", "error", err)
	}
}

// modelName marks the program's own words as such, whatever else is known.
func (a *answer) modelName(r model.Reply) string {
	if info := a.client.Info(); info.Offline {
		return memory.ModelOffline
	} else if r.Model == "" {
		return info.Model
	}
	return r.Model
}

// fail marks a record by what ended it, and returns what to tell the user.
func (a *answer) fail(ctx context.Context, record *memory.Record, err error) *Problem {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errUser):
		record.Status = memory.StatusCancelled
		return nil
	case errors.Is(cause, errShutdown):
		record.Status = memory.StatusInterrupted
		record.Metadata.Error = errShutdown.Error()
		return nil
	}
	p := Explain(err)
	record.Status = memory.StatusError
	if record.Content != "" {
		record.Status = memory.StatusInterrupted
	}
	record.Metadata.Error = p.Title + ": " + p.Text
	return &p
}
