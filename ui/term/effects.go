package term

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	memrecall "memoria/memory/recall"
	"memoria/ui/app"
	"memoria/ui/term/part"
	"memoria/ui/term/recall"
	"memoria/ui/term/sent"
	"memoria/ui/words"
)

// effects is everything the program does besides drawing. Each method copies
// what it needs and returns a command; nothing else in this package reads a
// clock, waits, or touches conversation and memory. A panic in a command
// becomes a [faultMsg].
type effects struct {
	ctx     context.Context
	chat    *chat.Chat
	memory  *manager.Manager
	agent   string
	now     func() time.Time
	models  *app.Models
	changed <-chan struct{}
	// clipboard fills the system's; nil where there is none
	clipboard     func(string) error
	conversations *app.Conversations
	// of is the screen that the effects belong to: what they come to is for no other.
	of *root
}

// ours is what an effect came to, for the screen that asked.
type ours struct {
	of  *root
	msg tea.Msg
	// of a look (see [effects.look]): at what, and which in the order of asking
	at string
	n  int
}

// quotedBytes is the most of a message that is shown as evidence where the
// evidence names the whole message.
const quotedBytes = 300

// lastSave bounds the saving of the draft at the very end.
const lastSave = 2 * time.Second

func (e effects) do(f func() tea.Msg) tea.Cmd {
	guarded := e.anyones(f)
	return func() tea.Msg { return e.own(guarded()) }
}

// look is do for what is read to be shown. Effects end in any order: a look that
// was asked for before one that has arrived already is dropped, so that nothing
// that was deleted between the two comes back. It is called by Update alone.
func (e effects) look(at string, f func() tea.Msg) tea.Cmd {
	guarded := e.anyones(f)
	e.of.looks++
	n := e.of.looks
	return func() tea.Msg {
		if msg := guarded(); msg != nil {
			return ours{of: e.of, msg: msg, at: at, n: n}
		}
		return nil
	}
}

// inOrder is do for what changes the conversation: commands run side by side, and a
// message must not overtake the one before it, nor the session or the branch that was
// chosen for it. It is called by Update alone.
func (e effects) inOrder(f func() tea.Msg) tea.Cmd {
	before, done := e.of.doing, make(chan struct{})
	e.of.doing = done
	return e.do(func() tea.Msg {
		defer close(done)
		if before != nil {
			select {
			case <-before:
			case <-e.ctx.Done():
			}
		}
		return f()
	})
}

// anyones is do for what Bubble Tea itself has to see.
func (e effects) anyones(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = faultMsg{value: v, stack: debug.Stack()}
			}
		}()
		return f()
	}
}

func (e effects) own(msg tea.Msg) tea.Msg {
	if msg == nil {
		return nil
	}
	return ours{of: e.of, msg: msg}
}

// fail is do for what only has an error to tell.
func (e effects) fail(f func() error) tea.Cmd {
	return e.do(func() tea.Msg { return failure(f()) })
}

func failure(err error) tea.Msg {
	if err != nil {
		return failedMsg{err: err}
	}
	return nil
}

// after sends msg when d has passed.
func (e effects) after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return e.own(msg) })
}

// tick tells the time when d has passed.
func (e effects) tick(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return e.own(tickMsg{now: e.now()}) })
}

func (e effects) start() tea.Cmd {
	return e.do(func() tea.Msg { return startedMsg{err: e.chat.Start(e.ctx)} })
}

// nextEvent waits for one event; it is armed again when that was handled.
func (e effects) nextEvent() tea.Cmd {
	return e.do(func() tea.Msg {
		select {
		case ev, ok := <-e.chat.Events():
			return eventMsg{event: ev, session: e.chat.Session(), at: e.now(), closed: !ok}
		case <-e.ctx.Done():
			return eventMsg{closed: true}
		}
	})
}

// nextChange waits until the memory is not what it was.
func (e effects) nextChange() tea.Cmd {
	return e.do(func() tea.Msg {
		select {
		case _, ok := <-e.changed:
			return changedMsg{closed: !ok}
		case <-e.ctx.Done():
			return changedMsg{closed: true}
		}
	})
}

func (e effects) session(id string) tea.Cmd {
	return e.look("session", func() tea.Msg {
		msg := sessionMsg{id: id}
		if msg.branch, msg.err = e.memory.Lookup().Branch(e.ctx, e.agent, id); msg.err != nil {
			return msg
		}
		if f := msg.branch.Session.ForkedFrom; f != nil {
			if from, err := e.memory.Lookup().Session(e.ctx, e.agent, f.SessionID); err == nil {
				msg.from = from.Title
			}
		}
		if msg.packages, msg.err = e.packages(id); msg.err != nil {
			return msg
		}
		if n := len(msg.branch.Records); n > 0 {
			msg.changes, msg.err = e.memory.Lookup().TurnChanges(e.ctx, e.agent, msg.branch.Records[n-1].TurnID)
		}
		if msg.err == nil {
			msg.taught, msg.err = e.taught(msg.branch.Records)
		}
		return msg
	})
}

// draftless reports whether drafts are neither read nor saved (U5).
func (e effects) draftless() bool { return e.chat.Temporary() }

func (e effects) draft() tea.Cmd {
	return e.do(func() tea.Msg {
		if e.draftless() {
			return draftLoadedMsg{}
		}
		d, err := e.memory.Lookup().Draft(e.ctx, e.agent)
		return draftLoadedMsg{draft: d, err: err}
	})
}

func (e effects) saveDraft(d memory.Draft) tea.Cmd {
	return e.do(func() tea.Msg {
		if e.draftless() {
			return draftSavedMsg{text: d.Text}
		}
		return draftSavedMsg{text: d.Text, err: e.memory.SaveDraft(e.ctx, e.agent, d)}
	})
}

// saveDraftNow is saveDraft on the way out, when no command runs any more.
func (e effects) saveDraftNow(d memory.Draft) error {
	if e.draftless() {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.ctx), lastSave)
	defer stop()
	return e.memory.SaveDraft(ctx, e.agent, d)
}

// preview looks up what a text would recall, until ctx ends.
// kept reports on the way out whether a message that was not acknowledged has
// reached the disk all the same.
func (e effects) kept(text string) bool {
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.ctx), lastSave)
	defer stop()
	waiting, err := e.memory.Lookup().Incoming(ctx, e.agent)
	if s, ok, serr := e.memory.Lookup().LastSession(ctx, e.agent); err == nil && serr == nil && ok {
		last, lerr := e.memory.Lookup().LastRecords(ctx, e.agent, s.ID, 2)
		waiting, err = append(waiting, last...), lerr
	}
	return err == nil && slices.ContainsFunc(waiting, func(r memory.Record) bool {
		return r.Role == memory.RoleUser && r.Content == text
	})
}

func (e effects) preview(ctx context.Context, id int, q memrecall.Query) tea.Cmd {
	return e.do(func() tea.Msg {
		msg := previewMsg{id: id}
		if msg.result, msg.err = e.memory.Recall().Retrieve(ctx, e.agent, q); msg.err != nil {
			return msg
		}
		passages, err := e.chat.PreviewJournal(ctx, q.Text, msg.result.Chosen)
		for _, p := range passages {
			msg.hits = append(msg.hits, p.Hit)
		}
		msg.err = err
		return msg
	})
}

func (e effects) items(id int, f lookup.ItemFilter) tea.Cmd {
	return e.do(func() tea.Msg {
		page, err := e.memory.Lookup().Items(e.ctx, e.agent, f)
		return itemsMsg{id: id, page: page, now: e.now(), err: err}
	})
}

func (e effects) status() tea.Cmd {
	return e.look("status", func() tea.Msg {
		s, err := e.memory.Lookup().Status(e.ctx, e.agent)
		return statusMsg{status: s, err: err}
	})
}

// send keeps a message; when that is done the draft is nothing any more.
func (e effects) send(local int, text string, spans []memory.Span) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		id, err := e.chat.Send(e.ctx, text, spans)
		if err != nil {
			return sentMsg{local: local, err: err}
		}
		return sentMsg{local: local, id: id}
	})
}

func (e effects) takeBack(id string) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		r, err := e.chat.Unsend(e.ctx, id)
		return takenBackMsg{text: r.Content, spans: r.Spans, err: err}
	})
}

func (e effects) cancel() tea.Cmd {
	return e.do(func() tea.Msg { e.chat.Cancel(); return nil })
}

func (e effects) overrule(record string) tea.Cmd {
	return e.inOrder(func() tea.Msg { return failure(e.chat.Overrule(e.ctx, record)) })
}

func (e effects) retry() tea.Cmd {
	return e.inOrder(func() tea.Msg { return failure(e.chat.Retry(e.ctx)) })
}

func (e effects) newSession() tea.Cmd {
	return e.inOrder(func() tea.Msg { return failure(e.chat.NewSession(e.ctx)) })
}

// detail loads everything about one item.
func (e effects) detail(id string) tea.Cmd {
	return e.look("memory", func() tea.Msg {
		it, err := e.memory.Lookup().Item(e.ctx, e.agent, id)
		if err != nil {
			return detailMsg{id: id, err: err}
		}
		d := recall.Detail{Item: it}
		for _, ev := range it.Evidence {
			q, err := e.quote(ev)
			if err != nil {
				return detailMsg{id: id, err: err}
			}
			d.Quotes = append(d.Quotes, q)
		}
		d.History, err = e.memory.Lookup().History(e.ctx, e.agent, id)
		return detailMsg{id: id, detail: d, err: err}
	})
}

// quote resolves an evidence to its words; words that were deleted are no error.
func (e effects) quote(ev memory.Evidence) (words.Quote, error) {
	q := words.Quote{Evidence: ev}
	r, err := e.memory.Lookup().Record(e.ctx, e.agent, ev.RecordID)
	if errors.Is(err, lookup.ErrNotFound) {
		kept, err := e.memory.Lookup().KeptSource(e.ctx, e.agent, ev.SessionID)
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
	s, err := e.memory.Lookup().Session(e.ctx, e.agent, r.SessionID)
	if err != nil && !errors.Is(err, lookup.ErrNotFound) {
		return q, err
	}
	q.Session = s.Title
	return q, nil
}

func (e effects) source(ev memory.Evidence) tea.Cmd {
	return e.do(func() tea.Msg {
		q, err := e.quote(ev)
		return sourceMsg{quote: q, err: err}
	})
}

func (e effects) add(d recall.Draft) tea.Cmd {
	return e.do(func() tea.Msg {
		it, err := e.memory.Learning().AddItem(e.ctx, e.agent, memory.Item{Content: d.Content, Type: d.Type, Tags: d.Tags})
		return savedMsg{item: it, err: err}
	})
}

func (e effects) edit(id string, d recall.Draft) tea.Cmd {
	return e.do(func() tea.Msg {
		it, err := e.memory.Learning().EditItem(e.ctx, e.agent, id, func(it *memory.Item) {
			it.Content, it.Type, it.Tags = d.Content, d.Type, d.Tags
		})
		return savedMsg{item: it, err: err}
	})
}

func (e effects) remove(id, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		d, err := e.memory.DeleteItems(e.ctx, e.agent, id)
		return deletedMsg{removed: part.Removed{ID: d.ID, Of: id, Title: text, Until: d.Until}, now: e.now(), err: err}
	})
}

func (e effects) undelete(id, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		_, err := e.memory.UndoDeletion(e.ctx, e.agent, id)
		return undeletedMsg{id: id, text: text, err: err}
	})
}

// pack loads what a turn sent, with the memories that took part.
func (e effects) pack(answer string) tea.Cmd {
	return e.look("package", func() tea.Msg {
		agent, turn := e.whose(answer)
		r, err := e.memory.Lookup().Package(e.ctx, agent, turn)
		if err != nil {
			p := chat.Explain(err)
			return packageMsg{turn: answer, detail: sent.Detail{Problem: p.Title + ": " + p.Text}}
		}
		r.TurnID = answer
		d := sent.Detail{Rendered: r, Items: map[string]memory.Item{}}
		for _, u := range r.Used {
			if it, err := e.memory.Lookup().Item(e.ctx, agent, u.ItemID); err == nil {
				d.Items[u.ItemID] = it
			}
		}
		if len(r.Citations) > 0 {
			all, err := e.sourcesOf([]memory.Package{r.Package})
			if err != nil {
				p := chat.Explain(err)
				return packageMsg{turn: answer, detail: sent.Detail{Problem: p.Title + ": " + p.Text}}
			}
			d.Sources = all[answer]
			for _, s := range d.Sources {
				if it, err := e.memory.Lookup().Item(e.ctx, agent, s.ItemID); s.RecordID == "" && err == nil {
					d.Items[s.ItemID] = it
				}
			}
		}
		return packageMsg{turn: answer, detail: d}
	})
}
