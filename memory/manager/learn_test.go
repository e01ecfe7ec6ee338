package manager_test

import (
	"strings"
	"sync"
	"testing"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

func TestStatementBecomesItem(t *testing.T) {
	for _, c := range []struct{ said, ask, want string }{
		{"Good morning! My name is Bo. How are you?", "what is my name", "Bo"},
		{"我叫小明，请多关照", "我叫什么名字", "小明"},
		{"I prefer pnpm over npm", "should I use npm or pnpm here?", "pnpm"},
		{"记住我对花生过敏", "花生可以吃吗", "花生"},
	} {
		t.Run(c.said, func(t *testing.T) {
			m, _ := open(t)
			turn, changes := say(t, m, luna, "", c.said)
			if len(changes) != 1 || changes[0].Action != memory.ActionAdded {
				t.Fatalf("changes: %+v", changes)
			}
			it := must(m.Lookup().Item(t.Context(), luna, changes[0].ItemID))(t)
			if !strings.Contains(it.Content, c.want) || it.Source != memory.SourceUserStated || it.Confidence < 0.9 {
				t.Errorf("item: %+v", it)
			}
			if len(it.Evidence) != 1 || it.Evidence[0].RecordID != turn.Record.ID {
				t.Fatalf("evidence: %+v", it.Evidence)
			}
			quoted := recall.Quoted(turn.Record, it.Evidence[0])
			if !strings.Contains(quoted, c.want) || !strings.Contains(c.said, quoted) {
				t.Errorf("evidence quotes %q", quoted)
			}
			if got := recalled(t, m, luna, c.ask); len(got) == 0 || got[0].ID != it.ID {
				t.Errorf("%q recalls %v", c.ask, contents(got))
			}
		})
	}
}

func TestQuestionsStoreNothing(t *testing.T) {
	m, _ := open(t)
	for _, said := range []string{"我喜欢谁？", "do I like tea?", "what is my name?", "hello there", "我今天很累", "what did I say about tea"} {
		if _, changes := say(t, m, luna, "", said); len(changes) != 0 {
			t.Errorf("%q: %+v", said, changes)
		}
	}
	if page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t); page.Total != 0 {
		t.Errorf("stored %v", contents(page.Items))
	}
}

func TestSaidAgainAndOtherwise(t *testing.T) {
	m, _ := open(t)
	_, first := say(t, m, luna, "", "My name is Bo")
	_, again := say(t, m, luna, "", "my name is Bo!")
	if len(again) != 1 || again[0].Action != memory.ActionConfirmed || again[0].ItemID != first[0].ItemID {
		t.Fatalf("said again: %+v", again)
	}
	if it := again[0].Item; it.Confidence <= first[0].Item.Confidence || !it.LastConfirmedAt.After(first[0].Item.LastConfirmedAt) || len(it.Evidence) != 2 {
		t.Errorf("not confirmed: %+v", it)
	}
	_, other := say(t, m, luna, "", "My name is Max")
	if len(other) != 1 || other[0].Action != memory.ActionSuperseded {
		t.Fatalf("another name: %+v", other)
	}
	old := must(m.Lookup().Item(t.Context(), luna, first[0].ItemID))(t)
	if old.State != memory.StateInactive || old.ValidTo.IsZero() || old.SupersededBy != other[0].ItemID {
		t.Errorf("the old item: %+v", old)
	}
	if it := other[0].Item; it.Supersedes != old.ID || it.Importance <= first[0].Item.Importance {
		t.Errorf("the new item: %+v", it)
	}
	if got := recalled(t, m, luna, "what is my name?"); len(got) != 1 || got[0].ID != other[0].ItemID {
		t.Errorf("recalled %v", contents(got))
	}
	say(t, m, luna, "", "I like tea")
	say(t, m, luna, "", "I like coffee")
	page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{Type: memory.TypePreference}))(t)
	if page.Total != 2 {
		t.Errorf("tea and coffee: %v", contents(page.Items))
	}
}

func TestSecretsAndPersonalData(t *testing.T) {
	m, _ := open(t)
	_, secret := say(t, m, luna, "", "Remember that my API key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
	for _, c := range secret {
		if c.Action != memory.ActionSkipped || strings.Contains(c.Reason, "sk-") {
			t.Errorf("a secret: %+v", c)
		}
	}
	page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t)
	if page.Total != 0 {
		t.Errorf("stored %v", contents(page.Items))
	}
}

func TestLearnOnce(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	for range 20 {
		in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil, ""))(t)
		turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
		must(m.FinishTurn(ctx, memory.Record{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant}, true))(t)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := m.Learning().Learn(ctx, luna, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t)
	if page.Total != 1 {
		t.Fatalf("items: %v", contents(page.Items))
	}
	if n := len(must(m.Lookup().History(ctx, luna, page.Items[0].ID))(t)); n != 20 {
		t.Errorf("the item has %d changes, want 20", n)
	}
}
