package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"memoria/chat/compose"
	"memoria/chat/judge"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager"
)

const (
	judgedOn    = 6    // messages that the judge reads (S3)
	judgeTokens = 2048 // for the call, and for the reasoning before it
)

var (
	errJudgeTime = errors.New("the judgement took too long")
	errJudgeLoad = errors.New("the server was loading the model for too long")
)

// judging decides whether a message continues a session that has timed out (S3).
type judging struct {
	*conversation
	turn *turn
	old  memory.Session // the session that was used last
	made *memory.Judgement
}

// settle completes a place: it judges where that is to be judged (S3), and notes when the
// pause alone decided (S2, S6). Whatever fails, there is a place (S4); the error is only
// that the conversation ends, which leaves the message where it is. Nothing is noted about
// a session that is not kept, since nothing can continue it.
func (j *judging) settle(ctx context.Context, p place) (place, error) {
	idle := j.turn.late.Message.Timestamp.Sub(j.old.LastMessageAt)
	j.made = &memory.Judgement{SessionID: j.old.ID, Idle: idle}
	switch {
	case p.judge:
		var err error
		if p, err = j.decide(ctx, p); err != nil {
			return p, err
		}
	case (p.why == WhyEnded || p.why == WhyTimeout) && idle >= j.turn.set.PassiveTimeout:
		j.made.By = memory.JudgedByTime
		p.judgement = j.made
	}
	if p.judgement != nil && !p.judgement.Revived && !j.memory.Keeps(j.old) {
		p.judgement = nil
	}
	return p, nil
}

func (j *judging) decide(ctx context.Context, p place) (place, error) {
	began := j.now()
	err := j.guard("judging", func() error { return j.judge(ctx) })
	j.made.Took = j.now().Sub(began)
	if j.made.By == memory.JudgedByModel && j.hurried() {
		// Before the model was asked, or as its answer came.
		j.made = &memory.Judgement{
			SessionID: j.made.SessionID, By: j.made.By, Model: j.made.Model, Idle: j.made.Idle, Took: j.made.Took,
		}
		err = errUser
	}
	if j.ctx.Err() != nil {
		return p, errShutdown
	}
	p.why, p.judgement = WhyUnrelated, j.made
	if err != nil {
		j.made.Failed = j.whyNot(err)
		j.log.Info("no judgement: a new session", "by", j.made.By, "took", j.made.Took)
		return p, nil
	}
	if j.made.Revived {
		p.sessionID, p.archive, p.why = j.old.ID, "", WhyRevived
	}
	j.log.Info("judged", "by", j.made.By, "score", j.made.Score, "revived", j.made.Revived, "took", j.made.Took)
	return p, nil
}

// hurried ends the time in which the user can hurry, and reports whether the user did.
func (j *judging) hurried() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.turn.decided()
}

// judge fills in j.made.
func (j *judging) judge(ctx context.Context) error {
	client, cfg, message := j.client(), j.turn.set.Config, j.turn.late.Message
	always := context.WithoutCancel(ctx) // ctx ends the request to a model, not these reads
	j.made.By = memory.JudgedByModel
	byRules := cfg.SmartJudge == JudgeRules || cfg.SmartJudge == JudgeAuto && client.Info().Offline
	if byRules || j.isPrivate(always) {
		j.made.By = memory.JudgedByRules
	}
	last, err := j.lastMessages(always)
	if err != nil {
		return err
	}
	now := judge.Message{Role: memory.RoleUser, Text: message.Asked(), At: message.Timestamp}
	if j.inGroup() {
		now.Sender = compose.UserName
	}
	var scores judge.Scores
	if j.made.By == memory.JudgedByRules {
		scores = judge.Rules(last, now)
	} else {
		j.made.Model = cmp.Or(cfg.SmartModel, client.Info().Model)
		scores, err = j.ask(ctx, client, last, now)
	}
	if err != nil {
		return err
	}
	m := j.made
	m.TopicRelevance, m.IntentContinuity, m.EntityReference = scores.TopicRelevance, scores.IntentContinuity, scores.EntityReference
	m.Score, m.Revived = scores.Total(), scores.Revives()
	return nil
}

// isPrivate reports whether no model may judge the message: it asks to forget something, or
// answers a question about that.
func (j *judging) isPrivate(ctx context.Context) bool {
	r := j.turn.late.Message
	if q := j.old.Question; q != nil && q.AnsweredBy == "" {
		if _, ok := instruct.ReadReply(r.Content, r.Spans, instruct.Choices(*q)); ok {
			return true
		}
	}
	if j.noMemory || j.inGroup() {
		return false
	}
	r.AgentID = j.agent.ID
	in, ok, err := j.memory.Learning().Instruction(ctx, r)
	return err != nil || ok && in.Kind == instruct.Forget
}

// lastMessages are the last messages of the old session, oldest first. What the program
// said itself is left out.
func (j *judging) lastMessages(ctx context.Context) (last []judge.Message, err error) {
	var records []memory.Record
	if before := j.turn.before; len(before) == 0 {
		records, err = j.memory.Lookup().LastRecords(ctx, j.agent.ID, j.old.ID, lookBack)
	} else {
		err = j.memory.DryRun(ctx, j.agent.ID, before, func(h *manager.DryRun) error {
			records, err = h.LastRecords(j.agent.ID, j.old.ID, lookBack)
			return err
		})
	}
	for _, r := range records {
		if r.Withheld() || blank(r.Content) || r.Role != memory.RoleUser && r.Role != memory.RoleAssistant {
			continue
		}
		m := judge.Message{Role: r.Role, Text: r.Content, At: r.Timestamp}
		if j.inGroup() {
			m.Sender = j.group.NameOf(r.Sender)
		}
		last = append(last, m)
	}
	if err == nil && len(last) == 0 {
		err = errNothingSaid
	}
	return last[max(0, len(last)-judgedOn):], err
}

var errNothingSaid = errors.New("there is nothing to compare it with")

// ask lets the model judge: one call, bounded in time, not repeated. The user can end it
// (S4).
func (j *judging) ask(ctx context.Context, client model.Client, last []judge.Message, now judge.Message) (scores judge.Scores, err error) {
	prompt, err := judge.Prompt(j.prompts, last, now, j.nonce())
	if prompt == "" && err != nil { // a faulty prompt of the user's is replaced by the built-in one
		return scores, err
	}
	tool, err := judge.Tool(j.prompts)
	if tool.Description == "" && err != nil {
		return scores, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cfg := j.turn.set.Config
	loaded, endClock := judgeClock(client.Info(), cfg.SmartTimeout, stop)
	defer endClock()
	j.canHurry(stop)
	defer j.canHurry(nil)
	j.events.send(func(seq uint64) Event {
		return Judging{
			Head: Head{Seq: seq, SessionID: j.old.ID}, Session: j.old, By: j.made.By, Model: j.made.Model, Within: cfg.SmartTimeout,
		}
	})
	exact := 0.0
	req := model.Request{
		Messages: []model.Message{{Role: model.RoleUser, Content: prompt}}, Model: cfg.SmartModel,
		Tools: []model.Tool{tool}, ToolChoice: tool.Name,
		MaxTokens: judgeTokens, Temperature: &exact, Once: true, Purpose: model.PurposeJudge,
	}
	for {
		reply, err := client.Stream(ctx, req, func(e model.Event) {
			if _, is := e.(model.Connected); is {
				loaded()
			}
		})
		if err == nil {
			return judge.Parse(reply.ToolCalls)
		}
		if !loading(client.Info(), err) {
			return scores, err
		}
		if !rest(ctx, loadPause) {
			return scores, context.Cause(ctx)
		}
	}
}

// canHurry lets [Chat.Cancel] end the judging by stop; nil ends that.
func (j *judging) canHurry(stop context.CancelCauseFunc) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.turn.endJudging = stop; stop != nil && j.turn.hurried {
		stop(errUser)
	}
}

const (
	loadTime  = time.Minute // for which a server may load the model before it judges (S4)
	loadPause = time.Second // between questions whether it has
)

// judgeClock bounds the time of a judgement. A self-hosted server may have to load the model
// first: its time begins when it answers, which loaded tells.
func judgeClock(info model.Info, within time.Duration, stop func(error)) (loaded, end func()) {
	judging := time.AfterFunc(within, func() { stop(errJudgeTime) })
	if !info.SelfHosted {
		return func() {}, func() { judging.Stop() }
	}
	judging.Stop()
	loads := time.AfterFunc(max(loadTime, within), func() { stop(errJudgeLoad) })
	return func() {
			if loads.Stop() {
				judging.Reset(within)
			}
		}, func() {
			loads.Stop()
			judging.Stop()
		}
}

// loading reports whether a server said that it is still loading the model, as llama.cpp
// does with status 503.
func loading(info model.Info, err error) bool {
	var e *model.Error
	return info.SelfHosted && errors.As(err, &e) && e.Status == http.StatusServiceUnavailable
}

// rest waits, and reports false if ctx ended first.
func rest(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// whyNot says in a few words why there is no judgement.
func (j *judging) whyNot(err error) string {
	within := j.turn.set.SmartTimeout
	var fault *model.Error
	var unusable *judge.ParseError
	switch {
	case errors.Is(err, errUser):
		return "you did not wait for it"
	case errors.Is(err, errJudgeLoad):
		return fmt.Sprintf("the server had not loaded the model after %v", max(loadTime, within))
	case errors.Is(err, errJudgeTime):
		return fmt.Sprintf("no answer within %v", within)
	case errors.As(err, &fault):
		return Explain(err).Title
	case errors.Is(err, errNothingSaid), errors.As(err, &unusable):
		return err.Error()
	}
	j.log.Warn("judging failed", "error", err)
	return "it could not be judged"
}
