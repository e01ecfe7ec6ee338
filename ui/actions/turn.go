package actions

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager/journals"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/ui/words"
)

// indexWait is how long a recall waits for the index to contain what was just learned.
const indexWait = 5 * time.Second

// wouldRecall says what a text would recall and why, or what the last turn recalled (R8).
func wouldRecall(ctx context.Context, c *Console, text string) (Result, error) {
	if text == "" {
		packages, err := c.Memory.Lookup().Packages(ctx, c.Agent.ID, c.in().ID)
		if err != nil || len(packages) == 0 {
			return c.note("recall.hint"), err
		}
		return Result{Lines: c.used(ctx, packages[len(packages)-1])}, nil
	}
	wait, stop := context.WithTimeout(ctx, indexWait)
	_ = c.Memory.Recall().SettleItems(wait, c.Agent.ID) // or else the index as it is
	stop()
	res, err := c.Memory.Recall().Retrieve(ctx, c.Agent.ID, recall.Query{Text: text, SessionID: c.in().ID})
	if err != nil {
		return Result{}, err
	}
	var r Result
	for _, note := range []string{res.Degraded, res.Note} {
		if note != "" {
			r.Lines = append(r.Lines, c.Say("note", line(c.Words.Translate(note))))
		}
	}
	total := c.Words.Count(res.Total, "memory")
	if len(res.Chosen) == 0 {
		r.Lines = append(r.Lines, c.Say("recall.nothing", total))
	} else {
		r.Lines = append(r.Lines, c.Say("recall.would", len(res.Chosen), total))
	}
	c.last.items, c.last.held = nil, nil
	for i, it := range append(slices.Clone(res.Chosen), res.NotChosen...) {
		row := c.Words.MemoryRow(it.Item, c.Now()).Sentence
		why := words.Pictures{Words: c.Words}.ChosenScore(it.Item, it.Score, it.Contribution, it.Parts, res.Keywords, it.Why)
		if i >= len(res.Chosen) {
			row = c.Say("recall.not-used", row)
			why = words.Pictures{Words: c.Words}.Score(it.Score, it.Contribution, it.Parts.TopicBoost, it.Why)
		}
		c.last.items = append(c.last.items, it.Item)
		r.Lines = append(r.Lines, c.Say("list.entry", i+1, row), "   "+why)
	}
	passages, err := c.passages(ctx, text, res.Chosen)
	r.Lines = append(r.Lines, passages...)
	return r, err
}

// recalled is what recall --json prints.
type recalled struct {
	Keywords  []string          `json:"keywords"`
	TookMS    float64           `json:"took_ms"`
	Degraded  string            `json:"degraded,omitempty"`
	Note      string            `json:"note,omitempty"`
	Items     []retrieve.Scored `json:"items"`
	NotChosen []notChosen       `json:"not_chosen"`
	// Journal are the passages of the journal that would go with it.
	Journal []journal.Hit `json:"journal"`
	// Unreadable is how many records of the store cannot be read: something may be missing.
	Unreadable int `json:"unreadable,omitempty"`
}

type notChosen struct {
	Item  memory.Item `json:"item"`
	Score float64     `json:"score"`
	Why   string      `json:"why"`
}

// Recall says what a command's text would recall; explain adds every part of the scores, and
// what was not chosen (R8).
func Recall(ctx context.Context, c *Console, q recall.Query, explain bool) (r Result, err error) {
	Settle(ctx, c)
	limited, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	_ = c.Memory.Recall().SettleVectors(limited, c.Agent.ID) // the result reports an error of the model
	res, err := c.Memory.Recall().Retrieve(ctx, c.Agent.ID, q)
	if err != nil {
		return r, err
	}
	found, err := recalledPassages(ctx, c, q.Text, res.Chosen)
	if err != nil {
		return r, err
	}
	out := recalled{
		Keywords: append([]string{}, res.Keywords...), TookMS: float64(res.Took.Microseconds()) / 1000,
		Degraded: res.Degraded, Note: res.Note,
		Items: append([]retrieve.Scored{}, res.Chosen...), NotChosen: []notChosen{}, Journal: []journal.Hit{},
		Unreadable: c.Memory.Vault().Unreadable(),
	}
	for _, remark := range []string{res.Degraded, res.Note} {
		if remark != "" {
			r.Notes = append(r.Notes, c.Say("problem", line(c.Words.Translate(remark))))
		}
	}
	if len(res.Chosen)+len(found) == 0 {
		r.Notes = append(r.Notes, c.Say("recall.empty", emptyReason(c, res, explain)))
	}
	row := func(id string, s retrieve.Scored) {
		kind := words.Pad(c.Words.Type(s.Item.Type), 12)
		r.Lines = append(r.Lines, c.Say(id, s.Score, kind, words.ShortID(s.Item.ID), words.Memory(s.Item)))
	}
	for _, s := range res.Chosen {
		if row("recall.row", s); explain {
			parts := c.Say("recall.parts", c.Words.ScoreColumns(s.Contribution), s.Parts.TopicBoost, s.Parts.Relevance)
			r.Lines = append(r.Lines, parts, "      "+line(c.Words.Translate(s.Why)))
		}
	}
	for _, f := range found {
		out.Journal = append(out.Journal, f.Hit)
		r.Lines = append(r.Lines, c.Say("journal.hit", f.Path, line(f.Text[f.From:f.To])))
		if explain {
			r.Lines = append(r.Lines, c.Say("recall.journal.words", f.Score, c.Words.List(f.Words)))
		}
	}
	for _, s := range res.NotChosen {
		out.NotChosen = append(out.NotChosen, notChosen{Item: s.Item, Score: s.Score, Why: s.Why})
		if explain {
			row("recall.row.not", s)
			r.Lines = append(r.Lines, "          "+line(c.Words.Translate(s.Why)))
		}
	}
	r.Data = out
	return r, nil
}

// recalledPassages are those of the journal that would go with a message, but for what the
// chosen memories were made of.
func recalledPassages(ctx context.Context, c *Console, text string, recalled []retrieve.Scored) ([]journals.Passage, error) {
	shown := map[string]bool{}
	for _, s := range recalled {
		for _, ev := range s.Item.Evidence {
			shown[ev.RecordID] = true
		}
	}
	return c.Memory.Journals().SearchJournal(ctx, c.Agent.ID, journal.Query{
		Text: text, Limit: journal.MostHits, Skip: func(id string) bool { return shown[id] },
	})
}

// emptyReason says why nothing would be recalled.
func emptyReason(c *Console, res retrieve.Result, explained bool) string {
	near := c.Words.Count(len(res.NotChosen), "memory")
	switch {
	case res.Total == 0:
		return c.Say("recall.empty.none")
	case len(res.Keywords) == 0:
		return c.Say("recall.empty.words")
	case len(res.NotChosen) > 0 && explained:
		return c.Say("recall.empty.near", near)
	case len(res.NotChosen) > 0:
		return c.Say("recall.empty.explain", near)
	}
	return c.Say("recall.empty.match", res.Total)
}

// passages says what of the journal would go with a text, beside the memories that would.
func (c *Console) passages(ctx context.Context, text string, recalled []retrieve.Scored) (lines []string, err error) {
	found, err := c.Chat.PreviewJournal(ctx, text, recalled)
	for _, p := range found {
		lines = append(lines, c.Say("recall.journal", line(p.Path), line(p.Text[p.From:p.To])), "   "+c.Words.JournalHit(p.Hit))
	}
	return lines, err
}

// used says which memories took part in a turn.
func (c *Console) used(ctx context.Context, p memory.Package) (lines []string) {
	c.last.items, c.last.held = nil, nil
	if len(p.Used) == 0 {
		return []string{c.Say("recall.none")}
	}
	for i, u := range p.Used {
		row := c.Say("memory.gone")
		it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, u.ItemID)
		if err == nil {
			row = c.Words.MemoryRow(it, c.Now()).Sentence
		}
		how, why := "recall.not-sent", words.Pictures{Words: c.Words}.Score(u.Score, u.Contribution, u.Parts.TopicBoost, u.Why)
		if u.Chosen {
			how, why = "recall.sent", words.Pictures{Words: c.Words}.ChosenScore(it, u.Score, u.Contribution, u.Parts, p.Keywords, u.Why)
		}
		c.last.items = append(c.last.items, memory.Item{ID: u.ItemID})
		lines = append(lines, c.Say("list.entry", i+1, c.Say(how, row)), "   "+why)
	}
	return lines
}

// packages are what the turns of the session sent; of a group what went to its members.
func (c *Console) packages(ctx context.Context) ([]memory.Package, error) {
	if c.inGroup() {
		return c.Memory.Lookup().GroupPackages(ctx, c.Agent.ID, c.in().ID)
	}
	return c.Memory.Lookup().Packages(ctx, c.Agent.ID, c.in().ID)
}

// sent says what a turn of this session sent to the model (C5): first the layers and the
// memories that took part, then layer by layer.
func sent(ctx context.Context, c *Console, arg string) (Result, error) {
	packages, err := c.packages(ctx)
	if err != nil || len(packages) == 0 {
		return c.note("sent.none"), err
	}
	n := len(packages)
	if arg != "" {
		if n, err = strconv.Atoi(arg); err != nil || n < 1 || n > len(packages) {
			return c.refuse("sent.turns", len(packages))
		}
	}
	p, err := c.Memory.Lookup().Package(ctx, packages[n-1].AgentID, packages[n-1].TurnID)
	if err != nil {
		return Result{}, err
	}
	var r Result
	say := func(id string, args ...any) { r.Lines = append(r.Lines, c.Say(id, args...)) }
	loc, whom := c.Now().Location(), ""
	if p.AgentID != c.Agent.ID {
		whom = c.Say("sent.for", line(c.Chat.NameOf(p.AgentID)))
	}
	say("sent.turn", n, len(packages), words.Moment(p.CreatedAt, loc), whom)
	r.Lines = append(r.Lines, c.Words.Sent(p)...)
	for i, b := range p.Rendered {
		say("sent.layer", i+1, c.Words.Block(b))
	}
	for i, round := range p.Further {
		for _, called := range round.Called {
			say("sent.request", i+2, c.Words.Call(called))
		}
	}
	for _, d := range p.Dropped {
		r.Lines = append(r.Lines, c.Words.Dropped(d))
	}
	if p.Look != nil {
		say("sent.look", line(c.Words.Look(*p.Look, loc)))
	}
	r.Lines = append(r.Lines, c.used(ctx, p.Package)...)
	for _, f := range p.Found {
		found := c.Words.JournalFound(f, p.Files[f.File])
		if !f.Chosen {
			found = c.Say("recall.not-used", found)
		}
		say("sent.journal", found)
	}
	return c.texts(r, c.sentTexts(p)), nil
}

// sentTexts are the texts that a turn sent, layer by layer, and what the model got for its calls.
func (c *Console) sentTexts(p memory.Rendered) (texts []Result) {
	for i, b := range p.Rendered {
		line := c.Say("sent.layer-text", i+1, len(p.Rendered), c.Words.Block(b), strings.Trim(b.Text, "\n"))
		texts = append(texts, Result{Lines: []string{line}})
	}
	var calls []memory.RenderedCall
	for _, round := range p.Further {
		calls = append(calls, round.Called...)
	}
	if n := len(texts); n > 0 {
		texts[0].Title = c.Say("sent.more")
		if len(calls) > 0 {
			texts[n-1].Notes = []string{c.Say("sent.more-calls")}
		}
	}
	for i, called := range calls {
		text := c.Say("sent.call", i+1, len(calls), c.Words.Call(called), strings.Trim(called.Text, "\n"))
		texts = append(texts, Result{Lines: []string{text}})
	}
	return texts
}

// texts lets the user ask for texts one after the other.
func (c *Console) texts(r Result, texts []Result) Result {
	if len(texts) == 0 {
		r.Notes = append(r.Notes, c.Say("sent.end"))
		return r
	}
	if texts[0].Title != "" {
		r.Notes, texts[0].Title = append(r.Notes, texts[0].Title), ""
	}
	r.More = func() Result { return c.texts(texts[0], texts[1:]) }
	return r
}

// proof says the sources of the last answer: what was looked up in the archive, or the
// memories that went with the message; or one of them in full (D3).
func proof(ctx context.Context, c *Console, arg string) (Result, error) {
	packages, err := c.packages(ctx)
	if err != nil {
		return Result{}, err
	}
	var all []recall.Source
	if n := len(packages); n > 0 {
		if all, err = c.Memory.Recall().SourcesOf(ctx, packages[n-1].AgentID, packages[n-1].TurnID); err != nil {
			return Result{}, err
		}
	}
	if len(all) == 0 {
		return c.note("proof.none"), nil
	}
	if arg == "" {
		r := c.note("proof.hint")
		for _, src := range all {
			r.Lines = append(r.Lines, c.Say("list.entry", src.N, c.source(src)))
		}
		return r, nil
	}
	i, ok := number(arg)
	if !ok || i < 0 || i >= len(all) {
		return c.refuse("proof.numbers", len(all))
	}
	return c.proven(ctx, all[i])
}

func (c *Console) source(src recall.Source) string {
	return c.Say("source", c.Words.Source(src, c.Agent.Name, c.Now().Location()), words.Cut(quoted(c.Words, src)))
}

// Sources says what an answer was given as evidence (A3); nothing when that was recalled.
func (c *Console) Sources(all []recall.Source) (lines []string) {
	if len(all) == 0 || all[0].Recalled {
		return nil
	}
	for _, src := range all {
		lines = append(lines, c.Say("source.numbered", src.N, c.source(src)))
	}
	return append(lines, c.Say("proof.hint"))
}

// proven says one source in full, with what was learned from it.
func (c *Console) proven(ctx context.Context, src recall.Source) (Result, error) {
	if src.RecordID == "" {
		it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, src.ItemID)
		if errors.Is(err, lookup.ErrNotFound) {
			return c.note("proof.gone"), nil
		} else if err != nil {
			return Result{}, err
		}
		return why(ctx, c, it)
	}
	q, err := readQuote(ctx, c.Memory, c.Agent.ID, src.Evidence)
	if err != nil {
		return Result{}, err
	}
	items, err := c.Memory.Lookup().LearnedFrom(ctx, c.Agent.ID, src.RecordID)
	c.last.items, c.last.held = items, nil
	r := Result{Lines: c.Words.QuoteLines(q, c.Now().Location())}
	for i, it := range items {
		r.Lines = append(r.Lines, c.Say("proof.learned", i+1, c.Words.MemoryRow(it, c.Now()).Sentence))
	}
	return r, err
}

// working says what the session is about now (W1).
func working(ctx context.Context, c *Console, _ string) (Result, error) {
	if c.in().ID == "" {
		return c.note("working.none"), nil
	}
	return ShowWorking(ctx, c, c.in())
}

// workingShown is what working --json prints.
type workingShown struct {
	// Working is null where a session has none.
	Working *memory.Working `json:"working"`
	Session memory.Session  `json:"session"`
	// Kept says that the session rests: this comes back when it goes on (W4).
	Kept bool `json:"kept,omitempty"`
}

// ShowWorking says what a session is about, or was when it ended.
func ShowWorking(ctx context.Context, c *Console, s memory.Session) (r Result, err error) {
	out := workingShown{Session: s}
	w, err := c.Memory.Lookup().Working(ctx, c.Agent.ID, s.ID)
	switch {
	case err == nil:
		out.Working = &w
	case !errors.Is(err, lookup.ErrNotFound):
		return r, err
	case s.Kept != nil:
		out.Working, out.Kept, r.Notes = s.Kept, true, []string{c.Say("working.kept")}
	default:
		r = c.note("working.none")
	}
	if out.Working != nil {
		r.Fields = c.Words.WorkingFields(*out.Working, c.Now().Location())
	}
	r.Data = out
	return r, nil
}

// health says how much is stored and how it is doing.
func health(ctx context.Context, c *Console, _ string) (Result, error) {
	const days = 14
	h, err := c.Memory.Lookup().Health(ctx, c.Agent.ID, days)
	r := Result{Lines: c.Words.Health(h, days)}
	if cost := c.SessionCost(ctx); cost != "" {
		r.Lines = append(r.Lines, c.Say("cost", cost))
	}
	return r, err
}

// SessionCost is what the answers of the session cost together; "" when no price is known.
func (c *Console) SessionCost(ctx context.Context) string {
	if c.in().ID == "" {
		return ""
	}
	records, err := c.Memory.Lookup().Records(ctx, c.Agent.ID, c.in().ID)
	if err != nil {
		return ""
	}
	sum, priced := 0.0, false
	for _, r := range records {
		if r.Usage == nil {
			continue
		}
		if amount, ok := c.Models.Cost(r.Model, *r.Usage); ok {
			sum, priced = sum+amount, true
		}
	}
	if !priced {
		return ""
	}
	return c.Models.Money(sum)
}
