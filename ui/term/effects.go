package term

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/pane"
)

// effects are those of the root and the conversation.
type effects struct {
	*pane.Effects
	// clipboard fills the system's; nil where there is none
	clipboard func(string) error
	changed   <-chan struct{}
}

// lastSave bounds the saving of the draft at the very end.
const lastSave = 2 * time.Second

// tick tells the time when d has passed.
func (e effects) tick(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return e.Result(tickMsg{now: e.Now()}) })
}

func (e effects) start() tea.Cmd {
	return e.Do(func() tea.Msg { return startedMsg{err: e.Chat.Start(e.Ctx)} })
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
		if msg.branch, msg.err = e.Memory.Branch(e.Ctx, e.Agent, id); msg.err != nil {
			return msg
		}
		if f := msg.branch.Session.ForkedFrom; f != nil {
			if from, err := e.Memory.Session(e.Ctx, e.Agent, f.SessionID); err == nil {
				msg.from = from.Title
			}
		}
		if msg.packages, msg.err = packages(id); msg.err != nil {
			return msg
		}
		if n := len(msg.branch.Records); n > 0 {
			msg.changes, msg.err = e.Memory.TurnChanges(e.Ctx, e.Agent, msg.branch.Records[n-1].TurnID)
		}
		if msg.err == nil {
			msg.taught, msg.err = e.taught(msg.branch.Records)
		}
		return msg
	})
}

func (e effects) draft() tea.Cmd {
	return e.Do(func() tea.Msg {
		if e.Chat.Temporary() { // U5
			return draftLoadedMsg{}
		}
		d, err := e.Memory.Draft(e.Ctx, e.Agent)
		return draftLoadedMsg{draft: d, err: err}
	})
}

func (e effects) saveDraft(d memory.Draft) tea.Cmd {
	return e.Do(func() tea.Msg { return draftSavedMsg{text: d.Text, err: e.SaveDraft(&d)} })
}

// saveDraftNow is saveDraft on the way out, when no command runs any more.
func (e effects) saveDraftNow(d memory.Draft) error {
	if e.Chat.Temporary() {
		return nil
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
	waiting, err := e.Memory.Incoming(ctx, e.Agent)
	if s, ok, serr := e.Memory.LastSession(ctx, e.Agent); err == nil && serr == nil && ok {
		last, lerr := e.Memory.LastRecords(ctx, e.Agent, s.ID, 2)
		waiting, err = append(waiting, last...), lerr
	}
	return err == nil && slices.ContainsFunc(waiting, func(r memory.Record) bool {
		return r.Role == memory.RoleUser && r.Content == text
	})
}

func (e effects) status() tea.Cmd {
	return e.Look("status")(func() tea.Msg {
		s, err := e.Memory.Status(e.Ctx, e.Agent)
		return statusMsg{status: s, err: err}
	})
}

// send keeps a message; when that is done the draft is nothing any more.
func (e effects) send(local int, text string, spans []memory.Span) tea.Cmd {
	return e.InOrder(func() tea.Msg {
		id, err := e.Chat.Send(e.Ctx, text, spans)
		if err != nil {
			return sentMsg{local: local, err: err}
		}
		return sentMsg{local: local, id: id}
	})
}

func (e effects) takeBack(id string) tea.Cmd {
	return e.InOrder(func() tea.Msg {
		r, err := e.Chat.Unsend(e.Ctx, id)
		return takenBackMsg{text: r.Content, spans: r.Spans, err: err}
	})
}

func (e effects) cancel() tea.Cmd {
	return e.Do(func() tea.Msg { e.Chat.Cancel(); return nil })
}

func (e effects) overrule(record string) tea.Cmd {
	return e.InOrder(func() tea.Msg { return pane.Failure(e.Chat.Overrule(e.Ctx, record)) })
}

func (e effects) retry() tea.Cmd {
	return e.InOrder(func() tea.Msg { return pane.Failure(e.Chat.Retry(e.Ctx)) })
}

func (e effects) newSession() tea.Cmd {
	return e.InOrder(func() tea.Msg { return pane.Failure(e.Chat.NewSession(e.Ctx)) })
}

// resume shows a session; the events tell that it is there.
func (e effects) resume(id string) tea.Cmd {
	return e.InOrder(func() tea.Msg { return pane.Failure(e.Chat.Resume(e.Ctx, id)) })
}
