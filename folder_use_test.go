package main

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// The deletions of v1 that could be undone for ten seconds, and when they were made.
const (
	novaDeleted  = "01KJNHG72N0Y48DH0PGYAXW0BD" // the agent nova
	frameDeleted = "01KJNHG7329WH2XGWHJH09JRHX" // a session of sol
)

var v1Deleted = time.Date(2026, 3, 1, 20, 30, 10, 0, time.UTC)

// P9, P10, W5: in a data folder of version 1 a change and its undo can be undone, an item of
// the inbox accepted and one rejected, and the profile's last change undone.
func TestFolderV1IsChanged(t *testing.T) {
	t.Parallel()
	f := unpack(t, "v1", v1Read)
	before := f.contents()
	undone := f.read("memory", "undo", "--last", "--yes")
	if diff := cmp.Diff(before, f.contents()); diff == "" {
		t.Error("undoing the last change changed nothing")
	}
	f.run("memory", "undo", text(t, undone, "id"), "--yes")
	if diff := cmp.Diff(before, f.contents()); diff != "" {
		t.Errorf("undoing the undo (-before +after):\n%s", diff)
	}

	waiting := f.list("items", "inbox", "list")
	accepted := waiting[slices.IndexFunc(waiting, func(it object) bool { return it["content"] == "手机号是13800138000" })]
	f.run("inbox", "accept", text(t, accepted, "id"), "--yes")
	f.recalls("我的手机号是多少？", "手机号是13800138000")
	rejected := waiting[slices.IndexFunc(waiting, func(it object) bool { return it["content"] == "Everyone can be trusted." })]
	f.run("inbox", "reject", text(t, rejected, "id"), "--yes")
	if left := f.list("items", "inbox", "list"); len(left) != len(waiting)-2 {
		t.Errorf("%d wait in the inbox, want %d", len(left), len(waiting)-2)
	}

	f.run("profile", "undo")
	if shown := f.run("profile", "show"); !strings.Contains(shown, "在学习陶艺") {
		t.Errorf("undoing the last change of the profile leaves\n%s", shown)
	}
	f.run("memory", "delete", text(t, accepted, "id"), "--yes")
	f.healthy()
}

// I3, D3: completing ids in a shell reads a folder of an older layout, or offers none of
// it, and leaves every file as it is.
func TestFolderV1IsCompleted(t *testing.T) {
	t.Parallel()
	f := unpack(t, "v1", v1Read)
	before := f.files()
	for _, args := range [][]string{{"memory", "show", ""}, {"session", "show", ""}, {"--agent", ""}} {
		f.run(append([]string{"__complete"}, args...)...)
	}
	if diff := cmp.Diff(before, f.files()); diff != "" {
		t.Errorf("completing changed the folder (-before +after):\n%s", diff)
	}
}

// files returns a hash of each file of the folder.
func (f *folder) files() map[string][32]byte {
	f.t.Helper()
	out := map[string][32]byte{}
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if filepath.Ext(path) == ".lock" {
			return nil // names the process
		}
		b, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, f.dir)] = sha256.Sum256(b)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// contents returns the states and contents of all items, the newest first.
func (f *folder) contents() (out []string) {
	f.t.Helper()
	for _, it := range f.list("items", "memory", "list", "--all") {
		out = append(out, text(f.t, it, "state")+" "+text(f.t, it, "content"))
	}
	return out
}

// S1, A1, S9: conversations of version 1 go on: in the running session, after an unanswered
// message, after an answer that was cut off, and in a group.
func TestFolderV1GoesOn(t *testing.T) {
	t.Parallel()
	f := unpack(t, "v1", v1Read)
	running := f.list("sessions", "session", "list")[0]
	if answer := f.read("ask", "And how warm at noon?"); answer["session"] != running["id"] {
		t.Errorf("the message is in session %v, want %v", answer["session"], running["id"])
	}
	luna := f.of("luna")
	luna.run("ask", "And which of them climb?")
	said := luna.run("session", "show", "last")
	first, second := strings.Index(said, "Sort these by height, please."), strings.Index(said, "And which of them climb?")
	if first < 0 || second < first {
		t.Errorf("the message that was left is not before the new one:\n%s", said)
	}
	sol := f.of("sol")
	sol.run("ask", "后来呢？")
	if said := sol.run("session", "show", "last"); !strings.Contains(said, "Once \n") || !strings.Contains(said, "interrupted") {
		t.Errorf("the answer that was cut off is not kept:\n%s", said)
	}
	f.of("trees").run("ask", "@luna 核桃好吃吗？")
	f.healthy()
}

// open opens the folder through the Go API.
func (f *folder) open() *manager.Manager {
	f.t.Helper()
	m, err := manager.Open(f.t.Context(), manager.Options{Dir: f.dir, Config: write.DefaultConfig(), Now: func() time.Time { return f.at }})
	if err != nil {
		f.t.Fatal(err)
	}
	return m
}

// D2, I4: a deletion of version 1 can be undone for ten seconds, and not later.
func TestFolderV1UndoesDeletions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at    time.Time
		there bool
	}{{v1Deleted.Add(5 * time.Second), true}, {v1Read, false}} {
		f := unpack(t, "v1", c.at)
		m := f.open()
		_, agent := m.UndoAgentDeletion(t.Context(), "nova", novaDeleted)
		_, session := m.UndoDeletion(t.Context(), "sol", frameDeleted)
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		for _, err := range []error{agent, session} {
			if there := err == nil; there != c.there || !there && !errors.Is(err, manager.ErrGone) {
				t.Errorf("undoing a deletion at %v: %v", c.at, err)
			}
		}
		if got := strings.Contains(f.run("agent", "list"), "nova"); got != c.there {
			t.Errorf("at %v: nova is there: %v", c.at, got)
		}
		if got := strings.Contains(f.of("sol").run("session", "list"), "What is a cold frame?"); got != c.there {
			t.Errorf("at %v: the session is there: %v", c.at, got)
		}
		if c.there {
			f.of("nova").recalls("Do I like oak trees?", "Likes oak trees.")
			if club := f.run("group", "show", "club"); !strings.Contains(club, "nova") {
				t.Errorf("nova is not in its group again:\n%s", club)
			}
		}
		f.healthy()
	}
}

// Q3: a backup of version 1 replaces a memory that was lost.
func TestFolderV1IsRestored(t *testing.T) {
	t.Parallel()
	f := unpack(t, "v1", v1Read)
	if err := os.WriteFile(filepath.Join(f.dir, "memoria.db"), []byte("no store at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, _, code := f.try("memory", "list"); code == 0 {
		t.Fatalf("a damaged memory is listed:\n%s", stdout)
	}
	f.run("doctor", "--repair", "--yes")
	if got := f.run("memory", "list"); !strings.Contains(got, "喜欢晚上喝乌龙茶") || !strings.Contains(got, "Works as a gardener.") {
		t.Errorf("the backup holds\n%s", got)
	}
	if got := f.run("session", "list"); strings.Contains(got, "I sowed tomatoes today.") {
		t.Errorf("the backup holds what was said after it:\n%s", got)
	}
	f.healthy()
}

// W1: the working memory of the running session is there, and so is the draft of a message,
// which no command prints.
func TestFolderV1API(t *testing.T) {
	t.Parallel()
	f := unpack(t, "v1", v1Read)
	m := f.open()
	defer func() { _ = m.Close() }()
	draft, err := m.Lookup().Draft(t.Context(), "memoria")
	if err != nil || draft.Text != "还没写完: what about the" {
		t.Errorf("draft %q, %v", draft.Text, err)
	}
	last, _, err := m.Lookup().LastSession(t.Context(), "memoria")
	if err != nil {
		t.Fatal(err)
	}
	w, err := m.Lookup().Working(t.Context(), "memoria", last.ID)
	if err != nil || w.TurnCount != 2 {
		t.Errorf("working memory of %s: %+v, %v", last.ID, w, err)
	}
}
