package term

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	memrecall "memoria/memory/recall"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
	"memoria/ui/term/recall"
	"memoria/ui/term/sent"
	"memoria/ui/words"
)

// effects are those of the root and the conversation.
type effects struct {
	*pane.Effects
	// clipboard fills the system's; nil where there is none
	clipboard func(string) error
	changed   <-chan struct{}
}

// quotedBytes is the most of a message that is shown as evidence where the
// evidence names the whole message.
const quotedBytes = 300

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

func (e effects) session(id string) tea.Cmd {
	return e.Look("session", func() tea.Msg {
		msg := sessionMsg{id: id}
		if msg.branch, msg.err = e.Memory.Branch(e.Ctx, e.Agent, id); msg.err != nil {
			return msg
		}
		if f := msg.branch.Session.ForkedFrom; f != nil {
			if from, err := e.Memory.Session(e.Ctx, e.Agent, f.SessionID); err == nil {
				msg.from = from.Title
			}
		}
		if msg.packages, msg.err = e.packages(id); msg.err != nil {
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

// draftless reports whether drafts are neither read nor saved (U5).
func (e effects) draftless() bool { return e.Chat.Temporary() }

func (e effects) draft() tea.Cmd {
	return e.Do(func() tea.Msg {
		if e.draftless() {
			return draftLoadedMsg{}
		}
		d, err := e.Memory.Draft(e.Ctx, e.Agent)
		return draftLoadedMsg{draft: d, err: err}
	})
}

func (e effects) saveDraft(d memory.Draft) tea.Cmd {
	return e.Do(func() tea.Msg {
		if e.draftless() {
			return draftSavedMsg{text: d.Text}
		}
		return draftSavedMsg{text: d.Text, err: e.Memory.SaveDraft(e.Ctx, e.Agent, d)}
	})
}

// saveDraftNow is saveDraft on the way out, when no command runs any more.
func (e effects) saveDraftNow(d memory.Draft) error {
	if e.draftless() {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.Ctx), lastSave)
	defer stop()
	return e.Memory.SaveDraft(ctx, e.Agent, d)
}

// preview looks up what a text would recall, until ctx ends.
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

func (e effects) preview(ctx context.Context, id int, q memrecall.Query) tea.Cmd {
	return e.Do(func() tea.Msg {
		msg := previewMsg{id: id}
		if msg.result, msg.err = e.Memory.Recall().Retrieve(ctx, e.Agent, q); msg.err != nil {
			return msg
		}
		passages, err := e.Chat.PreviewJournal(ctx, q.Text, msg.result.Chosen)
		for _, p := range passages {
			msg.hits = append(msg.hits, p.Hit)
		}
		msg.err = err
		return msg
	})
}

func (e effects) items(id int, f manager.ItemFilter) tea.Cmd {
	return e.Do(func() tea.Msg {
		page, err := e.Memory.Items(e.Ctx, e.Agent, f)
		return itemsMsg{id: id, page: page, now: e.Now(), err: err}
	})
}

func (e effects) status() tea.Cmd {
	return e.Look("status", func() tea.Msg {
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

// detail loads everything about one item.
func (e effects) detail(id string) tea.Cmd {
	return e.Look("memory", func() tea.Msg {
		it, err := e.Memory.Item(e.Ctx, e.Agent, id)
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
		d.History, err = e.Memory.History(e.Ctx, e.Agent, id)
		return detailMsg{id: id, detail: d, err: err}
	})
}

// quote resolves an evidence to its words; words that were deleted are no error.
func (e effects) quote(ev memory.Evidence) (words.Quote, error) {
	q := words.Quote{Evidence: ev}
	r, err := e.Memory.Record(e.Ctx, e.Agent, ev.RecordID)
	if errors.Is(err, manager.ErrNotFound) {
		kept, err := e.Memory.KeptSource(e.Ctx, e.Agent, ev.SessionID)
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
	s, err := e.Memory.Session(e.Ctx, e.Agent, r.SessionID)
	if err != nil && !errors.Is(err, manager.ErrNotFound) {
		return q, err
	}
	q.Session = s.Title
	return q, nil
}

func (e effects) source(ev memory.Evidence) tea.Cmd {
	return e.Do(func() tea.Msg {
		q, err := e.quote(ev)
		return sourceMsg{quote: q, err: err}
	})
}

func (e effects) add(d recall.Draft) tea.Cmd {
	return e.Do(func() tea.Msg {
		it, err := e.Memory.AddItem(e.Ctx, e.Agent, memory.Item{Content: d.Content, Type: d.Type, Tags: d.Tags})
		return savedMsg{item: it, err: err}
	})
}

func (e effects) edit(id string, d recall.Draft) tea.Cmd {
	return e.Do(func() tea.Msg {
		it, err := e.Memory.EditItem(e.Ctx, e.Agent, id, func(it *memory.Item) {
			it.Content, it.Type, it.Tags = d.Content, d.Type, d.Tags
		})
		return savedMsg{item: it, err: err}
	})
}

func (e effects) remove(id, text string) tea.Cmd {
	return e.Do(func() tea.Msg {
		d, err := e.Memory.DeleteItems(e.Ctx, e.Agent, id)
		return deletedMsg{removed: part.Removed{ID: d.ID, Of: id, Title: text, Until: d.Until}, now: e.Now(), err: err}
	})
}

func (e effects) undelete(id, text string) tea.Cmd {
	return e.Do(func() tea.Msg {
		_, err := e.Memory.UndoDeletion(e.Ctx, e.Agent, id)
		return undeletedMsg{id: id, text: text, err: err}
	})
}

// pack loads what a turn sent, with the memories that took part.
func (e effects) pack(answer string) tea.Cmd {
	return e.Look("package", func() tea.Msg {
		agent, turn := e.whose(answer)
		r, err := e.Memory.Package(e.Ctx, agent, turn)
		if err != nil {
			p := chat.Explain(err)
			return packageMsg{turn: answer, detail: sent.Detail{Problem: p.Title + ": " + p.Text}}
		}
		r.TurnID = answer
		d := sent.Detail{Rendered: r, Items: map[string]memory.Item{}}
		for _, u := range r.Used {
			if it, err := e.Memory.Item(e.Ctx, agent, u.ItemID); err == nil {
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
				if it, err := e.Memory.Item(e.Ctx, agent, s.ItemID); s.RecordID == "" && err == nil {
					d.Items[s.ItemID] = it
				}
			}
		}
		return packageMsg{turn: answer, detail: d}
	})
}
