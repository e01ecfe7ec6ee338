package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"memoria/chat/judge"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
)

const (
	judgedOn    = 6    // messages that are judged upon (S3)
	judgeTokens = 2048 // for the call, and for what a model thinks before it
)

var (
	errJudgeTime = errors.New("the judgement took too long")
	errJudgeLoad = errors.New("the server was loading the model for too long")
)

// settle judges where a message belongs when that is to be judged (S3), and notes when
// the pause alone decided (S2, S6). Whatever goes wrong, there is a place (S4); the error
// is only that the conversation ends, which leaves the message where it is. A session of
// which nothing is kept cannot be gone on with, so nothing is noted about it.
func (c *Chat) settle(ctx context.Context, p place, old memory.Session, r memory.Record, before owed) (place, error) {
	p, err := c.settled(ctx, p, old, r, before)
	if p.judgement != nil && !p.judgement.Revived && !c.memory.Keeps(old) {
		p.judgement = nil
	}
	return p, err
}

func (c *Chat) settled(ctx context.Context, p place, old memory.Session, r memory.Record, before owed) (place, error) {
	if idle := r.Timestamp.Sub(old.LastMessageAt); !p.judge {
		if (p.why == WhyEnded || p.why == WhyTimeout) && idle >= c.settings().PassiveTimeout {
			p.judgement = &memory.Judgement{SessionID: old.ID, By: memory.JudgedByTime, Idle: idle}
		}
		return p, nil
	}
	j := &memory.Judgement{SessionID: old.ID, Idle: r.Timestamp.Sub(old.LastMessageAt)}
	began := c.now()
	cfg := c.settings().Config
	err := c.guard("judging", func() error { return c.judge(ctx, cfg, j, old, r, before) })
	j.Took = c.now().Sub(began)
	if j.By == memory.JudgedByModel && c.decided() {
		// Before the model was asked, or as its answer came.
		j, err = &memory.Judgement{SessionID: j.SessionID, By: j.By, Model: j.Model, Idle: j.Idle, Took: j.Took}, errUser
	}
	if c.ctx.Err() != nil {
		return p, errShutdown
	}
	p.why, p.judgement = WhyUnrelated, j
	if err != nil {
		j.Failed = c.whyUnjudged(err, cfg.SmartTimeout)
		c.log.Info("no judgement: a new session", "by", j.By, "took", j.Took)
		return p, nil
	}
	if j.Revived {
		p.sessionID, p.archive, p.why = old.ID, "", WhyRevived
	}
	c.log.Info("judged", "by", j.By, "score", j.Score, "revived", j.Revived, "took", j.Took)
	return p, nil
}

// decided says that it is decided where the running message belongs, and reports
// whether the user did not wait for that.
func (c *Chat) decided() (hurried bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hurried = c.hurried
	c.settling, c.hurried = false, false
	return hurried
}

// judge fills in j.
func (c *Chat) judge(ctx context.Context, cfg Config, j *memory.Judgement, old memory.Session, r memory.Record, before owed) error {
	client := c.client()
	always := context.WithoutCancel(ctx) // ctx ends what a model is asked, and not what is read here
	j.By = memory.JudgedByModel
	byRules := cfg.SmartJudge == JudgeRules || cfg.SmartJudge == JudgeAuto && client.Info().Offline
	if byRules || c.withheld(always, old, r) {
		j.By = memory.JudgedByRules
	}
	said, err := c.saidLast(always, old.ID, before)
	if err != nil {
		return err
	}
	now := judge.Message{Role: memory.RoleUser, Text: r.Asked(), At: r.Timestamp}
	if c.inGroup() {
		now.Sender = userName
	}
	var scores judge.Scores
	if j.By == memory.JudgedByRules {
		scores = judge.Rules(said, now)
	} else {
		j.Model = cmp.Or(cfg.SmartModel, client.Info().Model)
		scores, err = c.askJudge(ctx, cfg, client, j, old, said, now)
	}
	if err != nil {
		return err
	}
	j.TopicRelevance, j.IntentContinuity, j.EntityReference = scores.TopicRelevance, scores.IntentContinuity, scores.EntityReference
	j.Score, j.Revived = scores.Total(), scores.Revives()
	return nil
}

// saidLast are the last messages of a session that somebody said, oldest first. What
// the program said itself is nobody's.
func (c *Chat) saidLast(ctx context.Context, session string, before owed) (said []judge.Message, err error) {
	var records []memory.Record
	if len(before) == 0 {
		records, err = c.memory.LastRecords(ctx, c.agent.ID, session, lookBack)
	} else {
		err = c.memory.DryRun(ctx, c.agent.ID, before, func(h *manager.DryRun) error {
			records, err = h.LastRecords(c.agent.ID, session, lookBack)
			return err
		})
	}
	for _, r := range records {
		if r.Withheld() || blank(r.Content) || r.Role != memory.RoleUser && r.Role != memory.RoleAssistant {
			continue
		}
		m := judge.Message{Role: r.Role, Text: r.Content, At: r.Timestamp}
		if c.inGroup() {
			m.Sender = c.nameOf(r)
		}
		said = append(said, m)
	}
	if err == nil && len(said) == 0 {
		err = errNothingSaid
	}
	return said[max(0, len(said)-judgedOn):], err
}

var errNothingSaid = errors.New("there is nothing to compare it with")

// askJudge lets the model judge: one call, bounded in time, not repeated. The user
// can end it (S4).
func (c *Chat) askJudge(
	ctx context.Context, cfg Config, client model.Client, j *memory.Judgement, old memory.Session, said []judge.Message, now judge.Message,
) (scores judge.Scores, err error) {
	prompt, err := judge.Prompt(c.prompts, said, now, c.nonce())
	if prompt == "" && err != nil { // a faulty prompt of the user's is replaced by the built-in one
		return scores, err
	}
	tool, err := judge.Tool(c.prompts)
	if tool.Description == "" && err != nil {
		return scores, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	loaded, endClock := judgeClock(client.Info(), cfg.SmartTimeout, stop)
	defer endClock()
	c.mu.Lock()
	if c.judging = stop; c.hurried {
		stop(errUser)
	}
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.judging = nil
		c.mu.Unlock()
	}()
	c.events.send(func(seq uint64) Event {
		return Judging{Head: Head{Seq: seq, SessionID: old.ID}, Session: old, By: j.By, Model: j.Model, Within: cfg.SmartTimeout}
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

const (
	loadTime  = time.Minute // for which a server may load the model before it judges (S4)
	loadPause = time.Second // between questions whether it has
)

// judgeClock bounds the time of a judgement. A server that people run themselves may have
// to load the model first: its time begins when it answers, which it tells by loaded.
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

// rest waits; false when ctx ended first.
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

// whyUnjudged says in a few words why there is no judgement.
func (c *Chat) whyUnjudged(err error, within time.Duration) string {
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
	c.log.Warn("judging failed", "error", err)
	return "it could not be judged"
}
