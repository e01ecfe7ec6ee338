package manager_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/importer"
	"memoria/memory/transfer/foreign"
)

// foreignCases are inputs and expectations that an independent reader of the spec wrote;
// their README explains them.
const foreignCases = "../transfer/testdata/foreign"

// Limits of the importer in the tests.
var foreignLimits = foreign.Limits{Conversation: 16 << 20, Total: 32 << 20, Entries: 1000}

// wanted is a want.json.
type wanted struct {
	Error         []string             `json:"error"`
	Conversations []wantedConversation `json:"conversations"`
	Skipped       []wantedFailure      `json:"skipped"`
	Failed        []wantedFailure      `json:"failed"`
	Absent        []string             `json:"absent"`
}

type wantedConversation struct {
	ID       string            `json:"id"`
	Title    *string           `json:"title"`
	Model    *string           `json:"model"`
	Created  time.Time         `json:"created"`
	Updated  time.Time         `json:"updated"`
	Messages []wantedMessage   `json:"messages"`
	Branches [][]wantedMessage `json:"branches"`
}

type wantedMessage struct {
	Role        memory.Role `json:"role"`
	Text        *string     `json:"text"`
	Contains    []string    `json:"contains"`
	Generated   bool        `json:"generated"`
	Chain       int         `json:"chain"`
	Speaker     string      `json:"speaker"`
	Time        time.Time   `json:"time"`
	Model       *string     `json:"model"`
	Pasted      []string    `json:"pasted"`
	Attachments []string    `json:"attachments"`
	Reasoning   []string    `json:"reasoning"`
}

type wantedFailure struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Words []string `json:"words"`
}

// generation is a generate.json.
type generation struct {
	Kind       string  `json:"kind"`
	File       string  `json:"file"`
	Unit       string  `json:"unit"`
	Times      int     `json:"times"`
	Depth      int     `json:"depth"`
	After      string  `json:"after"`
	Count      int     `json:"count"`
	Start      float64 `json:"start"`
	Entry      string  `json:"entry"`
	Prefix     string  `json:"prefix"`
	LimitTimes int     `json:"limit_times"`
	Declared   uint64  `json:"declared"`
	Name       string  `json:"name"`
	Entries    []struct{ Name, Content string }
	Target     string `json:"target"`
	First      string `json:"first"`
	Second     string `json:"second"`
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// foreignInput returns the file of a case in dir.
func foreignInput(t *testing.T, dir string) (name string, g generation) {
	t.Helper()
	if exists(filepath.Join(dir, "generate.json")) {
		readJSON(t, filepath.Join(dir, "generate.json"), &g)
		return generated(t, dir, g), g
	}
	for _, name := range []string{"conversations.json", "input.jsonl", "export.zip"} {
		if file := filepath.Join(dir, name); exists(file) {
			return file, g
		}
	}
	return zipOf(t, func(z *zip.Writer) error { return z.AddFS(os.DirFS(filepath.Join(dir, "zip"))) }), g
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func zipOf(t *testing.T, fill func(z *zip.Writer) error) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if err := errors.Join(fill(z), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

// generated makes the input that a generate.json describes.
func generated(t *testing.T, dir string, g generation) string {
	t.Helper()
	zipDir := filepath.Join(dir, "zip")
	addDir := func(z *zip.Writer) error {
		if !exists(zipDir) {
			return nil
		}
		return z.AddFS(os.DirFS(zipDir))
	}
	add := func(z *zip.Writer, name string, content []byte) error {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	}
	replaced := func(old, with string) string {
		text, err := os.ReadFile(filepath.Join(dir, g.File))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), g.File)
		if err := os.WriteFile(name, bytes.Replace(text, []byte(old), []byte(with), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	switch g.Kind {
	case "huge-message":
		return replaced("@@GENERATED@@", strings.Repeat(g.Unit, g.Times))
	case "depth":
		return replaced(`"@@GENERATED@@"`, strings.Repeat("[", g.Depth)+strings.Repeat("]", g.Depth))
	case "chain":
		return chained(t, dir, g)
	case "bomb":
		return zipOf(t, func(z *zip.Writer) error {
			content := []byte(g.Prefix + strings.Repeat(g.Unit, g.LimitTimes*int(foreignLimits.Total)))
			if g.Declared == 0 {
				return add(z, g.Entry, content)
			}
			return lying(z, g, content)
		})
	case "damaged":
		return damagedZip(t, zipDir, g.Entry)
	}
	return zipOf(t, func(z *zip.Writer) error {
		err := addDir(z)
		switch g.Kind {
		case "many-files":
			for i := range g.LimitTimes * foreignLimits.Entries {
				err = errors.Join(err, add(z, fmt.Sprintf(g.Name, i), nil))
			}
		case "traversal":
			for _, e := range g.Entries {
				err = errors.Join(err, add(z, e.Name, []byte(e.Content)))
			}
		case "symlink":
			h := &zip.FileHeader{Name: g.Entry}
			h.SetMode(fs.ModeSymlink | 0o777)
			w, cerr := z.CreateHeader(h)
			if err = errors.Join(err, cerr); err == nil {
				_, err = w.Write([]byte(g.Target))
			}
		case "duplicate-entry":
			for _, name := range []string{g.First, g.Second} {
				text, rerr := os.ReadFile(filepath.Join(dir, name))
				err = errors.Join(err, rerr, add(z, g.Entry, text))
			}
		default:
			t.Fatalf("unknown kind %q", g.Kind)
		}
		return err
	})
}

// lying writes an entry whose header states another size than it has.
func lying(z *zip.Writer, g generation, content []byte) error {
	var packed bytes.Buffer
	inner := zip.NewWriter(&packed)
	w, err := inner.Create(g.Entry)
	if err == nil {
		_, err = w.Write(content)
	}
	if err = errors.Join(err, inner.Close()); err != nil {
		return err
	}
	r, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		return err
	}
	from := r.File[0]
	raw, err := from.OpenRaw()
	if err != nil {
		return err
	}
	w, err = z.CreateRaw(&zip.FileHeader{
		Name: g.Entry, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(content),
		CompressedSize64: from.CompressedSize64, UncompressedSize64: g.Declared,
	})
	if err != nil {
		return err
	}
	var all bytes.Buffer
	if _, err := all.ReadFrom(raw); err != nil {
		return err
	}
	_, err = w.Write(all.Bytes())
	return err
}

// damagedZip packs a folder and changes a byte of an entry.
func damagedZip(t *testing.T, dir, entry string) string {
	t.Helper()
	name := zipOf(t, func(z *zip.Writer) error { return z.AddFS(os.DirFS(dir)) })
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		if f.Name == entry {
			at, err := f.DataOffset()
			if err != nil {
				t.Fatal(err)
			}
			text[at+int64(f.CompressedSize64)/2] ^= 1
		}
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// chained adds a long row of messages to the only conversation.
func chained(t *testing.T, dir string, g generation) string {
	t.Helper()
	var list []map[string]any
	readJSON(t, filepath.Join(dir, g.File), &list)
	mapping := list[0]["mapping"].(map[string]any)
	parent := g.After
	for i := range g.Count {
		id := fmt.Sprintf("n%d", i+1)
		mapping[id] = map[string]any{"id": id, "parent": parent, "message": map[string]any{
			"id": id, "author": map[string]any{"role": []string{"user", "assistant"}[i%2]}, "create_time": g.Start + float64(i),
			"content": map[string]any{"content_type": "text", "parts": []string{fmt.Sprintf("message %d", i+1)}},
		}}
		parent = id
	}
	list[0]["current_node"] = parent
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), g.File)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestForeignExports imports the cases, each twice, and compares the store (D1).
func TestForeignExports(t *testing.T) {
	if testing.Short() {
		t.Skip("one import after the other: the race detector finds nothing in them")
	}
	dirs, err := filepath.Glob(foreignCases + "/*/*/want.json")
	if err != nil || len(dirs) < 80 {
		t.Fatalf("only %d cases, %v", len(dirs), err)
	}
	for _, want := range dirs {
		dir := filepath.Dir(want)
		program := filepath.Base(filepath.Dir(dir))
		t.Run(program+"/"+filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			importCase(t, dir, program)
		})
	}
}

func importCase(t *testing.T, dir, program string) {
	var want wanted
	readJSON(t, filepath.Join(dir, "want.json"), &want)
	m, c := open(t)
	take := func(name string) (importer.Imported, error) {
		e, err := foreign.Open(name, foreign.Format(program), foreign.Options{Limits: foreignLimits, Now: c.Now().AddDate(0, 0, 10)})
		if err != nil {
			return importer.Imported{}, err
		}
		defer e.Close()
		return m.Importer().Import(t.Context(), luna, program, e, nil)
	}
	var g generation
	var name string
	if exists(filepath.Join(dir, "step1")) {
		first, _ := foreignInput(t, filepath.Join(dir, "step1"))
		if _, err := take(first); err != nil {
			t.Fatal(err)
		}
		name, _ = foreignInput(t, filepath.Join(dir, "step2"))
	} else {
		name, g = foreignInput(t, dir)
	}
	got, err := take(name)
	checkRefusal(t, err, want.Error)
	checkFailures(t, got.Failures, want)
	checkStore(t, m, want, g)
	again, err := take(name)
	checkRefusal(t, err, want.Error)
	if again.Messages > 0 || len(again.Failures) != len(got.Failures) {
		t.Errorf("importing again: %+v", again)
	}
	checkStore(t, m, want, g)
}

// like reports whether a text has each of the words, of which each has alternatives.
func like(text string, words []string) bool {
	for _, alternatives := range words {
		if !slices.ContainsFunc(strings.Split(alternatives, "|"), func(w string) bool {
			return strings.Contains(strings.ToLower(text), strings.ToLower(w))
		}) {
			return false
		}
	}
	return true
}

func checkRefusal(t *testing.T, err error, words []string) {
	t.Helper()
	if (err != nil) != (len(words) > 0) || err != nil && !like(err.Error(), words) {
		t.Errorf("the error is %v, want one with %q", err, words)
	}
}

func checkFailures(t *testing.T, got []*foreign.Failure, want wanted) {
	t.Helper()
	var failed, skipped []string
	for _, f := range got {
		if f.Empty() {
			skipped = append(skipped, f.ID+" "+f.Error())
		} else {
			failed = append(failed, f.ID+" "+f.Error())
		}
	}
	for _, kind := range []struct {
		name string
		got  []string
		want []wantedFailure
	}{{"failed", failed, want.Failed}, {"skipped", skipped, want.Skipped}} {
		for _, w := range kind.want {
			words := append([]string{}, w.Words...)
			if w.ID != "" || w.Title != "" {
				words = append(words, strings.Trim(w.ID+"|"+w.Title, "|"))
			}
			if !slices.ContainsFunc(kind.got, func(s string) bool { return like(s, words) }) {
				t.Errorf("%s: %q has none with %q", kind.name, kind.got, words)
			}
		}
		if len(kind.got) != len(kind.want) {
			t.Errorf("%s: %d, want %d: %q", kind.name, len(kind.got), len(kind.want), kind.got)
		}
	}
}

func checkStore(t *testing.T, m *manager.Manager, want wanted, g generation) {
	t.Helper()
	sessions, _, err := m.Lookup().Sessions(t.Context(), luna, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range sessions {
		for _, r := range must(m.Lookup().Records(t.Context(), luna, s.ID))(t) {
			fmt.Fprintln(&all, s.Title, r.Content)
		}
	}
	for _, absent := range want.Absent {
		if strings.Contains(all.String(), absent) {
			t.Errorf("%q was imported", absent)
		}
	}
	if len(sessions) != len(want.Conversations) {
		t.Errorf("%d sessions, want %d", len(sessions), len(want.Conversations))
	}
	for _, w := range want.Conversations {
		at := slices.IndexFunc(sessions, func(s memory.Session) bool {
			return w.ID != "" && s.Imported.ID == w.ID || w.ID == "" && w.Title != nil && s.Title == *w.Title
		})
		if at < 0 {
			t.Errorf("no session for %q", w.ID)
			continue
		}
		checkSession(t, m, sessions[at], w, g)
	}
}

func checkSession(t *testing.T, m *manager.Manager, s memory.Session, want wantedConversation, g generation) {
	t.Helper()
	switch {
	case want.Title != nil && s.Title != *want.Title:
		t.Errorf("%s: title %q, want %q", want.ID, s.Title, *want.Title)
	case !want.Created.IsZero() && !sameMilli(s.CreatedAt, want.Created):
		t.Errorf("%s: created %v, want %v", want.ID, s.CreatedAt, want.Created)
	case !want.Updated.IsZero() && !sameMilli(s.Imported.UpdatedAt, want.Updated):
		t.Errorf("%s: updated %v, want %v", want.ID, s.Imported.UpdatedAt, want.Updated)
	}
	shown := must(m.Lookup().Branch(t.Context(), luna, s.ID))(t).Records
	sameMessages(t, want.ID, shown, want.Messages, g)
	if want.Model != nil {
		model := ""
		for _, r := range shown {
			if r.Model != "" {
				model = r.Model
			}
		}
		if model != *want.Model {
			t.Errorf("%s: model %q, want %q", want.ID, model, *want.Model)
		}
	}
	others := otherBranches(must(m.Lookup().Records(t.Context(), luna, s.ID))(t), shown)
	if len(others) != len(want.Branches) {
		t.Errorf("%s: %d other branches, want %d", want.ID, len(others), len(want.Branches))
	}
	for i, w := range want.Branches {
		if !slices.ContainsFunc(others, func(b []memory.Record) bool { return branchFault(b, w, g) == "" }) {
			t.Errorf("%s: other branch %d is missing", want.ID, i)
			for _, b := range others {
				t.Log(branchFault(b, w, g))
			}
		}
	}
}

// otherBranches returns the branches that are not shown, from first message to last.
func otherBranches(records, shown []memory.Record) (out [][]memory.Record) {
	byID, parents := map[string]memory.Record{}, map[string]bool{}
	for _, r := range records {
		byID[r.ID] = r
		parents[r.ParentID] = true
	}
	for _, r := range records {
		if parents[r.ID] || len(shown) > 0 && r.ID == shown[len(shown)-1].ID {
			continue
		}
		var branch []memory.Record
		for id := r.ID; id != ""; id = byID[id].ParentID {
			branch = append(branch, byID[id])
		}
		slices.Reverse(branch)
		out = append(out, branch)
	}
	return out
}

func sameMilli(a, b time.Time) bool {
	d := a.Sub(b)
	return d.Abs() <= time.Millisecond
}

func sameMessages(t *testing.T, where string, got []memory.Record, want []wantedMessage, g generation) {
	t.Helper()
	if fault := branchFault(got, want, g); fault != "" {
		t.Errorf("%s: %s", where, fault)
	}
}

// joined joins neighbouring messages of tools.
func joined(records []memory.Record) (out []memory.Record) {
	for _, r := range records {
		if n := len(out) - 1; n >= 0 && r.Role == memory.RoleTool && out[n].Role == memory.RoleTool {
			out[n].Content += "\n" + r.Content
			continue
		}
		out = append(out, r)
	}
	return out
}

func branchFault(got []memory.Record, want []wantedMessage, g generation) string {
	got = joined(got)
	var wants []wantedMessage
	for _, w := range want {
		for i := range w.Chain {
			text := "message " + strconv.Itoa(i+1)
			wants = append(wants, wantedMessage{Role: []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2], Text: &text})
		}
		if w.Chain == 0 {
			wants = append(wants, w)
		}
	}
	if len(got) != len(wants) {
		said := []string{}
		for _, r := range got[:min(len(got), 20)] {
			said = append(said, string(r.Role)+": "+r.Content[:min(len(r.Content), 60)])
		}
		return fmt.Sprintf("%d messages, want %d: %q", len(got), len(wants), said)
	}
	for i, w := range wants {
		if fault := messageFault(got[i], w, g); fault != "" {
			return fmt.Sprintf("message %d: %s", i, fault)
		}
	}
	return ""
}

// unescaped returns a text with the escapes of JSON resolved.
func unescaped(s string) string {
	return regexp.MustCompile(`\\(n|t|"|\\)`).ReplaceAllStringFunc(s, func(e string) string {
		return map[string]string{`\n`: "\n", `\t`: "\t", `\"`: `"`, `\\`: `\`}[e]
	})
}

func messageFault(got memory.Record, want wantedMessage, g generation) string {
	text := got.Content
	if want.Speaker != "" {
		var found bool
		if text, found = strings.CutPrefix(text, want.Speaker+": "); !found {
			return fmt.Sprintf("%q does not begin with the speaker %q", text, want.Speaker)
		}
	}
	switch {
	case got.Role != want.Role:
		return fmt.Sprintf("role %s, want %s (%q)", got.Role, want.Role, text)
	case want.Generated && text != strings.Repeat(g.Unit, g.Times):
		return fmt.Sprintf("%d bytes, want the generated text", len(text))
	case want.Text != nil && len(want.Attachments)+len(want.Pasted) == 0 && text != *want.Text:
		return fmt.Sprintf("text %q, want %q", text, *want.Text)
	case want.Text != nil && !strings.HasPrefix(text, *want.Text):
		return fmt.Sprintf("text %q, want it to begin with %q", text, *want.Text)
	case !want.Time.IsZero() && !sameMilli(got.Timestamp, want.Time):
		return fmt.Sprintf("time %v, want %v", got.Timestamp, want.Time)
	case want.Model != nil && got.Model != *want.Model:
		return fmt.Sprintf("model %q, want %q", got.Model, *want.Model)
	case got.Reasoning != nil && len(want.Reasoning) == 0:
		return fmt.Sprintf("reasoning %q, want none", got.Reasoning.Text)
	case got.Reasoning == nil && len(want.Reasoning) > 0:
		return fmt.Sprintf("no reasoning, want %q", want.Reasoning)
	}
	for _, part := range want.Contains {
		if !strings.Contains(text, part) && !strings.Contains(unescaped(text), part) {
			return fmt.Sprintf("text %q, want it to contain %q", text, part)
		}
	}
	for _, part := range want.Reasoning {
		if !strings.Contains(got.Reasoning.Text, part) {
			return fmt.Sprintf("reasoning %q, want it to contain %q", got.Reasoning.Text, part)
		}
	}
	_, after, _ := strings.Cut(text, "\n")
	if want.Text != nil {
		after = strings.TrimPrefix(text, *want.Text)
	}
	for _, name := range want.Attachments {
		if !strings.Contains(after, name) {
			return fmt.Sprintf("text %q, want it to name %q", text, name)
		}
	}
	var given []string
	for _, s := range got.Spans {
		given = append(given, got.Content[s.Offset:s.Offset+s.Length])
	}
	for _, pasted := range want.Pasted {
		if !slices.Contains(given, pasted) {
			return fmt.Sprintf("pasted %q, want %q", given, pasted)
		}
	}
	return ""
}
