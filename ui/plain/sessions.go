package plain

import (
	"errors"
	"fmt"
	"strings"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/ui/clean"
)

// about says which session it is.
func (s *session) about(in memory.Session) string {
	return fmt.Sprintf("%s, %s, last %s", title(in), many(in.TurnsShown(), "turn", "turns"), ago(s.o.Now(), in.LastMessageAt))
}

// sessions lists earlier sessions, all or those with these words.
func (s *session) sessions(words string) {
	if words != "" {
		s.found(words, "/resume or /delete-session and a number")
		return
	}
	list, total, err := s.o.Manager.Sessions(s.ctx, s.agent, maxListed, 0)
	switch {
	case err != nil:
		s.tell(err)
	case total == 0:
		s.say("there is no session yet; the first message begins one")
	default:
		s.listSessions(list, nil, total, "/resume or /delete-session and a number")
	}
}

// found lists the sessions that have these words, with what was said there.
func (s *session) found(words, then string) {
	page, err := s.o.Manager.Recall().SearchSessions(s.ctx, s.agent, recall.ArchiveQuery{Text: words, Limit: maxListed})
	if err != nil {
		s.tell(err)
		return
	}
	if page.Degraded != "" {
		s.say("note: %s", page.Degraded)
	}
	hits := page.Sessions
	if len(hits) == 0 {
		s.say("no session has these words")
		return
	}
	var list []memory.Session
	quotes := map[string]string{}
	for _, h := range hits {
		list = append(list, h.Session)
		if len(h.Hits) > 0 {
			quotes[h.Session.ID] = clean.Line(h.Hits[0].Record.Content)
		}
	}
	s.listSessions(list, quotes, len(list), then)
}

func (s *session) listSessions(list []memory.Session, quotes map[string]string, total int, then string) {
	s.shown.sessions = list
	rows := make([]string, len(list))
	for i, in := range list {
		rows[i] = s.about(in)
		if in.ID == s.in.ID {
			rows[i] += ", this one"
		}
		if q := quotes[in.ID]; q != "" {
			rows[i] += ": " + cut(q, maxQuote)
		}
	}
	s.pages(rows, total, "session", "sessions", then)
}

// maxQuote is how much of a message stands in a list, in characters.
const maxQuote = 120

func cut(line string, n int) string {
	if r := []rune(line); len(r) > n {
		return strings.TrimSpace(string(r[:n])) + "…"
	}
	return line
}

// withSession finds the session that is named by a number of the last list, by
// its id or by words. When several fit it lists them.
func (s *session) withSession(command, name string, do func(memory.Session)) {
	then := "/" + command + " NUMBER says which"
	if i, ok := number(name); ok {
		switch {
		case len(s.shown.sessions) == 0:
			s.say("error: no list has been said; /sessions says one")
		case i < 0 || i >= len(s.shown.sessions):
			s.say("error: the last list has the numbers 1 to %d", len(s.shown.sessions))
		default:
			do(s.shown.sessions[i])
		}
		return
	}
	if len(name) >= minID && !strings.ContainsAny(name, " \n") {
		if in, err := s.o.Manager.Session(s.ctx, s.agent, name); err == nil {
			do(in)
			return
		}
	}
	hits, err := s.o.Manager.Recall().FindSessions(s.ctx, s.agent, recall.ArchiveQuery{Text: name, Limit: 2})
	switch {
	case err != nil:
		s.tell(err)
	case len(hits) == 1:
		do(hits[0].Session)
	default:
		s.found(name, then)
	}
}

// resume goes back to a session; the next message goes there (S9a).
func (s *session) resume(name string) {
	if name == "" {
		s.sessions("")
		return
	}
	s.withSession("resume", name, func(in memory.Session) {
		if in.ID == s.in.ID {
			s.say("this is the session")
			return
		}
		s.move(s.o.Chat.Resume(s.ctx, in.ID))
	})
}

func (s *session) rename(title string) {
	if s.in.ID == "" {
		s.say("this session begins with its first message; then it can be named")
		return
	}
	s.move(s.o.Chat.Rename(s.ctx, s.in.ID, title))
}

// keepSession marks the session to be kept, or takes the mark back (A1).
func (s *session) keepSession() {
	if s.in.ID == "" {
		s.say("this session begins with its first message; then it can be kept")
		return
	}
	now, err := s.o.Manager.Session(s.ctx, s.agent, s.in.ID)
	if err == nil {
		now, err = s.o.Manager.KeepSession(s.ctx, s.agent, now.ID, !now.Keep)
	}
	switch {
	case err != nil:
		s.tell(err)
	case s.o.Manager.Keeps(now):
		s.say("this session is kept when it ends")
	default:
		s.say("this session's messages are erased when it ends; what was learned from it stays")
	}
}

// deleteSession asks what to delete, and deletes (D2).
func (s *session) deleteSession(name string) {
	s.withSession("delete-session", name, func(in memory.Session) {
		what := title(in)
		s.confirm("delete for good the session and its messages: "+s.about(in), func() {
			s.say("the memories that come from this session alone: no keeps them, yes deletes them too")
			s.asked = &question{prompt: "yes or no: ", drop: "nothing was deleted", answer: func(line string) {
				d, err := s.o.Chat.DeleteSession(s.ctx, in.ID, yes(line))
				if d.Items > 0 {
					what += ", with " + many(d.Items, "memory", "memories")
				}
				s.removed(d, err, what)
				s.moved()
			}}
		})
	})
}

// working says what the session is about right now (W1).
func (s *session) working() {
	w, err := s.o.Manager.Working(s.ctx, s.agent, s.in.ID)
	if s.in.ID == "" || errors.Is(err, manager.ErrNotFound) {
		s.say("there is no working memory: it begins with a session's first message and ends when the session rests")
		return
	}
	if err != nil {
		s.tell(err)
		return
	}
	topic := clean.Line(w.CurrentTopic)
	if topic == "" {
		topic = "none yet"
	}
	s.say("topic: %s", topic)
	for _, name := range sorted(w.ContextVariables) {
		s.say("%s: %s", clean.Line(name), clean.Line(w.ContextVariables[name]))
	}
	if w.LastEmotion != "" {
		s.say("feeling: %s", clean.Line(w.LastEmotion))
	}
	s.say("%s, begun %s, last %s", many(w.TurnCount, "turn", "turns"), ago(s.o.Now(), w.CreatedAt), ago(s.o.Now(), w.UpdatedAt))
}

// titleOf is the title of a session, "" where it has none or cannot be read.
func (s *session) titleOf(id string) string {
	in, err := s.o.Manager.Session(s.ctx, s.agent, id)
	if err != nil {
		return ""
	}
	return clean.Line(in.Title)
}
