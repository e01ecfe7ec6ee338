package plain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/clean"
)

// pageSize is how many entries of a list are said at once.
const pageSize = 10

// obey takes what was typed: a command or a message.
func (s *session) obey(text string) {
	if !actions.IsCommand(text) {
		if strings.TrimSpace(text) != "" {
			s.send(actions.Message(text), memory.SpanPiped)
		}
		return
	}
	call, err := actions.Plain.Parse(text)
	if err != nil {
		s.note("error", clean.Line(s.o.Words.Error(err)))
		return
	}
	switch a, _ := actions.Plain.Find(call.Name); {
	case a.Run != nil:
		s.next = nil
		s.run(a, call.Arg)
	case call.Name == "help":
		s.help(call.Arg)
	case call.Name == "more":
		s.more()
	case call.Name == "quit":
		s.left = true
	}
}

// run runs an action and shows its result.
func (s *session) run(a actions.Action, arg string) {
	if !a.Slow {
		s.show(a.Run(s.ctx, s.console, arg))
		return
	}
	apart := *s.console // events go on meanwhile
	r, err := patiently(s, func(ctx context.Context) (actions.Result, error) { return a.Run(ctx, &apart, arg) })
	s.console.Adopt(&apart)
	s.show(r, err)
}

// show says what an action did.
func (s *session) show(r actions.Result, err error) {
	if r.Open != nil && r.Open != s.console.Chat {
		s.open(r.Open)
	}
	if err != nil {
		s.tell(err)
		return
	}
	if r.Title != "" {
		s.say("%s", r.Title)
	}
	for _, f := range r.Fields {
		s.say("%s%s%s", f.Name, s.console.Say("sep.colon"), f.Said)
	}
	for _, line := range r.Lines {
		s.say("%s", line)
	}
	if r.List != nil {
		s.page(*r.List, 0)
	}
	for _, line := range r.Notes {
		s.say("%s", line)
	}
	s.follow(r)
	if r.Then != nil {
		s.show(*r.Then, nil)
	}
}

// follow does what a result asks the front end for.
func (s *session) follow(r actions.Result) {
	switch {
	case r.Awaits != actions.NoEvent:
		s.expect(r.Awaits)
	case s.console.Chat.Session().ID != s.in.ID:
		s.expect(actions.SessionEvent)
	}
	if r.More != nil {
		s.next = func() { s.show(r.More(), nil) }
	}
	if q := r.Ask; q != nil {
		s.asked = q
	}
	if r.Sent != "" {
		s.sent = append(s.sent, sentMessage{id: r.Sent})
	}
	if r.Withdrawn != "" {
		s.sent = slices.DeleteFunc(s.sent, func(m sentMessage) bool { return m.id == r.Withdrawn })
	}
	s.retrying = s.retrying || r.Answers
}

// page says a list page by page, from an entry on.
func (s *session) page(l actions.List, from int) {
	to := min(from+pageSize, len(l.Rows))
	for i, row := range l.Rows[from:to] {
		s.say("%d. %s", from+i+1, row.Sentence)
	}
	total := s.o.Words.Count(l.Total, l.What)
	s.next = nil
	switch {
	case to < len(l.Rows):
		s.note("list.more", from+1, to, total, l.Hint)
		s.next = func() { s.page(l, to) }
	case to < l.Total:
		s.note("list.fewer", from+1, to, total, l.Hint)
	default:
		s.note("list.all", total, l.Hint)
	}
}

func (s *session) more() {
	if s.next == nil {
		s.note("list.no-more")
		return
	}
	next := s.next
	s.next = nil
	next()
}

// send gives a message to the conversation. kind is the kind of its span if no person
// typed it.
func (s *session) send(text, kind string) {
	busy := s.answering() || s.turn != ""
	id, err := s.console.Chat.Send(s.ctx, text, s.console.Spans(text, kind))
	if err != nil {
		s.tell(err)
		return
	}
	s.sent = append(s.sent, sentMessage{id: id, delayed: busy})
	if busy {
		s.note("queued", clean.Line(text))
	}
}

// open goes on with another conversation. Nothing is kept of the one before but what the
// console keeps.
func (s *session) open(talk *chat.Chat) {
	s.console.Open(talk)
	*s = session{
		o: s.o, console: s.console, ctx: s.ctx, out: s.out, name: clean.Line(talk.Agent().Name),
		learning: map[string]bool{}, ended: s.ended, warned: s.warned,
	}
	s.note("talk.to", s.name, s.console.Model())
	s.sayMembers()
	if err := talk.Start(s.ctx); err != nil {
		s.tell(err)
		return
	}
	if s.in = talk.Session(); s.in.ID != "" {
		s.note("talk.continued", s.o.Words.Session(s.in, s.o.Now()))
	}
}

// welcome says where we are.
func (s *session) welcome() {
	s.note("talk.welcome", s.o.Version)
	s.say("%s", s.console.Model())
	s.sayMembers()
	if s.console.Chat.Temporary() {
		s.say("%s", s.o.Words.Say("temporary"))
	}
	if s.console.Chat.Forgetful() {
		s.note("talk.forgetful")
	} else if s.console.Piped {
		s.note("talk.piped")
	}
	if s.in = s.console.Chat.Session(); s.in.ID != "" {
		s.note("talk.continued", s.o.Words.Session(s.in, s.o.Now()))
	}
	s.aside = false
}

// sayMembers says of a group who is in it.
func (s *session) sayMembers() {
	var names []string
	for _, m := range s.console.Chat.Members() {
		names = append(names, clean.Line(s.console.Chat.NameOf(m.ID)))
	}
	if len(names) > 0 {
		s.note("talk.group", s.name, s.o.Words.List(names))
	}
}

func (s *session) help(name string) {
	if name == "" {
		for _, a := range actions.Plain.All() {
			a = a.Worded(s.o.Words.Language)
			s.note("help.command", a.Usage(), a.Help)
		}
		s.note("help.end")
		return
	}
	a, ok := actions.Plain.Find(name)
	if !ok {
		s.note("error", s.console.Say("help.none", clean.Line(name)))
		return
	}
	a = a.Worded(s.o.Words.Language)
	s.note("help.one", a.Usage(), a.Help, s.o.Words.List(a.Aliases))
}

// tell says an error.
func (s *session) tell(err error) {
	var refused actions.Refusal
	var single app.Refusal
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		s.note("cancelled")
	case errors.Is(err, chat.ErrBusy):
		s.note("error", s.console.Say("answer.arrives"))
	case errors.As(err, &refused), errors.As(err, &single), errors.Is(err, chat.ErrTemporary), errors.Is(err, chat.ErrNothing),
		errors.Is(err, chat.ErrTooLate), errors.Is(err, chat.ErrEmpty):
		s.note("error", clean.Line(s.o.Words.Error(err)))
	default:
		s.problem(chat.Explain(err))
	}
}

// patiently waits for what may take long, while the conversation goes on. An interrupt ends it.
func patiently[T any](s *session, f func(context.Context) (T, error)) (T, error) {
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f(ctx)
		done <- result{v, err}
	}()
	for {
		select {
		case r := <-done:
			return r.v, r.err
		case e, ok := <-s.console.Chat.Events():
			if ok {
				s.event(e)
				continue
			}
			return result{}.v, chat.ErrClosed
		case <-s.o.Interrupts:
			return result{}.v, context.Canceled
		}
	}
}
