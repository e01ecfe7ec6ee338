package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/clean"
)

// Options configures [Run].
type Options struct {
	*app.Session
	In  io.Reader
	Out io.Writer
	// Typed says that In is a terminal, which echoes the input.
	Typed bool
	// ByHand says that a person types the lines although In is no terminal: a
	// screen reader's bridge passes them on. Without Typed and ByHand the lines
	// come from a program, and what they would teach waits in the inbox.
	ByHand bool
	// Interrupts receives each interrupt, which then does nothing else; nil means
	// that there are none.
	Interrupts <-chan os.Signal

	gap time.Duration // between lines of a paste; 0 means together, if Typed
}

// sayLimit is how long the next line waits for what the one before it set off:
// what an answer taught, which session it is now.
const sayLimit = 5 * time.Second

// Run talks until the user leaves, the input ends or ctx does. It starts the open
// conversation if needed, and closes nothing. The error is nil when the user left or
// the input ended, [app.ErrInterrupted] when an interrupt ended it, and the cause when ctx
// ended.
func Run(ctx context.Context, o Options) error {
	if o.Typed && o.gap == 0 {
		o.gap = together
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := actions.NewConsole(o.Session, actions.Plain)
	c.Piped = !o.Typed && !o.ByHand
	s := &session{
		o: o, console: c, ctx: ctx, name: clean.Line(c.Agent.Name), out: &printer{w: o.Out, words: o.Words}, learning: map[string]bool{},
	}
	if err := c.Chat.Start(ctx); err != nil {
		return err
	}
	s.welcome()
	return s.loop()
}

// session is everything that Run's goroutine knows.
type session struct {
	o       Options
	console *actions.Console
	ctx     context.Context
	name    string // the agent's, clean
	out     *printer

	in       memory.Session // the one we are in
	frame    memory.Frame   // of the last message
	sent     []sentMessage  // without their end, oldest first
	retrying bool           // a message is asked again
	learning map[string]bool
	expected actions.Event    // what a command set off and was not said yet
	waited   <-chan time.Time // the wait for the two is over
	turn     string           // whose answer arrives
	sender   string           // in a group, who gives it
	answer   answer
	aside    bool // something else was said since the answer's last words
	asked    *actions.Question
	draft    string // lines that go on, or a paste that waits
	pasted   bool
	prompted bool
	warned   bool // the last interrupt said how to leave
	ended    bool // the input is at its end
	left     bool
	broken   bool   // by an interrupt
	next     func() // says the next page; nil for none
}

// sentMessage is a message of ours on its way.
type sentMessage struct {
	id      string
	waited  bool // it was seen in the queue
	taken   bool // it left the queue: the next end is its own
	delayed bool // it was sent while something else was answered
}

func (s *session) loop() error {
	entries := listen(s.ctx, s.o.In, s.o.gap)
	for !s.left {
		in := entries
		switch {
		case s.ended && s.idle():
			return s.out.err
		case s.ended, !s.o.Typed && !s.idle():
			in = nil // one thing after the other
		default:
			s.ask()
		}
		select {
		case e := <-in:
			if err := s.entered(e); err != nil {
				return err
			}
		case e, ok := <-s.console.Chat.Events():
			if !ok {
				return chat.ErrClosed
			}
			s.event(e)
		case <-s.o.Interrupts:
			s.interrupted()
		case <-s.waited:
			s.waited, s.expected = nil, actions.NoEvent
			clear(s.learning)
		case <-s.ctx.Done():
			s.out.fresh()
			return context.Cause(s.ctx)
		}
		if s.out.err != nil {
			return s.out.err
		}
	}
	if s.broken {
		return app.ErrInterrupted
	}
	return nil
}

// answering reports whether something of ours is not answered yet.
func (s *session) answering() bool { return len(s.sent) > 0 || s.retrying }

// idle reports whether all that was entered is answered, learned from and said.
func (s *session) idle() bool {
	return !s.answering() && len(s.learning) == 0 && s.expected == actions.NoEvent
}

// expect lets the next line wait until the event was said.
func (s *session) expect(e actions.Event) {
	s.expected, s.waited = e, time.After(sayLimit)
}

// ask shows that a line is waited for, unless an answer is coming.
func (s *session) ask() {
	if s.prompted || !s.o.Typed || s.asked == nil && !s.idle() {
		return
	}
	s.out.prompt(s.promptText())
	s.prompted = true
}

func (s *session) promptText() string {
	switch {
	case s.asked != nil:
		return s.asked.Prompt
	case s.draft != "":
		return s.console.Say("prompt.more")
	}
	return s.console.Say("prompt")
}

// note says a message of the catalogue.
func (s *session) note(id string, args ...any) { s.say("%s", s.console.Say(id, args...)) }

// say writes a line of the program's own. After it a prompt is written again.
func (s *session) say(format string, args ...any) {
	s.prompted, s.aside = false, true
	s.out.say(format, args...)
}

// entered takes what was entered. An error is what broke the input.
func (s *session) entered(e entry) error {
	switch {
	case errors.Is(e.err, errLong):
		s.note("error", s.console.Say("input.long"))
		return nil
	case errors.Is(e.err, io.EOF):
		s.finish()
		return nil
	case e.err != nil:
		return e.err
	}
	if s.o.Typed {
		s.out.entered()
	} else {
		s.out.say("%s%s", s.promptText(), e.text)
	}
	s.prompted, s.warned, s.aside = false, false, true
	s.take(e)
	return nil
}

// take decides what an entry is.
func (s *session) take(e entry) {
	switch {
	case e.pasted:
		s.asked = nil
		s.keep(e.text)
		s.pasted = true
		s.out.open = true // the terminal may have written a line that has no end yet
		s.note("paste", s.o.Words.Count(lines(s.draft), "line"))
	case s.asked != nil:
		q := s.asked
		s.asked = nil
		if _, err := actions.Plain.Parse(e.text); err == nil { // a command instead
			s.say("%s", q.Dropped)
			s.obey(e.text)
			return
		}
		s.show(q.Answer(s.ctx, e.text))
	case s.pasted:
		if e.text != "" { // the rest of the paste stood on the line
			s.keep(e.text)
		}
		s.enter()
	case continues(e.text):
		s.keep(e.text[:len(e.text)-1])
	default:
		s.keep(e.text)
		s.enter()
	}
}

// keep appends a line to the draft.
func (s *session) keep(line string) {
	if s.draft != "" {
		s.draft += "\n"
	}
	s.draft += line
}

// enter obeys or sends what waits.
func (s *session) enter() {
	text, pasted := s.draft, s.pasted
	s.draft, s.pasted = "", false
	if pasted {
		s.send(text, memory.SpanPasted)
		return
	}
	s.obey(text)
}

// interrupted ends what can be ended: unfinished input, the answer that
// arrives, or else, at the second time, the conversation.
func (s *session) interrupted() {
	s.out.open = s.out.open || s.o.Typed // the terminal wrote ^C
	s.out.fresh()
	warned := s.warned
	s.warned = false
	switch {
	case s.asked != nil:
		drop := s.asked.Dropped
		s.asked = nil
		s.say("%s", drop)
	case s.draft != "":
		s.draft, s.pasted = "", false
		s.note("paste.dropped")
	case s.console.Chat.Cancel():
	case s.idle() && warned, s.ended:
		s.left, s.broken = true, true
	default:
		s.note("talk.leave")
		s.warned = true
	}
}

// finish is what the end of the input does.
func (s *session) finish() {
	s.out.fresh()
	s.ended = true
	if s.asked != nil {
		s.say("%s", s.asked.Dropped)
		s.asked = nil
	}
	if s.draft != "" {
		s.enter()
	}
	if !s.idle() && s.o.Typed {
		s.note("talk.leaving")
	}
}

func lines(s string) int { return strings.Count(s, "\n") + 1 }
