package actions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/recall"
	"memoria/ui/clean"
	"memoria/ui/words"
)

const (
	// maxListed bounds a list of line mode.
	maxListed = 1000
	// minID is the shortest word that is taken for a part of an id before it is looked for
	// as a word.
	minID = 8
)

// Memories lists memories.
func Memories(ctx context.Context, c *Console, f lookup.ItemFilter) (Result, error) {
	page, err := c.Memory.Lookup().Items(ctx, c.Agent.ID, f)
	if err != nil {
		return Result{}, err
	}
	page.Unreadable = max(page.Unreadable, c.Memory.Vault().Unreadable())
	var r Result
	switch {
	case page.Total > 0:
		r.List = c.items(page, "memory.hint")
	case f.Type != "":
		r = c.note("memory.no-type", f.Type)
	case f.Text != "":
		r = c.note("memory.no-match")
	case c.inGroup():
		r = c.note("memory.of-group")
	default:
		r = c.note("memory.none")
	}
	c.last.items, c.last.held, r.Data = page.Items, nil, page
	return r, nil
}

func memories(ctx context.Context, c *Console, text string) (Result, error) {
	return Memories(ctx, c, lookup.ItemFilter{Text: text, Limit: maxListed})
}

func (c *Console) items(page lookup.ItemPage, hint string, args ...any) *List {
	l := &List{Total: page.Total, What: "memory", Hint: c.Say(hint, args...)}
	for _, it := range page.Items {
		l.Rows = append(l.Rows, c.Words.MemoryRow(it, c.Now()))
	}
	return l
}

// item does something with the memory that is named by a number of the last list, by its
// id or by words. When several match it lists them.
func item(name string, do func(context.Context, *Console, memory.Item) (Result, error)) func(context.Context,
	*Console, string) (Result, error) {
	return func(ctx context.Context, c *Console, arg string) (Result, error) {
		if i, ok := number(arg); ok {
			if err := c.inLast(i, len(c.last.items), "memories"); err != nil {
				return Result{}, err
			}
			it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, c.last.items[i].ID)
			if err != nil {
				return Result{}, err
			}
			return do(ctx, c, it)
		}
		if len(arg) >= minID && !strings.ContainsAny(arg, " \n") {
			if it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, arg); err == nil {
				return do(ctx, c, it)
			}
		}
		page, err := c.Memory.Lookup().Items(ctx, c.Agent.ID, lookup.ItemFilter{Text: arg, Limit: maxListed, All: true})
		switch {
		case err != nil:
			return Result{}, err
		case page.Total == 0:
			return c.note("memory.no-match"), nil
		case page.Total == 1:
			return do(ctx, c, page.Items[0])
		}
		c.last.items, c.last.held = page.Items, nil
		return Result{List: c.items(page, "list.which", name)}, nil
	}
}

// inLast refuses a number that the last list does not have. list is the action that lists.
func (c *Console) inLast(i, n int, list string) error {
	switch {
	case n == 0:
		return Refusal(c.Say("list.none", c.Mode.typed(list)))
	case i < 0 || i >= n:
		return Refusal(c.Say("list.numbers", n))
	}
	return nil
}

// shownMemory is what memory show --json prints.
type shownMemory struct {
	memory.Item
	History []memory.Change `json:"history"`
	// Said are the words that the evidence points to.
	Said []saidWords `json:"said"`
	// Gone is how many of its messages were deleted since, Unkept how many were not kept
	// when their session had ended (A1).
	Gone   int `json:"gone,omitempty"`
	Unkept int `json:"unkept,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (s shownMemory) MarshalJSON() ([]byte, error) {
	return s.JSONWith(struct {
		History []memory.Change `json:"history"`
		Said    []saidWords     `json:"said"`
		Gone    int             `json:"gone,omitempty"`
		Unkept  int             `json:"unkept,omitempty"`
	}{s.History, s.Said, s.Gone, s.Unkept})
}

type saidWords struct {
	memory.Evidence
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// showMemory shows a memory with its fields, the words that it came from and its history
// (L1, D3).
func showMemory(ctx context.Context, c *Console, id string) (Result, error) {
	it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, id)
	if err != nil {
		return Result{}, err
	}
	quotes, history, err := c.origin(ctx, it)
	if err != nil {
		return Result{}, err
	}
	sh := shownMemory{Item: it, History: history, Said: []saidWords{}}
	r := Result{Title: it.Content, Fields: c.Words.MemoryFields(it, c.Now().Location())}
	r.Fields = append(words.Fields{{Name: c.Say("memory.type"), Said: c.Words.Type(it.Type)}}, r.Fields...)
	for _, q := range quotes {
		switch {
		case q.Unkept:
			sh.Unkept++
		case q.Gone:
			sh.Gone++
		default:
			sh.Said = append(sh.Said, saidWords{Evidence: q.Evidence, Time: q.Time, Text: q.Text})
		}
	}
	r.Lines, r.Data = c.originLines(quotes, history), sh
	return r, nil
}

// origin reads the messages that a memory came from, and its history.
func (c *Console) origin(ctx context.Context, it memory.Item) (quotes []words.Quote, history []memory.Change, err error) {
	for _, ev := range it.Evidence {
		q, err := readQuote(ctx, c.Memory, c.Agent.ID, ev)
		if err != nil {
			return nil, nil, err
		}
		quotes = append(quotes, q)
	}
	history, err = c.Memory.Lookup().History(ctx, c.Agent.ID, it.ID)
	return quotes, history, err
}

func (c *Console) originLines(quotes []words.Quote, history []memory.Change) (lines []string) {
	loc := c.Now().Location()
	if len(quotes) == 0 {
		lines = append(lines, c.Say("quote.none"))
	}
	for _, q := range quotes {
		lines = append(lines, c.Words.QuoteLines(q, loc)...)
	}
	for _, ch := range history {
		lines = append(lines, c.Words.Change(ch, loc))
	}
	return lines
}

// readQuote reads the words that evidence points to. That the message is gone is no error.
func readQuote(ctx context.Context, m *manager.Manager, agent string, ev memory.Evidence) (words.Quote, error) {
	q := words.Quote{Evidence: ev}
	r, err := m.Lookup().Record(ctx, agent, ev.RecordID)
	if errors.Is(err, lookup.ErrNotFound) {
		kept, err := m.Lookup().KeptSource(ctx, agent, ev.SessionID)
		q.Gone, q.Unkept = true, !kept
		return q, err
	} else if err != nil {
		return q, err
	}
	q.Whole, q.Text, q.Time = r.Content, recall.Quoted(r, ev), r.Timestamp
	s, err := m.Lookup().Session(ctx, agent, r.SessionID)
	if err != nil && !errors.Is(err, lookup.ErrNotFound) {
		return q, err
	}
	q.Session = s.Title
	return q, nil
}

// show says everything about a memory but where it comes from.
func show(_ context.Context, c *Console, it memory.Item) (Result, error) {
	c.last.items, c.last.held = []memory.Item{it}, nil
	return Result{
		Title: c.Words.Type(it.Type) + c.Say("sep.colon") + it.Content, Fields: c.Words.MemoryFields(it, c.Now().Location()),
		Notes: []string{c.Say("memory.shown")},
	}, nil
}

// why says the words that a memory came from, and its history (D3, A4).
func why(ctx context.Context, c *Console, it memory.Item) (Result, error) {
	quotes, history, err := c.origin(ctx, it)
	lines := append([]string{c.Words.Type(it.Type) + c.Say("sep.colon") + words.Memory(it)}, c.originLines(quotes, history)...)
	return Result{Lines: lines}, err
}

// AddMemory adds a memory; edit completes it.
func AddMemory(ctx context.Context, c *Console, it memory.Item, edit ...func(*memory.Item)) (Result, error) {
	it, err := c.Memory.Learning().AddItem(ctx, c.Agent.ID, it, edit...)
	return Result{Data: it, ID: it.ID, Notes: []string{c.Say("memory.added", words.Memory(it))}}, err
}

func add(ctx context.Context, c *Console, text string) (Result, error) {
	return AddMemory(ctx, c, memory.Item{Content: text})
}

// EditMemory changes a memory.
func EditMemory(ctx context.Context, c *Console, id string, edit func(*memory.Item)) (Result, error) {
	it, err := c.Memory.Learning().EditItem(ctx, c.Agent.ID, id, edit)
	note := c.Say("memory.edited", words.Memory(it), c.Words.Type(it.Type), c.Words.Tags(it))
	return Result{Data: it, ID: it.ID, Notes: []string{note}}, err
}

// edit asks for what a memory should say, its type and its tags; an empty line leaves each
// as it is.
func edit(_ context.Context, c *Console, it memory.Item) (Result, error) {
	var text, kind, tags string
	ask := func(prompt string, then func(ctx context.Context, line string) (Result, error)) *Question {
		return &Question{Prompt: prompt, Dropped: c.Say("nothing.changed"), Answer: func(ctx context.Context, line string) (Result, error) {
			return then(ctx, strings.TrimSpace(line))
		}}
	}
	save := func(ctx context.Context, line string) (Result, error) {
		tags = line
		if text == "" && kind == "" && tags == "" {
			return c.note("nothing.changed"), nil
		}
		return EditMemory(ctx, c, it.ID, func(it *memory.Item) {
			if text != "" {
				it.Content = text
			}
			if kind != "" {
				it.Type = memory.Type(kind)
			}
			switch {
			case tags == c.Say("none"):
				it.Tags = nil
			case tags != "":
				it.Tags = splitTags(tags)
			}
		})
	}
	var askType *Question
	askType = ask(c.Say("memory.ask.type", c.Words.Type(it.Type)), func(_ context.Context, line string) (Result, error) {
		if kind = strings.ToLower(line); kind != "" && !memory.Type(kind).Valid() {
			return Result{Lines: []string{c.Say("memory.types", words.MemoryTypes())}, Ask: askType}, nil
		}
		return Result{Ask: ask(c.Say("memory.ask.tags", c.Words.Tags(it)), save)}, nil
	})
	return Result{
		Lines: []string{c.Say("ask.now", words.Memory(it)), c.Say("ask.leave")},
		Ask: ask(c.Say("ask.text"), func(_ context.Context, line string) (Result, error) {
			text = line
			return Result{Ask: askType}, nil
		}),
	}, nil
}

// splitTags parts tags at commas, Chinese ones too.
func splitTags(tags string) (out []string) {
	for _, t := range strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == '，' || r == '、' }) {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// deleteMemory asks, and deletes (D2).
func deleteMemory(_ context.Context, c *Console, it memory.Item) (Result, error) {
	return c.confirm(c.Say("delete", words.Memory(it)), c.Say("nothing.deleted"), func(ctx context.Context) (Result, error) {
		d, err := c.Memory.DeleteItems(ctx, c.Agent.ID, it.ID)
		if err != nil {
			return Result{}, err
		}
		return c.deleted("deleted", d, words.Memory(it)), nil
	}), nil
}

// NamedMemories finds the memories that ids or parts of them name, each once.
func NamedMemories(ctx context.Context, c *Console, names []string) (items []memory.Item, err error) {
	for _, name := range names {
		it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(items, func(other memory.Item) bool { return other.ID == it.ID }) {
			items = append(items, it)
		}
	}
	return items, nil
}

// FindMemories finds all memories of a filter.
func FindMemories(ctx context.Context, c *Console, f lookup.ItemFilter) ([]memory.Item, error) {
	page, err := c.Memory.Lookup().Items(ctx, c.Agent.ID, f)
	return page.Items, err
}

// Inbox lists the memories that wait for the user's approval, and why.
func Inbox(ctx context.Context, c *Console, limit, offset int) (Result, error) {
	page, err := c.Memory.Lookup().Inbox(ctx, c.Agent.ID, limit, offset)
	if err != nil {
		return Result{}, err
	}
	c.last.items, c.last.held = nil, page.Items
	r := Result{Data: page, List: &List{Total: page.Total, What: "memory waits", Hint: c.Say("inbox.hint")}}
	for _, h := range page.Items {
		c.last.items = append(c.last.items, h.Item)
		r.List.Rows = append(r.List.Rows, c.Words.HeldRow(h, c.Now()))
	}
	if page.Total == 0 {
		r.List, r.Notes = nil, []string{c.Say("inbox.none")}
	}
	return r, nil
}

// Held finds memories of the inbox: those that ids or parts of them name, or without
// names all, or all of a type.
func Held(ctx context.Context, c *Console, names []string, kind memory.Type) (held []lookup.HeldItem, err error) {
	page, err := c.Memory.Lookup().Inbox(ctx, c.Agent.ID, 0, 0)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return slices.DeleteFunc(page.Items, func(h lookup.HeldItem) bool { return kind != "" && h.Type != kind }), nil
	}
	named, err := NamedMemories(ctx, c, names)
	if err != nil {
		return nil, err
	}
	for _, it := range named {
		i := slices.IndexFunc(page.Items, func(h lookup.HeldItem) bool { return h.ID == it.ID })
		if i < 0 {
			return nil, fmt.Errorf("memory %s does not wait in the inbox: %w", words.ShortID(it.ID), lookup.ErrNotFound)
		}
		held = append(held, page.Items[i])
	}
	return held, nil
}

// review lists the memories that today's rules would not make.
func review(ctx context.Context, c *Console, _ string) (Result, error) {
	found, err := c.Memory.Learning().Review(ctx, c.Agent.ID)
	r := Result{Data: found, Notes: []string{c.Say("review.well")}}
	for _, f := range found {
		r.Lines = append(r.Lines, c.Say("review.row", c.Words.MemoryRow(f.Item, c.Now()).Columns, f.Key, line(f.Said)))
	}
	if len(found) > 0 {
		r.Notes = []string{c.Say("review.hint", c.Words.Count(len(found), "memory"))}
	}
	return r, err
}

// Changes lists what was done to the memory.
func Changes(ctx context.Context, c *Console, f lookup.ChangeFilter) (Result, error) {
	page, err := c.Memory.Lookup().Changes(ctx, c.Agent.ID, f)
	r := Result{Data: page}
	for _, ch := range page.Changes {
		r.Lines = append(r.Lines, c.Words.ChangeRow(ch, c.Now()).Columns)
	}
	switch {
	case page.Next != "":
		r.Notes = []string{c.Say("change.more", page.Next)}
	case len(page.Changes) == 0:
		r.Notes = []string{c.Say("change.none")}
	}
	return r, err
}

func inbox(ctx context.Context, c *Console, _ string) (Result, error) {
	return Inbox(ctx, c, maxListed, 0)
}

// held finds the entries of the inbox that a number, or "all", names.
func (c *Console) held(ctx context.Context, name, arg string) ([]lookup.HeldItem, error) {
	if len(c.last.held) == 0 {
		if err := readShown(ctx, c); err != nil {
			return nil, err
		}
	}
	i, ok := number(arg)
	switch n := len(c.last.held); {
	case n == 0 && c.Mode == Screen:
		return nil, Refusal(c.Say("inbox.none"))
	case n == 0:
		return nil, Refusal(c.Say("inbox.unread"))
	case name == "accept" && (strings.EqualFold(arg, "all") || arg == "全部"):
		return c.last.held, nil
	case !ok:
		return nil, Refusal(c.Say("inbox.number", c.Mode.typed(name)))
	case i < 0 || i >= n:
		return nil, Refusal(c.Say("inbox.numbers", n))
	}
	return c.last.held[i : i+1], nil
}

// readShown reads what the numbers of the inbox stand for where no list was said: for the list of the last answer that had
// one, else on the screen for the inbox as its pane shows it.
func readShown(ctx context.Context, c *Console) error {
	page, err := c.Memory.Lookup().Inbox(ctx, c.Agent.ID, 0, 0)
	if err != nil {
		return err
	}
	if s, err := c.Memory.Lookup().Session(ctx, c.Agent.ID, c.in().ID); err == nil && s.Question != nil && len(s.Question.Waiting) > 0 {
		for n, id := range s.Question.Items {
			h := lookup.HeldItem{Item: memory.Item{ID: id}} // decided about since, unless it is in the inbox
			if i := slices.IndexFunc(page.Items, func(h lookup.HeldItem) bool { return h.ID == id }); i >= 0 {
				h = page.Items[i]
			}
			h.Version = s.Question.Waiting[n]
			c.last.held = append(c.last.held, h)
		}
	} else if c.Mode == Screen {
		c.last.held = page.Items
	}
	return nil
}

// refused tells a refusal on the screen in its last line: nothing went wrong there.
func refused(c *Console, err error) (Result, error) {
	if no, ok := errors.AsType[Refusal](err); ok && c.Mode == Screen {
		return Result{Notes: []string{string(no)}}, nil
	}
	return Result{}, err
}

func shownOf(held []lookup.HeldItem) (out []learning.Shown) {
	for _, h := range held {
		out = append(out, learning.Shown{ID: h.ID, Version: h.Version})
	}
	return out
}

// Accept accepts memories of the inbox as they were shown.
func Accept(ctx context.Context, c *Console, shown ...learning.Shown) (Result, error) {
	out, err := c.Memory.Learning().Accept(ctx, c.Agent.ID, shown...)
	if err != nil {
		return Result{}, err
	}
	r := Result{Data: append([]memory.Item{}, out...)}
	for _, it := range out {
		r.Notes = append(r.Notes, c.Say("inbox.accepted", words.Memory(it)))
	}
	if len(out) == 0 {
		r.Notes = []string{c.Say("inbox.accepted", c.Words.Count(0, "memory"))}
	}
	return r, nil
}

func accept(ctx context.Context, c *Console, arg string) (Result, error) {
	held, err := c.held(ctx, "accept", arg)
	if err != nil {
		return refused(c, err)
	}
	if len(held) == 1 || c.Mode == Screen { // there it is undone by a key
		return Accept(ctx, c, shownOf(held)...)
	}
	return c.confirm(c.Say("inbox.accept-all", len(held)), c.Say("nothing.accepted"), func(ctx context.Context) (Result, error) {
		return Accept(ctx, c, shownOf(held)...)
	}), nil
}

func reject(ctx context.Context, c *Console, arg string) (Result, error) {
	held, err := c.held(ctx, "reject", arg)
	if err != nil {
		return refused(c, err)
	}
	d, err := c.Memory.Reject(ctx, c.Agent.ID, shownOf(held)...)
	if err != nil {
		return Result{}, err
	}
	return c.deleted("inbox.rejected", d, words.Memory(held[0].Item)), nil
}

// eraseSecret deletes the last message that holds a secret (D2, P5a).
func eraseSecret(ctx context.Context, c *Console, _ string) (Result, error) {
	if c.Secret == "" {
		return c.note("secret.none"), nil
	}
	d, err := c.Chat.EraseSecret(ctx, c.Secret)
	if err != nil {
		return Result{}, err
	}
	c.Secret = ""
	return c.deleted("deleted", d, c.Say("secret.erased", c.Words.Count(d.Messages, "message"))), nil
}

// line is a text on one line, cleaned.
func line(text string) string { return clean.Line(text) }
