package words

import (
	"cmp"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/clean"
)

// SessionTitle names a session; one that was held in a group with the group's name.
func (w Words) SessionTitle(s memory.Session) string {
	title := cmp.Or(clean.Line(s.Title), w.Say("session.untitled"))
	if s.Group != "" {
		return w.Say("session.in-group", clean.Line(s.Group), title)
	}
	return title
}

// Session says which session it is: its title, its length, its last message.
func (w Words) Session(s memory.Session, now time.Time) string {
	return w.Say("session", w.SessionTitle(s), w.Count(s.TurnsShown(), "turn"), w.Ago(now, s.LastMessageAt))
}

// SessionRow is a session in a list. current says that it is the one that is open; quotes
// are what was found in it, around the words that were looked for.
func (w Words) SessionRow(s memory.Session, now time.Time, current bool, words string, quotes ...string) Row {
	row := Row{Sentence: w.Session(s, now)}
	if current {
		row.Sentence += w.comma() + w.Say("session.current")
	}
	if len(quotes) > 0 {
		row.Sentence += w.colon() + Cut(quotes[0])
	}
	row.Columns = fmt.Sprintf("%s  %s  %s  %s  %s", ShortID(s.ID), when(s.LastMessageAt, now),
		Pad(w.Count(s.TurnsShown(), "turn"), 9), Pad(state(w, s.State), 8), w.SessionTitle(s))
	if s.ForkedFrom != nil {
		row.Columns += " " + w.paren(w.Say("session.fork", ShortID(s.ForkedFrom.SessionID)))
	}
	if sum := s.Summary; sum != nil && sum.Snippet != "" {
		row.Columns += indented(Excerpt(sum.Snippet, words))
	}
	for _, q := range quotes {
		row.Columns += indented(Excerpt(q, words))
	}
	return row
}

func state(w Words, s memory.SessionState) string { return w.Named("session.is", string(s)) }

func indented(line string) string { return "\n            " + line }

// MessageRow is a message that was found: who said it, when and where. who names who answers.
func (w Words) MessageRow(h recall.ArchiveHit, who, words string, now time.Time) Row {
	r := h.Record
	who = w.Speaker(r, who)
	title := w.SessionTitle(memory.Session{Title: h.Title})
	read, star := who+w.comma()+when(r.Timestamp, now), ""
	if r.Collected {
		read, star = read+w.comma()+w.Say("message.bookmarked"), "★ "
	}
	beside := ""
	if h.Neighbour {
		beside = " · " + w.Say("message.neighbour")
	}
	return Row{
		Sentence: read + w.comma() + w.Say("message.in", title) + w.colon() + Cut(r.Content),
		Columns: fmt.Sprintf("%s  %s  %s%s · %s%s", ShortID(r.ID), when(r.Timestamp, now), star, who, title, beside) +
			indented(Excerpt(r.Content, words)),
	}
}

// Speaker names who said a message; who names who answers.
func (w Words) Speaker(r memory.Record, who string) string {
	switch r.Role {
	case memory.RoleUser:
		return w.Say("you")
	case memory.RoleTool:
		return string(memory.RoleTool)
	}
	return cmp.Or(clean.Line(who), clean.Line(r.Sender), r.AgentID, string(r.Role))
}

// Source says whose words a source are, and when they were said. who names who answers.
func (w Words) Source(s recall.Source, who string, loc *time.Location) string {
	switch {
	case s.Forgotten:
		who = w.Say("source.deleted")
	case s.Role == memory.RoleUser:
		who = w.Say("you")
	case s.Role != memory.RoleAssistant:
		who = w.Say("source.memory")
	}
	return clean.Line(who) + w.comma() + Moment(s.Time, loc)
}

// SessionFields is everything about a session but its messages.
func (w Words) SessionFields(s memory.Session, loc *time.Location) (f Fields) {
	f.add(w, "session.id", s.ID)
	f.add(w, "session.group", s.Group)
	if from := s.Imported; from != nil {
		f.add(w, "session.imported", from.Program)
	}
	f.add(w, "session.state", state(w, s.State))
	f.add(w, "session.began", Moment(s.CreatedAt, loc))
	f.add(w, "session.used", Moment(s.LastMessageAt, loc))
	f.add(w, "session.archived", Moment(s.ArchivedAt, loc))
	f.add(w, "session.turns", w.Say("number", s.TurnsShown()))
	if sum := s.Summary; sum != nil {
		by := "session.by-rules"
		if sum.By == memory.ByModel {
			by = "session.by-model"
		}
		f.add(w, "session.summary", sum.Snippet)
		f.add(w, "session.summed-up", w.Say(by, Moment(sum.CreatedAt, loc), sum.Generation))
	}
	if s.Memories == memory.MemoriesGenerating {
		f = append(f, Field{Said: w.Say("session.unread")})
	}
	if s.TokensIn+s.TokensOut > 0 {
		f.add(w, "session.tokens", w.Say("session.tokens.is", s.TokensIn, s.TokensOut))
	}
	if s.LearnIn+s.LearnOut > 0 {
		f.add(w, "session.learning", w.Say("session.learning.is", s.LearnIn, s.LearnOut))
	}
	if from := s.ForkedFrom; from != nil {
		f.add(w, "session.forked-from", w.Say("session.forked-from.is", from.SessionID, from.RecordID))
	}
	return f
}
