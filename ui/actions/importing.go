package actions

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"memoria/memory/manager/imported"
	"memoria/memory/manager/importer"
	"memoria/memory/transfer/foreign"
	"memoria/ui/clean"
)

// Importing says what to import.
type Importing struct {
	Format foreign.Format
	File   string
	// Preview only shows what would come.
	Preview bool
	// Propose puts into the inbox what the user said.
	Propose bool
	// Read is the model that reads the conversations afterwards; nil for none. Hint says
	// that one could.
	Read *Reader
	Hint bool
}

// Import brings the conversations of another program's export into the archive (D1): it
// shows first what will come, then asks. agree asks the user, in the words that it is given.
func Import(ctx context.Context, c *Console, i Importing, agree func(what string) error) (Result, error) {
	e, err := foreign.Open(i.File, i.Format, foreign.Options{Now: c.Now()})
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = e.Close() }()
	coming, err := look(ctx, e)
	if err != nil {
		return Result{}, err
	}
	r := Result{Data: coming, Lines: coming.lines(c), Failed: coming.failed(c)}
	if i.Preview || coming.Conversations == 0 {
		return r, nil
	}
	for _, line := range r.Lines {
		c.Aside(line)
	}
	what := c.Say("import.really", c.Words.Count(coming.Conversations, "conversation"), cmp.Or(c.Agent.Name, c.Agent.ID))
	if err := agree(what); err != nil {
		return Result{}, err
	}
	var handled atomic.Int64 // messages
	var done importer.Imported
	begun := c.Now()
	err = Watched(func() (err error) {
		done, err = c.Memory.Importer().Import(ctx, c.Agent.ID, string(i.Format), e, func(now importer.Imported) {
			handled.Store(int64(now.Messages + now.Known + now.Deleted))
		})
		return err
	}, func() {
		if n := int(handled.Load()); n > 0 {
			left := c.Now().Sub(begun) * time.Duration(coming.Messages-n) / time.Duration(n)
			c.remark("import.progress", n, coming.Messages, c.Words.Seconds(left))
		}
	})
	if err != nil {
		return Result{}, err
	}
	coming.Imported = &done
	var proposed imported.Proposed
	if i.Propose {
		if proposed, err = c.proposeImported(ctx); err != nil {
			return Result{}, err
		}
		coming.Proposed = &proposed
	}
	lines := []string{c.Say("import.done", c.Words.Count(len(done.Sessions), "session"), c.Words.Count(done.Messages, "message"))}
	if done.Known > 0 {
		lines = append(lines, c.Say("import.known", c.Words.Count(done.Known, "message")))
	}
	if done.Deleted > 0 {
		lines = append(lines, c.Say("import.deleted", c.Words.Count(done.Deleted, "message")))
	}
	if proposed.Over > 0 {
		lines = append(lines, c.Say("import.over", c.Words.Count(proposed.Over, "statement"), imported.Max))
	}
	next := []string{c.Say("import.next")}
	if proposed.Held > 0 {
		next = append(next, c.Say("import.proposed", c.Words.Count(proposed.Held, "memory")))
	}
	if i.Hint && i.Read == nil && done.Messages > 0 {
		next = append(next, c.Say("import.read.hint"))
	}
	r = Result{Data: coming, Lines: lines, Notes: next, Failed: r.Failed}
	if i.Read != nil {
		err = readAfterImport(ctx, c, *i.Read, &r, &coming)
	}
	return r, err
}

// proposeImported puts into the inbox what the user said in imported conversations.
func (c *Console) proposeImported(ctx context.Context) (out imported.Proposed, err error) {
	var read, all atomic.Int64 // sessions
	err = Watched(func() (err error) {
		out, err = c.Memory.Imported().ProposeImported(ctx, c.Agent.ID, func(done, of int) {
			read.Store(int64(done))
			all.Store(int64(of))
		})
		return err
	}, func() { c.remark("import.reading", read.Load(), all.Load()) })
	return out, err
}

// coming describes the contents of an export, and the result of its import.
type coming struct {
	Conversations int                `json:"conversations"`
	Messages      int                `json:"messages"`
	From          time.Time          `json:"from,omitzero"`
	Until         time.Time          `json:"until,omitzero"`
	Empty         int                `json:"empty"`
	Failed        []string           `json:"failed"`
	Imported      *importer.Imported `json:"imported,omitempty"`
	Proposed      *imported.Proposed `json:"proposed,omitempty"`
	Reading       *reading           `json:"reading,omitempty"`
}

// look reads an export without storing anything.
func look(ctx context.Context, e *foreign.Export) (coming, error) {
	out := coming{Failed: []string{}}
	for conversation, err := range e.Conversations(ctx) {
		var failure *foreign.Failure
		switch {
		case errors.As(err, &failure) && failure.Empty():
			out.Empty++
			continue
		case errors.As(err, &failure):
			out.Failed = append(out.Failed, failure.Error())
			continue
		case err != nil:
			return out, err
		}
		out.Conversations++
		out.Messages += len(conversation.Messages)
		for _, m := range conversation.Messages {
			if out.From.IsZero() || m.Time.Before(out.From) {
				out.From = m.Time
			}
			if m.Time.After(out.Until) {
				out.Until = m.Time
			}
		}
	}
	return out, nil
}

func (o coming) lines(c *Console) []string {
	lines := []string{c.Say("import.has", c.Words.Count(o.Conversations, "conversation"), c.Words.Count(o.Messages, "message"))}
	if o.Conversations > 0 {
		loc := c.Now().Location()
		lines[0] += ", " + c.Say("time.to", o.From.In(loc).Format(time.DateOnly), o.Until.In(loc).Format(time.DateOnly))
	}
	if o.Empty > 0 {
		lines = append(lines, c.Say("import.empty", c.Words.Count(o.Empty, "conversation")))
	}
	for _, f := range o.Failed {
		lines = append(lines, c.Say("import.failed", clean.Line(f)))
	}
	return lines
}

// failed is the error of an import that left conversations out.
func (o coming) failed(c *Console) error {
	if len(o.Failed) == 0 {
		return nil
	}
	return Refusal(c.Say("import.incomplete", c.Words.Count(len(o.Failed), "conversation")))
}
