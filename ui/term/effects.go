package term

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	memrecall "memoria/memory/recall"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// effects are those of the root and the conversation.
type effects struct {
	*pane.Effects
	// clipboard fills the system's; nil where there is none
	clipboard func(string) error
	// remote is the terminal when it is another process's; nil otherwise
	remote  *Remote
	changed <-chan struct{}
}

// The results of effects that are no callbacks. One that can be overtaken carries what it is
// about.
type (
	// eventMsg is the next event of the conversation, with the session as it was
	// when the event was taken.
	eventMsg struct {
		event   chat.Event
		session memory.Session
		at      time.Time
		closed  bool
	}
	// changedMsg says that the memory is not what it was.
	changedMsg struct{ closed bool }
	// tickMsg is the time, while something counts.
	tickMsg struct{ now time.Time }

	sessionMsg struct {
		id       string
		branch   lookup.Branch
		from     string // the title of the session that it was forked from
		packages []memory.Package
		changes  []memory.Change           // of the last turn
		taught   map[string][]words.Lesson // by turn
		err      error
	}
	statusMsg struct {
		status lookup.Status
		err    error
	}
	sentMsg struct {
		local int
		err   error
	}
	// sourcesMsg is what the answers of these turns may rest on.
	sourcesMsg struct {
		n       int // in the order of asking
		turns   []string
		sources map[string][]memrecall.Source
		err     error
	}
)

// lastSave bounds the saving of the draft at the very end.
const lastSave = 2 * time.Second

// tick tells the time when d has passed.
func (e effects) tick(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return e.Result(tickMsg{now: e.Now()}) })
}

// nextEvent waits for one event; it is armed again when that was handled.
func (e effects) nextEvent() tea.Cmd {
	return e.Do(func() tea.Msg {
		select {
		case ev, ok := <-e.Chat.Events():
			return eventMsg{event: ev, session: e.Chat.Session(), at: e.Now(), closed: !ok}
		case <-e.Ctx.Done():
			return eventMsg{closed: true}
		}
	})
}

// nextChange waits until the memory is not what it was.
func (e effects) nextChange() tea.Cmd {
	return e.Do(func() tea.Msg {
		select {
		case _, ok := <-e.changed:
			return changedMsg{closed: !ok}
		case <-e.Ctx.Done():
			return changedMsg{closed: true}
		}
	})
}

// session reads a session; packages reads what its turns sent.
func (e effects) session(id string, packages func(session string) ([]memory.Package, error)) tea.Cmd {
	return e.Look("session")(func() tea.Msg {
		msg := sessionMsg{id: id}
		if msg.branch, msg.err = e.Memory.Lookup().Branch(e.Ctx, e.Agent, id); msg.err != nil {
			return msg
		}
		if f := msg.branch.Session.ForkedFrom; f != nil {
			if from, err := e.Memory.Lookup().Session(e.Ctx, e.Agent, f.SessionID); err == nil {
				msg.from = from.Title
			}
		}
		if msg.packages, msg.err = packages(id); msg.err != nil {
			return msg
		}
		if n := len(msg.branch.Records); n > 0 {
			msg.changes, msg.err = e.Memory.Lookup().TurnChanges(e.Ctx, e.Agent, msg.branch.Records[n-1].TurnID)
		}
		if msg.err == nil {
			msg.taught, msg.err = e.taught(msg.branch.Records)
		}
		return msg
	})
}

// draft returns the draft to begin with: that of this terminal if its program is begun again,
// and else the stored one, which another terminal with the agent may be writing.
func (e effects) draft() (memory.Draft, error) {
	if e.remote != nil {
		if d, ok := e.remote.Draft(e.Agent); ok {
			return d, nil
		}
	}
	if e.Chat.Temporary() || !e.Chat.Alone() { // U5
		return memory.Draft{}, nil
	}
	return e.Memory.Lookup().Draft(e.Ctx, e.Agent)
}

// saveDraftNow is saveDraft on the way out, when no command runs any more.
func (e effects) saveDraftNow(d memory.Draft) error {
	if e.Chat.Temporary() {
		return nil
	}
	if e.remote != nil {
		e.remote.Keep(d)
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.Ctx), lastSave)
	defer stop()
	return e.Memory.SaveDraft(ctx, e.Agent, d)
}

// kept reports on the way out whether a message that was not acknowledged has
// reached the disk all the same.
func (e effects) kept(text string) bool {
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.Ctx), lastSave)
	defer stop()
	waiting, err := e.Memory.Lookup().Incoming(ctx, e.Agent)
	if s, ok, serr := e.Memory.Lookup().LastSession(ctx, e.Agent); err == nil && serr == nil && ok {
		last, lerr := e.Memory.Lookup().LastRecords(ctx, e.Agent, s.ID, 2)
		waiting, err = append(waiting, last...), lerr
	}
	return err == nil && slices.ContainsFunc(waiting, func(r memory.Record) bool {
		return r.Role == memory.RoleUser && r.Content == text
	})
}

func (e effects) status() tea.Cmd {
	return e.Look("status")(func() tea.Msg {
		s, err := e.Memory.Lookup().Status(e.Ctx, e.Agent)
		return statusMsg{status: s, err: err}
	})
}

func (e effects) cancel() tea.Cmd {
	return e.Do(func() tea.Msg { e.Chat.Cancel(); return nil })
}

// change runs a change of the conversation that is about a record or a session.
func (e effects) change(f func(ctx context.Context, id string) error, id string) tea.Cmd {
	return e.Change(func(ctx context.Context) error { return f(ctx, id) })
}

// copy fills the system's clipboard. Where there is none, the terminal's own is
// all there is, so a failure tells nothing.
func (e effects) copy(text string) tea.Cmd {
	if e.clipboard == nil {
		return nil
	}
	return e.Do(func() tea.Msg { _ = e.clipboard(text); return nil })
}
