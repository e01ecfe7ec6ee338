package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"memoria/chat/judge"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/journals"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

const (
	answerShare = 4 // a quarter of the context, at most answerTop, is the answer's
	answerTop   = 1024

	restWorthSaying = time.Hour // a conversation that rested longer is told so (C6)
	longHit         = 300       // characters; longer memories are cut (C4)
)

// Options are what a [Composer] works with for a whole conversation.
type Options struct {
	Memory  *manager.Manager
	Prompts *prompts.Set
	Group   Group // the zero value is no group
	Now     func() time.Time
	Log     *slog.Logger
	// NoMemory leaves every layer out that comes from the memory.
	NoMemory bool
	// Nonce makes the nonces of fences (C6).
	Nonce func() string
	// Explain words a failed read for a person.
	Explain func(error) string
}

// Composer composes the packages of one conversation.
type Composer struct {
	Options
	calibration prompts.Calibration
	// fenceNonce is the nonce of the fences. It stays the same, so that unchanged lines have
	// the same bytes and a server's prompt cache covers them (C1, C2).
	fenceNonce string
}

// New returns a composer for a new conversation.
func New(o Options) *Composer { return &Composer{Options: o, fenceNonce: o.Nonce()} }

// Tokens estimates the tokens of a text for a model.
func (c *Composer) Tokens(model, s string) int { return c.calibration.Tokens(model, s) }

// Observe corrects later estimates for a model by what a server counted (C7).
func (c *Composer) Observe(model string, estimate, counted int) {
	c.calibration.Observe(model, estimate, counted)
}

// Request is one answer to compose the package for.
type Request struct {
	Config       Config
	WindowLimit  int // context_limit (C2)
	MemoryConfig write.Config
	Agent        memory.Agent // who answers
	Turn         manager.Turn
	Client       model.Client // whose context the package has to fit
	// Records are the messages of the session before the turn, oldest first.
	Records []memory.Record
	// Heard are, in a group, the answers to the message that other members gave before.
	Heard []memory.Record
	// Last is the package of the turn before; nil if there is none.
	Last *memory.Package
	// Tool is the tool that the model may call; nil if there is none.
	Tool *model.Tool
	// Instruction is what the message wants of the memory; nil if it is no instruction.
	Instruction *Instruction
}

// Result is what one answer sends, before it is stored.
type Result struct {
	Package memory.Package
	Texts   map[string]string // the program's own texts in the package, by id
	Quotes  []model.Quote
	Proof   []model.Proof
	// ProofAsked says that the message asks for proof, Looked that the archive was searched.
	ProofAsked, Looked bool
	// Estimate is Package.Tokens before the calibration; see [Composer.Observe].
	Estimate int
}

// builder builds one package.
type builder struct {
	*Composer
	Request
	info   model.Info
	count  func(string) int // the tokens of a text
	nonce  string
	limit  int // tokens of the whole, without the tools
	out    Result
	window window
	// lastActive is the time of the conversation's last message before this one; zero: none.
	lastActive time.Time
	recall     []retrieve.Scored
	total      int
	passages   []journals.Passage    // that were found in the journal, best first
	journal    []journals.Passage    // those that are sent
	ended      []lookup.EndedSession // the summaries of sessions before this one
	endedOf    int
	working    []workingLine
	profile    profileLines
	// evidence are the sources that are sent, above those that are in the window.
	evidence, above []source
	loose           bool // the evidence only shares words with the message
	// foundNone says that the archive has nothing on what the message asks for.
	foundNone bool
	// own are the items that rest on the message itself: they would only repeat it.
	own []string
	// question is the message in an answer without a model, missing its words that no memory has.
	question retrieve.Question
	missing  []string

	searchLimit int // of the search tool; 0: it is not offered
}

type workingLine struct{ name, field, value string }

// Compose gathers the layers of an answer and makes them fit (C1–C7). The error is a
// [*TooLongError] if the message alone is too long.
func (c *Composer) Compose(ctx context.Context, r Request) (Result, error) {
	b := c.builder(r.Client.Info().Model)
	b.Request, b.info, b.nonce = r, r.Client.Info(), c.nonceOf(r.Last)
	limit, _ := model.ContextOf(ctx, r.Client)
	limit -= min(limit/answerShare, answerTop)
	b.out.Package = memory.Package{
		AgentID: r.Agent.ID, SessionID: r.Turn.Session.ID, TurnID: r.Turn.Record.TurnID, Turn: r.Turn.Working.TurnCount,
		Model: b.info.Model, Endpoint: b.info.Endpoint, Limit: limit,
	}
	tools := 0
	if r.Tool != nil {
		said := describe(*r.Tool)
		b.out.Package.Tools, tools = []memory.Ref{b.text(said)}, b.count(said)
		b.searchLimit = r.MemoryConfig.SearchLimit
	}
	b.limit = limit - tools
	if n := len(r.Records); n > 0 {
		b.lastActive = r.Records[n-1].Timestamp
	}
	if err := b.gather(ctx); err != nil {
		return Result{}, err
	}
	blocks, err := b.fit()
	if err != nil {
		return Result{}, err
	}
	b.cite()
	b.out.Quotes = append(b.out.Quotes, b.journalQuotes()...)
	b.out.Package.Blocks, b.out.Package.Quoted = blocks, b.quoted()
	b.out.Package.Tokens = sum(blocks) + tools
	b.out.Estimate = int(float64(b.out.Package.Tokens)/c.calibration.Ratio(b.info.Model) + 0.5)
	b.out.Package.Dropped = append(b.window.dropped, b.out.Package.Dropped...)
	return b.out, nil
}

// builder returns a builder that counts tokens for a model.
func (c *Composer) builder(model string) *builder {
	return &builder{
		Composer: c, out: Result{Texts: map[string]string{}},
		count: func(s string) int { return c.Tokens(model, s) },
	}
}

func (b *builder) on(layer string) bool { return slices.Contains(b.Config.Order, layer) }

// gather reads what each layer could hold.
func (b *builder) gather(ctx context.Context) error {
	if b.on(layerWindow) {
		b.window = newWindow(b.asHeard(b.Records), b.Last, b.WindowLimit, b.count)
	}
	if b.NoMemory {
		return b.fitHistory()
	}
	var err error
	if b.own, err = b.Memory.Lookup().ItemsOnlyFrom(ctx, b.Agent.ID, b.Turn.Record.ID); err != nil {
		b.Log.Warn("what the message has taught was not read", "error", err)
	}
	if b.profiled() {
		b.gatherProfile(ctx)
	}
	if b.on(layerSummaries) {
		b.gatherSummaries(ctx)
	}
	if b.on(layerWorking) {
		b.gatherWorking()
	}
	if b.Instruction.overview() != nil {
		if err := b.gatherOverview(); err != nil {
			return err
		}
		return b.fitHistory()
	}
	res, err := b.gatherRecall(ctx)
	if err != nil {
		return err
	}
	if b.info.Offline {
		return unaided{b}.gather(ctx, res)
	}
	b.gatherJournal(ctx)
	if err := b.fitHistory(); err != nil { // evidence is not sent twice, and depends on the messages that fit
		return err
	}
	if err := b.gatherEvidence(ctx, res); err != nil || len(b.evidence) == 0 {
		return err
	}
	return b.fitHistory()
}

// fitHistory makes the window fit into the history budget (C3): half of what the other
// layers leave of the model's context, or 4,096 tokens where that is less and they fit;
// never more than history_tokens.
func (b *builder) fitHistory() error {
	blocks, err := b.blocks()
	if err != nil {
		return err
	}
	left := b.limit - sum(blocks) + b.window.tokens()
	b.window.fit(min(max(left/2, historyFloor), left, b.Config.HistoryTokens), windowFloor, "history budget", b.count)
	return nil
}

// nonceOf is the nonce of the turn's fences: that of the turn before, so that a request
// begins like the one before it (C1, C2).
func (c *Composer) nonceOf(last *memory.Package) string {
	if last != nil {
		for _, b := range last.Blocks {
			if b.Nonce != "" {
				return b.Nonce
			}
		}
	}
	return c.fenceNonce
}

// gatherRecall chooses the memories that go with the message.
func (b *builder) gatherRecall(ctx context.Context) (res retrieve.Result, err error) {
	if !b.on(layerRecall) {
		return res, nil
	}
	res, err = b.Memory.Recall().Retrieve(ctx, b.Agent.ID, recall.Query{
		Text: b.Turn.Record.Asked(), SessionID: b.Turn.Session.ID, Limit: b.MemoryConfig.TopN, Without: b.own,
	})
	if err != nil {
		// A memory that fails must not take the conversation down.
		b.out.Package.Degraded = b.Explain(err)
		b.Log.Warn("retrieval failed", "error", err)
		return retrieve.Result{}, nil
	}
	b.out.Package.Keywords, b.out.Package.Degraded, b.total = res.Keywords, res.Degraded, res.Total
	for _, s := range res.NotChosen {
		b.use(s, false, s.Why)
	}
	frame, err := b.frame(prompts.RecallHeader, b.total)
	if err != nil {
		return res, err
	}
	left := b.Config.MemoryTokens - frame
	for _, s := range res.Chosen {
		n := b.count(b.fenceLine(itemRef(s.Item), s.Item.Content))
		if n > left {
			b.use(s, false, "over the memory budget")
			continue
		}
		left -= n
		b.recall = append(b.recall, s)
		b.out.Quotes = append(b.out.Quotes, model.Quote{
			Text: s.Item.Content, When: s.Item.CreatedAt, Loose: s.Parts.KeywordScore < looseQuote,
		})
	}
	return res, nil
}

// looseQuote is the keyword score below which a memory is left out of an answer without a model. A model copes
// with memories that share a word with the message; a reader takes them for the answer. The score is relative
// to the best (R3a), so that the best is always quoted. For about forty everyday questions to memories of 22 and 25
// items, English and Chinese, the answers had 0.6 or more, and nearly everything else less than 0.4.
const looseQuote = 0.4

func (b *builder) use(s retrieve.Scored, chosen bool, why string) {
	b.out.Package.Used = append(b.out.Package.Used, used(s, chosen, why))
}

// used is what a package keeps of an item that took part in its turn.
func used(s retrieve.Scored, chosen bool, why string) memory.Used {
	return memory.Used{
		ItemID: s.Item.ID, Version: s.Item.Version, Score: memory.Rounded(s.Score), Parts: s.Parts.Rounded(),
		Contribution: s.Contribution.Rounded(), Chosen: chosen, Why: why, Evidence: s.Item.Evidence,
	}
}

// useChosen records what was chosen, before what was not.
func (b *builder) useChosen() {
	not := b.out.Package.Used
	b.out.Package.Used = nil
	for _, s := range b.recall {
		b.use(s, true, s.Why)
		b.out.Package.Used[len(b.out.Package.Used)-1].Overview = b.Instruction.overview() != nil
	}
	b.out.Package.Used = append(b.out.Package.Used, not...)
}

func (b *builder) gatherWorking() {
	w := b.Turn.Working
	if w.CurrentTopic != "" {
		b.working = append(b.working, workingLine{"topic", memory.FieldTopic, w.CurrentTopic})
	}
	for _, name := range slices.Sorted(maps.Keys(w.ContextVariables)) {
		b.working = append(b.working, workingLine{name, name, w.ContextVariables[name]})
	}
}

func itemRef(it memory.Item) memory.Ref {
	return memory.Ref{
		Kind: memory.KindItem, ID: it.ID, Version: it.Version, Form: memory.FormFence,
		Source: string(it.Type) + " " + it.CreatedAt.Format("2006-01-02"), Cut: cutAt(it.Content, longHit),
	}
}

func (b *builder) fenceLine(ref memory.Ref, said string) string {
	return lookup.Written(ref, b.nonce, said)
}

// fit builds the blocks and takes away until they fit (C7): evidence first, then
// the summaries, then recalled memory, of each the least or oldest first, then the
// window down to its floor, then the profile, then the floor.
func (b *builder) fit() ([]memory.Block, error) {
	for {
		blocks, err := b.blocks()
		if err != nil {
			return nil, err
		}
		over := sum(blocks) - b.limit
		switch {
		case over <= 0:
			b.useChosen()
			return blocks, nil
		case len(b.evidence) > 0:
			b.leaveEvidence()
		case b.foundNone:
			b.foundNone = false
		case len(b.ended) > 0:
			last := len(b.ended) - 1
			b.out.Package.Dropped = append(b.out.Package.Dropped, memory.Dropped{
				Layer: memory.LayerSummaries, What: b.ended[last].SessionID, Reason: "over the model's context",
			})
			b.ended = b.ended[:last]
		case len(b.journal) > 0:
			b.leaveJournal()
		case len(b.recall) > 0:
			last := len(b.recall) - 1
			b.use(b.recall[last], false, "over the model's context")
			b.recall, b.out.Quotes = b.recall[:last], b.out.Quotes[:last]
		case len(b.window.entries) > 0:
			had := len(b.window.entries)
			before := b.window.tokens()
			b.window.fit(before-over, windowFloor, "the model's context", b.count)
			if len(b.window.entries) == had && b.window.tokens() == before && !b.dropProfile() {
				b.window.drop("the model's context")
			}
		case b.dropProfile():
		case len(b.Heard) > 0:
			b.leaveAnswer()
		default:
			return nil, b.tooLong(blocks)
		}
	}
}

func sum(blocks []memory.Block) int {
	n := 0
	for _, b := range blocks {
		n += b.Tokens
	}
	return n
}

// blocks lays the layers out in their order, the new message last.
func (b *builder) blocks() ([]memory.Block, error) {
	var out []section
	for _, layer := range b.Config.Order {
		var add []section
		var err error
		switch layer {
		case layerPersona:
			add, err = b.persona()
		case layerProfile:
			add, err = b.profileSections()
		case layerSummaries:
			add, err = b.summaries()
		case layerWindow:
			for _, e := range b.window.entries {
				add = append(add, section{Block: memory.Block{
					Layer: memory.LayerWindow, Role: e.record.Role, Tokens: e.tokens, Note: e.note,
					Parts: b.spoken(e.record, e.cut),
				}})
			}
		case layerWorking:
			add, err = b.workingSections()
		case layerRecall:
			if add, err = b.recallSection(); err == nil {
				var more []section
				more, err = b.journalSection()
				add = append(add, more...)
			}
		case layerEvidence:
			add, err = b.evidenceSection()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, add...)
	}
	now, err := b.nowSection()
	if err != nil {
		return nil, err
	}
	r := b.Turn.Record
	out = append(out, now, section{Block: memory.Block{
		Layer: memory.LayerMessage, Role: memory.RoleUser, Tokens: b.count(r.Content), Parts: b.spoken(r, cut{}),
	}})
	fenced, err := b.fenced(out)
	return append(fenced, b.answers()...), err
}

func (b *builder) workingSections() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, l := range b.working {
		refs = append(refs, memory.Ref{
			Kind: memory.KindWorking, ID: b.Turn.Session.ID, Version: b.Turn.Working.TurnCount,
			Field: l.field, Form: memory.FormFence, Source: l.name,
		})
		said = append(said, l.value)
	}
	out, err := b.data(memory.LayerWorking, "", 0, refs, said)
	if err != nil {
		return nil, err
	}
	done, err := b.doneSection()
	return append(out, done...), err
}

func (b *builder) recallSection() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, s := range b.recall {
		refs = append(refs, itemRef(s.Item))
		said = append(said, s.Item.Content)
	}
	return b.data(memory.LayerRecall, b.recallHeader(), b.total, refs, said)
}

// nowSection tells the date and the time, and how long the conversation rested (C6).
func (b *builder) nowSection() (section, error) {
	now := b.Now()
	data := prompts.NowData{Time: now.Format("Monday, 2006-01-02 15:04 -07:00")}
	if rest := now.Sub(b.lastActive); !b.lastActive.IsZero() && rest > restWorthSaying {
		data.Away = judge.Pause(rest)
	}
	return b.plain(memory.LayerNow, prompts.Now, data)
}

func (b *builder) persona() ([]section, error) {
	data := prompts.SystemData{
		Agent: b.Agent.Name, Persona: b.Agent.Persona, Memory: !b.NoMemory,
		Profile: b.profiled(), Working: b.on(layerWorking), WindowLimit: b.WindowLimit, SearchLimit: b.searchLimit,
	}
	if b.on(layerSummaries) {
		data.SummaryLimit = b.MemoryConfig.SummaryLimit
	}
	if b.on(layerRecall) {
		data.RecallLimit = b.MemoryConfig.TopN
	}
	data.Evidence = b.on(layerEvidence) && b.Config.EvidenceTokens > 0 && len(b.MemoryConfig.Triggers) > 0
	said, err := b.Prompts.Render(prompts.System, data)
	if err != nil && said == "" {
		return nil, fmt.Errorf("rendering the system prompt: %w", err)
	}
	if said, err = b.inCompany(said); err != nil {
		return nil, err
	}
	return []section{{Block: memory.Block{
		Layer: memory.LayerPersona, Role: memory.RoleSystem, Tokens: b.count(said),
		Parts: []memory.Ref{b.text(said)},
	}}}, nil
}

// describe is a tool as it is kept with a package.
func describe(t model.Tool) string {
	b, err := json.Marshal(map[string]any{"name": t.Name, "description": t.Description, "parameters": t.Parameters})
	if err != nil {
		panic("compose: a tool did not encode: " + err.Error()) // strings
	}
	return string(b)
}

// text keeps words of the program and returns the reference to them.
func (b *builder) text(s string) memory.Ref {
	id := lookup.TextID(s)
	b.out.Texts[id] = s
	return memory.Ref{Kind: memory.KindText, ID: id}
}
