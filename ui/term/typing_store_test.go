package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/store"
)

// keptRows is everything that the store of a data folder holds and an export would contain,
// with the groups, the settings file and the files of the journal: by place and key.
type keptRows map[string]json.RawMessage

// noRows are buckets that say nothing about what a person has: the draft is judged by the
// input, the others count or list what is in the rest.
var noRows = map[string]bool{
	"drafts": true, "counts": true, "texts": true, "seals": true, "jobs": true, "history": true, "passages": true,
	"journal_files": true, "journal_ids": true, "journal_states": true, "partials": true,
}

// kept reads what is stored.
func (p *typist) kept() keptRows {
	p.t.Helper()
	out := keptRows{}
	owners := []string{}
	agents, err := p.w.conversations.Agents(p.t.Context())
	must(p.t, err)
	for _, a := range agents {
		owners = append(owners, a.ID)
	}
	groups, err := p.w.manager.Lookup().Groups(p.t.Context())
	must(p.t, err)
	for _, g := range groups {
		owners = append(owners, g.ID)
		out["groups "+g.ID], err = json.Marshal(g)
		must(p.t, err)
	}
	slices.Sort(owners)
	must(p.t, p.w.manager.Store.View(func(tx *store.Tx) error {
		for name, bucket := range store.Portables() {
			if noRows[name] {
				continue
			}
			for _, owner := range slices.Compact(owners) {
				for e, err := range bucket.Rows(tx, owner) {
					if err != nil {
						return err
					}
					out[name+" "+string(e.Key)] = slices.Clone(e.Value)
				}
			}
		}
		return nil
	}))
	b, err := os.ReadFile(p.config)
	must(p.t, err)
	out["settings file"] = b
	journals := filepath.Join(p.w.dir, "journal")
	if err := filepath.WalkDir(journals, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		b, err := os.ReadFile(path)
		out["journal file "+strings.TrimPrefix(path, journals)] = b
		return err
	}); err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return out
}

func (k keptRows) bucket(row string) string {
	name, _, _ := strings.Cut(row, " ")
	return name
}

func rowOf[T any](t testing.TB, b json.RawMessage) (v T) {
	t.Helper()
	if len(b) > 0 {
		must(t, json.Unmarshal(b, &v))
	}
	return v
}

// said are the messages of the user in the store, oldest first, also those that wait.
func (k keptRows) said(t testing.TB) (out []memory.Record) {
	for row, b := range k {
		if n := k.bucket(row); n == "records" || n == "incoming" {
			if r := rowOf[memory.Record](t, b); r.Role == memory.RoleUser && r.Heard == "" {
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b memory.Record) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// running are the turns that are not answered.
func (k keptRows) running(t testing.TB) map[string]bool {
	out := map[string]bool{}
	for _, r := range k.said(t) {
		out[r.TurnID] = true
	}
	for row, b := range k {
		if k.bucket(row) == "records" {
			if r := rowOf[memory.Record](t, b); r.Role == memory.RoleAssistant {
				delete(out, r.TurnID)
			}
		}
	}
	return out
}

// newlySaid are the messages that before does not have.
func newlySaid(t testing.TB, before, now keptRows) (out []memory.Record) {
	had := map[string]bool{}
	for _, r := range before.said(t) {
		had[r.ID] = true
	}
	for _, r := range now.said(t) {
		if !had[r.ID] {
			out = append(out, r)
		}
	}
	return out
}

// damage is what differs between two readings and was not brought by a new message: the
// reason for which this test is there.
func damage(t testing.TB, before, now keptRows, aside bool) (out []string) {
	turns := before.running(t)
	for _, r := range newlySaid(t, before, now) {
		turns[r.TurnID] = true
	}
	spoke := map[string]bool{} // sessions with something new
	learned := map[string]bool{}
	ending := false // a session was on its way into the archive, which may teach something
	for row, b := range before {
		ending = ending || before.bucket(row) == "sessions" && rowOf[memory.Session](t, b).State == memory.SessionArchiving
	}
	for row, b := range now {
		switch now.bucket(row) {
		case "records":
			if r := rowOf[memory.Record](t, b); turns[r.TurnID] {
				spoke[r.SessionID] = true
			}
		case "item_changes", "turn_changes":
			if c := rowOf[memory.Change](t, b); before[row] == nil && c.Undo == "" && (turns[c.TurnID] || ending && c.Generation != "") {
				learned[c.ItemID] = true
			}
		}
	}
	for _, row := range slices.Sorted(maps.Keys(both(before, now))) {
		was, is := before[row], now[row]
		if bytes.Equal(was, is) {
			continue
		}
		if aside && len(turns) > 0 && is != nil && !strings.HasPrefix(row, "records ") {
			continue // what the message before taught is undone
		}
		if why := unexplained(t, before.bucket(row), was, is, turns, spoke, learned, now); why != "" {
			out = append(out, before.bucket(row)+": "+why+": "+difference(was, is))
		}
	}
	return out
}

// difference is how two rows differ, in a line.
func difference(was, is []byte) string {
	var a, b map[string]json.RawMessage
	if was == nil || is == nil || json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		return fmt.Sprintf("%.200q → %.200q", was, is)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(both(a, b))) {
		if !bytes.Equal(a[name], b[name]) {
			out = append(out, fmt.Sprintf("%s %.60s → %.60s", name, a[name], b[name]))
		}
	}
	return strings.Join(out, ", ")
}

func both(a, b keptRows) keptRows {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// unexplained says why a difference is none that the new turns made; empty if they did.
func unexplained(
	t testing.TB, bucket string, was, is json.RawMessage, turns, spoke, learned map[string]bool, now keptRows,
) string {
	t.Helper()
	switch bucket {
	case "records":
		if is == nil {
			return "a message is gone"
		}
		if r := rowOf[memory.Record](t, is); !turns[r.TurnID] {
			return "a message that nothing said brought"
		}
	case "incoming":
		if in := rowOf[memory.Record](t, was); is == nil && in.ID != "" && !slices.ContainsFunc(now.said(t), func(r memory.Record) bool { return r.Content == in.Content }) {
			return "a message that waits is gone"
		}
	case "items":
		if is == nil {
			return "a memory is gone"
		}
		it, old := rowOf[memory.Item](t, is), rowOf[memory.Item](t, was)
		if len(turns) > 0 && was != nil { // a message looked it up
			old.LastAccessed, old.AccessCount = it.LastAccessed, it.AccessCount
		}
		if !learned[it.ID] && !reflect.DeepEqual(it, old) {
			return "a memory that no message changed"
		}
	case "item_versions":
		if is == nil {
			return "a version is gone"
		}
		if it := rowOf[memory.Item](t, is); !learned[it.ID] {
			return "a version that no message brought"
		}
	case "item_changes", "turn_changes":
		if was != nil {
			return "the history differs"
		}
		if c := rowOf[memory.Change](t, is); !learned[c.ItemID] || c.Undo != "" {
			return "a change that no message brought"
		}
	case "sessions":
		a, b := rowOf[memory.Session](t, was), rowOf[memory.Session](t, is)
		switch {
		case is == nil:
			return "a session is gone"
		case was != nil && a.State == memory.SessionArchiving && !b.Named:
		case len(turns) == 0:
			return "a session that nothing was said in"
		case was == nil && b.ForkedFrom != nil:
			return "a fork"
		case was == nil && !spoke[b.ID]:
			return "a session without a message"
		case was != nil && (a.Title != b.Title && a.Title != "" || a.Named != b.Named):
			return "another title"
		case was != nil && b.TurnsAside != a.TurnsAside:
			return "turns left aside"
		}
	case "working":
		// It goes with its session when a message goes on with another one.
		if len(turns) == 0 || is == nil && len(spoke) == 0 {
			return "differs"
		}
	case "summaries": // of a session that ended
		if is == nil {
			return "a summary is gone"
		}
	case "working_versions", "packages", "profiles", "gaps":
		if len(turns) == 0 || is == nil {
			return "differs"
		}
	case "journal":
		if len(turns) == 0 || len(is) < len(was) {
			return "differs"
		}
	default: // agents, groups, refused, forgotten, settings
		return "differs"
	}
	return ""
}
