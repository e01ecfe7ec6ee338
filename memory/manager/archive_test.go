package manager_test

import (
	"testing"

	"memoria/memory"
	"memoria/memory/recall"
)

// I4, A2: the archive has an index of its own, opened when it is first asked; it
// finds messages of both languages, within one session where that is asked, and
// never the program's own words.
func TestSearchArchive(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", "The deploy to Fly failed again")
	say(t, m, luna, first.Session.ID, "我们下周去大阪旅行")
	other, _ := say(t, m, luna, "", "Fly is fine today")
	_, err := m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: other.Session.ID, TurnID: other.Record.TurnID, Role: memory.RoleAssistant,
		Content: "You said that the deploy to Fly failed", Status: memory.StatusComplete, Model: memory.ModelOffline,
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	// The first call may read through the messages while the index is made, the
	// later ones ask it: both must find the same.
	for range 3 {
		for _, c := range []struct {
			q    recall.ArchiveQuery
			want []string
		}{
			{recall.ArchiveQuery{Text: "deploy"}, []string{first.Record.ID}},
			{recall.ArchiveQuery{Text: "大阪"}, []string{"我们下周去大阪旅行"}},
			{recall.ArchiveQuery{Text: "fly", SessionID: other.Session.ID}, []string{other.Record.ID}},
			{recall.ArchiveQuery{Text: "unheard of"}, nil},
		} {
			hits := must(m.Recall().SearchArchive(ctx, luna, c.q))(t).Hits
			if len(hits) != len(c.want) {
				t.Errorf("%+v finds %+v", c.q, hits)
				continue
			}
			for i, h := range hits {
				if h.Record.ID != c.want[i] && h.Record.Content != c.want[i] || h.Score <= 0 || h.Score > 1 {
					t.Errorf("%+v: hit %+v", c.q, h)
				}
			}
		}
		if err := m.Recall().Settle(ctx, luna); err != nil {
			t.Fatal(err)
		}
	}
	if hits := must(m.Recall().SearchArchive(ctx, "sol", recall.ArchiveQuery{Text: "deploy"}))(t).Hits; len(hits) != 0 {
		t.Errorf("another agent finds %+v", hits)
	}
}
