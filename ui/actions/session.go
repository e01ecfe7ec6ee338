package actions

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/ui/app"
	"memoria/ui/export"
	"memoria/ui/words"
)

// sessions lists earlier sessions, all or those with these words.
func sessions(ctx context.Context, c *Console, text string) (Result, error) {
	if text != "" {
		return c.foundSessions(ctx, text, "session.hint")
	}
	list, total, err := c.Memory.Lookup().Sessions(ctx, c.Agent.ID, maxListed, 0)
	if err != nil || total == 0 {
		return c.note("session.none"), err
	}
	return c.listSessions(list, nil, total, c.Say("session.hint")), nil
}

// foundSessions lists the sessions that have these words, with what was said there.
func (c *Console) foundSessions(ctx context.Context, text, hint string, args ...any) (Result, error) {
	page, err := c.Memory.Recall().SearchSessions(ctx, c.Agent.ID, recall.ArchiveQuery{Text: text, Limit: maxListed})
	if err != nil {
		return Result{}, err
	}
	r := Result{Notes: []string{c.Say("session.no-match")}}
	if len(page.Sessions) > 0 {
		var list []memory.Session
		quotes := map[string]string{}
		for _, h := range page.Sessions {
			list = append(list, h.Session)
			if len(h.Hits) > 0 {
				quotes[h.Session.ID] = h.Hits[0].Record.Content
			}
		}
		r = c.listSessions(list, quotes, len(list), c.Say(hint, args...))
	}
	if page.Degraded != "" {
		r.Lines = []string{c.Words.Say("note", line(c.Words.Translate(page.Degraded)))}
	}
	return r, nil
}

func (c *Console) listSessions(list []memory.Session, quotes map[string]string, total int, hint string) Result {
	c.last.sessions = list
	l := &List{Total: total, What: "session", Hint: hint}
	for _, s := range list {
		var said []string
		if q := quotes[s.ID]; q != "" {
			said = []string{q}
		}
		l.Rows = append(l.Rows, c.Words.SessionRow(s, c.Now(), s.ID == c.in().ID, "", said...))
	}
	return Result{List: l}
}

// session does something with the session that is named by a number of the last list, by
// its id or by words. When several match it lists them.
func session(name string, do func(context.Context, *Console, memory.Session) (Result,
	error)) func(context.Context, *Console, string) (Result, error) {
	return func(ctx context.Context, c *Console, arg string) (Result, error) {
		if arg == "" {
			return sessions(ctx, c, "")
		}
		if i, ok := number(arg); ok {
			if err := c.inLast(i, len(c.last.sessions), "sessions"); err != nil {
				return Result{}, err
			}
			return do(ctx, c, c.last.sessions[i])
		}
		if len(arg) >= minID && !strings.ContainsAny(arg, " \n") {
			if s, err := c.Memory.Lookup().Session(ctx, c.Agent.ID, arg); err == nil {
				return do(ctx, c, s)
			}
		}
		hits, err := c.Memory.Recall().FindSessions(ctx, c.Agent.ID, recall.ArchiveQuery{Text: arg, Limit: 2})
		switch {
		case err != nil:
			return Result{}, err
		case len(hits) == 1:
			return do(ctx, c, hits[0].Session)
		}
		return c.foundSessions(ctx, arg, "list.which", name)
	}
}

// follows is a result that an event about the session tells.
func follows(err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	return Result{Awaits: SessionEvent}, nil
}

// resume goes back to a session; the next message goes there (S9a).
func resume(ctx context.Context, c *Console, s memory.Session) (Result, error) {
	if s.ID == c.in().ID {
		return c.note("session.here"), nil
	}
	return follows(c.Chat.Resume(ctx, s.ID))
}

// newSession leaves this session for a new one.
func newSession(ctx context.Context, c *Console, _ string) (Result, error) {
	empty := c.in().ID == ""
	err := c.Chat.NewSession(ctx)
	if empty && err == nil {
		return c.note("session.new"), nil
	}
	return follows(err)
}

func rename(ctx context.Context, c *Console, title string) (Result, error) {
	if c.in().ID == "" {
		return c.note("session.unnamed"), nil
	}
	return follows(c.Chat.Rename(ctx, c.in().ID, title))
}

// RenameSession gives a session another title.
func RenameSession(ctx context.Context, c *Console, id, title string) (Result, error) {
	s, err := c.Memory.RenameSession(ctx, c.Agent.ID, id, title)
	return Result{Data: s, ID: s.ID, Notes: []string{c.Say("session.renamed", c.Words.SessionTitle(s))}}, err
}

// keep marks the session that is open to be kept, or removes the mark (A1).
func keep(ctx context.Context, c *Console, _ string) (Result, error) {
	if c.in().ID == "" {
		return c.note("session.unkept"), nil
	}
	s, err := c.Memory.Lookup().Session(ctx, c.Agent.ID, c.in().ID)
	if err != nil {
		return Result{}, err
	}
	return KeepSession(ctx, c, s.ID, !s.Keep)
}

// KeepSession marks a session to be kept when it ends, or removes the mark (A1).
func KeepSession(ctx context.Context, c *Console, id string, keep bool) (Result, error) {
	s, err := c.Memory.KeepSession(ctx, c.Agent.ID, id, keep)
	if err != nil {
		return Result{}, err
	}
	said := "session.erased"
	if c.Memory.Keeps(s) {
		said = "session.kept"
	}
	return Result{Data: s, ID: s.ID, Notes: []string{c.Say(said, c.Words.SessionTitle(s))}}, nil
}

// deleteSession asks what to delete, and deletes (D2).
func deleteSession(_ context.Context, c *Console, s memory.Session) (Result, error) {
	return c.confirm(c.Say("session.delete", c.Words.Session(s, c.Now())), c.Say("nothing.deleted"), func(context.Context) (Result, error) {
		return c.withMemories("session.delete.memories", func(ctx context.Context, memories bool) (Result, error) {
			d, err := c.Chat.DeleteSession(ctx, s.ID, memories)
			if err != nil {
				return Result{}, err
			}
			return c.deleted("deleted", d, c.extent(c.Words.SessionTitle(s), d)), nil
		}), nil
	}), nil
}

// withMemories asks whether the memories that come from nowhere else go as well.
func (c *Console) withMemories(ask string, do func(ctx context.Context, memories bool) (Result, error)) Result {
	return Result{Lines: []string{c.Say(ask)}, Ask: &Question{
		Prompt: c.Say("ask.yes-or-no"), Dropped: c.Say("nothing.deleted"),
		Answer: func(ctx context.Context, line string) (Result, error) { return do(ctx, Yes(line)) },
	}}
}

// extent names what was deleted, and how many memories went with it.
func (c *Console) extent(what string, d write.Deletion) string {
	if d.Items > 0 {
		what = c.Say("deleted.with", what, c.Words.Count(d.Items, "memory"))
	}
	return what
}

// branch is the branch of the session that is open. ok is false when it has no message.
func (c *Console) branch(ctx context.Context) (b lookup.Branch, ok bool, err error) {
	if c.in().ID == "" {
		return b, false, nil
	}
	b, err = c.Memory.Lookup().Branch(ctx, c.Agent.ID, c.in().ID)
	return b, err == nil, err
}

// answers says how many answers the last message has, or goes on from one of them. When a
// message was edited last, it is about that.
func answers(ctx context.Context, c *Console, arg string) (Result, error) {
	b, ok, err := c.branch(ctx)
	if !ok {
		return c.note("session.empty"), err
	}
	at := -1
	for i, r := range b.Records {
		if b.Alternatives[r.ID].Of > 0 {
			at = i
		}
	}
	switch {
	case at < 0 && b.Ahead > 0 && arg == "1":
		return step(ctx, c, "", 1)
	case at < 0 && c.inGroup():
		return Result{}, write.ErrInGroup
	case at < 0:
		r := c.note("answers.one")
		if b.Ahead > 0 {
			r.Notes = append(r.Notes, c.Say("answers.ahead"))
		}
		return r, nil
	}
	r, w := b.Records[at], b.Alternatives[b.Records[at].ID]
	what := c.Say("answers.to", words.Cut(lastSaid(b.Records[:at])))
	if r.Role == memory.RoleUser {
		what = c.Say("answers.versions", words.Cut(r.Content))
	}
	n, err := strconv.Atoi(arg)
	switch {
	case arg == "":
		return Result{Lines: []string{c.Say("answers.at", w.At, w.Of, what)}, Notes: []string{c.Say("answers.hint")}}, nil
	case err != nil || n < 1 || n > w.Of:
		return c.refuse("number.range", w.Of)
	case n == w.At:
		return c.note("answers.this"), nil
	}
	return step(ctx, c, r.ID, n-w.At)
}

// step goes to another branch and says how it ends.
func step(ctx context.Context, c *Console, record string, by int) (Result, error) {
	if _, err := c.Chat.Step(ctx, record, by); err != nil {
		return Result{}, err
	}
	c.LastAnswer = ""
	b, ok, err := c.branch(ctx)
	if !ok || len(b.Records) == 0 {
		return Result{}, err
	}
	last, err := repeat(ctx, c, "")
	return Result{Notes: []string{c.Say("answers.branch", c.Words.Count(len(b.Records), "message"))}, Then: &last}, err
}

func lastSaid(records []memory.Record) string {
	for _, r := range slices.Backward(records) {
		if r.Role == memory.RoleUser {
			return r.Content
		}
	}
	return ""
}

// editMessage says something in place of the last message.
func editMessage(ctx context.Context, c *Console, text string) (Result, error) {
	b, ok, err := c.branch(ctx)
	if !ok {
		return c.note("session.empty"), err
	}
	for i := len(b.Records) - 1; i >= b.Before; i-- {
		if b.Records[i].Role == memory.RoleUser {
			id, err := c.Chat.SendEdited(ctx, b.Records[i].ID, text, c.Spans(text, memory.SpanPiped))
			return Result{Sent: id}, err
		}
	}
	return c.note("session.unsaid"), nil
}

// fork begins a session after the last message, or so many before it.
func fork(ctx context.Context, c *Console, arg string) (Result, error) {
	b, ok, err := c.branch(ctx)
	if !ok {
		return c.note("session.empty"), err
	}
	said := slices.DeleteFunc(slices.Clone(b.Records), func(r memory.Record) bool { return r.Role == memory.RoleTool })
	n := 0
	if arg != "" {
		if n, err = strconv.Atoi(arg); err != nil || n < 0 || n >= len(said) {
			return c.refuse("fork.range", len(said)-1)
		}
	}
	if len(said) == 0 {
		return c.note("fork.nothing"), nil
	}
	return follows(c.Chat.Fork(ctx, said[len(said)-1-n].ID))
}

// mostOpen is how many of the sessions last used may be the open one.
const mostOpen = 20

// ForkSession begins a session after a message of another one.
func ForkSession(ctx context.Context, c *Console, s memory.Session, record string) (r Result, err error) {
	at, err := c.Memory.Lookup().FindRecord(ctx, c.Agent.ID, record)
	if err != nil {
		return r, err
	}
	b, err := c.Memory.Lookup().Branch(ctx, c.Agent.ID, s.ID)
	if err != nil {
		return r, err
	}
	if at.SessionID != s.ID && !slices.ContainsFunc(b.Records, func(in memory.Record) bool { return in.ID == at.ID }) {
		return r, app.UsageError(c.Say("fork.elsewhere", record, words.ShortID(s.ID)))
	}
	latest, _, err := c.Memory.Lookup().Sessions(ctx, c.Agent.ID, mostOpen, 0)
	if err != nil {
		return r, err
	}
	archive := ""
	if i := slices.IndexFunc(latest, func(s memory.Session) bool { return s.State == memory.SessionActive }); i >= 0 {
		archive = latest[i].ID
	}
	fork, err := c.Memory.Fork(ctx, c.Agent.ID, at.ID, archive)
	return Result{Data: fork, ID: fork.ID, Notes: []string{c.Say("fork.made", c.Words.SessionTitle(s))}}, err
}

// exportSession writes the session that is open to a file.
func exportSession(ctx context.Context, c *Console, file string) (Result, error) {
	if c.in().ID == "" {
		return c.note("session.empty"), nil
	}
	r, err := ExportSession(ctx, c, Export{Session: c.in().ID, File: strings.TrimSpace(file), Named: true})
	var refused Refusal
	if err != nil && !errors.As(err, &refused) {
		return c.refuse("export.failed", line(c.Words.Error(err)))
	}
	return r, err
}

// Export says what to write of a session, and where.
type Export struct {
	Session string
	// File is where; "" is standard output, or, when Named, a file that is named after the session.
	File  string
	Named bool
	// Force overwrites a file, All appends the other branches.
	Force, All bool
}

// ExportSession writes a session as Markdown.
func ExportSession(ctx context.Context, c *Console, e Export) (Result, error) {
	doc, err := export.Load(ctx, c.Memory, c.Agent.ID, e.Session, c.Agent.Name, e.All)
	if err != nil {
		return Result{}, err
	}
	if e.File == "" && e.Named {
		e.File = export.Name(doc.Session)
	}
	text := export.Markdown(doc, c.Now().Location())
	if e.File == "" {
		return Result{Lines: []string{strings.TrimSuffix(text, "\n")}}, nil
	}
	path, err := export.Write(e.File, "", text, e.Force)
	if err != nil {
		return Result{}, c.Unwritten(err)
	}
	return Result{Notes: []string{c.Say("export.written", line(path), c.Words.Count(len(doc.Records), "message"))}}, nil
}

// regenerate asks for another answer to the last message.
func regenerate(ctx context.Context, c *Console, _ string) (Result, error) {
	err := c.Chat.Regenerate(ctx, "")
	if errors.Is(err, chat.ErrNothing) {
		return c.note("answer.none"), nil
	}
	return Result{Answers: err == nil}, err
}

func retry(ctx context.Context, c *Console, _ string) (Result, error) {
	err := c.Chat.Retry(ctx)
	return Result{Answers: err == nil}, err
}

// overrule decides against the last judgement of the session.
func overrule(ctx context.Context, c *Console, _ string) (Result, error) {
	records, err := c.records(ctx, maxListed)
	if err != nil {
		return Result{}, err
	}
	for _, r := range slices.Backward(records) {
		if r.Judgement != nil {
			return follows(c.Chat.Overrule(ctx, r.ID))
		}
	}
	return c.note("judgement.none"), nil
}

// records are the last messages of the session that is open.
func (c *Console) records(ctx context.Context, n int) ([]memory.Record, error) {
	if c.in().ID == "" {
		return nil, nil
	}
	return c.Memory.Lookup().LastRecords(ctx, c.Agent.ID, c.in().ID, n)
}

func stop(_ context.Context, c *Console, _ string) (Result, error) {
	if !c.Chat.Cancel() {
		return c.note("answer.no-stop"), nil
	}
	return Result{}, nil
}

// repeat says the last answer again.
func repeat(ctx context.Context, c *Console, _ string) (Result, error) {
	if c.LastAnswer == "" {
		records, err := c.records(ctx, 4)
		if err != nil {
			return Result{}, err
		}
		for _, r := range records {
			if r.Role == memory.RoleAssistant {
				c.LastAnswer = r.Content
			}
		}
	}
	if c.LastAnswer == "" {
		return c.note("answer.none"), nil
	}
	return Result{Lines: []string{c.Say("answer.said", line(c.Agent.Name), c.LastAnswer)}}, nil
}

// thoughts says what the model thought before its last answer.
func thoughts(ctx context.Context, c *Console, _ string) (Result, error) {
	records, err := c.records(ctx, 100)
	if err != nil {
		return Result{}, err
	}
	for _, r := range slices.Backward(records) {
		switch {
		case r.Role == memory.RoleUser:
			return c.note("thoughts.none"), nil
		case r.Reasoning != nil:
			return Result{Lines: []string{c.Words.Thought(*r.Reasoning, line(c.Agent.Name))}}, nil
		}
	}
	return c.note("answer.none"), nil
}

// temporary begins or ends a temporary chat (U5).
func temporary(ctx context.Context, c *Console, _ string) (Result, error) {
	on := !c.Chat.Temporary()
	talk, err := c.Conversations.SetTemporary(ctx, on)
	switch {
	case err != nil:
		return Result{Open: talk}, err
	case on:
		return Result{Open: talk, Lines: []string{c.Say("temporary")}}, nil
	}
	return Result{Lines: []string{c.Say("temporary.over")}, Then: &Result{Open: talk}}, nil
}
