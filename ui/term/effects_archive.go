package term

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/recall"
	"memoria/ui/term/archive"
	"memoria/ui/term/part"
	"memoria/ui/words"
)

// archive looks for messages. The function ends it early.
func (e effects) archive(q archive.Question, loc *time.Location) (tea.Cmd, func()) {
	ctx, stop := context.WithCancel(e.ctx)
	return e.do(func() tea.Msg {
		defer stop()
		ask := recall.AskArchive(q.Words, e.now(), loc)
		ask.Collected, ask.Offset, ask.Limit = q.Collected, q.Offset, q.Limit
		if ask.Limit == 0 {
			ask.Limit = archivePage
		}
		found, err := e.memory.Recall().SearchArchive(ctx, e.agent, ask)
		if ctx.Err() != nil {
			return nil // nobody waits for it
		}
		page := archive.Page{Total: found.Total, Words: ask.Text, Time: words.Span(ask.From, ask.To, loc), Degraded: found.Degraded}
		for _, h := range found.Hits {
			if h.Neighbour {
				h.Title += " · next to a match"
			}
			page.Hits = append(page.Hits, archive.Hit{
				RecordID: h.Record.ID, SessionID: h.Record.SessionID, Title: h.Title, Who: words.Speaker(h.Record, ""), Time: h.Record.Timestamp,
				Text: h.Record.Content, Collected: h.Record.Collected,
			})
		}
		return archiveMsg{question: q, page: page, err: err}
	}), stop
}

func (e effects) mark(record string, on bool) tea.Cmd {
	return e.do(func() tea.Msg {
		_, err := e.memory.CollectRecord(e.ctx, e.agent, record, on)
		return markedMsg{id: record, on: on, err: err}
	})
}

func (e effects) learnedFrom(record string) tea.Cmd {
	return e.look("lessons", func() tea.Msg {
		items, err := e.memory.Lookup().LearnedFrom(e.ctx, e.agent, record)
		return lessonsMsg{record: record, items: items, err: err}
	})
}

func (e effects) deleteMessage(record string, memories bool) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		d, err := e.chat.DeleteMessages(e.ctx, memories, record)
		what := "1 message"
		if d.Items > 0 {
			what += ", " + part.Plural(d.Items, "memory")
		}
		return messageDeletedMsg{removed: part.Removed{ID: d.ID, Of: record, What: what, Until: d.Until}, now: e.now(), err: err}
	})
}

func (e effects) restoreMessage(deletion string) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		_, err := e.chat.UndoDeletion(e.ctx, deletion)
		return messageRestoredMsg{id: deletion, err: err}
	})
}
