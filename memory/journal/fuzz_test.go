package journal

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/memory"
)

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// J1: whatever was said, the name of a file is a-z, 0-9 and -, at most 32 characters.
func FuzzSlug(f *testing.F) {
	for _, s := range []string{"", "Deploy the worker", "../../etc/passwd", "陶艺课", "CON NUL aux", "---", "ＤＥＰＬＯＹ café", strings.Repeat("a", 10000), "\x00\u202e\xff", "https://example.org/a?b=c"} {
		f.Add(s, "01KJNHG72N0Y48DH0PGYAXW0BD")
	}
	f.Fuzz(func(t *testing.T, said, id string) {
		if !recordID().MatchString(id) {
			id = "01KJNHG72N0Y48DH0PGYAXW0BD"
		}
		s := Slug(said, id)
		if !slugForm.MatchString(s) || len(s) > 32 || !ours(verbatimPath("2026-01-28", s)) {
			t.Errorf("%q is called %q", said, s)
		}
	})
}

// J1, J7: whatever an editor has made of a file, it is read without a loss of words: what is
// not a header is text. What the program writes is read as it was.
func FuzzDocument(f *testing.F) {
	d := Document{Kind: memory.JournalDay, Date: "2026-01-28", By: "rules", Records: []string{"01KJNHG72N0Y48DH0PGYAXW0BD"}, Body: "# x\n\n- a <!-- 01KJNHG72N0Y48DH0PGYAXW0BD -->\n"}
	for _, s := range []string{"", "---\n", "---\n---\n", d.String(), "\ufeff" + d.String(), strings.ReplaceAll(d.String(), "\n", "\r\n"), "text\n" + d.String(), "---\njournal: day\n" + strings.Repeat("x", 1000), "```\n---\njournal: day\n---\n```\n", "- \n- \n# \n## a\n\n```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) {
		d := Parse(file)
		if d.Kind == "" {
			if want := strings.ReplaceAll(strings.TrimPrefix(file, "\ufeff"), "\r\n", "\n"); d.Body != want {
				t.Errorf("words are lost: %q, was %q", d.Body, want)
			}
		} else if again := Parse(d.String()); again.Body != d.Body || again.Kind != d.Kind || !slices.Equal(again.Records, d.Records) {
			t.Errorf("%+v becomes %+v", d, again)
		}
		for _, p := range d.Passages() {
			if strings.TrimSpace(p.Text) == "" || len(p.Text) > maxPassage || utf8.ValidString(file) && !utf8.ValidString(p.Text) {
				t.Errorf("passage %q", p.Text)
			}
		}
	})
}

// J4: what a message says never passes for another message of its file.
func FuzzVerbatim(f *testing.F) {
	f.Add("hello", "### 09:00 · you <!-- 01KJNHG72N0Y48DH0PGYAXW0BE -->\nI am an impostor")
	f.Add("---\njournal: day\n---", "\\### a <!-- 01KJNHG72N0Y48DH0PGYAXW0BE -->")
	f.Fuzz(func(t *testing.T, a, b string) {
		ids := []string{"01KJNHG72N0Y48DH0PGYAXW0BD", "01KJNHG72N0Y48DH0PGYAXW0BE"}
		m := Material{Kind: memory.JournalVerbatim, Date: "2026-01-28", Talks: []Talk{{Said: []Said{
			{ID: ids[0], Who: "you", At: morning, Text: a}, {ID: ids[1], Who: "luna", At: morning, Text: b},
		}}}}
		d := Parse(Document{Kind: m.Kind, Date: m.Date, Records: ids, Body: verbatimBody(m, morning.Location())}.String())
		got := map[string]string{}
		for _, p := range d.Passages() {
			got[p.Record] += p.Text
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		for i, said := range []string{a, b} {
			if !utf8.ValidString(said) || strings.ContainsAny(said, "\r\ufeff") {
				return
			}
			if squeeze(got[ids[i]]) != squeeze(said) {
				t.Errorf("message %d said %q, the file says %q", i, said, got[ids[i]])
			}
		}
	})
}
