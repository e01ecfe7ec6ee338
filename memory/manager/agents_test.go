package manager_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/agents"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

// I5: agents are described in the store; what the file gives wins and is changed
// there alone.
func TestAgentsAreDescribed(t *testing.T) {
	ctx, c := t.Context(), newClock()
	given := map[string]lookup.Given{
		"luna": {Agent: memory.Agent{ID: "luna", Name: "Luna", Persona: "from the file"}, Where: map[string]string{"name": "config.toml, line 3"}},
		"host": {},
	}
	cfg := write.DefaultConfig()
	m := must(manager.Open(ctx, manager.Options{Dir: filepath.Join(t.TempDir(), "data"), Config: cfg, Now: c.Now, Agents: given}))(t)
	t.Cleanup(func() { _ = m.Close() })

	info := must(m.Agents().EditAgent(ctx, "luna", func(a *memory.Agent) { a.Persona, a.Color = "You are kind.", "violet" }))(t)
	if info.Name != "Luna" || info.Persona != "You are kind." || info.Color != "violet" || info.CreatedAt.IsZero() {
		t.Errorf("luna is %+v", info)
	}
	_, err := m.Agents().EditAgent(ctx, "luna", func(a *memory.Agent) { a.Name = "Nova" })
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "its name is set in config.toml, line 3") {
		t.Errorf("a given name was edited: %v", err)
	}
	if _, err := m.Agents().EditAgent(ctx, "luna", func(a *memory.Agent) { a.Color = "mud" }); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("color mud: %v", err)
	}
	must(m.Agents().CreateAgent(ctx, memory.Agent{ID: "sol", Name: "索尔"}))(t)
	for _, id := range []string{"sol", "luna", "host"} {
		if _, err := m.Agents().CreateAgent(ctx, memory.Agent{ID: id}); !errors.Is(err, agents.ErrExists) {
			t.Errorf("%s was made twice: %v", id, err)
		}
	}
	if _, err := m.Agents().CreateAgent(ctx, memory.Agent{ID: "Sol"}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("Sol: %v", err)
	}
	if id := must(m.Agents().NewAgentID(ctx, "Luna"))(t); id != "luna-2" {
		t.Errorf("the id of another Luna is %s", id)
	}
	say(t, m, "wild", "", "I like oolong tea")
	var ids []string
	for _, a := range must(m.Lookup().Agents(ctx, "asked"))(t) {
		ids = append(ids, a.ID)
		if a.ID == "wild" && (a.Memories != 1 || a.Sessions != 1 || a.Messages != 2 || a.LastUsed.IsZero()) {
			t.Errorf("wild is %+v", a)
		}
	}
	if diff := cmp.Diff([]string{"wild", "asked", "host", "luna", "sol"}, ids); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"sol": "sol", "索尔": "sol", "LUNA": "luna", "wild": "wild"} {
		if a, err := m.Lookup().FindAgent(ctx, name); err != nil || a.ID != want {
			t.Errorf("%s is %s, %v", name, a.ID, err)
		}
	}
	must(m.Agents().EditAgent(ctx, "wild", func(a *memory.Agent) { a.Name = "luna" }))(t)
	if _, err := m.Lookup().FindAgent(ctx, "LUNA"); !errors.Is(err, lookup.ErrAmbiguous) {
		t.Errorf("two are called luna: %v", err)
	}
	if _, err := m.Lookup().FindAgent(ctx, "nobody"); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("nobody: %v", err)
	}
}

const canary = "kanarienvogel"

// fillAgent gives an agent something of everything: a memory, a long message in a
// file, a draft, a message that waits, a refusal.
func fillAgent(t testing.TB, m *manager.Manager, id string) {
	t.Helper()
	ctx := t.Context()
	must(m.Agents().CreateAgent(ctx, memory.Agent{ID: id, Name: id + " " + canary, Persona: canary}))(t)
	turn, _ := say(t, m, id, "", "I like "+canary+" tea. Answer shortly, please.")
	say(t, m, id, turn.Session.ID, strings.Repeat(canary+" ", memory.MaxContent/10))
	must(m.KeepIncoming(ctx, id, canary+" waits", nil, ""))(t)
	must(m.Profiles().SetProfile(ctx, id, 0, "## Background\n\n- Keeps a "+canary+"\n"))(t)
	it := must(m.Learning().AddItem(ctx, id, memory.Item{Content: "Keeps a " + canary, Type: memory.TypeFact}))(t)
	must(m.DeleteItems(ctx, id, it.ID))(t)
	if err := errors.Join(m.SaveDraft(ctx, id, memory.Draft{Text: canary}), m.Recall().Settle(ctx, id)); err != nil {
		t.Fatal(err)
	}
	must(m.Recall().SearchArchive(ctx, id, recall.ArchiveQuery{Text: canary}))(t) // opens the archive's index
}

// traces are the files and folders below dir that name an agent, or hold one of the
// words: free pages of the store are left out, as a backup is a copy without them.
func traces(t testing.TB, dir string, words ...string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if errors.Is(err, fs.ErrNotExist) { // the index replaces its files meanwhile
			return nil
		}
		if err != nil || rel == "memoria.db" {
			return err
		}
		for _, w := range words {
			if strings.Contains(rel, w) {
				out = append(out, rel)
			}
		}
		if d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, w := range words {
			if bytes.Contains(b, []byte(w)) {
				out = append(out, rel+" holds "+w)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// D2, I4: a deleted agent is in no view at once, and after the undo time in no file and
// no backup. Another agent's data stay.
func TestDeleteAgent(t *testing.T) {
	ctx := t.Context()
	m, c := open(t)
	fillAgent(t, m, "condemned")
	say(t, m, luna, "", "I like oolong tea")
	old := must(m.Vault().Backup(ctx, nil))(t)
	if len(traces(t, m.Vault().Dir(), "condemned", canary)) < 4 {
		t.Fatal("nothing to look for") // or the test proves nothing
	}
	before := seeAll(t, m)
	c.Add(time.Minute)
	d := must(m.DeleteAgent(ctx, "condemned"))(t)
	if d.Agent != "condemned" || d.Sessions != 1 || d.Messages != 4 || d.Items == 0 || d.Profiles == 0 {
		t.Errorf("it took %+v", d)
	}
	for _, a := range must(m.Lookup().Agents(ctx))(t) {
		if a.ID == "condemned" {
			t.Errorf("it is still listed: %+v", a)
		}
	}
	if got := recalled(t, m, "condemned", canary); len(got) != 0 {
		t.Errorf("recalled %v", contents(got))
	}
	c.Add(write.DeletionUndoTime + time.Second)
	if _, err := m.UndoAgentDeletion(ctx, "condemned", d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("it came back: %v", err)
	}
	if err := errors.Join(m.Trash().Purge(ctx), m.Vault().ForgetInBackups(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old.Path); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
		t.Error("another agent was touched\n", diff)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, m.Vault().Dir(), c, nil)
	must(m.Vault().Backup(ctx, nil))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if left := traces(t, m.Vault().Dir(), "condemned", canary); len(left) > 0 {
		t.Errorf("it is still in %v", left)
	}
	m = openAt(t, m.Vault().Dir(), c, nil)
	if got := contents(recalled(t, m, luna, "oolong tea")); len(got) != 1 {
		t.Errorf("luna recalls %v", got)
	}
	if b := must(vault.Backups(m.Vault().Dir()))(t); len(b) != 2 {
		t.Errorf("%d backups", len(b))
	}
}

// D2: within ten seconds everything can be restored and is found by its index. A
// recreated agent keeps its data.
func TestTakeBackAgent(t *testing.T) {
	noRace(t)
	ctx := t.Context()
	m, c := open(t)
	fillAgent(t, m, luna)
	before := seeAll(t, m)
	told := must(m.Lookup().Agent(ctx, luna))(t)
	d := must(m.DeleteAgent(ctx, luna))(t)
	if info := must(m.Lookup().Agent(ctx, luna))(t); !info.Empty() || info.Name != "" {
		t.Errorf("it begins with %+v", info)
	}
	if err := m.SaveDraft(ctx, luna, memory.Draft{Text: "half a word"}); err != nil {
		t.Fatal(err)
	}
	c.Add(write.DeletionUndoTime - time.Second)
	must(m.UndoAgentDeletion(ctx, luna, d.ID))(t)
	if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
		t.Error("it is not as it was\n", diff)
	}
	if diff := cmp.Diff(told, must(m.Lookup().Agent(ctx, luna))(t)); diff != "" {
		t.Error(diff)
	}
	if got := contents(recalled(t, m, luna, canary)); len(got) == 0 {
		t.Error("its index finds nothing")
	}
	d = must(m.DeleteAgent(ctx, luna))(t)
	say(t, m, luna, "", "I like oolong tea")
	if _, err := m.UndoAgentDeletion(ctx, luna, d.ID); !errors.Is(err, manager.ErrInUse) {
		t.Errorf("it came back over what was said since: %v", err)
	}
	if got := contents(recalled(t, m, luna, "oolong")); len(got) != 1 {
		t.Errorf("recalled %v", got)
	}
	if _, err := m.DeleteAgent(ctx, "nobody"); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("nobody was deleted: %v", err)
	}
}

// D2: a deletion begun before the program ended is finished at the next start, also if
// the agent was recreated: then only the old data is removed, from backups too.
func TestDeletedAgentGoesAtTheNextStart(t *testing.T) {
	noRace(t)
	ctx := t.Context()
	m, c := open(t)
	dir := m.Vault().Dir()
	fillAgent(t, m, "condemned")
	must(m.Vault().Backup(ctx, nil))(t)
	c.Add(time.Minute)
	must(m.DeleteAgent(ctx, "condemned"))(t)
	must(m.Vault().Backup(ctx, nil))(t) // what can be taken back is in it
	say(t, m, "condemned", "", "I like oolong tea")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	c.Add(time.Minute)
	m = openAt(t, dir, c, nil)
	if err := m.Vault().ForgetInBackups(ctx, nil); err != nil {
		t.Fatal(err)
	}
	must(m.Vault().Backup(ctx, nil))(t)
	if got := contents(recalled(t, m, "condemned", "oolong")); len(got) != 1 {
		t.Errorf("the new one recalls %v", got)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if left := traces(t, dir, canary); len(left) > 0 {
		t.Errorf("it is still in %v", left)
	}
}
