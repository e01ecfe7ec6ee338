package plain

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/clean"
	"memoria/ui/export"
)

// regenerate asks for another answer to the last message.
func (s *session) regenerate() {
	err := s.o.chat.Regenerate(s.ctx, "")
	if errors.Is(err, chat.ErrNothing) {
		s.say("there is no answer yet")
		return
	}
	s.retrying = s.retrying || err == nil
	s.tell(err)
}

// branch is the branch of this session; false when it has none or cannot be read.
func (s *session) branch() (manager.Branch, bool) {
	if s.in.ID == "" {
		s.say("this session begins with its first message")
		return manager.Branch{}, false
	}
	b, err := s.o.Memory.Branch(s.ctx, s.agent, s.in.ID)
	s.tell(err)
	return b, err == nil
}

// answers says how many answers the last message has, or shows one of them. Where a
// message was edited last it is that.
func (s *session) answers(number string) {
	b, ok := s.branch()
	if !ok {
		return
	}
	at := -1
	for i, r := range b.Records {
		if b.Ways[r.ID].Of > 0 {
			at = i
		}
	}
	if at < 0 && b.Ahead > 0 && number == "1" {
		s.step("", 1)
		return
	}
	if at < 0 && len(s.o.chat.Members()) > 0 {
		s.tell(manager.ErrInGroup)
		return
	}
	if at < 0 {
		s.say("every message has one answer; /regenerate asks for another")
		if b.Ahead > 0 {
			s.say("what followed the last message was undone; /answers 1 goes there")
		}
		return
	}
	r, w := b.Records[at], b.Ways[b.Records[at].ID]
	what := "answers to: " + cut(clean.Line(lastSaid(b.Records[:at])), maxQuote)
	if r.Role == memory.RoleUser {
		what = "versions of: " + cut(clean.Line(r.Content), maxQuote)
	}
	n, err := strconv.Atoi(number)
	switch {
	case number == "":
		s.say("%d of %d %s", w.At, w.Of, what)
		s.say("/answers NUMBER goes on from another")
	case err != nil || n < 1 || n > w.Of:
		s.say("error: say a number from 1 to %d", w.Of)
	case n == w.At:
		s.say("this is the one")
	default:
		s.step(r.ID, n-w.At)
	}
}

// step goes to another branch and says how it ends.
func (s *session) step(record string, by int) {
	if _, err := s.o.chat.Step(s.ctx, record, by); err != nil {
		s.tell(err)
		return
	}
	s.last = ""
	b, ok := s.branch()
	if !ok || len(b.Records) == 0 {
		return
	}
	s.say("the conversation goes on from here, %s; what was unlearned stays so", many(len(b.Records), "message", "messages"))
	s.repeat()
}

func lastSaid(records []memory.Record) string {
	for i := len(records) - 1; i >= 0; i-- {
		if records[i].Role == memory.RoleUser {
			return records[i].Content
		}
	}
	return ""
}

// editMessage says something in place of the last message.
func (s *session) editMessage(text string) {
	b, ok := s.branch()
	if !ok {
		return
	}
	for i := len(b.Records) - 1; i >= b.Before; i-- {
		if b.Records[i].Role != memory.RoleUser {
			continue
		}
		id, err := s.o.chat.SendEdited(s.ctx, b.Records[i].ID, text, s.spans(text, memory.SpanPiped))
		if err != nil {
			s.tell(err)
			return
		}
		s.sent = append(s.sent, sentMessage{id: id})
		return
	}
	s.say("you have said nothing here yet")
}

// turnsLeft tells what an edited message left behind.
func (s *session) turnsLeft(e chat.TurnsLeft) {
	s.say("what followed stays in a branch of its own; /answers goes there")
	s.unlearned(e.Left.Undone)
	s.undone, s.unlearnID, s.undoneUntil = nil, e.Left.Undone.ID, s.o.Now().Add(manager.TakeBackTime)
}

func (s *session) unlearned(u manager.Undone) {
	for _, line := range u.Lines() {
		s.say("taken back, %s", clean.Line(line))
	}
}

// undoTurn undoes the last turn.
func (s *session) undoTurn() {
	left, err := patiently(s, func(context.Context) (manager.LeftTurns, error) { return s.o.chat.UndoTurn(s.ctx) })
	switch {
	case errors.Is(err, chat.ErrNothing):
		s.say("there is no turn to undo")
		return
	case err != nil:
		s.tell(err)
		return
	}
	s.last = ""
	s.say("undone, /undo takes it back: %s", clean.Line(left.Message.Content))
	s.unlearned(left.Undone)
	s.undone, s.unlearnID, s.undoneUntil = &left, "", s.o.Now().Add(manager.TakeBackTime)
}

// takeBackTurn takes back the undoing of a turn, or what editing a message took
// back, while that is offered. It reports whether it was.
func (s *session) takeBackTurn() bool {
	left, id := s.undone, s.unlearnID
	s.undone, s.unlearnID = nil, ""
	if !s.o.Now().Before(s.undoneUntil) {
		return false
	}
	switch {
	case left != nil:
		if err := s.o.chat.RedoTurn(s.ctx, *left); err != nil {
			s.tell(err)
			return true
		}
		s.say("taken back: the turn is there again")
	case id != "":
		u, err := s.o.Memory.Undo(s.ctx, s.agent, id)
		if err != nil {
			s.tell(err)
			return true
		}
		for _, line := range u.Lines() {
			s.say("undone, %s", clean.Line(line))
		}
	}
	return left != nil || id != ""
}

// fork begins a session behind the last message, or so many before it.
func (s *session) fork(number string) {
	b, ok := s.branch()
	if !ok {
		return
	}
	var said []memory.Record
	for _, r := range b.Records {
		if r.Role != memory.RoleTool {
			said = append(said, r)
		}
	}
	n := 0
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 0 || n >= len(said) {
			s.say("error: say how many messages before the last, 0 to %d", len(said)-1)
			return
		}
	}
	if len(said) == 0 {
		s.say("there is nothing to fork yet")
		return
	}
	s.move(s.o.chat.Fork(s.ctx, said[len(said)-1-n].ID))
}

// export writes this session to a file.
func (s *session) export(file string) {
	if s.in.ID == "" {
		s.say("this session begins with its first message")
		return
	}
	doc, err := export.Load(s.ctx, s.o.Memory, s.agent, s.in.ID, s.name, false)
	if err != nil {
		s.tell(err)
		return
	}
	if file = strings.TrimSpace(file); file == "" {
		file = export.Name(doc.Session)
	}
	path, err := export.Write(file, "", export.Markdown(doc, s.o.Now().Location()), false)
	if err != nil {
		s.say("error: not exported: %s", clean.Line(err.Error()))
		return
	}
	s.say("written: %s, %s", clean.Line(path), many(len(doc.Records), "message", "messages"))
}
