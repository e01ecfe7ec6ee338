package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/recall"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// stdinName stands for standard input where a text is expected.
const stdinName = "-"

type askFlags struct {
	json    bool
	fresh   bool
	session string
}

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

func askCommand(p *Program) *cobra.Command {
	var f askFlags
	c := &cobra.Command{
		Use:   "ask [flags] TEXT",
		Short: "Send one message and print the answer",
		Long: `Send one message and print the answer on standard output; everything else goes to
standard error. Standard input, when it is not a terminal, is added to the
message and marked as not typed by you; - alone stands for it. Without -s or --new the message goes
where it would go in the terminal program: to the running session, or to a new
one after a pause.`,
		Example: `  memoria ask "What do you know about me?"
  memoria ask --new "Let's talk about something else"
  cat notes.txt | memoria ask --json "Summarise this"`,
		Args:        cobra.ArbitraryArgs,
		Annotations: hint(listSessions),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case p.Temporary && (f.fresh || f.session != ""):
				return wrongUsage("--temp is in no session; leave out --new and -s")
			case f.fresh && f.session != "":
				return wrongUsage("--new begins a session and -s names one; use one of them")
			case c.Flags().Changed("session") && f.session == "":
				return wrongUsage("-s needs the ID of a session")
			}
			return ask(c.Context(), p, strings.Join(args, " "), f)
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print session, turn, text, finish, usage, package and citations as JSON")
	c.Flags().BoolVar(&f.fresh, "new", false, "begin a new session")
	c.Flags().StringVarP(&f.session, "session", "s", "", "go on in this session (`ID` or a part of it)")
	p.temporaryFlag(c)
	completeFlag(c, "session", func(c *cobra.Command, _ []string, part string) ([]string, cobra.ShellCompDirective) {
		return p.completeSession(c, nil, part)
	})
	return c
}

func ask(ctx context.Context, p *Program, text string, f askFlags) (err error) {
	if text == stdinName {
		if isTerminal(p.Stdin) {
			return wrongUsage("- stands for standard input, which is the terminal here; pipe something in")
		}
		text = "" // it is added anyway
	}
	text, spans, err := p.addStdin(ctx, text)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		return wrongUsage("ask needs a text, as an argument or on standard input")
	}
	if len(spans) > 0 && spans[0].Kind == memory.SpanPiped && !p.NoMemory {
		p.say("memoria: the message comes from standard input: what it would teach waits in the inbox")
	}
	o, err := app.Open(ctx, &p.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	p.tellDamage(o)
	client, offline, err := o.Client()
	if err != nil {
		return err
	}
	conversation, err := o.Chat(client, true)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, conversation.Close())
		for range conversation.Events() { // nobody else takes the last ones
		}
	}()
	others, err := unanswered(ctx, p, o)
	if err != nil {
		return err
	}
	if p.Temporary {
		p.say("memoria: %s", words.Temporary)
	}
	servers := offer(ctx, p, offline)
	if err := goTo(ctx, conversation, f); err != nil {
		return err
	}
	if err := conversation.Start(ctx); err != nil {
		return err
	}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	out := &printer{p: p, json: f.json, others: others, stop: stop, offline: client.Info().Offline, hold: !isTerminal(p.Stdout)}
	always := context.WithoutCancel(ctx) // what there is of a cancelled answer is told whole
	out.session = func(id string) (memory.Session, error) { return o.Memory.Lookup().Session(always, o.Agent.ID, id) }
	out.unreadable = o.Memory.Vault().Unreadable()
	out.piped = len(spans) > 0 && spans[0].Kind == memory.SpanPiped && f.session == "" && !p.Temporary
	if o.Group != nil {
		out.choir = &choir{name: o.Speaker, pkgs: map[string]*memory.Package{}}
	}
	end, err := conversation.Ask(asking, text, spans, out.event)
	out.release()
	out.write(out.text.End())
	offerErasure(always, p, o, out)
	if err != nil {
		return err
	}
	if out.choir != nil {
		return finishGroup(always, p, o, out)
	}
	out.citations = citations(always, p, o, out.pkg)
	if err := out.finish(end); err != nil {
		return err
	}
	if s := <-servers; s != "" && end.Problem == nil {
		p.say("%s", s)
	}
	return outcome(p, end)
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
		said := "memoria: " + offline + "; answered from memory alone, nothing was sent anywhere"
		for _, found := range p.Discover(ctx) {
			said += fmt.Sprintf("\n  %s runs on this computer; to use it: MEMORIA_MODEL_BASE_URL=%s", found.Name, found.BaseURL)
			if len(found.Models) > 0 && plainName.MatchString(found.Models[0]) {
				said += " MEMORIA_MODEL_NAME=" + found.Models[0]
			}
			said += " memoria"
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
		p.say("memoria: its sources cannot be read: %v", err)
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
	turns := map[string]bool{}
	for _, r := range left {
		turns[r.TurnID] = true
	}
	if len(left) > 0 {
		p.say("memoria: %s that an earlier run left unanswered goes first", many(len(left), "message", "messages"))
	}
	return turns, nil
}

// goTo says where the message belongs when the user says so.
func goTo(ctx context.Context, c *chat.Chat, f askFlags) error {
	switch {
	case f.fresh:
		return c.NewSession(ctx)
	case f.session != "":
		return c.Resume(ctx, f.session)
	}
	return nil
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
		p.say("memoria: what had arrived of the answer is kept")
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
		p.say("memoria: %v", err)
		return
	}
	command := "memoria "
	if p.Agent != "" {
		command += "--agent " + o.Agent.ID + " "
	}
	p.say("memoria: %s; to erase it from the archive: %sarchive delete --yes %s", words.Secret(out.kinds), command, strings.Join(ids, " "))
}

// printer prints an answer as it arrives.
type printer struct {
	p      *Program
	json   bool
	others map[string]bool // turns that are not the one that was asked for
	// offline says that no model answers.
	offline bool
	stop    func() // gives the answer up, because nobody reads it
	choir   *choir // of a group; nil for one agent
	pkg     *memory.Package
	session func(id string) (memory.Session, error)
	// citations are those of pkg, with their words.
	citations  []recall.Source
	text       clean.Stream // the answer on its way out
	unreadable int          // records of the memory
	// piped says that nobody sees the conversation before: it is told which one goes on.
	piped bool
	// hold keeps the answer back until it is whole: of a model that only ends its
	// thinking with a mark it is not known before what is the answer (C9).
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
			o.p.say("memoria: %s", e.Package.Degraded)
		}
		if n := len(e.Package.Shortened()); n > 0 && len(e.Package.Rounds) == 0 {
			o.p.say("memoria: %s sent shortened; memoria context shows them", many(n, "earlier message is", "earlier messages are"))
		}
	case chat.UserStored:
		if j := e.Record.Judgement; j != nil {
			o.p.say("memoria: %s", o.decided(*j))
		} else if o.piped {
			o.goesOn(e.Record)
		}
		if len(e.Secrets) > 0 {
			o.secret, o.kinds = e.Record.ID, e.Secrets
		}
		if f := e.Record.Frame; f.Paused() {
			o.p.say("memoria: %s", frame.Notice(f))
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
			o.p.say("memoria: what stands above is what the model thought; its answer begins here")
		}
	case chat.Finished:
		o.release()
	case chat.Instructed:
		if e.Deletion.ID == "" && !o.offline { // else the answer says it
			for _, line := range e.Lines {
				o.p.say("memoria: %s", oneLine(line))
			}
		}
	case chat.Searched:
		o.release()
		o.searched(e)
	case chat.Retrying:
		o.p.say("memoria: %s; trying again in %s (%d of %d)", e.Reason, e.Wait.Round(100*time.Millisecond), e.Attempt, e.Of)
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
	o.lessons = words.Taught(o.lessons, who, e.Changes)
}

// tellLearned says on one line what the turn taught (U6).
func (o *printer) tellLearned() {
	if len(o.lessons) == 0 {
		return
	}
	line := oneLine(words.OneLine(o.lessons))
	if ids := words.Waiting(o.lessons); len(ids) == 1 && o.choir == nil {
		line += " · decide with memoria inbox accept|reject " + short(ids[0])
	} else if len(ids) > 0 {
		line += " · decide with memoria inbox"
	}
	o.p.say("memoria: %s", line)
	o.lessons = nil
}

// searched tells of what the model looked for; its words go on after an empty line.
func (o *printer) searched(e chat.Searched) {
	if e.Said != nil {
		o.said = append(o.said, e.Said.Content)
	}
	o.write(o.text.End())
	o.text = clean.Stream{}
	if o.last != "" {
		o.write(strings.Repeat("\n", 2-min(2, len(o.last)-len(strings.TrimRight(o.last, "\n")))))
	}
	for _, r := range e.Calls {
		o.calls = append(o.calls, *r.Call)
		o.p.say("memoria: %s", oneLine(r.Content))
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

func (o *printer) finish(end chat.Finished) error {
	if !o.json {
		if o.last != "" && !strings.HasSuffix(o.last, "\n") {
			o.p.print("\n")
		}
		sayCitations(o.p, o.citations)
		return nil
	}
	return o.p.printJSON(answer{
		Session: end.Record.SessionID, Turn: end.Record.TurnID, Text: strings.Join(append(o.said, end.Record.Content), "\n\n"),
		Searches: o.calls, Finish: cmp.Or(end.Record.FinishReason, string(end.Record.Status)), Usage: end.Record.Usage,
		Package: o.pkg, Citations: o.citations, Unreadable: o.unreadable,
	})
}

// goesOn says which session a message goes on with, when it begins none.
func (o *printer) goesOn(r memory.Record) {
	s, err := o.session(r.SessionID)
	if err != nil || r.ParentID == "" {
		return
	}
	o.p.say("memoria: this goes on with “%s”; --new begins a new conversation instead", oneLine(s.Title))
}

// decided says where a message after a pause is, and the flag that decides otherwise (S13).
func (o *printer) decided(j memory.Judgement) string {
	before := ""
	if s, err := o.session(j.SessionID); err == nil {
		before = oneLine(s.Title)
	}
	flag := "--session " + short(j.SessionID)
	if j.InOld() {
		flag = "--new"
	}
	return oneLine(words.JudgementSentence(j, before)) + " " + flag + " " + words.Overruling(j, before) + "."
}
