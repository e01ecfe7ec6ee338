package manager_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/profiles"
	"memoria/memory/manager/write"
	"memoria/memory/profile"
	"memoria/memory/store"
)

func page(t testing.TB, m *manager.Manager) profiles.Profile {
	t.Helper()
	return must(m.Profiles().Profile(t.Context(), luna))(t)
}

// about is the background of the profile.
func movedWorking(t testing.TB, m *manager.Manager) string {
	t.Helper()
	_, after, _ := strings.Cut(page(t, m).Markdown, "## Background\n")
	return strings.TrimSpace(after)
}

func versionsOf(t testing.TB, m *manager.Manager) []profiles.Change {
	t.Helper()
	h := must(m.Profiles().ProfileHistory(t.Context(), luna, 0, 0))(t)
	if h.Total != len(h.Versions) {
		t.Errorf("%d of %d versions", len(h.Versions), h.Total)
	}
	return h.Versions
}

// W5, P9: each accepted item of that kind gets its line in the same write, each version
// says what caused it, and the line follows its item.
func TestProfileFollows(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	if p := page(t, m); p.Version != 0 || len(p.Lines) != 0 || p.Tokens >= p.Limit || p.Limit != 800 || !p.Sent {
		t.Fatalf("an empty memory: %+v", p)
	}
	say(t, m, luna, "", "I like oolong tea")
	if h := versionsOf(t, m); len(h) != 0 {
		t.Errorf("what is none of the profile's made %+v", h)
	}
	turn, changes := say(t, m, luna, "", "以后都用中文回答我。I live in Paris. Please keep your answers short.")
	if got := page(t, m).Markdown; got != "## Reply style\n\n- Keep answers short.\n\n## Language habits\n\n- 用中文回答\n\n## Background\n\n- Lives in Paris.\n" {
		t.Fatalf("learned %v:\n%s", changes, got)
	}
	h := versionsOf(t, m)
	if len(h) != 1 || h[0].Origin != memory.OriginTurn || h[0].TurnID != turn.Record.TurnID || len(h[0].Items) != 3 || len(h[0].Diff) != 3 {
		t.Fatalf("versions: %+v", h)
	}
	again, _ := say(t, m, luna, "", "I live in Lyon.")
	if got := movedWorking(t, m); got != "- Lives in Lyon." {
		t.Errorf("superseded: %q", got)
	}
	if d := versionsOf(t, m)[0].Diff; len(d) != 2 || d[0].String() != "- background: Lives in Paris." || d[1].String() != "+ background: Lives in Lyon." {
		t.Errorf("the difference: %v", d)
	}
	// P9: undoing what the turn did to the memory brings the line back by itself.
	must(m.Learning().UndoTurn(ctx, luna, again.Record.TurnID))(t)
	if got := movedWorking(t, m); got != "- Lives in Paris." {
		t.Errorf("undone: %q", got)
	}
	id := changes[slices.IndexFunc(changes, func(c memory.Change) bool { return c.Item.Key == "home" })].ItemID
	for _, tt := range []struct {
		edit func(*memory.Item)
		want string
	}{
		{func(it *memory.Item) { it.Content = "Lives in Paris, by the canal." }, "- Lives in Paris, by the canal."},
		{func(it *memory.Item) { it.State = memory.StateMuted }, ""},
		{func(it *memory.Item) { it.State = memory.StateActive }, "- Lives in Paris, by the canal."},
		{func(it *memory.Item) { it.ValidTo = c.Now().Add(time.Hour) }, "- Lives in Paris, by the canal."},
	} {
		must(m.Learning().EditItem(ctx, luna, id, tt.edit))(t)
		if got := movedWorking(t, m); got != tt.want {
			t.Errorf("edited: %q, want %q", got, tt.want)
		}
	}
	c.Add(2 * time.Hour)
	must(m.Learning().Forget(ctx, luna))(t)
	if got, by := movedWorking(t, m), versionsOf(t, m)[0]; got != "" || by.Origin != memory.OriginSystem || by.Reason != "memory expired" {
		t.Errorf("expired: %q, %+v", got, by)
	}
	// P5, P10: what waits in the inbox is not in the profile before the yes.
	say(t, m, luna, "", "My birthday is May 3")
	list := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{Text: "May"}))(t)
	must(m.Learning().EditItem(ctx, luna, list.Items[0].ID, func(it *memory.Item) { it.State = memory.StateHeld }))(t)
	held := must(m.Lookup().Inbox(ctx, luna, 0, 0))(t)
	if held.Total != 1 || strings.Contains(page(t, m).Markdown, "May") {
		t.Fatalf("held: %+v\n%s", held, page(t, m).Markdown)
	}
	must(m.Learning().Accept(ctx, luna, learning.Shown{ID: held.Items[0].ID, Version: held.Items[0].Version}))(t)
	if got := movedWorking(t, m); !strings.Contains(got, "May 3") {
		t.Errorf("accepted: %q", got)
	}
	if other := must(m.Profiles().Profile(ctx, "sol"))(t); len(other.Lines) > 0 {
		t.Errorf("another agent reads %+v", other)
	}
}

// W5: the user's own edits are never overwritten, nothing that came meanwhile is
// lost, and his own text is refused and not cut when it is too long.
func TestProfileIsTheUsers(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	say(t, m, luna, "", "My name is Bo. I live in Paris.")
	shown := page(t, m)
	say(t, m, luna, "", "I work as a carpenter.")
	p := must(m.Profiles().SetProfile(ctx, luna, shown.Version, "# Ich\n"+strings.Replace(shown.Markdown, "Lives in Paris.", "Lives in Paris, 11e.", 1)+"- my line\n"))(t)
	const want = "# Ich\n\n## Reply style\n\n## Language habits\n\n## Background\n\n- Name is Bo.\n- Lives in Paris, 11e.\n- my line\n- Works as a carpenter.\n"
	if p.Markdown != want || versionsOf(t, m)[0].Reason != "edited by the user" {
		t.Fatalf("written:\n%s", p.Markdown)
	}
	say(t, m, luna, "", "I live in Paris.") // restated: the item is active, the line stays removed
	if got := page(t, m).Markdown; got != want {
		t.Errorf("after a confirmation:\n%s", got)
	}
	say(t, m, luna, "", "I live in Rome.")
	if got := movedWorking(t, m); !strings.Contains(got, "- Lives in Paris, 11e.\n- my line\n") || !strings.Contains(got, "- Lives in Rome.") {
		t.Errorf("after a contradiction: %q", got)
	}
	before := page(t, m)
	if q := must(m.Profiles().SetProfile(ctx, luna, 0, before.Markdown))(t); q.Version != before.Version {
		t.Error("the same text made a version")
	}
	for name, text := range map[string]string{"long": strings.Repeat("word ", 900), "bytes": strings.Repeat("a", 65<<10), "no UTF-8": "\xff"} {
		if _, err := m.Profiles().SetProfile(ctx, luna, 0, text); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, page(t, m)); diff != "" {
		t.Errorf("a refused text changed it:\n%s", diff)
	}
	// A version is undone alone, and that again; nothing is after 30 days.
	edit := 3
	u := must(m.Profiles().UndoProfile(ctx, luna, edit))(t)
	if got := movedWorking(t, m); strings.Contains(got, "my line") || u.Undoes != edit {
		t.Errorf("undone %+v: %q", u, got)
	}
	if _, err := m.Profiles().UndoProfile(ctx, luna, edit); !errors.Is(err, profiles.ErrFinal) {
		t.Errorf("undone twice: %v", err)
	}
	must(m.Profiles().UndoProfile(ctx, luna, u.Version))(t)
	if diff := cmp.Diff(before.Markdown, page(t, m).Markdown); diff != "" {
		t.Errorf("the undo undone:\n%s", diff)
	}
	if _, err := m.Profiles().UndoProfile(ctx, luna, 99); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("no such version: %v", err)
	}
	c.Add(31 * 24 * time.Hour)
	if _, err := m.Profiles().UndoProfile(ctx, luna, edit); !errors.Is(err, profiles.ErrFinal) {
		t.Errorf("after 31 days: %v", err)
	}
	if _, err := m.Profiles().UndoProfile(ctx, luna, 0); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("the last one after 31 days: %v", err)
	}
}

// P9: the last change again and again goes back to the beginning.
func TestUndoProfileBackToTheBeginning(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "My name is Bo. I live in Paris.")
	must(m.Profiles().SetProfile(ctx, luna, 0, "- mine\n"))(t)
	say(t, m, luna, "", "I work as a carpenter.")
	must(m.DeleteItems(ctx, luna, changes[0].ItemID))(t)
	for n := 0; ; n++ {
		_, err := m.Profiles().UndoProfile(ctx, luna, 0)
		if errors.Is(err, lookup.ErrNotFound) {
			break
		}
		if err != nil || n > 5 {
			t.Fatal(n, err)
		}
	}
	if p := page(t, m); len(p.Lines) != 0 {
		t.Errorf("left:\n%s", p.Markdown)
	}
	say(t, m, luna, "", "I live in Paris. I work as a carpenter.")
	if p := page(t, m); len(p.Lines) != 0 {
		t.Errorf("what was undone came back:\n%s", p.Markdown)
	}
}

// profileRefs are the lines of a profile as a package names them.
func profileRefs(t testing.TB, m *manager.Manager, p profiles.Profile) (refs []memory.Ref, said []string) {
	for _, part := range must(m.Profiles().ProfileParts(t.Context(), luna, p.Profile))(t) {
		refs, said = append(refs, part.Ref), append(said, part.Said)
	}
	return refs, said
}

// C5, L4: a package shows the profile that it was sent with, byte for byte, whatever
// changed since. Deleted items show as forgotten. D2: deleting an item removes its line
// from all versions, and undoing the deletion restores it.
func TestProfileAndDeletion(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "My name is Bo. I live in Paris.")
	p := must(m.Profiles().SetProfile(ctx, luna, 0, page(t, m).Markdown+"- mine: \"Ann\"\n"))(t)
	in := must(m.KeepIncoming(ctx, luna, "hello", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	refs, said := profileRefs(t, m, p)
	sent := must(m.SavePackage(ctx, memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Blocks: []memory.Block{{Layer: memory.LayerProfile, Role: memory.RoleUser, Nonce: "n0nce", Parts: refs}},
	}, nil))(t)
	if want := []string{"Name is Bo.", "Lives in Paris.", `mine: "Ann"`}; !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
	const text = "[background] \"Name is Bo.\"\n[background] \"Lives in Paris.\"\n[background] \"mine: \\\"Ann\\\"\"\n"
	if got := sent.Rendered[0].Text; got != text {
		t.Errorf("sent:\n%s", got)
	}
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Hi.", Status: memory.StatusComplete,
	}, false))(t)
	home := changes[1].ItemID
	if it := must(m.Lookup().Item(ctx, luna, home))(t); it.AccessCount != 1 || it.LastAccessed.IsZero() {
		t.Errorf("not counted as used: %+v", it)
	}
	shown := func() memory.Rendered { return must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t) }
	say(t, m, luna, "", "I live in Lyon.")
	must(m.Profiles().SetProfile(ctx, luna, 0, "- other\n"))(t)
	if got := shown(); !got.Exact || got.Rendered[0].Text != text {
		t.Errorf("after edits: %+v", got.Rendered)
	}
	d := must(m.DeleteItems(ctx, luna, home))(t)
	if got := shown(); got.Exact || got.Rendered[0].Forgotten != 1 || !strings.Contains(got.Rendered[0].Text, "[forgotten 2026-11-21]") || strings.Contains(got.Rendered[0].Text, "Paris") {
		t.Errorf("after the deletion: %+v", got.Rendered)
	}
	old := must(m.Profiles().ProfileVersion(ctx, luna, p.Version))(t)
	if strings.Contains(old.Markdown, "Paris") || !strings.Contains(old.Markdown, "- [forgotten 2026-11-21]\n") || !old.Lines[1].Forgotten {
		t.Errorf("an old version:\n%s", old.Markdown)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if got := shown(); !got.Exact {
		t.Errorf("taken back: %+v", got.Rendered)
	}
	must(m.DeleteItems(ctx, luna, home))(t)
	c.Add(time.Minute)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	for _, v := range versionsOf(t, m) {
		if q := must(m.Profiles().ProfileVersion(ctx, luna, v.Version))(t); strings.Contains(q.Markdown, "Paris") {
			t.Errorf("version %d:\n%s", v.Version, q.Markdown)
		}
	}
}

// An item that is deleted and taken back has its line again, unless the user took
// that out.
func TestProfileAndTakeBack(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "My name is Bo. I live in Paris.")
	must(m.Profiles().SetProfile(ctx, luna, 0, strings.Replace(page(t, m).Markdown, "- Name is Bo.\n", "", 1)))(t)
	d := must(m.DeleteItems(ctx, luna, changes[0].ItemID, changes[1].ItemID))(t)
	if got, by := movedWorking(t, m), versionsOf(t, m)[0]; got != "" || by.Origin != memory.OriginUser || by.Reason != "memory deleted" {
		t.Errorf("deleted: %q, %+v", got, by)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if got := movedWorking(t, m); got != "- Lives in Paris." {
		t.Errorf("taken back: %q", got)
	}
}

// D2: the profile itself can be deleted with what the user wrote in it, out of the
// packages and the backups too; for ten seconds it can be taken back.
func TestDeleteProfile(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	say(t, m, luna, "", "My name is Bo.")
	const mine = "Swordfish"
	before := must(m.Profiles().SetProfile(ctx, luna, 0, page(t, m).Markdown+"- "+mine+"\n"))(t)
	turn, _ := say(t, m, luna, "", "hello")
	refs, _ := profileRefs(t, m, before)
	must(m.SavePackage(ctx, memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Blocks: []memory.Block{{Layer: memory.LayerProfile, Role: memory.RoleUser, Parts: refs}},
	}, nil))(t)
	backup := must(m.Vault().Backup(ctx, nil))(t)
	d := must(m.Profiles().DeleteProfile(ctx, luna, false))(t)
	if p := page(t, m); len(p.Lines) != 0 || d.Profiles != 2 {
		t.Errorf("%+v:\n%s", d, p.Markdown)
	}
	say(t, m, luna, "", "I live in Paris.")
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if got := page(t, m).Markdown; got != before.Markdown+"- Lives in Paris.\n" {
		t.Errorf("taken back:\n%s", got)
	}
	must(m.Profiles().DeleteProfile(ctx, luna, false))(t)
	c.Add(time.Minute)
	if err := errors.Join(m.Trash().Purge(ctx), m.Vault().ForgetInBackups(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	if got := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t); got.Exact || got.Rendered[0].Forgotten != 1 || strings.Contains(got.Rendered[0].Text, mine) {
		t.Errorf("the package: %+v", got.Rendered)
	}
	if b, err := os.ReadFile(backup.Path); err != nil || bytes.Contains(b, []byte(mine)) {
		t.Errorf("the backup holds it, %v", err)
	}
	if h := versionsOf(t, m); len(h) != 1 || h[0].Reason != "cleared by the user" || len(h[0].Diff) != 0 {
		t.Errorf("versions: %+v", h)
	}
	if _, err := m.Profiles().UndoProfile(ctx, luna, 0); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("undone: %v", err)
	}
	say(t, m, luna, "", "I live in Paris. I work as a carpenter.")
	if got := movedWorking(t, m); got != "- Works as a carpenter." {
		t.Errorf("what was known came back: %q", got)
	}
	// The earlier versions alone.
	must(m.Profiles().SetProfile(ctx, luna, 0, "- a\n"))(t)
	must(m.Profiles().SetProfile(ctx, luna, 0, "- b\n"))(t)
	if d := must(m.Profiles().DeleteProfile(ctx, luna, true))(t); d.Profiles < 2 || page(t, m).Markdown[:4] != "- b\n" || len(versionsOf(t, m)) != 1 {
		t.Errorf("%+v, %+v", d, versionsOf(t, m))
	}
	if _, err := m.Profiles().UndoProfile(ctx, luna, page(t, m).Version); !errors.Is(err, profiles.ErrFinal) {
		t.Errorf("undone without the version before: %v", err)
	}
}

// A memory that an earlier program filled has its profile from the first look on.
func TestProfileOfAnOlderMemory(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	if err := openAt(t, dir, c, nil).Close(); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	err = st.Update(func(tx *store.Tx) error {
		for id, key := range map[string]string{"I1": "name", "I2": "preference/tea"} {
			it := memory.Item{ID: id, AgentID: luna, Key: key, Type: memory.TypeFact, Content: "Says " + key, State: memory.StateActive, Version: 1}
			if err := tx.PutItem(it, "C"+id, memory.Change{Action: memory.ActionAdded}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	m := openAt(t, dir, c, nil)
	if got := movedWorking(t, m); got != "- Says name" {
		t.Errorf("at the first look: %q", got)
	}
	if h := versionsOf(t, m); len(h) != 1 || h[0].Reason != "begun" || h[0].Origin != memory.OriginSystem {
		t.Errorf("versions: %+v", h)
	}
}

// A damaged page is told and nothing older is shown as it; memories are learned all
// the same, and the next page that the user writes is whole.
func TestDamagedProfile(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	say(t, m, luna, "", "I live in Paris.")
	must(m.Profiles().SetProfile(ctx, luna, 0, "- mine\n"))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	err = st.Update(func(tx *store.Tx) error {
		return kv.NewBucket("profiles", 1, kv.Bytes()).Put(tx.KV(), kv.Key(luna, uint64(2)), []byte("{"))
	})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	if p, err := m.Profiles().Profile(ctx, luna); !store.Unreadable(err) {
		t.Errorf("%+v, %v", p, err)
	}
	say(t, m, luna, "", "I work as a carpenter.")
	if got := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{}))(t); got.Total != 2 {
		t.Errorf("learned %+v", got)
	}
	must(m.Profiles().SetProfile(ctx, luna, 0, "- again\n## Background\n- Lives in Paris.\n- Works as a carpenter.\n"))(t)
	wantProfile(ctx, t, m, luna)
	if p := page(t, m); p.Version != 3 || !strings.HasPrefix(p.Markdown, "- again\n") || len(p.Removed) > 0 {
		t.Errorf("%+v", p)
	}
}

// A version of an item that the profile refers to is kept.
func TestProfileKeepsItsVersions(t *testing.T) {
	m, c := open(t)
	say(t, m, luna, "", "I live in Paris.")
	for range 3 {
		c.Add(20 * 24 * time.Hour)
		say(t, m, luna, "", "I live in Paris.") // confirms; the words are those of the first version
	}
	say(t, m, luna, "", "hello")
	if got := movedWorking(t, m); got != "- Lives in Paris." {
		t.Errorf("%q", got)
	}
}

// wantProfile holds the profile against the items: a line for each that belongs
// there and was not taken out, and none for any other.
func wantProfile(ctx context.Context, t interface {
	Helper()
	Fatalf(string, ...any)
}, m *manager.Manager, agent string,
) {
	t.Helper()
	p, err := m.Profiles().Profile(ctx, agent)
	if err != nil {
		t.Fatalf("the profile: %v", err)
	}
	list, err := m.Lookup().Items(ctx, agent, lookup.ItemFilter{All: true})
	if err != nil {
		t.Fatalf("the items: %v", err)
	}
	lines := map[string]memory.ProfileLine{}
	hidden := 0
	for _, l := range p.Lines {
		if l.Derived() {
			lines[l.ItemID] = l
		}
		if l.Hidden {
			hidden++
		}
	}
	if p.Tokens >= p.Limit {
		t.Fatalf("%d tokens:\n%s", p.Tokens, p.Markdown)
	}
	for _, it := range list.Items {
		l, has := lines[it.ID]
		delete(lines, it.ID)
		_, belongs := profile.SectionOf(it)
		belongs = belongs && it.State == memory.StateActive
		switch {
		case has && (!belongs || slices.Contains(p.Removed, it.ID) || l.Text != profile.LineOf(it.Content)):
			t.Fatalf("the line %+v of %+v, removed %v", l, it, p.Removed)
		case !has && belongs && !slices.Contains(p.Removed, it.ID) && hidden < 100:
			t.Fatalf("no line of %+v in\n%s", it, p.Markdown)
		}
	}
	if len(lines) > 0 {
		t.Fatalf("lines of nothing: %+v", lines)
	}
}

// W5, D2: no order of learning, confirming, superseding, editing, deleting and
// undoing loses a line of the user's or keeps one of a deleted item.
func TestProfileInAnyOrder(t *testing.T) {
	fewer(t, 40)
	ctx := t.Context()
	m, err := manager.Open(ctx, manager.Options{Dir: filepath.Join(t.TempDir(), "data"), Config: rulesOnly(), Now: newClock().Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{T: rt, ctx: ctx, m: m}
		_, err := m.ClearItems(ctx, luna)
		h.ok(err)
		_, err = m.Profiles().DeleteProfile(ctx, luna, false)
		h.ok(err)
		h.ok(m.Trash().Purge(ctx))
		mine := map[string]int{}
		user := func() map[string]int {
			out := map[string]int{}
			p, err := m.Profiles().Profile(ctx, luna)
			h.ok(err)
			for _, l := range p.Lines {
				if !l.Derived() && l.Text != "" {
					out[string(l.Section)+l.Text]++
				}
			}
			return out
		}
		set := func(change func(*rapid.T, []memory.ProfileLine) []memory.ProfileLine) func(*rapid.T) {
			return func(t *rapid.T) {
				p, err := m.Profiles().Profile(ctx, luna)
				h.ok(err)
				_, err = m.Profiles().SetProfile(ctx, luna, p.Version, profile.Markdown(change(t, p.Shown())))
				h.ok(err)
			}
		}
		actions := h.actions()
		actions["write a line"] = set(func(t *rapid.T, lines []memory.ProfileLine) []memory.ProfileLine {
			s := rapid.SampledFrom(memory.Sections()).Draw(t, "section")
			text := rapid.SampledFrom([]string{"- mine", "also mine", "- Lives in Rome."}).Draw(t, "text")
			for _, l := range lines {
				if l.Derived() && l.Section == s && l.Text == text {
					return lines // exists already
				}
			}
			mine[string(s)+text]++
			return append(lines, memory.ProfileLine{Section: s, Text: text})
		})
		actions["take a line out"] = set(func(t *rapid.T, lines []memory.ProfileLine) []memory.ProfileLine {
			if len(lines) == 0 {
				return lines
			}
			i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			if l := lines[i]; !l.Derived() {
				mine[string(l.Section)+l.Text]--
			}
			return slices.Delete(lines, i, i+1)
		})
		actions["undo a version"] = func(t *rapid.T) {
			all, err := m.Profiles().ProfileHistory(ctx, luna, 0, 0)
			h.ok(err)
			version := 0
			if n := len(all.Versions); n > 0 && rapid.Bool().Draw(t, "any") {
				version = all.Versions[rapid.IntRange(0, n-1).Draw(t, "version")].Version
			}
			_, err = m.Profiles().UndoProfile(ctx, luna, version)
			h.ok(err, lookup.ErrNotFound, profiles.ErrFinal)
			mine = user()
		}
		actions[""] = func(t *rapid.T) {
			wantProfile(ctx, t, m, luna)
			maps.DeleteFunc(mine, func(_ string, n int) bool { return n == 0 })
			if diff := cmp.Diff(mine, user()); diff != "" {
				t.Fatalf("the user's own lines (-want +got):\n%s", diff)
			}
			there := map[string]bool{}
			for _, it := range h.items() {
				there[it.ID] = true
			}
			all, err := m.Profiles().ProfileHistory(ctx, luna, 3, 0)
			h.ok(err)
			for _, v := range all.Versions {
				p, err := m.Profiles().ProfileVersion(ctx, luna, v.Version)
				h.ok(err)
				for _, l := range p.Lines {
					if l.Derived() && l.Forgotten == there[l.ItemID] {
						t.Fatalf("version %d: %+v", v.Version, l)
					}
				}
			}
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(actions)), func(name string) bool { return name == "" })
		for range rapid.IntRange(1, 40).Draw(rt, "steps") { // Repeat's thirty take too long
			actions[rapid.SampledFrom(names).Draw(rt, "action")](rt)
			actions[""](rt)
		}
	})
}

func rulesOnly() write.Config {
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules
	return cfg
}
