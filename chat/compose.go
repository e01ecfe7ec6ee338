package chat

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"memoria/chat/judge"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
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

// composed is what one turn will send, before it is stored.
type composed struct {
	pkg    memory.Package
	texts  map[string]string
	quotes []model.Quote
	proof  []model.Proof
	wanted bool // the message asks for proof
	loose  bool // proof only shares words with the message
	looked bool // the archive was looked into
	// estimate is pkg.Tokens before the calibration, which learns from it (C7).
	estimate int
}

// composer builds the package of one turn.
type composer struct {
	c      *Chat
	set    settings        // of the turn
	agent  Agent           // who answers, with what only he remembers
	heard  []memory.Record // in a group, what others answered to the message already
	info   model.Info
	turn   manager.Turn
	said   *instructed // what the message wants from the memory; nil: nothing
	count  func(string) int
	nonce  string
	last   *memory.Package // of the turn before; nil: none
	limit  int             // tokens of the whole, without the tools
	out    composed
	window window
	// lastActive is the time of the conversation's last message before this one; zero: none.
	lastActive time.Time
	recall     []retrieve.Scored
	total      int
	passages   []manager.Passage // that were found in the journal, best first
	journal    []manager.Passage // those that are sent
	ended      []manager.Ended   // the summaries of sessions before this one
	endedOf    int
	working    []workingLine
	profile    profileLines
	// evidence are the sources that are sent, above those that stand in the window.
	evidence, above []source
	// foundNone says that the archive has nothing on what the message asks for.
	foundNone bool
	// own are the items that rest on the message itself: they would only repeat it.
	own []string

	searchLimit int // of the search tool; 0: it is not offered
}

type workingLine struct{ name, field, value string }

// compose gathers the layers of a turn and makes them fit (C1–C7). tool is what the
// model may call; nil: nothing.
func (c *Chat) compose(
	ctx context.Context, set settings, who Agent, turn manager.Turn, said *instructed, client model.Client, records, heard []memory.Record, last *memory.Package, tool *model.Tool,
) (composed, error) {
	info := client.Info()
	b := &composer{
		c: c, set: set, agent: who, heard: heard, info: info, turn: turn, said: said, nonce: c.nonceOf(last), last: last,
		count: func(s string) int { return c.calibration.Tokens(info.Model, s) },
		out:   composed{texts: map[string]string{}},
	}
	limit, _ := model.ContextOf(ctx, client)
	limit -= min(limit/answerShare, answerTop)
	b.out.pkg = memory.Package{
		AgentID: who.ID, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Turn: turn.Working.TurnCount,
		Model: info.Model, Endpoint: info.Endpoint, Limit: limit,
	}
	tools := 0
	if tool != nil {
		said := describe(*tool)
		b.out.pkg.Tools, tools = []memory.Ref{b.text(said)}, b.count(said)
		b.searchLimit = set.memory.SearchLimit
	}
	b.limit = limit - tools
	if n := len(records); n > 0 {
		b.lastActive = records[n-1].Timestamp
	}
	if err := b.gather(ctx, records); err != nil {
		return composed{}, err
	}
	blocks, err := b.fit()
	if err != nil {
		return composed{}, err
	}
	b.cite()
	b.out.quotes = append(b.out.quotes, b.journalQuotes()...)
	b.out.pkg.Blocks, b.out.pkg.Quoted = blocks, b.quoted()
	b.out.pkg.Tokens = sum(blocks) + tools
	b.out.estimate = int(float64(b.out.pkg.Tokens)/c.calibration.Ratio(info.Model) + 0.5)
	b.out.pkg.Dropped = append(b.window.dropped, b.out.pkg.Dropped...)
	return b.out, nil
}

func (b *composer) on(layer string) bool { return slices.Contains(b.set.context.Order, layer) }

// gather reads what each layer could hold.
func (b *composer) gather(ctx context.Context, records []memory.Record) error {
	if b.on(layerWindow) {
		b.window = newWindow(b.asHeard(records), b.last, b.set.ContextLimit, b.count)
	}
	if b.c.noMemory {
		return b.fitHistory()
	}
	var err error
	if b.own, err = b.c.memory.ItemsOnlyFrom(ctx, b.agent.ID, b.turn.Record.ID); err != nil {
		b.c.log.Warn("what the message has taught was not read", "error", err)
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
	if b.said.overview() != nil {
		if err := b.gatherOverview(); err != nil {
			return err
		}
		return b.fitHistory()
	}
	res, err := b.gatherRecall(ctx)
	if err != nil {
		return err
	}
	b.gatherJournal(ctx, records)
	if err := b.fitHistory(); err != nil { // evidence is not sent twice, and so has to know what is sent of the window
		return err
	}
	if err := b.gatherEvidence(ctx, res, records); err != nil || len(b.evidence) == 0 {
		return err
	}
	return b.fitHistory()
}

// fitHistory makes the window fit into the history budget (C3): half of what the other
// layers leave of the model's context, or 4,096 tokens where that is less and they fit;
// never more than history_tokens.
func (b *composer) fitHistory() error {
	blocks, err := b.blocks()
	if err != nil {
		return err
	}
	left := b.limit - sum(blocks) + b.window.tokens()
	b.window.fit(min(max(left/2, historyFloor), left, b.set.context.HistoryTokens), windowFloor, "history budget", b.count)
	return nil
}

// nonceOf is the nonce of the turn's fences: that of the turn before, so that a request
// begins like the one before it (C1, C2).
func (c *Chat) nonceOf(last *memory.Package) string {
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
func (b *composer) gatherRecall(ctx context.Context) (res retrieve.Result, err error) {
	if !b.on(layerRecall) {
		return res, nil
	}
	res, err = b.c.memory.Recall().Retrieve(ctx, b.agent.ID, recall.Query{
		Text: b.turn.Record.Asked(), SessionID: b.turn.Session.ID, Limit: b.set.memory.TopN, Without: b.own,
	})
	if err != nil {
		// A memory that fails must not take the conversation down.
		b.out.pkg.Degraded = Explain(err).Text
		b.c.log.Warn("retrieval failed", "error", err)
		return retrieve.Result{}, nil
	}
	b.out.pkg.Keywords, b.out.pkg.Degraded, b.total = res.Keywords, res.Degraded, res.Total
	for _, s := range res.NotChosen {
		b.use(s, false, s.Why)
	}
	frame, err := b.frame(prompts.RecallHeader, b.total)
	if err != nil {
		return res, err
	}
	left := b.set.context.MemoryTokens - frame
	for _, s := range res.Chosen {
		n := b.count(b.fenceLine(itemRef(s.Item), s.Item.Content))
		if n > left {
			b.use(s, false, "over the memory budget")
			continue
		}
		left -= n
		b.recall = append(b.recall, s)
		b.out.quotes = append(b.out.quotes, model.Quote{Text: s.Item.Content, Source: string(s.Item.Type), When: s.Item.CreatedAt})
	}
	return res, nil
}

func (b *composer) use(s retrieve.Scored, chosen bool, why string) {
	b.out.pkg.Used = append(b.out.pkg.Used, used(s, chosen, why))
}

// used is what a package keeps of an item that took part in its turn.
func used(s retrieve.Scored, chosen bool, why string) memory.Used {
	return memory.Used{
		ItemID: s.Item.ID, Version: s.Item.Version, Score: memory.Rounded(s.Score), Parts: s.Parts.Rounded(),
		Contribution: s.Contribution.Rounded(), Chosen: chosen, Why: why, Evidence: s.Item.Evidence,
	}
}

// useChosen records what was chosen, before what was not.
func (b *composer) useChosen() {
	not := b.out.pkg.Used
	b.out.pkg.Used = nil
	for _, s := range b.recall {
		b.use(s, true, s.Why)
		b.out.pkg.Used[len(b.out.pkg.Used)-1].Overview = b.said.overview() != nil
	}
	b.out.pkg.Used = append(b.out.pkg.Used, not...)
}

func (b *composer) gatherWorking() {
	w := b.turn.Working
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

func (b *composer) fenceLine(ref memory.Ref, said string) string {
	return manager.Written(ref, b.nonce, said)
}

// fit builds the blocks and takes away until they fit (C7): evidence first, then
// the summaries, then recalled memory, of each the least or oldest first, then the
// window down to its floor, then the profile, then the floor.
func (b *composer) fit() ([]memory.Block, error) {
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
			b.out.pkg.Dropped = append(b.out.pkg.Dropped, memory.Dropped{
				Layer: memory.LayerSummaries, What: b.ended[last].SessionID, Reason: "over the model's context",
			})
			b.ended = b.ended[:last]
		case len(b.journal) > 0:
			b.leaveJournal()
		case len(b.recall) > 0:
			last := len(b.recall) - 1
			b.use(b.recall[last], false, "over the model's context")
			b.recall, b.out.quotes = b.recall[:last], b.out.quotes[:last]
		case len(b.window.entries) > 0:
			had := len(b.window.entries)
			before := b.window.tokens()
			b.window.fit(before-over, windowFloor, "the model's context", b.count)
			if len(b.window.entries) == had && b.window.tokens() == before && !b.dropProfile() {
				b.window.drop("the model's context")
			}
		case b.dropProfile():
		case len(b.heard) > 0:
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
func (b *composer) blocks() ([]memory.Block, error) {
	var out []section
	for _, layer := range b.set.context.Order {
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
	r := b.turn.Record
	out = append(out, now, section{Block: memory.Block{
		Layer: memory.LayerMessage, Role: memory.RoleUser, Tokens: b.count(r.Content), Parts: b.spoken(r, cut{}),
	}})
	fenced, err := b.fenced(out)
	return append(fenced, b.answers()...), err
}

func (b *composer) workingSections() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, l := range b.working {
		refs = append(refs, memory.Ref{
			Kind: memory.KindWorking, ID: b.turn.Session.ID, Version: b.turn.Working.TurnCount,
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

func (b *composer) recallSection() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, s := range b.recall {
		refs = append(refs, itemRef(s.Item))
		said = append(said, s.Item.Content)
	}
	return b.data(memory.LayerRecall, b.recallHeader(), b.total, refs, said)
}

// nowSection tells the date and the time, and how long the conversation rested (C6).
func (b *composer) nowSection() (section, error) {
	now := b.c.now()
	data := prompts.NowData{Time: now.Format("Monday, 2006-01-02 15:04 -07:00")}
	if rest := now.Sub(b.lastActive); !b.lastActive.IsZero() && rest > restWorthSaying {
		data.Away = judge.Pause(rest)
	}
	return b.plain(memory.LayerNow, prompts.Now, data)
}

func (b *composer) persona() ([]section, error) {
	data := prompts.SystemData{
		Agent: b.agent.Name, Persona: b.agent.Persona, Memory: !b.c.noMemory,
		Profile: b.profiled(), Working: b.on(layerWorking), WindowLimit: b.set.ContextLimit, SearchLimit: b.searchLimit,
	}
	if b.on(layerSummaries) {
		data.SummaryLimit = b.set.memory.SummaryLimit
	}
	if b.on(layerRecall) {
		data.RecallLimit = b.set.memory.TopN
	}
	data.Evidence = b.on(layerEvidence) && b.set.context.EvidenceTokens > 0 && len(b.set.memory.Triggers) > 0
	said, err := b.c.prompts.Render(prompts.System, data)
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

// text keeps words of the program and returns the reference to them.
func (b *composer) text(s string) memory.Ref {
	id := manager.TextID(s)
	b.out.texts[id] = s
	return memory.Ref{Kind: memory.KindText, ID: id}
}
