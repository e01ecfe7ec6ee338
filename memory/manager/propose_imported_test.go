package manager_test

import (
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager/imported"
	"memoria/memory/transfer/foreign"
)

// conversation is an imported conversation of the user alone.
func conversation(id string, days int, said ...string) foreign.Conversation {
	c := foreign.Conversation{ID: id, Title: id, Began: start.AddDate(-1, 0, days)}
	parent := ""
	for i, text := range said {
		m := foreignMessage(id+string(rune('a'+i)), parent, memory.RoleUser, text, i)
		m.Time = c.Began.Add(time.Duration(i) * time.Minute)
		m.Order = m.Time
		c.Messages, c.Current, parent = append(c.Messages, m), m.ID, m.ID
	}
	return c
}

// TestProposeImported checks that imported statements are merged over sessions, that the
// last value of a slot counts in whatever order the sessions come, and that nothing is
// active or proposed twice (D1, P10).
func TestProposeImported(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	propose := func(cs ...foreign.Conversation) imported.Proposed {
		t.Helper()
		must(m.Importer().Conversations(ctx, luna, "chatgpt", cs))(t)
		return must(m.Imported().ProposeImported(ctx, luna, nil))(t)
	}
	got := propose(
		conversation("late", 20, "I live in Lyon.", "I like oolong tea."),
		conversation("early", 10, "I live in Bonn.", "I like oolong tea.", "I work at Acme."),
		conversation("end", 30, "I quit my job at Acme."),
		conversation("play", 40, "Let's play: I am captain Flint.", "My name is Flint. I live on a ship."),
	)
	var contents []string
	for _, h := range inbox(t, m) {
		contents = append(contents, h.Content)
		if h.State != memory.StateHeld || h.Trust != memory.TrustForeign || h.Origin != memory.OriginImport || h.Generation != got.Generation {
			t.Errorf("%q: state %s, trust %s, origin %s, generation %q", h.Content, h.State, h.Trust, h.Origin, h.Generation)
		}
		if h.Content == "Likes oolong tea." && len(h.Evidence) != 2 {
			t.Errorf("%q has %d sources, want 2", h.Content, len(h.Evidence))
		}
	}
	for content, want := range map[string]bool{
		"Lives in Lyon.": true, "Lives in Bonn.": false, "Likes oolong tea.": true, "Works at Acme.": false,
		"Name is Flint.": false, "Lives on a ship.": false,
	} {
		if slices.Contains(contents, content) != want {
			t.Errorf("%q proposed: %v, want %v (of %q)", content, !want, want, contents)
		}
	}
	if again := propose(conversation("late", 20, "I live in Lyon.", "I like oolong tea.")); again.Held != 0 || again.Known != 0 {
		t.Errorf("proposed again: %+v", again)
	}
	if more := propose(conversation("more", 50, "I live in Lyon.", "I like chess.")); more.Held != 1 {
		t.Errorf("a later import: %+v, want 1 held", more)
	}
}
