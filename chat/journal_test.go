package chat_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
)

func journalOf(p memory.Rendered) (lines []string) {
	for _, b := range p.Rendered {
		if b.Layer == memory.LayerJournal {
			for line := range strings.Lines(b.Text) {
				if strings.HasPrefix(line, "[") {
					lines = append(lines, strings.TrimSpace(line))
				}
			}
		}
	}
	return lines
}

// keepJournal keeps a journal from now on, and archives what was said so far.
func (h *house) keepJournal() {
	h.t.Helper()
	if err := h.manager.Journals().SetJournalConfig(journal.DefaultConfig()); err != nil {
		h.t.Fatal(err)
	}
	j, err := h.manager.Journals().Journal(luna)
	if err != nil {
		h.t.Fatal(err)
	}
	for { // a run in the background may have begun before the message
		_, err := j.RunWith(h.t.Context(), h.manager.Journals().JournalRules(), journal.Wanted{Now: true})
		switch {
		case err == nil:
			return
		case !errors.Is(err, journal.ErrRunning):
			h.t.Fatal(err)
		}
		runtime.Gosched()
	}
}

// C4, J6, C5: passages of the journal go with a message under their path, with what the memories
// leave of their budget; passages in the window are not repeated; the package can be shown
// again byte for byte, without deleted text.
func TestJournalGoesAlong(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Context.Order = []string{"persona", "window", "recall"} },
		modeltest.Step{Text: "I see.", Repeat: true})
	said, _ := h.say("Weeknotes: the lathe from Aldo was carried into the barn by Pia, " + strings.Repeat("and it was heavy, ", 30) + "on Tuesday.")
	h.fresh()
	h.keepJournal()
	long := strings.TrimSpace(strings.Repeat("The flour bin holds the spare keys of the boathouse. ", 12))
	file := filepath.Join(h.dir, "journal", luna, "memory.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("- "+long+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	end, _ := h.say("Who carried the lathe?")
	p := h.pkg(end.Record.TurnID)
	lines := journalOf(p)
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "[memory/") || !strings.Contains(lines[0], "the lathe from Aldo") || !strings.HasSuffix(lines[0], memory.TruncationMark+`"`) {
		t.Fatalf("the journal adds %q", lines)
	}
	if !p.Exact || len(p.Found) != 1 || !p.Found[0].Chosen || p.Found[0].Record != said.Record.ParentID {
		t.Errorf("exact %v, found %+v", p.Exact, p.Found)
	}

	asked := end.Record.TurnID
	end, _ = h.say("Where are the spare keys of the boathouse?")
	p = h.pkg(end.Record.TurnID)
	if lines := journalOf(p); len(lines) != 1 || !strings.HasPrefix(lines[0], `[memory.md] "`) || !strings.HasSuffix(lines[0], memory.TruncationMark+`"`) || !p.Exact {
		t.Errorf("of memory.md: %q, exact %v", lines, p.Exact)
	}
	if err := os.WriteFile(file, []byte("- The keys hang in the boathouse itself now.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := h.pkg(end.Record.TurnID); !again.Exact {
		t.Error("an edit of memory.md changed what was sent before")
	}
	h.clock.Add(time.Minute)
	end, _ = h.say("So where are the keys of the boathouse?")
	if lines := journalOf(h.pkg(end.Record.TurnID)); len(lines) == 0 || !strings.Contains(lines[0], "in the boathouse itself now") {
		t.Errorf("after an edit: %q", lines)
	}

	end, _ = h.say("Zebras quarrel.")
	for _, b := range h.pkg(end.Record.TurnID).Rendered {
		if b.Layer == memory.LayerJournal && strings.Contains(b.Text, "zebra") {
			t.Errorf("a message that nothing fits has %q", b.Text)
		}
	}

	if _, err := h.manager.DeleteRecords(t.Context(), luna, false, said.Record.ParentID); err != nil {
		t.Fatal(err)
	}
	if p := h.pkg(asked); p.Exact || strings.Contains(strings.Join(journalOf(p), " "), "Aldo") || strings.Contains(strings.Join(journalOf(p), " "), "lathe") {
		t.Errorf("what was deleted is still in the package: %q", journalOf(p))
	}
}

// J6, A2: without a model the answer quotes the archive, which knows who said it and when, and what
// is in the journal alone with its path.
func TestJournalAnswersOffline(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Model = model.NewOffline(o.Now) })
	h.say("The kiln behind the barn was at 1050 degrees.")
	h.fresh()
	h.keepJournal()
	for _, asked := range []string{"How hot was the kiln?", "When did I say that the kiln was at 1050 degrees?"} {
		end, _ := h.say(asked)
		if text := end.Record.Content; !strings.Contains(text, "1050 degrees. — [1] you · 20") || strings.Contains(text, "— memory/") {
			t.Errorf("%q is answered %q", asked, text)
		}
		h.fresh()
	}
	file := filepath.Join(h.dir, "journal", luna, "memory.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("- The spare keys of the boathouse are in the flour bin.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	end, _ := h.say("Where are the spare keys of the boathouse?")
	if text := end.Record.Content; !strings.Contains(text, "in the flour bin") || !strings.Contains(text, "memory.md") {
		t.Errorf("what is in memory.md alone: %q", text)
	}
}

// P4, A2: a message whose memory has ended is quoted only for a question about the past.
func TestEndedIsNotQuoted(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("I work at the bakery in Ely")
	h.settle()
	h.tell("I don't work at the bakery anymore")
	h.settle()
	h.tell("we've got a dog called Biscuit")
	h.settle()
	h.tell("Biscuit died this morning")
	h.settle()
	for _, asked := range []string{"do I work at the bakery?", "do i have a dog"} {
		if got := h.tell(asked).Record.Content; strings.Contains(got, "bakery in Ely") || strings.Contains(got, "got a dog") {
			t.Errorf("%q: %s", asked, got)
		}
	}
	if got := h.tell("where did I work?").Record.Content; !strings.Contains(got, "bakery in Ely") {
		t.Errorf("then: %s", got)
	}
}

// A2, P6: without a model a question is answered with what was said, in this conversation or an
// earlier one, although no memory was made from it.
func TestOfflineQuotesConversations(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Model = model.NewOffline(o.Now) })
	h.say("The kiln guild meets in the old mill.")
	for _, where := range []string{"the same conversation", "another one"} {
		end, _ := h.say("Where does the kiln guild meet?")
		if !strings.Contains(end.Record.Content, "> The kiln guild meets in the old mill.") {
			t.Errorf("in %s: %q", where, end.Record.Content)
		}
		end, _ = h.say("Which zebras quarrel?")
		if !strings.Contains(end.Record.Content, "nothing") && !strings.Contains(end.Record.Content, "anything") {
			t.Errorf("of what was never said: %q", end.Record.Content)
		}
		h.fresh()
	}
}

// C4: memories and passages together never exceed the memory budget, whatever it is.
func TestJournalBudget(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(17, 2026))
	vocabulary := strings.Fields("kiln glaze celadon oven clay wheel 窑 青瓷 釉 guild barn mill shelf brush 陶艺 wax")
	sentence := func(n int) string {
		var out []string
		for range n {
			out = append(out, vocabulary[random.IntN(len(vocabulary))])
		}
		return strings.Join(out, " ")
	}
	quoted, over := 0, 0
	for range 12 {
		budget := 40 + random.IntN(400)
		h := newHouse(t, func(o *chat.Options) { o.Context.MemoryTokens = budget }, modeltest.Step{Text: "I see.", Repeat: true})
		for range random.IntN(6) {
			if _, err := h.manager.Learning().AddItem(t.Context(), luna, memory.Item{Content: "The kiln: " + sentence(3+random.IntN(30)) + "."}, func(*memory.Item) {}); err != nil {
				t.Fatal(err)
			}
		}
		h.keepJournal()
		var notes strings.Builder
		for range 2 + random.IntN(8) {
			notes.WriteString("- The kiln and the " + sentence(2+random.IntN(60)) + ".\n")
		}
		file := filepath.Join(h.dir, "journal", luna, "memory.md")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(notes.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		end, _ := h.say("What about the kiln and the celadon?")
		p := h.pkg(end.Record.TurnID)
		tokens := 0
		for _, b := range p.Blocks {
			if b.Layer == memory.LayerRecall || b.Layer == memory.LayerJournal {
				tokens += b.Tokens
			}
		}
		if tokens > budget {
			t.Errorf("%d tokens of memory, the budget is %d", tokens, budget)
		}
		for _, f := range p.Found {
			if f.Chosen {
				quoted++
			} else {
				over++
			}
		}
	}
	if quoted == 0 || over == 0 {
		t.Errorf("%d passages were sent, %d were left out: nothing was proven", quoted, over)
	}
}

// P8, A2: what was only forgotten because it was not used has not ended: its message is quoted.
func TestForgottenIsStillQuoted(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("I keep the spare keys in the flour bin")
	h.settle()
	page, err := h.manager.Lookup().Items(t.Context(), luna, lookup.ItemFilter{})
	if err != nil || len(page.Items) == 0 {
		t.Fatal(page, err)
	}
	for _, it := range page.Items { // as forgetting leaves it
		_, err := h.manager.Learning().EditItem(t.Context(), luna, it.ID, func(x *memory.Item) { x.State = memory.StateInactive })
		if err != nil {
			t.Fatal(err)
		}
	}
	h.fresh()
	if got := h.tell("where are the spare keys").Record.Content; !strings.Contains(got, "flour bin") {
		t.Errorf("%s", got)
	}
}
