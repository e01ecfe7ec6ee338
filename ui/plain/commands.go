package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// obedient is what each command of [actions.Plain] does.
var obedient = map[string]func(s *session, arg string){
	"help":           (*session).help,
	"new":            func(s *session, _ string) { s.fresh() },
	"sessions":       (*session).sessions,
	"resume":         (*session).resume,
	"rename":         (*session).rename,
	"delete-session": (*session).deleteSession,
	"recall":         (*session).recall,
	"memories":       (*session).memories,
	"more":           func(s *session, _ string) { s.more() },
	"show":           func(s *session, arg string) { s.withItem("show", arg, s.show) },
	"why":            func(s *session, arg string) { s.withItem("why", arg, s.why) },
	"proof":          (*session).proof,
	"add":            (*session).add,
	"edit":           func(s *session, arg string) { s.withItem("edit", arg, s.edit) },
	"delete":         func(s *session, arg string) { s.withItem("delete", arg, s.delete) },
	"erase-secret":   func(s *session, _ string) { s.eraseSecret() },
	"undo":           func(s *session, _ string) { s.undo() },
	"profile":        (*session).profile,
	"inbox":          (*session).inbox,
	"keep":           func(s *session, _ string) { s.keepSession() },
	"temp":           func(s *session, _ string) { s.temporary() },
	"accept":         func(s *session, arg string) { s.withHeld("accept", arg, s.accept) },
	"reject":         func(s *session, arg string) { s.withHeld("reject", arg, s.reject) },
	"context":        (*session).context,
	"archive":        (*session).archive,
	"journal":        (*session).journal,
	"working":        func(s *session, _ string) { s.working() },
	"health":         func(s *session, _ string) { s.health() },
	"model":          (*session).model,
	"search-tool":    (*session).searchTool,
	"overrule":       func(s *session, _ string) { s.overrule() },
	"retry":          func(s *session, _ string) { s.retry() },
	"regenerate":     func(s *session, _ string) { s.regenerate() },
	"answers":        (*session).answers,
	"edit-message":   (*session).editMessage,
	"undo-turn":      func(s *session, _ string) { s.undoTurn() },
	"fork":           (*session).fork,
	"export":         (*session).export,
	"stop":           func(s *session, _ string) { s.stop() },
	"thoughts":       func(s *session, _ string) { s.thoughts() },
	"repeat":         func(s *session, _ string) { s.repeat() },
	"agent":          (*session).goTo,
	"agents":         func(s *session, _ string) { s.agents() },
	"group":          (*session).group,
	"add-agent":      (*session).addAgent,
	"edit-agent":     (*session).editAgent,
	"delete-agent":   (*session).deleteAgent,
	"settings":       (*session).settings,
	"set":            (*session).set,
	"unset":          (*session).unset,
	"quit":           func(s *session, _ string) { s.left = true },
}

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
		s.say("error: %s", clean.Line(err.Error()))
		return
	}
	if call.Name != "more" {
		s.next = nil
	}
	obedient[call.Name](s, call.Arg)
}

// piped reports whether the lines come from a program.
func (s *session) piped() bool { return !s.o.Typed && !s.o.ByHand }

// spans marks a whole message that no person typed, as kind; nil for a typed one.
func (s *session) spans(text, kind string) []memory.Span {
	if !s.piped() && kind != memory.SpanPasted {
		return nil
	}
	return []memory.Span{{Length: len(text), Kind: kind}}
}

// send gives a message to the conversation. kind is the kind of its span if no
// person typed it.
func (s *session) send(text, kind string) {
	busy := s.answering() || s.turn != ""
	id, err := s.o.chat.Send(s.ctx, text, s.spans(text, kind))
	if err != nil {
		s.tell(err)
		return
	}
	s.sent = append(s.sent, sentMessage{id: id, delayed: busy})
	if busy {
		s.say("queued, /undo takes it back: %s", clean.Line(text))
	}
}

// welcome says where we are.
func (s *session) welcome() {
	s.say("memoria %s, line by line. Type a message and press Enter; /help says what else there is, /quit leaves.", s.o.Version)
	s.say("%s", s.modelWords())
	s.sayMembers()
	if s.o.chat.Temporary() {
		s.say(words.Temporary)
	}
	if s.o.chat.Forgetful() {
		s.say("this run neither recalls nor learns")
	} else if s.piped() {
		s.say("these lines come from a program: what they would teach waits in the inbox; --typed says that you type them")
	}
	if s.in = s.o.chat.Session(); s.in.ID != "" {
		s.say("continued: %s", s.about(s.in))
	}
	s.aside = false
}

// modelWords says who answers.
func (s *session) modelWords() string {
	info := s.o.chat.Info()
	if info.Offline {
		return "no language model is connected: answers come from memory alone; /model looks for one on this computer"
	}
	return s.models() + " at " + clean.Line(info.Endpoint) + " answers"
}

// temporary begins or ends a temporary chat (U5).
func (s *session) temporary() {
	switch on := !s.o.chat.Temporary(); {
	case s.answering():
		s.tell(chat.ErrBusy)
	default:
		c, err := s.o.Conversations.SetTemporary(s.ctx, on)
		if err == nil && !on {
			s.say(words.TemporaryEnds)
		}
		s.adopt(c)
		if err == nil && on {
			s.say(words.Temporary)
		}
		s.tell(err)
	}
}

// fresh leaves this session for a new one.
func (s *session) fresh() {
	empty := s.o.chat.Session().ID == ""
	err := s.o.chat.NewSession(s.ctx)
	if empty && err == nil {
		s.say("this session is new; it begins with the next message")
		return
	}
	s.move(err)
}

// searchTool says whether the model may search by itself, or changes it.
func (s *session) searchTool(how string) {
	on, ok := actions.OnOff(how)
	switch {
	case s.o.chat.Forgetful():
		s.say("this run neither recalls nor learns, so there is nothing to search")
		return
	case ok:
		s.o.chat.SetSearches(on)
	case how != "":
		s.say("error: say on or off")
		return
	}
	if s.o.chat.Searches() {
		s.say("the model may search your memories by itself, with the tool %s", chat.SearchTool)
	} else {
		s.say("the model sees what is recalled for it, and cannot search")
	}
}

// move tells what became of a command that changes the session.
func (s *session) move(err error) {
	if err == nil {
		s.expect(aboutSession)
	}
	s.tell(err)
}

// moved waits to hear of another session, if it is another one.
func (s *session) moved() {
	if s.o.chat.Session().ID != s.in.ID {
		s.expect(aboutSession)
	}
}

func (s *session) help(name string) {
	if name == "" {
		for _, c := range actions.Plain.All() {
			s.say("%s: %s", c.Usage(), c.Help)
		}
		s.say("WORDS is a number of the last list, an id, or words. A line that ends in a backslash goes on in the next. Ctrl+C ends an answer, Ctrl+D leaves.")
		return
	}
	c, ok := actions.Plain.Find(name)
	if !ok {
		s.say("error: there is no command %s", clean.Line(name))
		return
	}
	s.say("%s: %s. Also: %s", c.Usage(), c.Help, strings.Join(c.Aliases, ", "))
}

func (s *session) retry() {
	err := s.o.chat.Retry(s.ctx)
	s.retrying = s.retrying || err == nil
	s.tell(err)
}

// overrule decides against the last judgement of the session.
func (s *session) overrule() {
	var records []memory.Record
	var err error
	if s.in.ID != "" {
		records, err = s.o.Memory.LastRecords(s.ctx, s.agent, s.in.ID, 1000)
	}
	if err != nil {
		s.tell(err)
		return
	}
	for _, r := range slices.Backward(records) {
		if r.Judgement == nil {
			continue
		}
		if err := s.o.chat.Overrule(s.ctx, r.ID); err != nil {
			s.tell(err)
			return
		}
		s.expect(aboutSession)
		return
	}
	s.say("nothing was judged in this session")
}

func (s *session) stop() {
	if !s.o.chat.Cancel() {
		s.say("no answer is arriving")
	}
}

func (s *session) repeat() {
	if s.last == "" && s.in.ID != "" {
		records, err := s.o.Memory.LastRecords(s.ctx, s.agent, s.in.ID, 4)
		if err != nil {
			s.tell(err)
			return
		}
		for _, r := range records {
			if r.Role == memory.RoleAssistant {
				s.last = r.Content
			}
		}
	}
	if s.last == "" {
		s.say("there is no answer yet")
		return
	}
	s.say("%s: %s", s.name, s.last)
}

// undo takes back the last deletion, while that can be, or else the message that
// was sent last and waits, or else the last change of the memory.
func (s *session) undo() {
	switch n := len(s.queue); {
	case s.deletion.Agent != "" && s.o.Now().Before(s.deletion.Until):
		s.restoreAgent(s.deletion, s.deleted)
	case s.deletion.ID != "" && s.o.Now().Before(s.deletion.Until):
		_, err := s.o.chat.TakeBackSession(s.ctx, s.deletion.ID)
		s.deletion = manager.Deletion{}
		if err != nil {
			s.tell(err)
			return
		}
		s.say("taken back: %s", s.deleted)
		s.moved()
	case n > 0:
		s.takeBack(s.queue[n-1].ID)
	case s.takeBackTurn():
	case s.deletion.ID != "":
		s.deletion = manager.Deletion{}
		s.tell(manager.ErrGone)
	default:
		s.undoLast()
	}
}

// undoLast takes back the last change of the memory (P9).
func (s *session) undoLast() {
	u, err := s.o.Memory.UndoLast(s.ctx, s.agent)
	switch {
	case errors.Is(err, manager.ErrNotFound):
		s.say("there is nothing to take back")
		return
	case err != nil:
		s.tell(err)
		return
	}
	for _, line := range u.Lines() {
		s.say("undone, %s", clean.Line(line))
	}
}

func (s *session) takeBack(id string) {
	r, err := s.o.chat.TakeBack(s.ctx, id)
	if err != nil {
		s.tell(err)
		return
	}
	for i, m := range s.sent {
		if m.id == id {
			s.sent = append(s.sent[:i:i], s.sent[i+1:]...)
			break
		}
	}
	s.say("taken back, not sent: %s", r.Content)
}

// model says who answers and who could, or lets another model answer.
func (s *session) model(name string) {
	switch {
	case s.o.chat.Info().Offline:
		s.useFound(name)
	case name == "":
		s.say("%s", s.modelWords())
		s.listModels()
	case s.o.Models.Use == nil:
		s.say("the model cannot be changed here")
	default:
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(s.shown.models) {
			name = s.shown.models[n-1]
		}
		client, err := s.o.Models.Use(name)
		s.use(client, err)
	}
}

func (s *session) use(client model.Client, err error) {
	if err != nil {
		s.tell(err)
		return
	}
	s.o.chat.SetModelForAll(client)
	s.expect(aboutModel)
}

func (s *session) listModels() {
	if s.o.Models.List == nil {
		return
	}
	names, err := patiently(s, s.o.Models.List)
	if err != nil {
		s.tell(err)
		return
	}
	s.shown.models = names
	if len(names) == 0 {
		s.say("the server lists no models; /model NAME names one")
		return
	}
	rows := make([]string, len(names))
	for i, n := range names {
		rows[i] = clean.Line(n)
	}
	s.pages(rows, len(rows), "model", "models", "/model NUMBER lets one answer")
}

// useFound offers the model servers of this computer, or uses one of them.
func (s *session) useFound(name string) {
	if s.o.Models.Discover == nil || s.o.Models.Connect == nil {
		s.say("%s", s.modelWords())
		return
	}
	found, err := patiently(s, func(ctx context.Context) ([]model.Found, error) { return s.o.Models.Discover(ctx), nil })
	switch n, notNumber := strconv.Atoi(name); {
	case err != nil:
		s.tell(err)
	case len(found) == 0:
		s.say("no language model was found on this computer; set OPENAI_API_KEY, or the table [model] of the configuration")
	case name == "":
		for i, f := range found {
			s.say("%d. %s on this computer: %s", i+1, clean.Line(f.Name), clean.Line(strings.Join(f.Models, ", ")))
		}
		s.say("/model NUMBER lets one answer")
	case notNumber != nil || n < 1 || n > len(found):
		s.say("error: say a number from 1 to %d", len(found))
	default:
		client, err := s.o.Models.Connect(found[n-1])
		s.use(client, err)
	}
}

// patiently waits for what may take long, while the conversation goes on. An
// interrupt ends it.
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
		case e, ok := <-s.o.chat.Events():
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
