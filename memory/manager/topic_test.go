package manager_test

import (
	"testing"

	"memoria/memory/recall"
)

// R6: a topic stays while the user says thanks or something short, and ends after
// three messages in a row about something else.
func TestTopicEnds(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "The pottery class needs a new kiln.")
	session := turn.Session.ID
	topic := func(said string) string {
		t.Helper()
		say(t, m, luna, session, said)
		return must(m.Lookup().Working(ctx, luna, session))(t).CurrentTopic
	}
	began := topic("Which kiln would suit a pottery class?")
	if began == "" {
		t.Fatal("no topic")
	}
	for _, said := range []string{"ok, thanks", "Berlin trains were late again.", "My bicycle squeaks."} {
		if got := topic(said); got != began {
			t.Errorf("after %q the topic is %q, was %q", said, got, began)
		}
	}
	if got := topic("Grandma baked plum cake."); got != "" {
		t.Errorf("after three messages about other things the topic is still %q", got)
	}
}

// W3: rules never write over the topic that a model gave; they end it like their own.
func TestModelsTopicStays(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "The pottery class needs a new kiln.")
	session := turn.Session.ID
	must(analyse(t, m, answering(`{"topic": "a new pottery kiln", "items": []}`)))(t)
	topic := func() string { return must(m.Lookup().Working(ctx, luna, session))(t).CurrentTopic }
	for _, said := range []string{"Which kiln would suit a pottery class?", "ok, thanks", "And how much is a kiln?"} {
		say(t, m, luna, session, said)
		if got := topic(); got != "a new pottery kiln" {
			t.Errorf("after %q the topic is %q", said, got)
		}
	}
	for _, said := range []string{"Berlin trains were late again.", "My bicycle squeaks.", "Grandma baked plum cake."} {
		say(t, m, luna, session, said)
	}
	if got := topic(); got != "" {
		t.Errorf("after three messages about other things the topic is still %q", got)
	}
}

// R11, R12: a question finds the message beside the one that has its words, which
// words alone do not; a time alone lists what was said then.
func TestArchiveAsConversation(t *testing.T) {
	m, c := open(t)
	first, _ := say(t, m, luna, "", "Where could we put the new kiln for the studio?")
	say(t, m, luna, first.Session.ID, "In the shed behind the pear tree, I decided.")
	c.Add(9 * day)
	other, _ := say(t, m, luna, "", "My bicycle squeaks.")
	say(t, m, luna, other.Session.ID, "The trains were late.")
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	search := func(text string) recall.ArchivePage {
		t.Helper()
		must(m.Recall().SearchArchive(t.Context(), luna, recall.ArchiveQuery{Text: text}))(t)
		if err := m.Recall().Settle(t.Context(), luna); err != nil {
			t.Fatal(err)
		}
		return must(m.Recall().SearchArchive(t.Context(), luna, recall.ArchiveQuery{Text: text}))(t)
	}
	beside := func(p recall.ArchivePage) bool {
		for _, h := range p.Hits {
			if h.Neighbour && h.Record.Content == "In the shed behind the pear tree, I decided." {
				return true
			}
		}
		return false
	}
	if p := search("Where did I put the kiln?"); !beside(p) {
		t.Errorf("%+v", p.Hits)
	}
	if p := search("kiln"); beside(p) || len(p.Hits) == 0 {
		t.Errorf("words alone find %+v", p.Hits)
	}
	if p := search("what did we talk about today?"); len(p.Hits) == 0 || p.Hits[0].Record.SessionID != other.Session.ID {
		t.Errorf("today: %+v", p.Hits)
	} else {
		for _, h := range p.Hits {
			if h.Record.SessionID != other.Session.ID {
				t.Errorf("not of today: %q", h.Record.Content)
			}
		}
	}
}
