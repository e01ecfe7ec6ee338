package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
)

var update = flag.Bool("update", false, "write the golden files")

// I4, D3, A4, C5, S9, W5: the program finds everything in a data folder of version 1.
// P9, Q3: that includes the ledger, and what a process that was killed left behind.
func TestFolderV1IsReadWhole(t *testing.T) {
	t.Parallel()
	f := unpack(t, "v1", v1Read)
	all := &dump{folder: f}
	all.head("agents and groups")
	all.lines(f.list("agents", "agent", "list"))
	for _, group := range []string{"club", "trees"} {
		all.line(f.read("group", "show", group))
	}
	all.equals("all")
	for owner, isAgent := range map[string]bool{"memoria": true, "luna": true, "sol": true, "club": false, "trees": false} {
		d := &dump{folder: f.of(owner)}
		if isAgent {
			d.memories()
		}
		d.conversations()
		d.searches("tea", "乌龙茶", "short")
		d.equals(owner)
	}
	proof := &dump{folder: f}
	proof.turn("When did I say that I like green tea?")
	proof.equals("context")
	f.healthy()
}

// R4, Q3: the indexes are derived: the same is found without them.
func TestFolderV1WithoutIndex(t *testing.T) {
	t.Parallel()
	with, without := &dump{folder: unpack(t, "v1", v1Read)}, &dump{folder: unpack(t, "v1", v1Read)}
	if err := os.RemoveAll(filepath.Join(without.dir, "index")); err != nil {
		t.Fatal(err)
	}
	for _, d := range []*dump{with, without} {
		d.searches("tea", "乌龙茶", "short")
		d.recalls("Which green tea do I like?", "Likes green tea.")
		d.recalls("我晚上喜欢喝什么茶？", "喜欢晚上喝乌龙茶")
		d.healthy()
	}
	if diff := cmp.Diff(with.b.String(), without.b.String()); diff != "" {
		t.Errorf("with and without the indexes (-with +without):\n%s", diff)
	}
}

// recalls expects that a message recalls a memory.
func (f *folder) recalls(message, content string) {
	f.t.Helper()
	for _, found := range f.list("items", "recall", message) {
		it, _ := found["item"].(object)
		if it["content"] == content {
			return
		}
	}
	f.t.Errorf("%q does not recall %q", message, content)
}

// dump collects what the program shows of a folder, one JSON value a line.
type dump struct {
	*folder
	b bytes.Buffer
}

func (d *dump) head(title string) { d.b.WriteString("\n== " + title + "\n") }

func (d *dump) line(v any) {
	d.t.Helper()
	out := json.NewEncoder(&d.b)
	out.SetEscapeHTML(false)
	if err := out.Encode(lasting(v)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *dump) lines(all []object) {
	d.t.Helper()
	for _, v := range all {
		d.line(v)
	}
}

// equals compares the dump with a golden file. Ids that were made in this run are random.
func (d *dump) equals(name string) {
	d.t.Helper()
	got := regexp.MustCompile(memory.IDAt(d.at)+`[0-9A-Z]{16}`).ReplaceAll(d.b.Bytes(), []byte("new"))
	golden := filepath.Join(folders, "v1", name+".golden")
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		d.t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		d.t.Errorf("%s (-want +got; -update writes it):\n%s", golden, diff)
	}
}

// derived are fields that the program computes from what is stored, unless they are lists:
// scores, their wording, costs. A later version may compute them differently.
var derived = []string{"score", "parts", "contribution", "why", "cost"}

// longest is the size in bytes of the longest text that a golden file has in full.
const longest = 2000

// lasting returns the part of a printed value that later versions must still print.
func lasting(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for name, field := range v {
			if _, list := field.([]any); list || !slices.Contains(derived, name) {
				out[name] = lasting(field)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = lasting(v[i])
		}
		return out
	case string:
		if len(v) > longest {
			return fmt.Sprintf("%d bytes, SHA-256 %x", len(v), sha256.Sum256([]byte(v)))
		}
	}
	return v
}

// memories adds the items with their source quotes, the inbox, the ledger, and the profile
// with its versions.
func (d *dump) memories() {
	d.t.Helper()
	d.head("memories")
	for _, it := range d.list("items", "memory", "list", "--all") {
		shown := d.read("memory", "show", text(d.t, it, "id"))
		delete(shown, "history") // follows in the ledger
		d.line(shown)
	}
	d.head("inbox")
	for _, it := range d.list("items", "inbox", "list") {
		d.line(it["id"])
	}
	d.head("ledger")
	for _, change := range d.list("changes", "memory", "history", "--limit", "0") {
		delete(change, "item") // is above
		delete(change, "replaced")
		d.line(change)
	}
	d.head("profile")
	d.line(d.read("profile", "show"))
	d.lines(d.list("versions", "profile", "history", "--limit", "0"))
}

// conversations adds the sessions with their messages, the messages of other branches, and
// for each turn the hash of what it sent.
func (d *dump) conversations() {
	d.t.Helper()
	shown := map[string]bool{}
	for _, session := range d.list("sessions", "session", "list") {
		d.head("session " + text(d.t, session, "title"))
		d.line(session)
		for _, message := range d.list("messages", "session", "show", text(d.t, session, "id")) {
			delete(message, "memories") // their evidence leads here
			d.line(message)
			shown[text(d.t, message, "id")] = true
		}
	}
	d.head("messages of other branches")
	var turns []string
	sessions := map[string]string{}
	for _, hit := range d.list("messages", "archive", "search", "--limit", "0") {
		record := objects(d.t, []any{hit["record"]})[0]
		if !shown[text(d.t, record, "id")] {
			d.line(record)
		}
		turn := text(d.t, record, "turn_id")
		turns, sessions[turn] = append(turns, turn), text(d.t, record, "session_id")
	}
	d.head("what was sent")
	for _, turn := range slices.Compact(turns) {
		d.sent(sessions[turn], turn)
	}
}

// sent adds whether what a turn sent can be shown byte for byte, and its hash. Who only heard
// a turn of a group was sent nothing.
func (d *dump) sent(session, turn string) {
	d.t.Helper()
	packages := []object{}
	if _, _, code := d.try("context", session, turn); code == 0 {
		answer := d.read("context", session, turn)
		if packages = []object{answer}; answer["packages"] != nil { // of a group
			packages = objects(d.t, answer["packages"])
		}
	}
	out := []object{}
	for _, p := range packages {
		out = append(out, object{"agent": p["agent_id"], "exact": p["exact"], "hash": p["hash"]})
	}
	d.line(object{"turn": turn, "packages": out})
}

// turn adds all that is shown of the first turn of a session.
func (d *dump) turn(title string) {
	d.t.Helper()
	for _, session := range d.list("sessions", "session", "list") {
		if session["title"] != title {
			continue
		}
		shown := d.read("context", text(d.t, session, "id"), "1")
		for _, field := range []string{"rendered", "blocks", "used", "sources"} {
			d.head(field)
			d.lines(objects(d.t, lasting(shown[field])))
			delete(shown, field)
		}
		d.head("the rest")
		d.line(shown)
		return
	}
	d.t.Errorf("no session is called %q", title)
}

// searches adds the messages that hold a word and are found by it.
func (d *dump) searches(words ...string) {
	d.t.Helper()
	for _, word := range words {
		found := []string{}
		for _, hit := range d.list("messages", "archive", "search", "--limit", "0", word) {
			record := objects(d.t, []any{hit["record"]})[0]
			if strings.Contains(strings.ToLower(text(d.t, record, "content")), word) {
				found = append(found, text(d.t, record, "id"))
			}
		}
		slices.Sort(found)
		d.head("search " + word)
		d.line(found)
	}
}
