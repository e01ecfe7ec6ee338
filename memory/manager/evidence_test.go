package manager_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

func proofOf(said string) recall.EvidenceQuery {
	return recall.EvidenceQuery{Text: said, Trigger: retrieve.TriggerProof}
}

func find(t testing.TB, m *manager.Manager, agent string, q recall.EvidenceQuery) recall.Evidence {
	t.Helper()
	found, err := m.Recall().FindEvidence(t.Context(), agent, q)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func texts(e recall.Evidence) string {
	var out []string
	for _, q := range e.Quotes {
		out = append(out, q.Text())
	}
	return strings.Join(out, " | ")
}

// exchange is a message of the user with its answer.
func exchange(t testing.TB, m *manager.Manager, session, said, answer string) manager.Turn {
	t.Helper()
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: session}))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: answer, Status: memory.StatusComplete, Model: "test",
	}, false))(t)
	return turn
}

// A2, A3: whose words, what time, what is no proof, what was deleted, whose agent.
func TestFindEvidence(t *testing.T) {
	m, c := open(t)
	tea := exchange(t, m, "", "I drink oolong tea at night.", "You might try gyokuro tea as well.")
	c.Add(10 * 24 * time.Hour)
	kiln := exchange(t, m, tea.Session.ID, "The kiln is cold. 陶艺课取消了。", "Then rest.")
	exchange(t, m, tea.Session.ID, "What tea do I drink?", "Oolong tea.")
	c.Add(24 * time.Hour)
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ asks, want, not string }{
		{"When did I say that I drink oolong tea?", "I drink oolong tea at night.", "gyokuro"},
		{"What did you recommend instead of my tea?", "gyokuro", "at night"},
		{"How do you know about the tea?", "I drink oolong tea at night.", "What tea"},
		{"What did I say about the tea yesterday?", "", "tea"},
		{"What did we talk about yesterday?", "The kiln is cold.", "at night"},
		{"What did I say about the kiln yesterday?", "The kiln is cold.", "tea"},
		{"我什么时候说过陶艺课的事？", "陶艺课取消了", "tea"},
		{"What did I say about zebras?", "", "tea"},
	} {
		got := texts(find(t, m, luna, proofOf(tt.asks)))
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%q: %q", tt.asks, got)
		}
	}
	q := proofOf("What did I say about the kiln?")
	if q.Except = kiln.Record.ID; len(find(t, m, luna, q).Quotes) != 0 {
		t.Error("the message proves itself")
	}
	if got := find(t, m, "nova", proofOf("What did I say about the kiln?")); len(got.Quotes) != 0 {
		t.Errorf("another agent's words: %q", texts(got))
	}
	must(m.DeleteRecords(t.Context(), luna, false, kiln.Record.ID))(t)
	for _, asks := range []string{"What did I say about the kiln?", "What did we talk about yesterday?"} {
		if got := texts(find(t, m, luna, proofOf(asks))); strings.Contains(got, "kiln") {
			t.Errorf("deleted words: %q", got)
		}
	}
}

// A2: a question about somebody else, or about what happened, looks into the archive
// only where it mentions them; quotes that only share words are told to be loose; and
// the model's words prove nothing about the user.
func TestEvidenceThatBearsOnTheQuestion(t *testing.T) {
	m, c := open(t)
	first := exchange(t, m, "", "Ximena studies marine biology in Valdivia now.", "Lovely.")
	exchange(t, m, first.Session.ID, "My cello teacher moved to Bergen.", "Then you bought a violin and a piano, I believe.")
	for i := range 12 {
		c.Add(time.Hour)
		exchange(t, m, first.Session.ID, fmt.Sprintf("Number %d on my list is a long walk by the river with the dog.", i), "Enjoy it.")
	}
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		asks, trigger, want, not string
		looked, loose            bool
	}{
		{"What does Ximena study?", retrieve.TriggerMentioned, "marine biology", "cello", true, false},
		{"When did the Roman empire fall?", retrieve.TriggerMentioned, "", "a", false, false},
		{"Which violin did I buy?", retrieve.TriggerSparse, "", "violin", true, false},
		{"Where did my cello teacher move to?", retrieve.TriggerSparse, "Bergen", "violin", true, false},
		{"Which lighthouse, glacier, volcano and waterfall did we see by the river?", retrieve.TriggerSparse, "river", "cello", true, true},
	} {
		if got := retrieve.Trigger(tt.asks, nil, retrieve.Triggers()); got != tt.trigger {
			t.Errorf("%q: trigger %q", tt.asks, got)
		}
		found := find(t, m, luna, recall.EvidenceQuery{Text: tt.asks, Trigger: tt.trigger})
		got := texts(found)
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%q: %q", tt.asks, got)
		}
		if looked := found.Look.Trigger != ""; looked != tt.looked || found.Loose != tt.loose || found.Look.Loose != tt.loose {
			t.Errorf("%q: looked %v, loose %v, %+v", tt.asks, looked, found.Loose, found.Look)
		}
	}
}

// A3, D3: a memory leads to the first and the last messages it rests on; one that
// no message is left of stands for itself.
func TestEvidenceOfMemories(t *testing.T) {
	m, c := open(t)
	var evidence []memory.Evidence
	session := ""
	for i := range 5 {
		turn := exchange(t, m, session, fmt.Sprintf("Day %d. I take the early train to Basel.", i), "Fine.")
		session = turn.Session.ID
		evidence = append(evidence, memory.Evidence{
			SessionID: session, TurnID: turn.Record.TurnID, RecordID: turn.Record.ID, Offset: len("Day 0. "), Length: len("I take the early train"),
		})
		c.Add(24 * time.Hour)
	}
	train := memory.Item{ID: "I1", AgentID: luna, Content: "Takes the early bird", Evidence: evidence, Version: 1}
	hand := memory.Item{ID: "I2", AgentID: luna, Content: "Likes window seats", Version: 1}
	q := proofOf("How do you know about zebras?")
	q.Recalled = []retrieve.Scored{{Item: train, Parts: memory.Parts{KeywordScore: 0.9}}, {Item: hand, Parts: memory.Parts{KeywordScore: 0.8}}}
	records := map[string]string{}
	for _, quote := range find(t, m, luna, q).Quotes {
		records[quote.Record.ID] = quote.Text()
	}
	for i, ev := range evidence {
		said, there := records[ev.RecordID]
		if want := i == 0 || i > 2; want != there || there && said != "I take the early train to Basel." {
			t.Errorf("evidence %d: %q, %v", i, said, there)
		}
	}
	if records[""] != "Likes window seats" {
		t.Errorf("the memory without a message: %q", records)
	}
	q.Recalled[1].Parts.KeywordScore = 0.1
	if got := texts(find(t, m, luna, q)); strings.Contains(got, "window") {
		t.Errorf("a weak match is proven: %q", got)
	}
	q.Trigger = retrieve.TriggerSparse
	if got := texts(find(t, m, luna, q)); got != "" {
		t.Errorf("what says little proves something: %q", got)
	}
}

// A2, R4: an index that does not answer is told, and the newest messages are read
// instead.
func TestEvidenceWithoutAnIndex(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	exchange(t, m, "", "The kiln is cold.", "Then rest.")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, "index")
	if err := errors.Join(os.RemoveAll(index), os.WriteFile(index, []byte("a file, not a folder"), 0o600)); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	found := find(t, m, luna, proofOf("What did I say about the kiln?"))
	if texts(found) != "The kiln is cold." || !strings.Contains(found.Degraded, "archive's index") {
		t.Errorf("%q, %q", texts(found), found.Degraded)
	}
}

// BenchmarkEvidence is what a turn pays that asks for proof, with 10,000 messages
// of 40 words in the archive.
func BenchmarkEvidence(b *testing.B) {
	m := archivedWith(b, 10_000)
	find(b, m, luna, proofOf("What did I say about pottery?")) // opens the index
	if err := m.Recall().Settle(b.Context(), luna); err != nil {
		b.Fatal(err)
	}
	for _, span := range []string{"", " last month"} {
		b.Run("words"+span, func(b *testing.B) {
			w, quotes := newWriter(9), 0
			var took []time.Duration
			for b.Loop() {
				begin := time.Now()
				found := find(b, m, luna, proofOf("What did I say about "+w.word()+" and "+w.word()+span+"?"))
				took = append(took, time.Since(begin))
				quotes += len(found.Quotes)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
			b.ReportMetric(float64(quotes)/float64(len(took)), "quotes")
		})
	}
}

// archivedWith writes n messages at once and opens a manager over them.
func archivedWith(b *testing.B, n int) *manager.Manager {
	b.Helper()
	dir, c := b.TempDir(), newClock()
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: c.Now})
	if err != nil {
		b.Fatal(err)
	}
	w, ids := newWriter(1), memory.NewIDs(nil)
	err = st.Update(func(tx *store.Tx) error {
		first := start.Add(-time.Duration(n) * 10 * time.Minute)
		s := memory.Session{ID: ids.New(first), AgentID: luna, State: memory.SessionArchived, CreatedAt: start, LastMessageAt: start}
		for i := range n {
			at := start.Add(-time.Duration(n-i) * 10 * time.Minute)
			r := memory.Record{
				ID: ids.New(at), AgentID: luna, SessionID: s.ID, TurnID: ids.New(at), Role: []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2],
				Content: w.sentence(20, 60) + ".", Timestamp: at, Status: memory.StatusComplete,
			}
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
		}
		return tx.PutSession(s)
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
	return openAt(b, dir, c, nil)
}

// A2: how something is known is asked of the answer right before; an older one that
// had sources is not taken for it.
func TestProofOfAnAnswerThatKnewNothing(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	told, _ := say(t, m, luna, "", "I moved to Almada in June")
	must(m.SavePackage(ctx, memory.Package{
		AgentID: luna, SessionID: told.Session.ID, TurnID: told.Record.TurnID,
		Citations: []memory.Citation{{Evidence: memory.Evidence{RecordID: told.Record.ID}}},
	}, nil))(t)
	blank, _ := say(t, m, luna, told.Session.ID, "What is my dog called?")
	must(m.SavePackage(ctx, memory.Package{AgentID: luna, SessionID: blank.Session.ID, TurnID: blank.Record.TurnID}, nil))(t)
	got := must(m.Recall().FindEvidence(ctx, luna, recall.EvidenceQuery{
		Text: "How do you know that?", Trigger: retrieve.TriggerProof, Before: []memory.Record{told.Record, blank.Record},
	}))(t)
	if len(got.Quotes) != 0 {
		t.Errorf("the proof of nothing is %+v", got.Quotes)
	}
}
