package manager_test

import (
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// told is an instruction, and the message that is it, in a session.
func told(t testing.TB, m *manager.Manager, session, text string) (memory.Record, instruct.Instruction) {
	t.Helper()
	turn, _ := say(t, m, luna, session, text)
	in, ok := instruct.Read(text, nil)
	if !ok {
		t.Fatalf("%q is no instruction", text)
	}
	return turn.Record, in
}

// U2: forgotten content is in no evidence, model search, summary or consolidation. The
// messages stay in the history until the same is said again.
func TestForgetSaid(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "I like quezalcanary tea.")
	session := first.Session.ID
	say(t, m, luna, session, "What do you know about me?")
	say(t, m, luna, session, "We painted the kitchen green.")
	learned(t, m)
	said, in := told(t, m, session, "forget that I like quezalcanary tea")
	out, found, err := m.ForgetSaid(t.Context(), said, in, 0)
	if err != nil || !found || len(out.Items) != 1 || out.Deletion.ID == "" || out.Messages == 0 {
		t.Fatalf("%+v, %v, %v", out, found, err)
	}
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first.Record.ID, said.ID} {
		if r := must(m.Lookup().Record(t.Context(), luna, id))(t); !r.NotForMemory || r.Content == "" {
			t.Errorf("%+v", r)
		}
	}
	if got := must(m.Lookup().Session(t.Context(), luna, session))(t).Title; got != "We painted the kitchen green." {
		t.Errorf("the session is called %q now", got) // by what was said, not by what was asked of the memory (S13)
	}
	if hits := must(m.Recall().SearchArchive(t.Context(), luna, recall.ArchiveQuery{Text: "quezalcanary"}))(t); len(hits.Hits) == 0 {
		t.Error("the user does not find the message any more")
	}
	if got := must(m.Recall().SearchMemories(t.Context(), luna, recall.MemoryQuery{Keyword: "quezalcanary", Items: 5, Messages: 5}))(t); len(got.Messages)+len(got.Items) != 0 {
		t.Errorf("a model finds %+v", got)
	}
	e := find(t, m, luna, recall.EvidenceQuery{Text: "When did I say that I like quezalcanary tea?", Trigger: retrieve.TriggerProof})
	if len(e.Quotes) != 0 {
		t.Errorf("evidence: %+v", e.Quotes)
	}
	if l := end(t, m, session); l.Summary != nil && (slices.Contains([]string{l.Summary.Title, l.Summary.Snippet}, "quezalcanary") || l.Summary.Title == first.Session.Title) {
		t.Errorf("summary: %+v", l.Summary)
	}
	if got := inForce(t, m); len(got) != 0 {
		t.Errorf("remembered: %v", contents(got))
	}
	say(t, m, luna, "", "I like quezalcanary tea.")
	learned(t, m)
	if got := inForce(t, m); len(got) != 1 {
		t.Errorf("said again: %v", contents(got))
	}
}

// U2, D2: a request also deletes a memory that is no longer in force.
func TestForgetSaidOfEnded(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "My cat is called Zorblax.")
	say(t, m, luna, first.Session.ID, "My cat is called Pixel.")
	learned(t, m)
	said, in := told(t, m, first.Session.ID, "forget that my cat is called Zorblax")
	out, found, err := m.ForgetSaid(t.Context(), said, in, 0)
	if err != nil || !found || len(out.Items) != 1 || out.Items[0].State != memory.StateInactive || out.Deletion.ID == "" {
		t.Fatalf("%+v, %v, %v", out, found, err)
	}
	if r := must(m.Lookup().Record(t.Context(), luna, said.ID))(t); !r.NotForMemory {
		t.Error("the request is used")
	}
	if got := contents(inForce(t, m)); len(got) != 1 || !strings.Contains(got[0], "Pixel") {
		t.Errorf("remembered: %v", got)
	}
}

// U2: a request that may be about something else is asked for, and an answer carries it out.
func TestForgetSaidCarefully(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "I'm allergic to walnuts.")
	learned(t, m)
	said, in := told(t, m, first.Session.ID, "delete everything about walnuts")
	out, found, err := m.ForgetSaid(t.Context(), said, in, 0)
	if err != nil || !found || !out.Asks || len(out.Items) != 1 || len(inForce(t, m)) != 1 {
		t.Fatalf("%+v, %v, %v", out, found, err)
	}
	yes, _ := say(t, m, luna, first.Session.ID, "yes")
	reply, ok := instruct.ReadReply("yes", nil, 1)
	out, err = m.ForgetAnswered(t.Context(), yes.Record, *yes.Session.Question, reply, 0)
	if err != nil || !ok || out.Deletion.ID == "" || len(inForce(t, m)) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// U2: a question is valid for the next message of its session only.
func TestQuestionHoldsOnce(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "I like tea.")
	session := first.Session.ID
	say(t, m, luna, session, "I like coffee.")
	learned(t, m)
	said, in := told(t, m, session, "forget everything about me")
	out, _, err := m.ForgetSaid(t.Context(), said, in, 0)
	if err != nil || !out.Asks || !out.All || out.Total != 2 {
		t.Fatalf("%+v, %v", out, err)
	}
	next, _ := say(t, m, luna, session, "Hm.")
	if q := next.Session.Question; q == nil || q.AnsweredBy != next.Record.ID {
		t.Errorf("the next message finds %+v", q)
	}
	after, _ := say(t, m, luna, session, "yes")
	if after.Session.Question != nil {
		t.Errorf("the one behind it finds %+v", after.Session.Question)
	}
}

// U2: an order to forget everything on a subject is about the messages that name it, too, though no memory was
// made from them. Undo restores them.
func TestForgetSubject(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", "My best friend Pauline lives in Ely.")
	session := first.Session.ID
	say(t, m, luna, session, "Pauline and Barry cancelled the caravan holiday")
	say(t, m, luna, session, "The caravan leaks.")
	found := func() (out []string) {
		for _, text := range []string{"Pauline", "caravan"} {
			q := recall.EvidenceQuery{Text: "What did I say about " + text + "?", Trigger: retrieve.TriggerProof}
			for _, quote := range must(m.Recall().FindEvidence(ctx, luna, q))(t).Quotes {
				if said := quote.Record.Content; !slices.Contains(out, said) {
					out = append(out, said)
				}
			}
		}
		slices.Sort(out)
		return out
	}
	before := found()
	if len(before) != 3 {
		t.Fatalf("found before: %q", before)
	}
	order, _ := say(t, m, luna, session, "forget everything about Pauline")
	in, ok, err := m.Learning().Instruction(ctx, order.Record)
	if err != nil || !ok {
		t.Fatal(in, err)
	}
	out, _, err := m.ForgetSaid(ctx, order.Record, in, 0)
	if err == nil && out.Asks {
		yes, _ := say(t, m, luna, session, "yes")
		q := must(m.Lookup().Session(ctx, luna, session))(t).Question
		out, err = m.ForgetAnswered(ctx, yes.Record, *q, instruct.Reply{All: true}, 0)
	}
	if err != nil || out.Messages != 2 {
		t.Fatalf("%+v, %v", out, err)
	}
	if got := found(); !slices.Equal(got, []string{"The caravan leaks."}) {
		t.Errorf("found after: %q", got)
	}
	must(m.UndoDeletion(ctx, luna, out.Deletion.ID))(t)
	if got := found(); !slices.Equal(got, before) {
		t.Errorf("found after the undo: %q", got)
	}
}
