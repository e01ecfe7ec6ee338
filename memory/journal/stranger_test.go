package journal

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
)

// The cases in testdata were written by an author who knew the specification alone.

func lines[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v: %s", name, err, s.Text())
		}
		out = append(out, v)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// J1: a stranger's contents give names that a stranger expects.
func TestSlugsOfAStranger(t *testing.T) {
	right, wanted := 0, 0
	for _, c := range lines[struct {
		Content string   `json:"content"`
		Any     []string `json:"want_any"`
		Note    string   `json:"note"`
	}](t, "slugs.jsonl") {
		s := Slug(c.Content, "01KJNHG72N0Y48DH0PGYAXW0BD")
		if !slugForm.MatchString(s) || len(s) > 32 {
			t.Errorf("%s: %q", c.Note, s)
		}
		if len(c.Any) == 0 {
			continue
		}
		wanted++
		if slices.ContainsFunc(c.Any, func(w string) bool { return strings.Contains("-"+s+"-", "-"+w+"-") }) {
			right++
		} else {
			t.Logf("%s: %q has none of %v", c.Note, s, c.Any)
		}
	}
	t.Logf("%d of %d names have an expected word", right, wanted)
}

// J7: files as a stranger's editor leaves them lose no words, and no header leads elsewhere.
func TestHeadersOfAStranger(t *testing.T) {
	for _, c := range lines[struct {
		Text    string `json:"text"`
		Note    string `json:"note"`
		Hostile bool   `json:"hostile"`
	}](t, "headers.jsonl") {
		d := Parse(c.Text)
		for _, line := range strings.Split(c.Text, "\n") {
			line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
			if line != "" && d.Kind == "" && !strings.Contains(d.Body, line) {
				t.Errorf("%s: %q is lost", c.Note, line)
			}
		}
		if k := kindOf(d); k != memory.JournalOwn && !validDay(d.Date) && !validMonth(d.Date) {
			t.Errorf("%s: a %s of %q", c.Note, k, d.Date)
		}
		d.Passages()
	}
}

// J6: what was said is found weeks later, in other words, while it is word for word and when
// it is a summary; a question about something else finds nothing.
func TestQueriesOfAStranger(t *testing.T) {
	noRace(t)
	type message struct{ Role, Content string }
	type day struct {
		Date     string
		Messages []message
	}
	cases := lines[struct {
		ID     string `json:"id"`
		Lang   string `json:"lang"`
		Days   []day  `json:"days"`
		Ask    string `json:"ask"`
		Answer string `json:"answer_day"`
		None   bool   `json:"none"`
	}](t, "queries.jsonl")
	type tally struct{ first, any, of int }
	score := map[string]*tally{}
	note := func(key string, first, any bool) {
		if score[key] == nil {
			score[key] = &tally{}
		}
		s := score[key]
		s.of++
		if first {
			s.first++
		}
		if any {
			s.any++
		}
	}
	for _, c := range cases {
		w := newWorld(t, morning)
		for _, d := range c.Days {
			at, err := time.Parse(time.DateOnly, d.Date)
			w.must(err)
			w.now = at.Add(9 * time.Hour)
			s := w.session()
			for _, m := range d.Messages {
				w.now = w.now.Add(time.Minute)
				w.say(s, m.Content, func(r *memory.Record) { r.Role = memory.Role(m.Role) })
			}
		}
		for _, stage := range []string{"word for word", "day", "month"} {
			switch stage {
			case "word for word":
				w.archive(nil)
			case "day":
				last, err := time.Parse(time.DateOnly, c.Days[len(c.Days)-1].Date)
				w.must(err)
				w.now = last.AddDate(0, 0, 8)
				w.archive(w.rules())
			case "month":
				w.now = w.now.AddDate(0, 3, 0)
				w.archive(w.rules())
			}
			hits, err := w.j.Search(context.Background(), Query{Text: c.Ask, Limit: 5})
			w.must(err)
			found := func(h Hit) bool { return h.Date == c.Answer || stage == "month" && h.Date == c.Answer[:7] }
			key := stage + ", " + c.Lang
			if c.None {
				note(key+", none", false, len(hits) > 0)
				continue
			}
			note(key, len(hits) > 0 && found(hits[0]), slices.ContainsFunc(hits, found))
		}
	}
	var keys []string
	for k := range score {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		t.Logf("%-28s first %2d, among five %2d, of %d", k, score[k].first, score[k].any, score[k].of)
	}
}

// J7: whatever a stranger has made of a file that the program wants to write, his words stay, and
// the program's words are written where he changed nothing.
func TestEditsOfAStranger(t *testing.T) {
	for i, c := range lines[struct {
		Before  string `json:"before"`
		Program string `json:"program"`
		User    string `json:"user"`
		Note    string `json:"note"`
	}](t, "edits.jsonl") {
		d := disk{t.TempDir()}
		p := "memory/2026-01-28-tea.md"
		if _, err := d.replace(p, c.Before); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(d.file(p), []byte(c.User), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := d.replace(p, c.Program, sumOf([]byte(c.Before)))
		want := c.User
		if c.User == c.Before {
			want = c.Program
		}
		if b, _ := os.ReadFile(d.file(p)); string(b) != want || (err == nil) != (c.User == c.Before) {
			t.Errorf("%d, %s: %v, the file is\n%s", i, c.Note, err, b)
		}
	}
}
