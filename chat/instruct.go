package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/chat/said"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/prompts"
)

// What people say to their memory (U1–U4): a turn recognises it, carries it out and
// answers. The program itself answers requests to forget, so that no model reads them.
// Everything else goes to the model as usual, which is told what was done.

// askUndoTime is how much longer than [manager.DeletionUndoTime] a deletion can be undone
// in a conversation that ends with its first answer (D2).
const askUndoTime = write.LongDeletionUndoTime - write.DeletionUndoTime

// instructed is what became of a message that wants something from the memory. The
// methods of a nil one say that it wanted nothing.
type instructed struct {
	// answer is the program's own; with private no client answers, and otherwise the
	// offline one gives it.
	answer  string
	private bool
	compose.Instruction
}

func (i *instructed) ownAnswer() string {
	if i == nil {
		return ""
	}
	return i.answer
}

// forModel is the part that the model is told.
func (i *instructed) forModel() *compose.Instruction {
	if i == nil {
		return nil
	}
	return &i.Instruction
}

// words are the program's own words in Chinese or English.
func (a *answer) words(han bool) said.Words { return said.In(han, model.PlacesFor(a.brief)) }

// respond answers the message of a turn: the program itself where that is about
// forgetting, else the client.
func (a *answer) respond(ctx context.Context) (model.Reply, error) {
	done, err := a.instructions(context.WithoutCancel(ctx)) // an instruction is carried out whole
	if err != nil {
		return model.Reply{}, err
	}
	if a.instructed = done; done == nil || !done.private {
		return a.ask(ctx)
	}
	a.late.Learn = false
	a.event(ctx, model.Delta{Text: done.answer})
	return model.Reply{Text: done.answer, Model: memory.ModelOffline, FinishReason: model.FinishStop, Took: a.now().Sub(a.start)}, nil
}

// instructions carries out what the message says to the memory; nil when it says nothing
// to it. In a group nothing is carried out: the message is for several memories. While
// the disk takes no writes nothing is, either.
func (a *answer) instructions(ctx context.Context) (*instructed, error) {
	if a.noMemory || a.inGroup() || !a.late.Begun || len(a.before) > 0 {
		return nil, nil
	}
	r := a.turn.begun.Record
	if out, err := a.forgetOther(ctx); err != nil || out != nil {
		return out, err
	}
	if q := a.turn.begun.Session.Question; q != nil && q.AnsweredBy == r.ID && len(q.Waiting) == 0 {
		reply, ok := instruct.ReadReply(r.Content, r.Spans, instruct.Choices(*q))
		if !ok {
			var err error
			if reply, ok, err = a.quotedReply(ctx, *q); err != nil {
				return nil, err
			}
		}
		if ok {
			return a.forgetAnswered(ctx, *q, reply)
		}
		_, spares := instruct.Spares(r.Content, r.Spans)
		if spares || instruct.BringsBack(r.Content, r.Spans) { // of what was just asked, nothing older
			if out, err := a.restore(ctx, false); err != nil || out != nil {
				return out, err
			}
			return a.forgetAnswered(ctx, *q, instruct.Reply{No: true})
		}
		if len(q.Asked) < 2 && instruct.MayReply(r.Content, r.Spans) {
			return a.forgetAnswered(ctx, *q, instruct.Reply{Vague: true})
		}
	}
	if a.framed() {
		if kind, _ := instruct.ReadAside(r.Content, r.Spans); kind == instruct.AsksPaused {
			return &instructed{private: true, answer: a.words(strings.ContainsFunc(r.Content, text.Han)).Paused}, nil
		}
		return nil, nil
	}
	if out, err := a.decide(ctx); err != nil || out != nil {
		return out, err
	}
	if out, err := a.aside(ctx); err != nil || out != nil {
		return out, err
	}
	if instruct.AsksHowToForget(r.Content, r.Spans) {
		return &instructed{private: true, answer: a.words(strings.ContainsFunc(r.Content, text.Han)).HowToForget}, nil
	}
	in, ok, err := a.memory.Learning().Instruction(ctx, r)
	if err != nil {
		return nil, err
	}
	if out, err := a.bringBack(ctx, in, ok); err != nil || out != nil {
		return out, err
	}
	switch {
	case ok && in.Last:
		return a.takeBack(ctx, in)
	case ok && in.Guessed && in.Kind == instruct.Unrecorded:
		return &instructed{answer: a.words(in.Chinese).Unrecorded}, a.memory.Withhold(ctx, r)
	case !ok && instruct.TakesBack(r.Content, r.Spans): // and the message before taught nothing
		return a.undoOlder(ctx)
	case !ok || in.Kind == instruct.Unrecorded:
		if out, err := a.unrecorded(ctx); err != nil || out != nil {
			return out, err
		}
		return a.saysOnly(), nil
	}
	out, err := a.carryOut(ctx, in)
	if err != nil || out != nil {
		return out, err
	}
	if out, err := a.unrecorded(ctx); err != nil || out != nil {
		return out, err
	}
	if in.Kind == instruct.Forget || in.OrForget {
		return a.notForgotten(ctx, in)
	}
	return a.saysOnly(), nil
}

// saysOnly answers a remark about a memory that orders nothing and changed nothing ("the date was wrong") by what to say
// instead; nil for any other message.
func (a *answer) saysOnly() *instructed {
	r := a.turn.begun.Record
	over, wrong, ok := instruct.SaysOnly(r.Content, r.Spans)
	say := a.words(strings.ContainsFunc(r.Content, text.Han))
	switch {
	case !ok || len(a.turn.begun.Learned[a.who.ID]) > 0:
		return nil
	case wrong:
		return &instructed{answer: say.SayRight}
	}
	return &instructed{answer: say.SayForget(over)}
}

// decide carries out a decision about memories that wait for approval; nil if the message is none.
func (a *answer) decide(ctx context.Context) (*instructed, error) {
	r := a.turn.begun.Record
	d, ok, err := manager.DecideSaid(ctx, a.memory, r, a.turn.begun.Session.Question, a.client.Info().Offline, a.longer())
	if err != nil || !ok {
		return nil, err
	}
	say := a.words(strings.ContainsFunc(r.Content, text.Han))
	if !d.Unclear {
		a.emit(func(h Head) Event {
			return Instructed{Head: h, Lines: say.DecidedLines(d), Deletion: d.Deletion, Undo: d.Undo}
		})
	}
	return &instructed{private: true, answer: say.Decided(d, a.brief)}, nil
}

// aside answers a question or remark that changes nothing in the memory; nil for any other message. The date, help and
// greetings are left to a model, if there is one.
func (a *answer) aside(ctx context.Context) (*instructed, error) {
	r := a.turn.begun.Record
	kind, days := instruct.ReadAside(r.Content, r.Spans)
	say := a.words(strings.ContainsFunc(r.Content, text.Han))
	out := &instructed{private: true}
	switch kind {
	case instruct.AsksTrash:
		d, err := a.memory.LastDeletion(ctx, a.who.ID)
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			return nil, err
		}
		out.answer = say.Trash(d, a.now())
	case instruct.AsksInbox:
		page, err := manager.ShowWaiting(ctx, a.memory, r)
		if err != nil {
			return nil, err
		}
		out.answer = say.Inbox(page)
	case instruct.AsksDate:
		return &instructed{answer: say.Date(a.now().AddDate(0, 0, days), days)}, nil
	case instruct.NeverMind:
		return &instructed{answer: say.NeverMind}, nil
	case instruct.Keeps:
		return a.keep(ctx)
	case instruct.AsksHelp, instruct.Greets, instruct.Thanks, instruct.Leaves, instruct.Replies:
		return &instructed{answer: say.Manners[kind]}, nil
	case instruct.AsksAbility:
		out.answer = say.HowToForget
		return out, nil
	case instruct.AsksQuit, instruct.AsksPrivacy, instruct.AsksFolder, instruct.AsksRestore:
		out.answer = say.Manners[kind]
		return out, nil
	case instruct.Standing:
		out.answer = say.Standing
	case instruct.Resumes:
		out.answer = say.Resumed
	case instruct.AsksPaused:
		out.answer = say.NotPaused
	default:
		return nil, nil
	}
	return out, a.memory.Withhold(ctx, r)
}

// keep keeps what the user said before.
func (a *answer) keep(ctx context.Context) (*instructed, error) {
	if len(a.turn.begun.Learned[a.who.ID]) > 0 {
		return nil, nil
	}
	before, err := a.saidBefore(ctx)
	if err != nil || before.ID == "" {
		return nil, err
	}
	changes, err := learning.KeepSaid(ctx, a.memory.Learning(), before)
	if err != nil || len(changes) == 0 {
		return &instructed{answer: a.words(strings.ContainsFunc(a.turn.begun.Record.Content, text.Han)).NothingToKeep}, err
	}
	a.emit(func(h Head) Event { return Learned{Head: h, Changes: changes} })
	a.turn.begun.Learned[a.who.ID] = changes
	return &instructed{}, nil
}

// notForgotten says without a model that an order to forget finds no memory, and asks whether to keep the messages out that
// say it; nil for what may be no order.
func (a *answer) notForgotten(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	if in.Guessed || in.Quoted || in.Object == "" {
		return nil, nil
	}
	say := a.words(in.Chinese)
	if f, ok, err := manager.OfferToWithhold(ctx, a.memory, a.turn.begun.Record, in); err != nil || ok {
		return &instructed{private: true, answer: say.OnlySaid(in, f)}, err
	}
	return &instructed{answer: say.NotFound(in)}, nil
}

// bringBack undoes the last deletion if the message wants that; nil if it does not. Once it is too late it says so, and
// undoes nothing older.
func (a *answer) bringBack(ctx context.Context, in instruct.Instruction, ok bool) (*instructed, error) {
	r := a.turn.begun.Record
	undoes := ok && in.Kind == instruct.Undo && !in.Last
	brings := instruct.BringsBack(r.Content, r.Spans)
	what, named := instruct.BringsBackWhat(r.Content, r.Spans)
	spared, spares := instruct.Spares(r.Content, r.Spans)
	if spares {
		what, named, brings = spared, spared != "", spared == ""
		if err := a.memory.Withhold(ctx, r); err != nil {
			return nil, err
		}
	}
	switch {
	case brings || undoes:
		if out, err := a.restore(ctx, undoes); err != nil || out != nil {
			return out, err
		}
	case named:
		d, err := a.memory.LastDeletion(ctx, a.who.ID)
		if err == nil && (d.Title == "" || instruct.Touches(memory.Item{Content: d.Title}, what)) {
			return a.restore(ctx, false)
		}
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			return nil, err
		}
		if u, err := manager.BringBackNamed(ctx, a.memory, a.who.ID, what); err != nil || len(u.Did) > 0 {
			return a.undone(u, strings.ContainsFunc(r.Content, text.Han)), err
		}
	}
	if !brings && !named {
		return nil, nil
	}
	forgot, err := a.forgotBefore(ctx)
	if err == nil && spares && !forgot {
		return &instructed{answer: a.words(strings.ContainsFunc(r.Content, text.Han)).NothingDeleted}, nil
	}
	if err != nil || !forgot && !named {
		return nil, err
	}
	return &instructed{private: forgot, answer: a.words(strings.ContainsFunc(r.Content, text.Han)).TooLate}, nil
}

// forgotBefore reports whether the user's message before was answered by the program itself and is not for memory: it had
// something forgotten.
func (a *answer) forgotBefore(ctx context.Context) (bool, error) {
	before, err := a.saidBefore(ctx)
	if err != nil {
		return false, err
	}
	kind, _ := instruct.ReadAside(before.Content, before.Spans)
	_, spares := instruct.Spares(before.Content, before.Spans)
	d, _ := instruct.ReadDecision(before.Content, before.Spans, 1)
	return before.NotForMemory && kind == "" && !spares && !d.Accept && !policy.New(policy.Default()).OffRecord(before.Typed()), nil
}

// saidBefore is the user's message before in the session; zero if there is none.
func (a *answer) saidBefore(ctx context.Context) (memory.Record, error) {
	r := a.turn.begun.Record
	last, err := a.memory.Lookup().LastRecords(ctx, a.who.ID, r.SessionID, lastRead)
	for _, before := range slices.Backward(last) {
		if before.TurnID != r.TurnID && before.Role == memory.RoleUser {
			return before, err
		}
	}
	return memory.Record{}, err
}

// lastRead is how many records are read to find the message before.
const lastRead = 8

// carryOut does what an instruction wants; nil when it turns out to be none.
func (a *answer) carryOut(ctx context.Context, in instruct.Instruction) (*instructed, error) {
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
func (a *answer) unrecorded(ctx context.Context) (*instructed, error) {
	r := a.turn.begun.Record
	if !policy.New(policy.Default()).OffRecord(r.Typed()) {
		return nil, nil
	}
	return &instructed{answer: a.words(strings.ContainsFunc(r.Content, text.Han)).Unrecorded}, a.memory.Withhold(ctx, r)
}

// unlearned is why the message is not kept, for a client that would say that statements are.
func (a *answer) unlearned() string {
	switch {
	case a.noMemory:
		return ""
	case a.temporary:
		return model.UnlearnedTemporary
	case len(manager.SecretsIn(a.turn.begun.Record)) > 0:
		return model.UnlearnedSecret
	case a.framed():
		return model.UnlearnedPaused
	}
	return ""
}

// framed reports whether the message is part of a game or a task on a text (P5b): then
// it says nothing to the memory.
func (a *answer) framed() bool {
	r := a.turn.begun.Record
	return r.Frame.Covers(0, len(r.Content))
}

func (a *answer) list(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	o, err := a.memory.Learning().Overview(ctx, a.who.ID, in)
	if err != nil {
		return nil, err
	}
	if (in.Unsure || in.Guessed) && o.Shown == 0 { // what it asks for is searched for
		return nil, nil
	}
	say := a.words(in.Chinese)
	out := &instructed{Instruction: compose.Instruction{Overview: &o}, answer: say.Overview(o, in)}
	if o.Shown == 0 && o.Total > 0 { // it is never nothing while there is something
		missing := in.Object
		in = instruct.Instruction{Kind: instruct.List, All: true, Chinese: in.Chinese}
		if o, err = a.memory.Learning().Overview(ctx, a.who.ID, in); err != nil {
			return nil, err
		}
		out.answer = say.Instead(missing) + say.Overview(o, in)
	}
	if o.Shown == 0 {
		out.Overview = nil
	}
	return out, nil
}

func (a *answer) forget(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	f, found, err := a.memory.ForgetSaid(ctx, a.turn.begun.Record, in, a.longer())
	if err != nil || !found {
		return nil, err
	}
	say := a.words(in.Chinese)
	if len(f.Items) == 0 {
		if out, err := a.unrecorded(ctx); err != nil || out != nil { // "I sold my car, don't keep that"
			return out, err
		}
		return &instructed{private: true, answer: say.NotFound(in) + say.Saying(f.Messages)}, nil
	}
	return a.forgotten(f, say), nil
}

// forgetOther forgets of another of the user's people what the message before ordered to forget; nil for any other message.
func (a *answer) forgetOther(ctx context.Context) (*instructed, error) {
	begun := a.turn.begun
	in, ok, err := learning.ForgetOther(ctx, a.memory.Learning(), begun.Record)
	if q := begun.Session.Question; ok && err == nil && (q == nil || q.AnsweredBy != begun.Record.ID) {
		_, err = a.restore(ctx, false) // it was deleted at once
	}
	if err != nil || !ok {
		return nil, err
	}
	return a.carryOut(ctx, in)
}

// quotedReply is an answer that repeats the words of exactly one of the memories it could mean, or names some of them.
func (a *answer) quotedReply(ctx context.Context, q memory.Question) (reply instruct.Reply, ok bool, err error) {
	if len(q.Items) < 2 {
		return reply, false, nil
	}
	items, err := a.memory.Lookup().Remembered(ctx, a.who.ID)
	if err != nil {
		return reply, false, err
	}
	items = slices.DeleteFunc(items, func(it memory.Item) bool { return !slices.Contains(q.Items, it.ID) })
	slices.SortFunc(items, func(x, y memory.Item) int { return slices.Index(q.Items, x.ID) - slices.Index(q.Items, y.ID) })
	if len(items) == len(q.Items) {
		reply, ok = instruct.PickNamed(a.turn.begun.Record.Content, a.turn.begun.Record.Spans, items)
	}
	if ok || q.All {
		return reply, ok, nil
	}
	typed := strings.TrimSpace(a.turn.begun.Record.Typed())
	quoted := strings.HasPrefix(typed, "\"") || strings.HasPrefix(typed, "“")
	it, ok := instruct.Exact(instruct.Instruction{Object: typed, Quoted: quoted}, items)
	if ok {
		reply.Picks = []int{slices.Index(q.Items, it.ID) + 1}
	}
	return reply, ok, nil
}

func (a *answer) forgetAnswered(ctx context.Context, q memory.Question, reply instruct.Reply) (*instructed, error) {
	f, err := a.memory.ForgetAnswered(ctx, a.turn.begun.Record, q, reply, a.longer())
	if err != nil {
		return nil, err
	}
	return a.forgotten(f, a.words(q.Chinese)), nil
}

// forgotten tells what was forgotten.
func (a *answer) forgotten(f manager.ForgetOutcome, say said.Words) *instructed {
	if f.Deletion.ID != "" {
		a.emit(func(h Head) Event { return Instructed{Head: h, Lines: say.ForgotLines(f), Deletion: f.Deletion} })
	}
	return &instructed{private: true, answer: say.Forgot(f, a.brief)}
}

// longer is how much longer than others a deletion can be undone.
func (a *answer) longer() time.Duration {
	if a.brief {
		return askUndoTime
	}
	return 0
}

func (a *answer) withdraw(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	if instruct.OrdersToForget(a.turn.begun.Record.Content) {
		items, err := a.memory.Lookup().Remembered(ctx, a.who.ID)
		if err != nil {
			return nil, err
		}
		if _, ok := instruct.Exact(in, items); ok { // the memory's very words: it need not be a rule
			in.Kind = instruct.Forget
			return a.forget(ctx, in)
		}
	}
	changes, err := a.memory.Learning().WithdrawSaid(ctx, a.turn.begun.Record, in)
	if err == nil && len(changes) == 0 && in.OrForget {
		in.Kind, in.Careful = instruct.Forget, true
		return a.forget(ctx, in)
	}
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	out, say := &instructed{}, a.words(in.Chinese)
	var lines []string
	for _, c := range changes {
		out.Done = append(out.Done, compose.Done{What: "this rule no longer applies", Item: *c.Item})
		lines = append(lines, say.Ended(*c.Item))
	}
	out.answer = said.Paragraph(lines)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: lines, Undo: changes[0].ID} })
	return out, nil
}

// restore undoes the last deletion; nil where none can be undone. With learned the message can
// also mean what was learned, and means whichever was later.
func (a *answer) restore(ctx context.Context, learned bool) (*instructed, error) {
	d, err := a.memory.LastDeletion(ctx, a.who.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if c, err := a.memory.Lookup().LastChange(ctx, a.who.ID); learned && err == nil && c.Time.After(d.At) {
		return nil, nil
	}
	say := a.words(strings.ContainsFunc(a.turn.begun.Record.Content, text.Han))
	back, err := a.memory.UndoDeletion(ctx, a.who.ID, d.ID)
	switch {
	case errors.Is(err, manager.ErrGone):
		return &instructed{private: true, answer: say.UndoOlder + "\n"}, nil
	case err != nil:
		return nil, err
	}
	line := say.Restored(back)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: []string{line}, Restored: d.ID} })
	return &instructed{private: true, answer: said.Paragraph([]string{line})}, nil
}

// keepTrash lets a deletion be undone until the message that asks for it is answered: it may have
// to wait for a judge.
func keepTrash(ctx context.Context, c *Chat, text string, spans []memory.Span) {
	if _, named := instruct.BringsBackWhat(text, spans); c.temporary || !named && !instruct.BringsBack(text, spans) {
		return
	}
	d, err := c.memory.LastDeletion(ctx, c.agent.ID)
	if err != nil {
		return
	}
	longer := d.Until.Sub(d.At) - write.DeletionUndoTime + untilAnswered
	if _, err := c.memory.Trash().Prolong(ctx, c.agent.ID, d.ID, d.Title, longer); err != nil {
		c.log.Warn("keeping a deletion failed", "agent", c.agent.ID, "error", err)
	}
}

// untilAnswered is how long a message may wait for its answer.
const untilAnswered = 30 * time.Second

func (a *answer) undo(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	u, err := a.memory.Learning().UndoLast(ctx, a.who.ID)
	if errors.Is(err, lookup.ErrNotFound) || err == nil && len(u.Did) == 0 {
		none := a.words(in.Chinese).NothingToUndo
		return &instructed{Instruction: compose.Instruction{None: &prompts.InstructionData{}}, answer: none}, nil
	}
	if err != nil {
		return nil, err
	}
	return a.undone(u, in.Chinese), nil
}

// undone tells what was undone.
func (a *answer) undone(u learning.Undone, chinese bool) *instructed {
	say, out := a.words(chinese), &instructed{}
	var lines []string
	for _, c := range u.Did {
		what := "as before"
		if c.Item.State == memory.StateInactive {
			what = "undone: no longer remembered"
		}
		out.Done = append(out.Done, compose.Done{What: what, Item: *c.Item})
		lines = append(lines, say.Undone(c))
	}
	out.answer = said.Paragraph(lines)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: lines, Undo: u.ID} })
	return out
}

// recently is how old the last change may be for an undo in words that do not say which, if the message before changed nothing.
const recently = 2 * time.Minute

// undoOlder undoes the last change where the message before taught nothing. A model may be asked to undo something else.
func (a *answer) undoOlder(ctx context.Context) (*instructed, error) {
	chinese := strings.ContainsFunc(a.turn.begun.Record.Content, text.Han)
	before, err := a.saidBefore(ctx)
	if err != nil {
		return nil, err
	}
	_, decided := instruct.ReadDecision(before.Content, before.Spans, 1)
	decided = decided && before.NotForMemory
	c, err := a.memory.Lookup().LastChange(ctx, a.who.ID)
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		return &instructed{answer: a.words(chinese).NothingToUndo + "\n"}, nil
	case err != nil:
		return nil, err
	case !decided && (!a.client.Info().Offline || instruct.OrdersElse(before.Typed())) || a.now().Sub(c.Time) > recently ||
		c.Origin == memory.OriginUser && !decided:
		return &instructed{answer: a.words(chinese).Older(c)}, nil
	}
	return a.undo(ctx, instruct.Instruction{Kind: instruct.Undo, Chinese: chinese})
}

// takeBack takes the message before back, or the recent ones with the words of the instruction.
func (a *answer) takeBack(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	say := a.words(in.Chinese)
	if in.Object == "?" {
		return &instructed{private: true, answer: say.WhichMessage}, nil
	}
	out, err := manager.TakeBack(ctx, a.memory, a.turn.begun.Record, in.Object)
	if err != nil {
		return nil, err
	}
	if lines := say.UndoneLines(out.Undone.Did); len(lines) > 0 {
		a.emit(func(h Head) Event { return Instructed{Head: h, Lines: lines, Undo: out.Undone.ID} })
	}
	return &instructed{private: true, answer: say.TakenBack(out, in.Object)}, nil
}

func (a *answer) correct(ctx context.Context, in instruct.Instruction) (*instructed, error) {
	say := a.words(in.Chinese)
	c, err := a.memory.Learning().CorrectSaid(ctx, a.turn.begun.Record, in)
	switch {
	case err != nil:
		return nil, err
	case c.Unclear:
		return &instructed{Instruction: compose.Instruction{None: &prompts.InstructionData{Unclear: true}}, answer: say.Unclear}, nil
	case c.New.ID == "":
		return a.replacedByRules(say), nil
	}
	line := say.Replaced(c.Old, c.New)
	a.emit(func(h Head) Event { return Instructed{Head: h, Lines: []string{line}} })
	return &instructed{
		Instruction: replaced(c.Old, c.New),
		answer:      said.Paragraph([]string{line}),
	}, nil
}

// replacedByRules is a correction that the rules have made of the message before it is
// answered; nil when they have not.
func (a *answer) replacedByRules(say said.Words) *instructed {
	for _, c := range a.turn.begun.Learned[a.who.ID] {
		if c.Replaced != nil && c.Item != nil {
			return &instructed{
				Instruction: replaced(*c.Replaced, *c.Item),
				answer:      said.Paragraph([]string{say.Replaced(*c.Replaced, *c.Item)}),
			}
		}
	}
	return nil
}

// replaced tells the model of a correction.
func replaced(old, now memory.Item) compose.Instruction {
	return compose.Instruction{Done: []compose.Done{{What: "replaced: no longer true", Item: old}, {What: "true from now on", Item: now}}}
}
