package pane

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/ui/app"
	"memoria/ui/words"
)

// Effects runs what the program does besides drawing, for one screen. Its methods return
// commands; nothing else in the terminal reads a clock, waits, or uses the conversation and
// the memory. A panic in a command becomes a [Fault]. Look and InOrder are called by Update
// alone.
type Effects struct {
	*app.Session
	Ctx   context.Context
	Chat  *chat.Chat
	Agent string // the id of the agent or group of Chat

	looks  int
	looked map[string]int // the newest look that has arrived, by subject
	last   chan struct{}  // closed when the last command in order has ended; nil before the first
}

// Result carries the message of an effect to the screen that asked.
type Result struct {
	Msg tea.Msg
	At  time.Time // when the effect ended
	of  *Effects
	// of a look: its subject and its number
	at string
	n  int
}

type (
	// Callback is the end of an effect, to be run by Update.
	Callback func() tea.Cmd
	// Failed is the failure of a change that says nothing when it succeeds.
	Failed struct{ Err error }
	// Fault is a panic in an effect.
	Fault struct {
		Value any
		Stack []byte
	}
)

// Accept returns the message of a result; nil when it is for another screen or was
// overtaken.
func (e *Effects) Accept(r Result) tea.Msg {
	if r.of != e || r.n < e.looked[r.at] {
		return nil
	}
	if r.n > 0 {
		if e.looked == nil {
			e.looked = map[string]int{}
		}
		e.looked[r.at] = r.n
	}
	return r.Msg
}

// Result addresses a message to this screen.
func (e *Effects) Result(msg tea.Msg) tea.Msg {
	if msg == nil {
		return nil
	}
	return Result{Msg: msg, At: e.Now(), of: e}
}

// Runner returns a command that runs a function outside of Update: one of [Effects.Do],
// [Effects.Look] and [Effects.InOrder].
type Runner func(func() tea.Msg) tea.Cmd

// Then returns a command that runs f, and done with its result in Update.
func Then[T any](run Runner, f func() (T, error), done func(T, error) tea.Cmd) tea.Cmd {
	return run(func() tea.Msg {
		v, err := f()
		return Callback(func() tea.Cmd { return done(v, err) })
	})
}

// Do returns a command that runs f.
func (e *Effects) Do(f func() tea.Msg) tea.Cmd {
	guarded := Guard(f)
	return func() tea.Msg { return e.Result(guarded()) }
}

// Look is [Effects.Do] for a read for display. Effects end in any order: a look that was
// asked for before one that has arrived is dropped, so that deleted data does not come back.
func (e *Effects) Look(at string) Runner {
	return func(f func() tea.Msg) tea.Cmd {
		do := e.Do(f)
		e.looks++
		n := e.looks
		return func() tea.Msg {
			r, ok := do().(Result)
			if !ok {
				return nil
			}
			r.at, r.n = at, n
			return r
		}
	}
}

// InOrder is [Effects.Do] for a change of the conversation. Commands run concurrently: a
// message must not overtake the one before it, nor the session or the branch that was chosen
// for it.
func (e *Effects) InOrder(f func() tea.Msg) tea.Cmd {
	before, done := e.last, make(chan struct{})
	e.last = done
	return e.Do(func() tea.Msg {
		defer close(done)
		if before != nil {
			select {
			case <-before:
			case <-e.Ctx.Done():
			}
		}
		return f()
	})
}

// Guard is a command of f whose panic becomes a [Fault]. Its message is not a [Result]: it
// is for Bubble Tea itself.
func Guard(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = Fault{Value: v, Stack: debug.Stack()}
			}
		}()
		return f()
	}
}

// Change returns a command that changes the conversation by f, in order. An error comes back
// as [Failed].
func (e *Effects) Change(f func(context.Context) error) tea.Cmd {
	return e.InOrder(func() tea.Msg {
		if err := f(e.Ctx); err != nil {
			return Failed{Err: err}
		}
		return nil
	})
}

// After returns a command that runs f in Update after d.
func (e *Effects) After(d time.Duration, f func() tea.Cmd) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return e.Result(Callback(f)) })
}

// TypingPause is how long a search waits for more typing.
const TypingPause = 120 * time.Millisecond

// quotedBytes is how much of a message is shown for evidence that names all of it.
const quotedBytes = 300

// Quote reads the words that an evidence names. A deleted message is no error.
func (e *Effects) Quote(ev memory.Evidence) (words.Quote, error) {
	q := words.Quote{Evidence: ev}
	r, err := e.Memory.Lookup().Record(e.Ctx, e.Agent, ev.RecordID)
	if errors.Is(err, lookup.ErrNotFound) {
		kept, err := e.Memory.Lookup().KeptSource(e.Ctx, e.Agent, ev.SessionID)
		q.Gone, q.Unkept = true, !kept
		return q, err
	} else if err != nil {
		return q, err
	}
	q.Whole, q.Text, q.Time = r.Content, r.Content, r.Timestamp
	if lo, hi := ev.Offset, ev.Offset+ev.Length; ev.Length > 0 && lo >= 0 && hi <= len(r.Content) {
		q.Text = r.Content[lo:hi]
	} else if len(q.Text) > quotedBytes {
		q.Text = strings.ToValidUTF8(q.Text[:quotedBytes], "") + "…"
	}
	s, err := e.Memory.Lookup().Session(e.Ctx, e.Agent, r.SessionID)
	if err != nil && !errors.Is(err, lookup.ErrNotFound) {
		return q, err
	}
	q.Session = s.Title
	return q, nil
}

// Undone says in a line what an undo of changes did.
func (e *Effects) Undone(u learning.Undone) string {
	lines := u.Lines()
	for i, l := range lines {
		lines[i] = e.Words.Translate(l)
	}
	return strings.Join(lines, " · ")
}

// Head returns the beginning of s, at most n bytes of whole characters.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// SaveDraft stores a draft; nil and the draft of a temporary chat (U5) are not stored.
func (e *Effects) SaveDraft(d *memory.Draft) error {
	if d == nil || e.Chat.Temporary() {
		return nil
	}
	return e.Memory.SaveDraft(e.Ctx, e.Agent, *d)
}

// Prolong lets a deletion with a title be undone for longer; of a group's, also the members' parts. If it no longer
// can be undone, the undo tells that.
func (e *Effects) Prolong(agent, deletion, title string, longer time.Duration) tea.Cmd {
	return e.Do(func() tea.Msg {
		ids := []string{agent}
		all, failed := e.Memory.Lookup().Agents(e.Ctx)
		for _, a := range all {
			if a.ID != agent && !a.Group {
				ids = append(ids, a.ID)
			}
		}
		for _, id := range ids {
			_, err := e.Memory.Trash().Prolong(e.Ctx, id, deletion, title, longer)
			if !errors.Is(err, lookup.ErrNotFound) {
				failed = errors.Join(failed, err)
			}
		}
		if failed != nil {
			return Failed{Err: failed}
		}
		return nil
	})
}
