package actions

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"memoria/memory"
	"memoria/memory/manager/imported"
	"memoria/memory/manager/learning"
)

// Reader is a model that may read imported conversations.
type Reader struct {
	By   learning.Analyst
	Host string // the endpoint's host and port
	// Local says that the endpoint is on this computer.
	Local bool
	// Preview only shows what would be sent.
	Preview bool
	// Agree asks the user a question. would is what a refusal without a question says.
	Agree func(question, would string) (bool, error)
}

// reading is what import read --json prints.
type reading struct {
	imported.Plan
	Model string `json:"model"`
	Host  string `json:"host"`
	Local bool   `json:"local"`
	// MostCost is what the requests cost at most, Cost what they did; nil if the price of
	// the model is not known.
	MostCost *cost          `json:"cost_at_most,omitempty"`
	Agreed   bool           `json:"agreed"`
	Read     *imported.Read `json:"read,omitempty"`
	Cost     *cost          `json:"cost,omitempty"`
}

// declined reports whether the user did not want it.
func (r *reading) declined() bool { return r != nil && r.Conversations > 0 && !r.Full() && !r.Agreed }

// ReadImported lets a model read the imported conversations that none has read (D1). First it
// asks the user, naming the model, its host, the number of messages, and the cost.
func ReadImported(ctx context.Context, c *Console, by Reader) (Result, error) {
	r, err := c.Memory.Imported().Reading(c.Agent.ID, by.By)
	if err != nil {
		return Result{}, err
	}
	out := reading{Model: by.By.Name, Host: by.Host, Local: by.Local}
	var counted, all atomic.Int64 // sessions
	err = Watched(func() (err error) {
		out.Plan, err = r.Plan(ctx, func(done, of int) {
			counted.Store(int64(done))
			all.Store(int64(of))
		})
		return err
	}, func() {
		if n := counted.Load(); n > 0 {
			c.remark("import.read.counting", n, all.Load())
		}
	})
	switch {
	case err != nil:
		return Result{}, err
	case out.Conversations == 0:
		return Result{Data: out, Notes: []string{c.Say("import.read.none")}}, nil
	}
	out.MostCost = costAtMost(c, by.By.Name, out.TokensIn, out.TokensOut)
	question, would := askToRead(c, out)
	if by.Preview {
		return Result{Data: out, Lines: []string{would}}, nil
	}
	if out.Full() {
		return Result{Data: out, Failed: Refusal(c.Say("import.read.full", imported.Max))}, nil
	}
	if out.Agreed, err = by.Agree(question, would); err != nil || !out.Agreed {
		return Result{Data: out, Failed: Refusal(c.Say("import.read.later"))}, err
	}
	if _, err := c.proposeImported(ctx); err != nil { // rules are sure of more
		return Result{}, err
	}
	return carryOut(ctx, c, r, out)
}

// askToRead returns the question whether a model may read imported conversations, and the same
// as a statement.
func askToRead(c *Console, o reading) (question, would string) {
	cost := c.Say("import.read.unpriced", o.Model)
	if o.MostCost != nil {
		cost = c.Say("import.read.cost", c.Prices.Money(o.MostCost.Amount))
	}
	id := "import.read.remote"
	if o.Local {
		id = "import.read.local"
	}
	would = c.Say(id, c.Words.Count(o.Messages, "message"), c.Words.Count(o.Conversations, "conversation"), o.Model, o.Host,
		o.TokensIn, o.TokensOut, cost)
	return c.Say("import.read.question", would), would
}

// carryOut carries a reading out.
func carryOut(ctx context.Context, c *Console, r *imported.Reading, out reading) (Result, error) {
	var mu sync.Mutex // of so
	var so imported.Read
	var done imported.Read
	begun := c.Now()
	failed := Watched(func() (err error) {
		done, err = r.ReadImported(ctx, func(now imported.Read) {
			mu.Lock()
			defer mu.Unlock()
			so = now
		})
		return err
	}, func() {
		mu.Lock()
		now := so
		mu.Unlock()
		if now.Requests > 0 {
			left := c.Now().Sub(begun) * time.Duration(max(out.Requests-now.Requests, 0)) / time.Duration(now.Requests)
			c.remark("import.read.progress", now.Messages, out.Messages, c.Words.Seconds(left))
		}
	})
	out.Read, out.Cost = &done, costAtMost(c, out.Model, done.TokensIn, done.TokensOut)
	res := Result{Data: out, Failed: failed, Lines: []string{
		c.Say("import.read.done", c.Words.Count(done.Conversations, "conversation"), c.Words.Count(done.Messages, "message")),
	}}
	if done.TokensIn+done.TokensOut > 0 {
		used := c.Say("import.read.used", done.TokensIn, done.TokensOut)
		if out.Cost != nil {
			used += c.Say("sep.comma") + c.Prices.Money(out.Cost.Amount)
		}
		res.Lines = append(res.Lines, used)
	}
	if done.Unusable > 0 {
		res.Lines = append(res.Lines, c.Say("import.read.unusable", c.Words.Count(done.Unusable, "answer")))
	}
	if done.Held > 0 {
		res.Notes = append(res.Notes, c.Say("import.proposed", c.Words.Count(done.Held, "memory")))
	}
	if done.Generation != "" {
		res.Notes = append(res.Notes, c.Say("import.read.undo", done.Generation))
	}
	switch {
	case done.Full:
		res.Notes = append(res.Notes, c.Say("import.read.full", imported.Max))
	case done.Left > 0:
		res.Notes = append(res.Notes, c.Say("import.read.left", c.Words.Count(done.Left, "conversation")))
	}
	if failed != nil && ctx.Err() != nil { // the result is not shown any more
		for _, line := range append(res.Lines, res.Notes...) {
			c.Aside(line)
		}
		return Result{}, failed
	}
	return res, nil
}

// costAtMost returns what tokens cost; nil if that is unknown.
func costAtMost(c *Console, model string, in, out int) *cost {
	amount, ok := c.Prices.Cost(model, memory.Usage{PromptTokens: in, CompletionTokens: out})
	if !ok {
		return nil
	}
	return &cost{Amount: amount, Currency: c.Prices.Currency}
}

// readAfterImport lets a model read what was imported just now, and adds that to the result of
// the import.
func readAfterImport(ctx context.Context, c *Console, by Reader, r *Result, out *coming) error {
	for _, line := range append(r.Lines, r.Notes...) { // before the question
		c.Aside(line)
	}
	r.Lines, r.Notes = nil, nil
	read, err := ReadImported(ctx, c, by)
	if err != nil {
		return err
	}
	if now, ok := read.Data.(reading); ok {
		out.Reading = &now
	}
	if out.Reading.declined() { // the import is done all the same
		read.Notes, read.Failed = []string{read.Failed.Error()}, nil
	}
	r.Data, r.Lines, r.Notes = *out, read.Lines, read.Notes
	r.Failed = cmp.Or(read.Failed, r.Failed)
	return nil
}
