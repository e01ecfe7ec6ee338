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
func SessionTitle(s memory.Session) string {
	title := cmp.Or(clean.Line(s.Title), Say("session.untitled"))
	if s.Group != "" {
		return Say("session.in-group", clean.Line(s.Group), title)
	}
	return title
}

// Session says which session it is: its title, its length, its last message.
func Session(s memory.Session, now time.Time) string {
	return Say("session", SessionTitle(s), Count(s.TurnsShown(), "turn"), Ago(now, s.LastMessageAt))
}

// SessionRow is a session in a list. current says that it is the one that is open; quotes
// are what was found in it, around the words that were looked for.
func SessionRow(s memory.Session, now time.Time, current bool, words string, quotes ...string) Row {
	row := Row{Sentence: Session(s, now)}
	if current {
		row.Sentence += ", " + Say("session.current")
	}
	if len(quotes) > 0 {
		row.Sentence += ": " + Cut(quotes[0])
	}
	row.Columns = fmt.Sprintf("%s  %s  %-9s  %-8s  %s", ShortID(s.ID), when(s.LastMessageAt, now),
		Count(s.TurnsShown(), "turn"), s.State, SessionTitle(s))
	if s.ForkedFrom != nil {
		row.Columns += "  (" + Say("session.fork", ShortID(s.ForkedFrom.SessionID)) + ")"
	}
	if sum := s.Summary; sum != nil && sum.Snippet != "" {
		row.Columns += indented(Excerpt(sum.Snippet, words))
	}
	for _, q := range quotes {
		row.Columns += indented(Excerpt(q, words))
	}
	return row
}

func indented(line string) string { return "\n            " + line }

// MessageRow is a message that was found: who said it, when and where. who names who answers.
func MessageRow(h recall.ArchiveHit, who, words string, now time.Time) Row {
	r := h.Record
	who = Speaker(r, who)
	title := SessionTitle(memory.Session{Title: h.Title})
	read, star := who+", "+when(r.Timestamp, now), ""
	if r.Collected {
		read, star = read+", "+Say("message.bookmarked"), "★ "
	}
	beside := ""
	if h.Neighbour {
		beside = " · " + Say("message.neighbour")
	}
	return Row{
		Sentence: read + ", " + Say("message.in", title) + ": " + Cut(r.Content),
		Columns: fmt.Sprintf("%s  %s  %s%s · %s%s", ShortID(r.ID), when(r.Timestamp, now), star, who, title, beside) +
			indented(Excerpt(r.Content, words)),
	}
}

// Speaker names who said a message; who names who answers.
func Speaker(r memory.Record, who string) string {
	switch r.Role {
	case memory.RoleUser:
		return Say("you")
	case memory.RoleTool:
		return string(memory.RoleTool)
	}
	return cmp.Or(clean.Line(who), clean.Line(r.Sender), r.AgentID, string(r.Role))
}

// Source says whose words a source are, and when they were said. who names who answers.
func Source(s recall.Source, who string, loc *time.Location) string {
	switch {
	case s.Forgotten:
		who = Say("source.deleted")
	case s.Role == memory.RoleUser:
		who = Say("you")
	case s.Role != memory.RoleAssistant:
		who = Say("source.memory")
	}
	return clean.Line(who) + ", " + Moment(s.Time, loc)
}

// SessionFields is everything about a session but its messages.
func SessionFields(s memory.Session, loc *time.Location) (f Fields) {
	f.add("session.id", s.ID)
	f.add("session.group", s.Group)
	if from := s.Imported; from != nil {
		f.add("session.imported", from.Program)
	}
	f.add("session.state", string(s.State))
	f.add("session.began", Moment(s.CreatedAt, loc))
	f.add("session.used", Moment(s.LastMessageAt, loc))
	f.add("session.archived", Moment(s.ArchivedAt, loc))
	f.add("session.turns", Say("number", s.TurnsShown()))
	if sum := s.Summary; sum != nil {
		by := "session.by-rules"
		if sum.By == memory.ByModel {
			by = "session.by-model"
		}
		f.add("session.summary", sum.Snippet)
		f.add("session.summed-up", Say(by, Moment(sum.CreatedAt, loc), sum.Generation))
	}
	if s.Memories == memory.MemoriesGenerating {
		f = append(f, Field{Said: Say("session.unread")})
	}
	if s.TokensIn+s.TokensOut > 0 {
		f.add("session.tokens", Say("session.tokens.is", s.TokensIn, s.TokensOut))
	}
	if s.LearnIn+s.LearnOut > 0 {
		f.add("session.learning", Say("session.learning.is", s.LearnIn, s.LearnOut))
	}
	if from := s.ForkedFrom; from != nil {
		f.add("session.forked-from", Say("session.forked-from.is", from.SessionID, from.RecordID))
	}
	return f
}
