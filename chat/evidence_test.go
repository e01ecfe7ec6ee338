package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// offline is a house without a language model.
func offline(t *testing.T, change func(*chat.Options)) *house {
	h := newHouse(t, nil)
	h.close()
	h.change = func(o *chat.Options) {
		o.Model = model.NewOffline(h.clock.Now)
		if change != nil {
			change(o)
		}
	}
	h.open()
	return h
}

func (h *house) fresh() {
	h.t.Helper()
	if err := h.chat.NewSession(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) settle() {
	h.t.Helper()
	if err := h.manager.Recall().Settle(h.t.Context(), luna); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) pkg(turn string) memory.Rendered {
	h.t.Helper()
	p, err := h.manager.Lookup().Package(h.t.Context(), luna, turn)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func evidenceOf(p memory.Rendered) string {
	for _, b := range p.Rendered {
		if b.Layer == memory.LayerEvidence {
			return b.Text
		}
	}
	return ""
}

// archiveState tells whether anybody opened the archive's index.
func (h *house) archiveState() string {
	h.t.Helper()
	all, err := h.manager.Recall().IndexStatus(h.t.Context(), luna)
	if err != nil {
		h.t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(d recall.Derived) bool { return d.Name == recall.DerivedArchive })
	return all[i].State
}

// A2, A3, D3: a week later, after an answer from memory, the sentence it rests on is
// shown with its date and session; in both languages, without a model.
func TestWhyDidYouKnowThat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said, question, why, sentence string
		direct                        string // asks for the proof at once
	}{
		{"Hello! By the way, I prefer oolong tea in the evening. What about you?", "What tea do I like?", "Why did you know that?",
			"By the way, I prefer oolong tea in the evening.", "When did I say that I like oolong tea?"},
		{"今天天气真好。我喜欢周末去陶艺课。你呢？", "我周末喜欢做什么？", "你怎么知道的？", "我喜欢周末去陶艺课。", "我什么时候说过我喜欢陶艺课？"},
	} {
		t.Run(tt.question, func(t *testing.T) {
			h := offline(t, nil)
			first, _ := h.say(tt.said)
			h.clock.Add(7 * 24 * time.Hour)
			h.settle()
			answer, _ := h.say(tt.question)
			if p := h.pkg(answer.Record.TurnID); p.Look != nil || len(p.Citations) > 0 || h.archiveState() != recall.StateNotOpened {
				t.Fatalf("a question that recall answers looked into the archive: %+v, %s", p.Look, h.archiveState())
			}
			for _, ask := range []string{tt.why, tt.direct} {
				end, _ := h.say(ask)
				p := h.pkg(end.Record.TurnID)
				if p.Look == nil || p.Look.Trigger != retrieve.TriggerProof || p.Look.Before != (ask == tt.why) {
					t.Fatalf("%q: %+v", ask, p.Look)
				}
				if len(p.Citations) != 1 {
					t.Fatalf("%q: citations %+v", ask, p.Citations)
				}
				c := p.Citations[0]
				if c.N != 1 || c.SessionID != first.Record.SessionID || c.TurnID != first.Record.TurnID || c.ItemID == "" || c.Role != memory.RoleUser {
					t.Errorf("%q: citation %+v", ask, c)
				}
				title := string([]rune(tt.said)[:4]) // as the session begins
				for _, want := range []string{"> " + tt.sentence, "2026-11-21", "[1]", title} {
					if !strings.Contains(end.Record.Content, want) {
						t.Errorf("%q: no %q in\n%s", ask, want, end.Record.Content)
					}
				}
				if strings.Contains(end.Record.Content, "> Hello") || strings.Contains(end.Record.Content, "> 今天") {
					t.Errorf("%q: more than the sentence:\n%s", ask, end.Record.Content)
				}
			}
			items, err := h.manager.Lookup().LearnedFrom(t.Context(), luna, h.pkg(answer.Record.TurnID).Used[0].Evidence[0].RecordID)
			if err != nil || len(items) != 1 {
				t.Errorf("D3, the other way: %+v, %v", items, err)
			}
		})
	}
}

// C1, C5, C6: the evidence goes right before the new message, as data with numbers
// to cite; the server received the stored bytes; what is deleted is forgotten.
func TestEvidenceInThePackage(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Noted."), text("Yes."), text("You said so [1]."))
	filler := strings.Repeat("The road was long and the weather was fine. ", 20)
	h.say("My depot occupies the fifth floor. " + filler)
	h.clock.Add(3 * 24 * time.Hour)
	h.fresh()
	h.say("The kiln in the pottery is cold.")
	h.clock.Add(3 * 24 * time.Hour)
	h.fresh()
	h.settle()
	end, _ := h.say("When did I say that my depot occupies the fifth floor?")
	p := h.pkg(end.Record.TurnID)
	if !p.Exact || len(p.Citations) != 1 || p.Citations[0].Length == 0 {
		t.Fatalf("exact %v, citations %+v", p.Exact, p.Citations)
	}
	last := p.Blocks[len(p.Blocks)-3:]
	if last[0].Layer != memory.LayerEvidence || last[1].Layer != memory.LayerNow || !strings.Contains(last[0].Note, "cut around") {
		t.Errorf("the last blocks: %+v", last)
	}
	said := evidenceOf(p)
	for _, want := range []string{"[1 · user · 2026-11-21 09:00 · message ", "My depot occupies the fifth floor.", memory.TruncationMark} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	requests := h.server.Requests()
	var got []memory.Message
	for _, m := range requests[len(requests)-1].Messages {
		got = append(got, memory.Message{Role: memory.Role(m.Role), Content: m.Content})
	}
	if diff := cmp.Diff(p.Messages(), got); diff != "" {
		t.Errorf("stored and received (-stored +received):\n%s", diff)
	}
	if asked := got[len(got)-1].Content; !strings.Contains(asked, "1 quotation") || !strings.Contains(got[0].Content, "Quote quotations exactly") {
		t.Errorf("the model is not told of its evidence:\n%s", asked)
	}

	if _, err := h.manager.DeleteRecords(t.Context(), luna, false, p.Citations[0].RecordID); err != nil {
		t.Fatal(err)
	}
	p = h.pkg(end.Record.TurnID)
	if said := evidenceOf(p); p.Exact || !strings.Contains(said, `"[forgotten 2026-11-27]"`) || strings.Contains(said, "fifth") {
		t.Errorf("after deletion, exact %v:\n%s", p.Exact, said)
	}
	sources, err := h.manager.Recall().SourcesOf(t.Context(), luna, end.Record.TurnID)
	if err != nil || len(sources) != 1 || !sources[0].Forgotten || strings.Contains(sources[0].Text, "fifth") {
		t.Errorf("sources %+v, %v", sources, err)
	}
}

// A3, C7: evidence stays under its limit whatever was said, says what it left out,
// and is the first to go where the model takes little.
func TestEvidenceBudgets(t *testing.T) {
	t.Parallel()
	noRace(t)
	h := offline(t, func(o *chat.Options) { o.Context.EvidenceTokens = 300 })
	for i := range 8 {
		h.say(fmt.Sprintf("The kiln firing number %d: %s", i, strings.Repeat("cobalt glaze ran down the shelf again, ", 6)))
	}
	h.clock.Add(48 * time.Hour)
	h.fresh()
	h.settle()
	end, _ := h.say("What exactly did I say about the kiln?")
	p := h.pkg(end.Record.TurnID)
	tokens, over := 0, 0
	for _, b := range p.Blocks {
		if b.Layer == memory.LayerEvidence {
			tokens += b.Tokens
		}
	}
	for _, d := range p.Dropped {
		if d.Layer == memory.LayerEvidence && d.Reason == "over the evidence budget" {
			over++
		}
	}
	if tokens == 0 || tokens > 300 || over == 0 || len(p.Citations)+over != 8 {
		t.Errorf("%d tokens, %d citations, %d left out", tokens, len(p.Citations), over)
	}
	for i, c := range p.Citations {
		if c.N != i+1 {
			t.Errorf("citation %d has number %d", i+1, c.N)
		}
	}

	small := offline(t, nil)
	small.say("The kiln is cold. " + strings.Repeat("glaze ", 60))
	small.fresh()
	if err := small.manager.Learning().Learn(t.Context(), luna, nil); err != nil { // the summary takes its part of the context
		t.Fatal(err)
	}
	small.settle()
	small.close()
	small.change = func(o *chat.Options) { o.Model = tight{o.Model, 460} }
	small.open()
	end, _ = small.say("What exactly did I say about the kiln? " + strings.Repeat("please ", 60))
	p = small.pkg(end.Record.TurnID)
	if len(p.Citations) != 0 || evidenceOf(p) != "" || !slices.ContainsFunc(p.Dropped, func(d memory.Dropped) bool {
		return d.Layer == memory.LayerEvidence && d.Reason == "over the model's context"
	}) {
		t.Errorf("%d of %d tokens, citations %+v, left out %+v", p.Tokens, p.Limit, p.Citations, p.Dropped)
	}
}

// tight is a model that takes few tokens.
type tight struct {
	model.Client
	tokens int
}

func (m tight) Info() model.Info {
	i := m.Client.Info()
	i.ContextTokens = m.tokens
	return i
}

// A2, A3: a message in the window is cited and not sent twice; the
// question itself, other questions and other agents' words prove nothing.
func TestEvidenceIsNotWhatIsThereAnyway(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	said, _ := h.say("I keep my bees behind the barn.")
	h.settle()
	h.say("Where do I keep my bees?")
	end, _ := h.say("When did I say that I keep bees?")
	p := h.pkg(end.Record.TurnID)
	if evidenceOf(p) != "" || len(p.Citations) != 1 || !p.Citations[0].InWindow || p.Citations[0].TurnID != said.Record.TurnID {
		t.Errorf("citations %+v, evidence:\n%s", p.Citations, evidenceOf(p))
	}
	if !strings.Contains(end.Record.Content, "bees behind the barn") {
		t.Errorf("the answer: %s", end.Record.Content)
	}
	end, _ = h.say("When did I say that I keep zebras?")
	if p := h.pkg(end.Record.TurnID); p.Look == nil || !p.Look.Loose || !strings.Contains(end.Record.Content, "only loosely related") ||
		strings.Contains(end.Record.Content, "what was said") {
		t.Errorf("proof of what was never said: %+v, %s", p.Look, end.Record.Content)
	}
	end, _ = h.say("When did I mention the zebras?")
	if p := h.pkg(end.Record.TurnID); p.Look == nil || len(p.Citations) != 0 || !strings.Contains(evidenceOf(p), "nothing was found") {
		t.Errorf("proof of what shares no word: %+v, evidence %q", p.Look, evidenceOf(p))
	}
}

// A2: each trigger can be switched off, and the layer with all of them.
func TestArchiveTriggersAreConfiguration(t *testing.T) {
	t.Parallel()
	ask := func(change func(*chat.Options), triggers ...string) memory.Rendered {
		h := offline(t, change)
		if _, err := h.chat.Send(t.Context(), "The barn needs a new roof.", nil); err != nil {
			t.Fatal(err)
		}
		until[chat.Finished](h, nil)
		h.fresh()
		h.close()
		h.triggers = append([]string{}, triggers...)
		h.open()
		h.settle()
		if _, err := h.chat.Send(t.Context(), "What did I say about the barn?", nil); err != nil {
			t.Fatal(err)
		}
		return h.pkg(until[chat.Finished](h, nil).Record.TurnID)
	}
	if p := ask(nil, retrieve.TriggerProof); p.Look == nil || len(p.Citations) != 1 {
		t.Errorf("on: %+v", p.Look)
	}
	for name, p := range map[string]memory.Rendered{
		"no trigger": ask(nil),
		"no layer":   ask(func(o *chat.Options) { o.Context.Order = compose.DefaultOrder()[:4] }, retrieve.TriggerProof),
		"no budget":  ask(func(o *chat.Options) { o.Context.EvidenceTokens = 0 }, retrieve.TriggerProof),
		"no memory":  ask(func(o *chat.Options) { o.NoMemory = true }, retrieve.TriggerProof),
	} {
		if p.Look != nil || len(p.Citations) > 0 || evidenceOf(p) != "" || strings.Contains(p.Messages()[0].Content, "- Evidence:") {
			t.Errorf("%s: %+v", name, p.Look)
		}
	}
}
