package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// stdinName stands for standard input where a text is expected.
const stdinName = "-"

// answer is what ask --json prints.
type answer struct {
	Sender  string `json:"sender,omitempty"` // in a group
	Session string `json:"session"`
	Turn    string `json:"turn"`
	Text    string `json:"text"`
	// Finish is the model's finish reason, or, for an answer without one, how it
	// ended: interrupted, cancelled or error.
	Finish   string          `json:"finish"`
	Searches []memory.Call   `json:"searches,omitempty"` // what the model looked for
	Usage    *memory.Usage   `json:"usage"`              // null when the server told none
	Package  *memory.Package `json:"package"`            // null when nothing was composed
	// Citations are what was looked up in the archive, by the numbers in the text.
	Citations []recall.Source `json:"citations"`
	// Unreadable is how many records of the memory cannot be read (K5).
	Unreadable int `json:"unreadable,omitempty"`
}

func checkAsk(_ context.Context, in *input) error {
	switch fresh, session := in.on("new"), in.given("session"); {
	case in.Temporary && (fresh || session):
		return wrongUsage("usage.temp")
	case fresh && session:
		return wrongUsage("usage.new")
	}
	return nil
}

func ask(ctx context.Context, in *input) (r actions.Result, err error) {
	p, text := in.Program, in.words()
	if text == stdinName {
		if isTerminal(p.Stdin) {
			return r, wrongUsage("usage.stdin")
		}
		text = "" // it is added anyway
	}
	text, spans, err := p.addStdin(ctx, text)
	if err != nil {
		return r, err
	}
	if strings.TrimSpace(text) == "" {
		return r, wrongUsage("usage.text")
	}
	piped := len(spans) > 0 && spans[0].Kind == memory.SpanPiped
	if piped && !p.NoMemory {
		p.remark("ask.piped")
	}
	o, err := app.Open(ctx, &p.Options)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	p.tellDamage(o)
	client, offline, err := o.Client()
	if err != nil {
		return r, err
	}
	conversation, err := o.Chat(client, true)
	if err != nil {
		return r, err
	}
	defer func() {
		err = errors.Join(err, conversation.Close())
		for range conversation.Events() { // the last ones, which no one else takes
		}
	}()
	others, err := unanswered(ctx, p, o)
	if err != nil {
		return r, err
	}
	if p.Temporary {
		p.remark("problem", in.lang().Say("temporary"))
	}
	servers := offer(ctx, p, offline)
	if in.on("new") {
		err = conversation.NewSession(ctx)
	} else if in.given("session") {
		err = conversation.Resume(ctx, in.text("session"))
	}
	if err == nil {
		err = conversation.Start(ctx)
	}
	if err != nil {
		return r, err
	}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	always := context.WithoutCancel(ctx) // what there is of a cancelled answer is told whole
	out := &printer{
		p: p, json: in.on("json"), others: others, stop: stop, offline: client.Info().Offline, hold: !isTerminal(p.Stdout),
		session:    func(id string) (memory.Session, error) { return o.Memory.Lookup().Session(always, o.Agent.ID, id) },
		unreadable: o.Memory.Vault().Unreadable(), piped: piped && !in.given("session") && !p.Temporary,
	}
	if o.Group != nil {
		out.choir = &choir{name: o.Speaker, pkgs: map[string]*memory.Package{}}
	}
	end, err := conversation.Ask(asking, text, spans, out.event)
	out.release()
	out.write(out.text.End())
	offerErasure(always, p, o, out)
	if err != nil {
		return r, err
	}
	if out.choir != nil {
		return out.finishGroup(always, o), nil
	}
	out.citations = citations(always, p, o, out.pkg)
	r.Data = out.finish(end)
	if s := <-servers; s != "" && end.Problem == nil {
		p.say("%s", s)
	}
	r.Failed = outcome(p, end)
	return r, nil
}

// offer looks for model servers on this computer while the offline answer is made, for
// 300 ms at most, and returns what to say about them.
func offer(ctx context.Context, p *Program, offline string) <-chan string {
	out := make(chan string, 1)
	if offline == "" {
		out <- ""
		return out
	}
	go func() {
		said := p.lang().Say("ask.offline", words.Sentence(offline))
		for _, found := range p.Discover(ctx) {
			said += "\n  " + p.lang().Say("ask.server", found.Name, useOf(found))
		}
		out <- said
	}()
	return out
}

// citations reads the sources of a package that has evidence.
func citations(ctx context.Context, p *Program, o *app.App, pkg *memory.Package) []recall.Source {
	out := []recall.Source{}
	if pkg == nil || len(pkg.Citations) == 0 {
		return out
	}
	all, err := o.Memory.Recall().Sources(ctx, pkg.AgentID, *pkg)
	if err != nil { // the answer is there all the same
		p.remark("ask.no-sources", err)
		return out
	}
	return append(out, all[pkg.TurnID]...)
}

// unanswered returns the turns of messages that an earlier process kept and did
// not answer. They are answered first, and are not what was asked for here.
func unanswered(ctx context.Context, p *Program, o *app.App) (map[string]bool, error) {
	if p.Temporary { // they are left for the next command
		return nil, nil
	}
	left, err := o.Memory.Lookup().Incoming(ctx, o.Agent.ID)
	if err != nil {
		return nil, err
	}
	left = slices.DeleteFunc(left, func(r memory.Record) bool { return o.Memory.Held.Has(r.TurnID) }) // another run's
	turns := map[string]bool{}
	for _, r := range left {
		turns[r.TurnID] = true
	}
	if len(left) > 0 {
		p.remark("ask.unanswered", p.lang().Count(len(left), "message"))
	}
	return turns, nil
}

// outcome turns the end of a turn into the end of the command.
func outcome(p *Program, end chat.Finished) error {
	switch {
	case end.Problem != nil:
		p.tell(*end.Problem)
	case end.Record.Status == memory.StatusComplete:
		return nil
	}
	if end.Record.Content != "" && !end.Unsaved {
		p.remark("ask.kept")
	}
	return errTold
}

// offerErasure names the command that erases a message with a secret, and what repeats it, from the archive (P5a).
func offerErasure(ctx context.Context, p *Program, o *app.App, out *printer) {
	if out.secret == "" {
		return
	}
	ids, err := o.Memory.Lookup().SecretRecords(ctx, o.Agent.ID, out.secret)
	if err != nil {
		p.remark("problem", err)
		return
	}
	command := "memoria "
	if p.Agent != "" {
		command += "--agent " + o.Agent.ID + " "
	}
	p.remark("ask.secret", p.lang().Secret(out.kinds), command, strings.Join(ids, " "))
}

// printer prints an answer as it arrives.
type printer struct {
	p      *Program
	json   bool
	others map[string]bool // turns that are not the one that was asked for
	// offline says that no model answers.
	offline bool
	stop    func() // cancels the answer, which has no reader
	choir   *choir // of a group; nil for one agent
	pkg     *memory.Package
	session func(id string) (memory.Session, error)
	// citations are those of pkg, with their words.
	citations  []recall.Source
	text       clean.Stream // the answer on its way out
	unreadable int          // records of the memory
	// piped says that the message comes from a program, which is told the conversation that continues.
	piped bool
	// hold buffers the answer until it is complete: some models mark only the end of their
	// thinking, so that the answer is known late (C9).
	hold bool
	held chat.Delta
	last string // the last piece that was printed

	lessons []words.Lesson // what the turn taught and is not told yet
	// secret is the message when it holds a secret, of these kinds.
	secret string
	kinds  []string

	said  []string // what came before the model's calls
	calls []memory.Call
}

func (o *printer) event(e chat.Event) {
	if o.others[chat.HeadOf(e).TurnID] {
		return
	}
	o.choir.joins(e)
	if l, is := e.(chat.Learned); is {
		o.learned(l)
		return
	}
	o.tellLearned()
	switch e := e.(type) {
	case chat.PackageStored:
		o.pkg = &e.Package
		if e.Package.Degraded != "" && len(e.Package.Rounds) == 0 {
			o.p.remark("problem", words.Sentence(e.Package.Degraded))
		}
		if n := len(e.Package.Shortened()); n > 0 && len(e.Package.Rounds) == 0 {
			o.p.remark("ask.shortened", o.p.lang().Count(n, "earlier message is"))
		}
	case chat.UserStored:
		if j := e.Record.Judgement; j != nil {
			o.p.remark("problem", o.decided(*j))
		} else if o.piped {
			o.goesOn(e.Record)
		}
		if len(e.Secrets) > 0 {
			o.secret, o.kinds = e.Record.ID, e.Secrets
		}
		if f := e.Record.Frame; f.Paused() {
			o.p.remark("problem", words.Sentence(frame.Notice(f)))
		}
	case chat.Delta:
		if o.json || e.Text == "" {
			return
		}
		if o.hold {
			o.held.Head, o.held.Text = e.Head, o.held.Text+e.Text
			return
		}
		o.print(e)
	case chat.Reconsidered:
		o.held = chat.Delta{}
		if !o.hold && !o.json && o.last != "" {
			o.write(o.text.End())
			o.text = clean.Stream{}
			o.write("\n")
			o.p.remark("ask.thought")
		}
	case chat.Finished:
		o.release()
	case chat.Instructed:
		if e.Deletion.ID == "" && e.Restored == "" && !o.offline { // else the answer says it
			for _, line := range e.Lines {
				o.p.remark("problem", oneLine(line))
			}
		}
	case chat.Searched:
		o.release()
		o.searched(e)
	case chat.Retrying:
		o.p.remark("ask.retrying", words.Sentence(e.Reason), e.Wait.Round(100*time.Millisecond), e.Attempt, e.Of)
	}
}

// release prints what was held back.
func (o *printer) release() {
	if strings.TrimSpace(o.held.Text) != "" {
		o.print(o.held)
	}
	o.held = chat.Delta{}
}

func (o *printer) print(e chat.Delta) {
	o.voice(e.Sender)
	o.write(o.text.Add(e.Text))
	if o.p.out.err != nil {
		o.stop()
	}
}

// learned notes what the turn taught; in a group each member tells.
func (o *printer) learned(e chat.Learned) {
	who := ""
	if e.Sender != "" && o.choir != nil {
		who = o.choir.name(memory.Record{Sender: e.Sender})
	}
	o.lessons = o.p.lang().Taught(o.lessons, who, e.Changes)
}

// tellLearned says on one line what the turn taught (U6).
func (o *printer) tellLearned() {
	if len(o.lessons) == 0 {
		return
	}
	line := oneLine(words.OneLine(o.lessons))
	if ids := words.Waiting(o.lessons); len(ids) == 1 && o.choir == nil {
		line += o.p.lang().Say("ask.decide.one", words.ShortID(ids[0]))
	} else if len(ids) > 0 {
		line += o.p.lang().Say("ask.decide")
	}
	o.p.remark("problem", line)
	o.lessons = nil
}

// searched tells of what the model looked for; its words go on after an empty line.
func (o *printer) searched(e chat.Searched) {
	if e.Said != nil {
		o.said = append(o.said, e.Said.Content)
	}
	o.endVoice()
	for _, r := range e.Calls {
		o.calls = append(o.calls, *r.Call)
		o.p.remark("problem", oneLine(r.Content))
	}
}

// write prints a piece that is clean; cleaning it again, without what came
// before it, could change it.
func (o *printer) write(s string) {
	if s != "" {
		_, _ = io.WriteString(o.p.out, s)
		o.last = s
	}
}

// finish ends the printing of an answer and returns it for JSON.
func (o *printer) finish(end chat.Finished) answer {
	if !o.json {
		if o.last != "" && !strings.HasSuffix(o.last, "\n") {
			o.p.print("\n")
		}
		o.cite(o.citations)
	}
	a := answerOf(end, o.pkg, o.citations)
	a.Text, a.Searches, a.Unreadable = strings.Join(append(o.said, a.Text), "\n\n"), o.calls, o.unreadable
	return a
}

// answerOf is an answer as JSON.
func answerOf(end chat.Finished, pkg *memory.Package, sources []recall.Source) answer {
	r := end.Record
	return answer{
		Sender: r.Sender, Session: r.SessionID, Turn: r.TurnID, Text: r.Content,
		Finish: cmp.Or(r.FinishReason, string(r.Status)), Usage: r.Usage, Package: pkg, Citations: sources,
	}
}

// goesOn says which session a message goes on with, when it begins none.
func (o *printer) goesOn(r memory.Record) {
	s, err := o.session(r.SessionID)
	if err != nil || r.ParentID == "" {
		return
	}
	o.p.remark("ask.goes-on", oneLine(s.Title))
}

// decided says where a message after a pause is, and the flag that decides otherwise (S13).
func (o *printer) decided(j memory.Judgement) string {
	before := ""
	if s, err := o.session(j.SessionID); err == nil {
		before = oneLine(s.Title)
	}
	flag := "--session " + words.ShortID(j.SessionID)
	if j.InOld() {
		flag = "--new"
	}
	return oneLine(o.p.lang().JudgementSentence(j, before)) + " " + flag + " " + o.p.lang().Overruling(j, before) + "."
}

// cite says on standard error what an answer may rest on, a line each.
func (o *printer) cite(all []recall.Source) {
	for _, l := range o.p.console(nil).Cited(all) {
		o.p.say("%s", l)
	}
}
