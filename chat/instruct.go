package chat

import (
	"context"
	"errors"
	"strings"
	"time"

	"memoria/chat/model"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

// What people say to their memory (U1–U4): a turn recognises it, carries it out and
// answers. The program itself answers requests to forget, so that no model reads them.
// Everything else goes to the model as usual, which is told what was done.

// askUndoTime is how much longer than [manager.DeletionUndoTime] a deletion can be undone
// in a conversation that ends with its first answer (D2).
const askUndoTime = 10*time.Minute - manager.DeletionUndoTime

// instructed is what became of a message that wants something from the memory. The
// methods of a nil one say that it wanted nothing.
type instructed struct {
	// answer is the program's own; with private no client answers, and otherwise the
	// offline one gives it.
	answer  string
	private bool
	// all is the overview that was asked for.
	all *manager.Overview
	// done lists the changed memories and the change of each.
	done []doneLine
	// none tells a model that nothing could be done; nil otherwise.
	none *prompts.InstructionData
}

// doneLine is one changed memory.
type doneLine struct {
	what string
	item memory.Item
}

func (i *instructed) ownAnswer() string {
	if i == nil {
		return ""
	}
	return i.answer
}

func (i *instructed) overview() *manager.Overview {
	if i == nil {
		return nil
	}
	return i.all
}

func (i *instructed) held() int {
	if o := i.overview(); o != nil {
		return o.Held
	}
	return 0
}

// respond answers the message of a turn: the program itself where that is about
// forgetting, else the client.
func (a *attempt) respond(ctx context.Context) (model.Reply, error) {
	said, err := a.instructions(context.WithoutCancel(ctx)) // an instruction is carried out whole
	if err != nil {
		return model.Reply{}, err
	}
	if a.said = said; said == nil || !said.private {
		return a.ask(ctx)
	}
	a.late.Learn = false
	a.event(ctx, model.Delta{Text: said.answer})
	return model.Reply{Text: said.answer, Model: memory.ModelOffline, FinishReason: model.FinishStop, Took: a.c.now().Sub(a.start)}, nil
}

// instructions carries out what the message says to the memory; nil when it says nothing
// to it. In a group nothing is carried out: the message is for several memories. While
// the disk takes no writes nothing is, either.
func (a *attempt) instructions(ctx context.Context) (*instructed, error) {
	if a.c.noMemory || a.c.inGroup() || !a.late.Begun || len(a.before) > 0 {
		return nil, nil
	}
	r := a.turn.Record
	if q := a.turn.Session.Question; q != nil && q.AnsweredBy == r.ID {
		if reply, ok := instruct.ReadReply(r.Content, r.Spans, max(len(q.Items), 1)); ok {
			return a.forgetAnswered(ctx, *q, reply)
		}
	}
	if a.framed() {
		return nil, nil
	}
	in, ok, err := a.c.memory.Instruction(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case ok && in.Guessed && in.Kind == instruct.Unrecorded:
		return &instructed{answer: wordsIn(in.Chinese).unrecorded}, nil
	case !ok || in.Kind == instruct.Unrecorded:
		return unrecorded(r), nil
	}
	out, err := a.carryOut(ctx, in)
	if err != nil || out != nil {
		return out, err
	}
	return unrecorded(r), nil
}

// carryOut does what an instruction wants; nil when it turns out to be none.
func (a *attempt) carryOut(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	switch in.Kind {
	case instruct.List:
		return a.list(ctx, in)
	case instruct.Forget:
		return a.forget(ctx, in)
	case instruct.Withdraw:
		return a.withdraw(ctx, in)
	case instruct.Undo:
		return a.undo(ctx, in)
	case instruct.Correct:
		return a.correct(ctx, in)
	}
	return nil, nil
}

// unrecorded answers a message of which nothing is to be remembered (U5), which the rules and the analysis leave
// alone; nil for any other.
func unrecorded(r memory.Record) *instructed {
	if !policy.New(policy.Default()).OffRecord(r.Typed()) {
		return nil
	}
	return &instructed{answer: wordsIn(strings.ContainsFunc(r.Content, text.Han)).unrecorded}
}

// unlearned is why the message is not kept, for a client that would say that statements are.
func (a *attempt) unlearned() string {
	switch {
	case a.c.noMemory:
		return ""
	case len(manager.SecretsIn(a.turn.Record)) > 0:
		return model.UnlearnedSecret
	case a.framed():
		return model.UnlearnedPaused
	}
	return ""
}

// framed reports whether the message is part of a game or a task on a text (P5b): then
// it says nothing to the memory.
func (a *attempt) framed() bool {
	r := a.turn.Record
	return r.Frame.Covers(0, len(r.Content))
}

// withheld reports whether no model may judge a message: it wants something forgotten,
// or answers a question about that.
func (c *Chat) withheld(ctx context.Context, old memory.Session, r memory.Record) bool {
	if q := old.Question; q != nil && q.AnsweredBy == "" {
		if _, ok := instruct.ReadReply(r.Content, r.Spans, max(len(q.Items), 1)); ok {
			return true
		}
	}
	if c.noMemory || c.inGroup() {
		return false
	}
	r.AgentID = c.agent.ID
	in, ok, err := c.memory.Instruction(ctx, r)
	return err != nil || ok && in.Kind == instruct.Forget
}

func (a *attempt) list(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	o, err := a.c.memory.Overview(ctx, a.agent.ID, in)
	if err != nil {
		return nil, err
	}
	if in.Unsure && o.Shown == 0 {
		return nil, nil
	}
	say := wordsIn(in.Chinese)
	out := &instructed{all: &o, answer: say.overview(o, in)}
	if o.Shown == 0 && o.Total > 0 { // it is never nothing while there is something
		missing := in.Object
		in.Object, in.Type = "", ""
		if o, err = a.c.memory.Overview(ctx, a.agent.ID, in); err != nil {
			return nil, err
		}
		out.answer = say.instead(missing) + say.overview(o, in)
	}
	if o.Shown == 0 {
		out.all = nil
	}
	return out, nil
}

func (a *attempt) forget(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	f, found, err := a.c.memory.ForgetSaid(ctx, a.turn.Record, in, a.longer())
	if err != nil || !found {
		return nil, err
	}
	say := wordsIn(in.Chinese)
	if len(f.Items) == 0 {
		return &instructed{private: true, answer: say.notFound(in)}, nil
	}
	return a.forgotten(f, say), nil
}

func (a *attempt) forgetAnswered(ctx context.Context, q memory.Question, reply instruct.Reply) (*instructed, error) {
	f, err := a.c.memory.ForgetAnswered(ctx, a.turn.Record, q, reply, a.longer())
	if err != nil {
		return nil, err
	}
	return a.forgotten(f, wordsIn(q.Chinese)), nil
}

// forgotten tells what was forgotten.
func (a *attempt) forgotten(f manager.ForgetOutcome, say memoryWords) *instructed {
	if f.Deletion.ID != "" {
		a.emit(func(h Head) Event { return Instructed{Head: h, Lines: say.forgotLines(f), Deletion: f.Deletion} })
	}
	return &instructed{private: true, answer: say.forgot(f, a.c.brief)}
}

// longer is how much longer than others a deletion can be undone.
func (a *attempt) longer() time.Duration {
	if a.c.brief {
		return askUndoTime
	}
	return 0
}

func (a *attempt) withdraw(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	changes, err := a.c.memory.WithdrawSaid(ctx, a.turn.Record, in)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	out, say := &instructed{}, wordsIn(in.Chinese)
	var lines []string
	for _, c := range changes {
		out.done = append(out.done, doneLine{"this rule no longer applies", *c.Item})
		lines = append(lines, say.ended(*c.Item))
	}
	out.answer = paragraph(lines)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: lines, Undo: changes[0].ID} })
	return out, nil
}

func (a *attempt) undo(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	say := wordsIn(in.Chinese)
	u, err := a.c.memory.UndoLast(ctx, a.agent.ID)
	if errors.Is(err, manager.ErrNotFound) || err == nil && len(u.Did) == 0 {
		return &instructed{none: &prompts.InstructionData{}, answer: say.nothingToUndo}, nil
	}
	if err != nil {
		return nil, err
	}
	out := &instructed{}
	var lines []string
	for _, c := range u.Did {
		what := "as before"
		if c.Item.State == memory.StateInactive {
			what = "undone: no longer remembered"
		}
		out.done = append(out.done, doneLine{what, *c.Item})
		lines = append(lines, say.undone(c))
	}
	out.answer = paragraph(lines)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: lines, Undo: u.ID} })
	return out, nil
}

func (a *attempt) correct(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	say := wordsIn(in.Chinese)
	c, err := a.c.memory.CorrectSaid(ctx, a.turn.Record, in)
	switch {
	case err != nil:
		return nil, err
	case c.Unclear:
		return &instructed{none: &prompts.InstructionData{Unclear: true}, answer: say.unclear}, nil
	case c.New.ID == "":
		return a.replacedByRules(say), nil
	}
	line := say.replaced(c.Old, c.New)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: []string{line}} })
	return &instructed{
		done:   []doneLine{{"replaced: no longer true", c.Old}, {"true from now on", c.New}},
		answer: paragraph([]string{line}),
	}, nil
}

// replacedByRules is a correction that the rules have made of the message before it is
// answered; nil when they have not.
func (a *attempt) replacedByRules(say memoryWords) *instructed {
	for _, c := range a.turn.Learned[a.agent.ID] {
		if c.Replaced != nil && c.Item != nil {
			return &instructed{
				done:   []doneLine{{"replaced: no longer true", *c.Replaced}, {"true from now on", *c.Item}},
				answer: paragraph([]string{say.replaced(*c.Replaced, *c.Item)}),
			}
		}
	}
	return nil
}

// gatherOverview chooses what of an overview fits into the memory budget: of each kind
// in turn, so that each is there.
func (b *composer) gatherOverview() error {
	o := b.said.overview()
	if !b.on(layerRecall) {
		return nil
	}
	b.total = o.Shown
	frame, err := b.frame(prompts.OverviewHeader, b.total)
	if err != nil {
		return err
	}
	left := b.set.context.MemoryTokens - frame
	taken := make([][]memory.Item, len(o.Groups))
	for i, more := 0, true; more && left > 0; i++ {
		more = false
		for g, group := range o.Groups {
			if i >= len(group.Items) {
				continue
			}
			more = true
			it := group.Items[i]
			n := b.count(b.fenceLine(itemRef(it), it.Content))
			if left -= n; left < 0 {
				break
			}
			taken[g] = append(taken[g], it)
		}
	}
	for _, group := range taken {
		for _, it := range group {
			b.recall = append(b.recall, retrieve.Scored{Item: it, Why: "the overview that you asked for"})
			b.out.quotes = append(b.out.quotes, model.Quote{Text: it.Content, Source: string(it.Type), When: it.CreatedAt})
		}
	}
	return nil
}

// recallHeader names the prompt that stands above recalled memories.
func (b *composer) recallHeader() string {
	if b.said.overview() != nil {
		return prompts.OverviewHeader
	}
	return prompts.RecallHeader
}

// doneSection tells the model what an instruction to the memory did, or that it did
// nothing; none where there was no instruction.
func (b *composer) doneSection() ([]section, error) {
	switch {
	case b.said == nil || b.said.none == nil && len(b.said.done) == 0:
		return nil, nil
	case b.said.none != nil:
		none, err := b.plain(memory.LayerWorking, prompts.InstructionNone, *b.said.none)
		return []section{none}, err
	}
	var refs []memory.Ref
	var said []string
	for _, d := range b.said.done {
		refs = append(refs, memory.Ref{
			Kind: memory.KindItem, ID: d.item.ID, Version: d.item.Version, Form: memory.FormFence, Source: "done: " + string(d.item.Type) + ", " + d.what,
		})
		said = append(said, d.item.Content)
	}
	return b.data(memory.LayerWorking, prompts.InstructionHeader, 0, refs, said)
}
