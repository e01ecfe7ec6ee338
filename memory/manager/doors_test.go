package manager_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/doors"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

const desktop = "mcp:claude-desktop"

func propose(t testing.TB, m *manager.Manager, content string) doors.Proposal {
	t.Helper()
	return must(doors.New(m.Core).Propose(t.Context(), luna, desktop, memory.Item{Content: content}))(t)
}

func proposeEdit(t testing.TB, m *manager.Manager, id string, edit func(*memory.Item)) doors.Proposal {
	t.Helper()
	return must(doors.New(m.Core).ProposeEdit(t.Context(), luna, desktop, id, edit))(t)
}

// P10: what another program proposes waits in the inbox, which names the program, and is
// recalled once the user accepts it.
func TestPropose(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	p := must(doors.New(m.Core).Propose(ctx, luna, desktop, memory.Item{
		Content: "Collects quartz.", Type: memory.TypePreference, Key: "preference/quartz", Tags: []string{"stones"},
		Value: json.RawMessage(`{"value":"quartz"}`), Importance: 0.8,
	}))(t)
	it := p.Item
	if p.Known || it.State != memory.StateHeld || it.Trust != memory.TrustForeign || it.Origin != memory.OriginAPI ||
		it.Source != memory.SourceInferred || it.Metadata.Program != desktop || it.Confidence != 0.5 || it.Importance != 0.8 {
		t.Errorf("proposed %+v", p)
	}
	if got := recalled(t, m, luna, "quartz"); len(got) != 0 {
		t.Errorf("recalled before it is accepted: %v", contents(got))
	}
	held := inbox(t, m)
	if len(held) != 1 || held[0].ID != it.ID || held[0].Reason != "proposed by "+desktop {
		t.Fatalf("inbox %+v", held)
	}
	out := must(m.Learning().Accept(ctx, luna, shown(held...)...))(t)
	if got := recalled(t, m, luna, "quartz"); len(got) != 1 || got[0].ID != it.ID || out[0].Metadata.Program != desktop {
		t.Errorf("recalled %v, accepted %+v", contents(got), out)
	}
	if p := propose(t, m, "collects quartz"); !p.Known || p.Item.ID != it.ID || len(inbox(t, m)) != 0 {
		t.Errorf("proposed again: %+v", p)
	}
}

// P10: a changed item supersedes the old one when the user accepts it, not before.
func TestProposeEdit(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	old := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello.", Key: "hobby/music", Tags: []string{"music"}}))(t)
	p := proposeEdit(t, m, old.ID, func(it *memory.Item) { it.Content, it.State = "Plays the viola.", memory.StateMuted })
	if p.Known || p.Item.State != memory.StateHeld || p.Item.ID == old.ID || p.Item.Tags[0] != "music" {
		t.Fatalf("proposed %+v", p)
	}
	if again := proposeEdit(t, m, old.ID, func(it *memory.Item) { it.Content = "Plays the viola." }); again.Item.ID != p.Item.ID {
		t.Errorf("proposed twice: %+v", again)
	}
	held := inbox(t, m)
	if len(held) != 1 || held[0].Replaces == nil || held[0].Replaces.Content != old.Content {
		t.Fatalf("inbox %+v", held)
	}
	if got := recalled(t, m, luna, "cello"); len(got) != 1 || got[0].ID != old.ID {
		t.Errorf("before it is accepted: %v", contents(got))
	}
	must(m.Learning().Accept(ctx, luna, shown(held...)...))(t)
	if got := recalled(t, m, luna, "music cello viola"); len(got) != 1 || got[0].Content != "Plays the viola." || got[0].Supersedes != old.ID {
		t.Errorf("after it is accepted: %v", contents(got))
	}
	changes := must(m.Lookup().History(ctx, luna, p.Item.ID))(t)
	must(m.Learning().Undo(ctx, luna, changes[len(changes)-1].ID))(t)
	if it := must(m.Lookup().Item(ctx, luna, old.ID))(t); !it.IsActive() {
		t.Errorf("undone: %+v", it)
	}
	if len(inbox(t, m)) != 1 {
		t.Error("the undone proposal does not wait")
	}
}

// A rejected change leaves the item as it is, is not proposed again, and forbids no words
// that the item still has.
func TestRejectProposedEdit(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	old := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello."}))(t)
	tag := func(it *memory.Item) { it.Tags = []string{"music"} }
	viola := func(it *memory.Item) { it.Content = "Plays the viola." }
	proposeEdit(t, m, old.ID, tag)
	proposeEdit(t, m, old.ID, viola)
	must(m.Reject(ctx, luna, shown(inbox(t, m)...)...))(t)
	if it := must(m.Lookup().Item(ctx, luna, old.ID))(t); !it.IsActive() || it.Version != 1 || it.Content != old.Content {
		t.Errorf("rejected: %+v", it)
	}
	if _, err := doors.New(m.Core).ProposeEdit(ctx, luna, desktop, old.ID, viola); !errors.Is(err, doors.ErrRefused) {
		t.Errorf("rejected words: %v", err)
	}
	if p := proposeEdit(t, m, old.ID, tag); p.Item.State != memory.StateHeld {
		t.Errorf("words of the item: %+v", p)
	}
}

// D2: what the user deleted is refused, in other letters too, and proposals that repeat
// its words are deleted with it.
func TestProposeDeleted(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	old := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello."}))(t)
	proposeEdit(t, m, old.ID, func(it *memory.Item) { it.Tags = []string{"music"} })
	proposeEdit(t, m, old.ID, func(it *memory.Item) { it.Key = "hobby/cello" })
	d := must(m.DeleteItems(ctx, luna, old.ID))(t)
	if n := len(inbox(t, m)); n != 0 || d.Items != 3 {
		t.Errorf("%d proposals stay; deleted %+v", n, d)
	}
	if _, err := doors.New(m.Core).Propose(ctx, luna, desktop, memory.Item{Content: "plays the CELLO"}); !errors.Is(err, doors.ErrRefused) {
		t.Errorf("proposed: %v", err)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if n := len(inbox(t, m)); n != 2 {
		t.Errorf("%d proposals are restored", n)
	}
	if p := propose(t, m, "plays the CELLO"); !p.Known || p.Item.ID != old.ID {
		t.Errorf("known: %+v", p)
	}
}

// P5a, P5: secrets are refused, sensitive content follows the setting, and bounds hold.
func TestProposePolicy(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	var secret *write.SecretError
	if _, err := doors.New(m.Core).Propose(ctx, luna, "rest", memory.Item{Content: "The password is hunter2hunter2"}); !errors.As(err, &secret) {
		t.Errorf("a secret: %v", err)
	}
	for name, it := range map[string]memory.Item{
		"empty": {}, "long": {Content: strings.Repeat("long ", 200)}, "type": {Content: "Is.", Type: "thing"},
		"value": {Content: "Is.", Value: json.RawMessage(`{`)}, "big": {Content: "Is.", Value: json.RawMessage(`"` + strings.Repeat("a", 5000) + `"`)},
		"tags": {Content: "Is.", Tags: make([]string, 21)}, "tag": {Content: "Is.", Tags: []string{strings.Repeat("a", 300)}},
		"sure": {Content: "Is.", Confidence: 2}, "key": {Content: "Is.", Key: strings.Repeat("k", 300)}, "bytes": {Content: "\xff\xfe"},
	} {
		if _, err := doors.New(m.Core).Propose(ctx, luna, "rest", it); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for kind, want := range map[policy.PIIPolicy]string{policy.PIIAsk: "example.org", policy.PIIKeep: "example.org", policy.PIIRedact: "", policy.PIIDrop: "refused"} {
		cfg := m.Config()
		cfg.PIIPolicy = kind
		if err := m.SetConfig(cfg); err != nil {
			t.Fatal(err)
		}
		p, err := doors.New(m.Core).Propose(ctx, luna, "rest", memory.Item{Content: fmt.Sprintf("Writes to %s@example.org.", kind)})
		switch {
		case want == "refused" && errors.Is(err, doors.ErrRefused):
		case err != nil || p.Item.State != memory.StateHeld || strings.Contains(p.Item.Content, "example.org") != (want != ""):
			t.Errorf("%s: %+v, %v", kind, p.Item, err)
		}
	}
	if _, err := doors.New(m.Core).Propose(ctx, trio, "rest", memory.Item{Content: "Is."}); err != nil {
		t.Errorf("an agent without memory: %v", err)
	}
	must(m.AddGroup(ctx, memory.Group{ID: "choir", Name: "Choir", Members: three}))(t)
	if _, err := doors.New(m.Core).Propose(ctx, "choir", "rest", memory.Item{Content: "Is."}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a group: %v", err)
	}
}

// A program learns nothing about items that it may not see.
func TestProposalsShowNothing(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	say(t, m, luna, "", email)
	held := inbox(t, m)[0]
	muted := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello."}))(t)
	must(m.Learning().EditItem(ctx, luna, muted.ID, func(it *memory.Item) { it.State = memory.StateMuted }))(t)
	over := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Is on leave.", ValidTo: c.Now().Add(time.Hour)}))(t)
	c.Add(2 * time.Hour)
	for _, id := range []string{held.ID, muted.ID, over.ID, "01NOTHERE", ""} {
		edit := func(it *memory.Item) { t.Errorf("%s: a program edits %+v", id, it) }
		if _, err := doors.New(m.Core).ProposeEdit(ctx, luna, "rest", id, edit); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("edit %s: %v", id, err)
		}
	}
	for _, it := range []memory.Item{held.Item, muted, over} {
		p := must(doors.New(m.Core).Propose(ctx, luna, "rest", memory.Item{Content: it.Content}))(t)
		if p.Item.ID == it.ID || p.Item.State == memory.StateActive {
			t.Errorf("%s is told: %+v", it.Content, p)
		}
	}
}

// At most fifty proposals of one program wait, however many write at once.
func TestTooManyProposals(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	var wg sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for i := range 4 {
		wg.Go(func() {
			for j := range 15 {
				_, err := doors.New(m.Core).Propose(ctx, luna, "rest", memory.Item{Content: fmt.Sprintf("Knows the number %d.", 100*i+j)})
				if errors.Is(err, doors.ErrTooManyProposals) {
					mu.Lock()
					refused++
					mu.Unlock()
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(inbox(t, m)); n != doors.MaxProposals || refused != 60-n {
		t.Errorf("%d wait, %d are refused", n, refused)
	}
	propose(t, m, "Another program has room.")
	must(m.Reject(ctx, luna, shown(inbox(t, m)[5])...))(t)
	must(doors.New(m.Core).Propose(ctx, luna, "rest", memory.Item{Content: "There is room again."}))(t)
}

// A program that changes its name does not fill the inbox.
func TestTooManyPrograms(t *testing.T) {
	m, _ := open(t)
	var err error
	for i := 0; i <= doors.MaxPending && err == nil; i++ {
		_, err = doors.New(m.Core).Propose(t.Context(), luna, fmt.Sprintf("mcp:%d", i), memory.Item{Content: fmt.Sprintf("Knows the number %d.", i)})
	}
	if n := len(inbox(t, m)); !errors.Is(err, doors.ErrTooManyProposals) || n != doors.MaxPending {
		t.Errorf("%d wait, %v", n, err)
	}
}

// A program's name is stored on one line, bounded.
func TestProgramName(t *testing.T) {
	m, _ := open(t)
	for given, want := range map[string]string{
		"": "another program", "a\n\x1b[31mb": "a [31mb", "\u202e\x00": "another program", strings.Repeat("é", 100): strings.Repeat("é", 64),
	} {
		p := must(doors.New(m.Core).Propose(t.Context(), luna, given, memory.Item{Content: "Says " + want}))(t)
		if p.Item.Metadata.Program != want {
			t.Errorf("%q: %q", given, p.Item.Metadata.Program)
		}
	}
}
