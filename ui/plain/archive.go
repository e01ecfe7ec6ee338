package plain

import (
	"context"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/clean"
	span "memoria/ui/when"
)

// archive lists messages: the newest, or those with these words from the time
// that the words name (A4).
func (s *session) archive(words string) {
	now := s.o.Now()
	q := recall.AskArchive(words, now, now.Location())
	q.Limit = maxListed
	page, err := patiently(s, func(ctx context.Context) (recall.ArchivePage, error) {
		return s.o.Manager.Recall().SearchArchive(ctx, s.agent, q)
	})
	if err != nil {
		s.tell(err)
		return
	}
	if time := span.Span(q.From, q.To, now.Location()); time != "" {
		s.say("time: %s", time)
	}
	if page.Degraded != "" {
		s.say("%s", page.Degraded)
	}
	if len(page.Hits) == 0 {
		s.say("no message is like that")
		return
	}
	rows := make([]string, len(page.Hits))
	list := make([]memory.Session, len(page.Hits))
	for i, h := range page.Hits {
		who := "you"
		switch h.Record.Role {
		case memory.RoleUser:
		case memory.RoleTool:
			who = string(memory.RoleTool)
		default:
			who = clean.Line(s.name)
			if h.Record.Sender != "" {
				who = clean.Line(s.o.Chat.NameOf(h.Record.Sender))
			}
		}
		mark := ""
		if h.Record.Collected {
			mark = ", bookmarked"
		}
		list[i] = memory.Session{ID: h.Record.SessionID, Title: h.Title}
		rows[i] = who + ", " + h.Record.Timestamp.In(now.Location()).Format("2006-01-02 15:04") + mark + ", in " + title(list[i]) + ": " +
			cut(clean.Line(h.Record.Content), maxQuote)
	}
	s.shown.sessions = list // a number leads to the session
	s.pages(rows, page.Total, "message", "messages", "/resume and a number goes to its session")
}
