package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// C2: at least 70 % of a request's bytes are, on average, a prefix of the next one, and
// the window grows to context_limit + 2 messages before it is cut. [BenchmarkPrefix] has
// the 1,000 turns of the specification.
func TestRequestsSharePrefix(t *testing.T) {
	t.Parallel()
	noRace(t)
	h := newHouse(t, nil)
	s := h.longSession(60)
	limit := chat.DefaultConfig().ContextLimit
	t.Logf("%+v", s)
	if s.shared < 0.70 {
		t.Errorf("%.1f %% of a request's bytes are a prefix of the next request", 100*s.shared)
	}
	if s.recalled < 30 {
		t.Errorf("only %d requests had a memory block", s.recalled)
	}
	if two := (limit + 2) * 2 / 3; s.most != limit+2 || s.least < two-2 || s.least > two+2 {
		t.Errorf("requests had %d to %d messages; want %d to %d", s.least, s.most, two, limit+2)
	}
}

// C2: the same over 1,000 turns.
func BenchmarkPrefix(b *testing.B) {
	for range b.N {
		s := newHouse(b, nil).longSession(1000)
		b.ReportMetric(100*s.shared, "%prefix")
	}
}

// longSession is what the requests of a long session have in common.
type longSession struct {
	shared      float64 // mean part of a request's bytes that the next one begins with
	least, most int     // messages of a request, once the window is full
	recalled    int     // requests with a memory block
}

// longSession has a conversation of some turns, with answers of 1,500 characters and
// memory blocks of at most 500.
func (h *house) longSession(turns int) longSession {
	h.t.Helper()
	h.server.Reply = func(r *modeltest.Request) modeltest.Step {
		return modeltest.Step{Text: answerOf(len(r.LastUser()), 1500)}
	}
	h.say("I have a kiln in the garden and I like celadon glaze.")
	h.say("My sister Emma lives in Rome.")
	if err := h.manager.Recall().Settle(h.t.Context(), luna); err != nil {
		h.t.Fatal(err)
	}
	s := longSession{least: 1 << 20}
	last := h.server.Requests()[1]
	for i := range turns {
		h.exchange(fmt.Sprintf("Step %d: how hot should the kiln be for the next celadon test?", i))
		all := h.server.Requests()
		now := all[len(all)-1]
		s.shared += float64(sharedPrefix(last.Body, now.Body)) / float64(len(last.Body)) / float64(turns)
		if i > 20 {
			s.most, s.least = max(s.most, len(now.Messages)), min(s.least, len(now.Messages))
		}
		if block := memoryBlock(now.LastUser()); block != "" {
			s.recalled++
			if len(block) > 500 {
				h.t.Fatalf("a memory block of %d bytes:\n%s", len(block), block)
			}
		}
		last = now
	}
	return s
}

// exchange sends a message and waits for its answer, but not for the learning.
func (h *house) exchange(text string) chat.Finished {
	h.t.Helper()
	if _, err := h.chat.Send(h.t.Context(), text, nil); err != nil {
		h.t.Fatal(err)
	}
	end := until[chat.Finished](h, nil)
	h.seen = nil
	return end
}

// answerOf is an answer of n characters.
func answerOf(seed, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Sentence %d of answer %d is about cones and firing. ", i, seed)
	}
	return b.String()[:n]
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// memoryBlock is the part of the last message between the heading and the user's words.
func memoryBlock(last string) string {
	from := strings.Index(last, "## Memory")
	to := strings.LastIndex(last, "--- end ")
	if from < 0 || to < from {
		return ""
	}
	return last[from:to]
}

// code is a long answer with its beginning and its end marked.
func code(n int) string {
	return "BEGINNING\n```go\n" + strings.Repeat("\tfmt.Println(\"line of the program\")\n", n/36) + "```\nTHE END"
}

// windowOf are the blocks of a package's window.
func windowOf(p memory.Rendered) (out []memory.RenderedBlock) {
	for _, b := range p.Rendered {
		if b.Layer == memory.LayerWindow {
			out = append(out, b)
		}
	}
	return out
}

// C3: an 18 kB answer goes back whole in the next turn where the model's context holds
// it, and else with its beginning and its end, which the package says.
func TestLongAnswerGoesBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		context int
		whole   bool
	}{{131072, true}, {8192, false}} {
		h := newHouse(t, func(o *chat.Options) { o.Model = tight{o.Model, c.context} })
		h.server.Add(modeltest.Step{Text: code(18000)})
		h.say("Write the program.")
		end, _ := h.say("Make it faster.")
		p, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
		if err != nil {
			t.Fatal(err)
		}
		w := windowOf(p)
		if len(w) != 2 {
			t.Fatalf("window of %d messages", len(w))
		}
		back := w[1]
		t.Logf("context %d: %d characters go back: %s", c.context, len(back.Text), back.Note)
		if c.whole && (back.Text != code(18000) || back.Note != "") {
			t.Errorf("context %d: %d of %d bytes went back (%s)", c.context, len(back.Text), len(code(18000)), back.Note)
		}
		if !c.whole && (!strings.HasPrefix(back.Text, "BEGINNING") || !strings.HasSuffix(back.Text, "THE END") || back.Note == "" || len(back.Text) < 5000) {
			t.Errorf("context %d: %d bytes went back (%s)", c.context, len(back.Text), back.Note)
		}
	}
}

// C2: a program that was closed and opened between two turns, as it is by each ask,
// sends the same beginning; so does a chat that keeps nothing.
func TestPrefixIsTheSessionsOwn(t *testing.T) {
	t.Parallel()
	noRace(t)
	for name, c := range map[string]struct{ reopen, temporary bool }{"reopened": {reopen: true}, "temporary": {temporary: true}} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, func(o *chat.Options) { o.Config.ContextLimit, o.Temporary = 8, c.temporary })
			cuts := 0
			for i := range 14 {
				if c.reopen {
					h.reopen()
				}
				h.exchange(fmt.Sprintf("message %d", i))
				all := h.server.Requests()
				if len(all) < 2 {
					continue
				}
				now, before := all[len(all)-1].Messages, all[len(all)-2].Messages
				if now[1].Content != before[1].Content && i > 1 {
					cuts++
				}
			}
			if cuts > 6 {
				t.Errorf("the conversation began with another message %d times in 14 turns", cuts)
			}
			t.Logf("%d cuts", cuts)
		})
	}
}

// C3: what was shortened is told of each message, in the package and its event.
func TestShortenedIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Model = tight{o.Model, 8192} })
	h.server.Add(modeltest.Step{Text: code(18000)})
	long, _ := h.say("Write the program.")
	if _, err := h.chat.Send(t.Context(), "Make it faster.", nil); err != nil {
		t.Fatal(err)
	}
	stored := until[chat.PackageStored](h, nil)
	end := until[chat.Finished](h, nil)
	p, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	for _, notes := range []map[string]string{stored.Package.Shortened(), p.Shortened()} {
		if len(notes) != 1 || !strings.Contains(notes[long.Record.ID], fmt.Sprintf("of %d characters: history budget", len(code(18000)))) {
			t.Errorf("told: %v", notes)
		}
	}
}

// C3: the history has half of what the other layers leave of the model's context, at
// most history_tokens, and no less than 4,096 tokens where the context allows it.
func TestHistoryBudget(t *testing.T) {
	t.Parallel()
	noRace(t)
	for _, c := range []struct{ context, setting, least, most int }{
		{131072, 16384, 14000, 16384},
		{131072, 30000, 24000, 30000},
		{131072, 1000, 400, 1000},
		{32768, 16384, 13000, 16000},
		{8192, 16384, 3300, 4096},
		{4096, 16384, 1200, 2700},
	} {
		h := newHouse(t, func(o *chat.Options) {
			o.Model, o.Context.HistoryTokens = tight{o.Model, c.context}, c.setting
		})
		h.server.Reply = func(*modeltest.Request) modeltest.Step { return modeltest.Step{Text: code(60000)} }
		h.exchange("Write the program.")
		h.exchange("Make it faster.")
		end := h.exchange("And shorter.")
		p, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, b := range windowOf(p) {
			n += b.Tokens
		}
		if n < c.least || n > c.most || p.Tokens > p.Limit {
			t.Errorf("context %d, history_tokens %d: %d tokens of history, %d of %d in all", c.context, c.setting, n, p.Tokens, p.Limit)
		}
	}
}
