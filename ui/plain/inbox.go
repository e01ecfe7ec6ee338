package plain

import (
	"fmt"
	"strings"

	"memoria/memory/manager"
	"memoria/ui/clean"
)

// inbox lists what waits for the user's yes, and why.
func (s *session) inbox(string) {
	page, err := s.o.Memory.Inbox(s.ctx, s.agent, maxListed, 0)
	if err != nil {
		s.tell(err)
		return
	}
	s.shown.held = page.Items
	if page.Total == 0 {
		s.say("nothing is waiting for your approval; personal data that you only mention, and what pasted text or another program wants to have remembered, comes here first")
		return
	}
	rows := make([]string, len(page.Items))
	for i, h := range page.Items {
		rows[i] = fmt.Sprintf("%s, %s: %s (%s)", readable(h.Type), ago(s.o.Now(), h.Since), content(h.Item), clean.Line(h.Reason))
		if h.Replaces != nil {
			rows[i] += ", would replace: " + content(*h.Replaces)
		}
	}
	s.shown.items = nil
	for _, h := range page.Items {
		s.shown.items = append(s.shown.items, h.Item)
	}
	s.pages(rows, page.Total, "memory waits", "memories wait", "/accept or /reject and a number, /accept all; /why and /edit too, what is edited is accepted")
}

// withHeld finds what is meant by a number of the last list of the inbox, or all
// of it.
func (s *session) withHeld(command, arg string, do func([]manager.HeldItem)) {
	i, ok := number(arg)
	switch {
	case len(s.shown.held) == 0:
		s.say("error: no inbox has been said; /inbox says it")
	case command == "accept" && (strings.EqualFold(arg, "all") || arg == "全部"):
		do(s.shown.held)
	case !ok:
		s.say("error: /%s needs a number of the inbox", command)
	case i < 0 || i >= len(s.shown.held):
		s.say("error: the inbox has the numbers 1 to %d", len(s.shown.held))
	default:
		do(s.shown.held[i : i+1])
	}
}

func shownOf(held []manager.HeldItem) (out []manager.Shown) {
	for _, h := range held {
		out = append(out, manager.Shown{ID: h.ID, Version: h.Version})
	}
	return out
}

func (s *session) accept(held []manager.HeldItem) {
	if len(held) == 1 {
		s.acceptNow(held)
		return
	}
	const drop = "nothing was accepted"
	s.say("accept all %d of the inbox", len(held))
	s.asked = &question{prompt: "yes or no: ", drop: drop, answer: func(line string) {
		if !yes(line) {
			s.say(drop)
			return
		}
		s.acceptNow(held)
	}}
}

func (s *session) acceptNow(held []manager.HeldItem) {
	out, err := s.o.Memory.Accept(s.ctx, s.agent, shownOf(held)...)
	if err != nil {
		s.tell(err)
		return
	}
	for _, it := range out {
		s.say("accepted: %s", content(it))
	}
}

func (s *session) reject(held []manager.HeldItem) {
	d, err := s.o.Memory.Reject(s.ctx, s.agent, shownOf(held)...)
	if err != nil {
		s.tell(err)
		return
	}
	s.deletion, s.deleted = d, content(held[0].Item)
	s.say("rejected, /undo takes it back for %s: %s", s.offered(d.Until), s.deleted)
}
