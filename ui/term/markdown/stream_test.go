package markdown_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/term/markdown"
)

// The rows of a stream are those of the whole text, after every delta and at
// the end of every prefix.
func TestStreamEqualsRenderAtEveryPrefix(t *testing.T) {
	for name, doc := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			r := markdown.NewRenderer(50, markdown.Dark)
			s := markdown.NewStream(r)
			from := 0
			for i := range doc {
				s.Append(doc[from:i])
				from = i
				if i%unlessShort(1, 4) != 0 || !utf8.ValidString(doc[:i]) {
					continue
				}
				want := r.Render(doc[:i])
				// Unfinished code may have other colours, never other text.
				if diff := cmp.Diff(ansi.Strip(want), ansi.Strip(s.View())); diff != "" {
					t.Fatalf("after %q (-render +stream):\n%s", doc[:i], diff)
				}
				if i%7 != 0 {
					continue
				}
				s.Finish()
				if diff := cmp.Diff(want, s.View()); diff != "" {
					t.Fatalf("finished after %q (-render +stream):\n%s", doc[:i], diff)
				}
			}
		})
	}
}

// lines are the pieces of generated documents; what they mean depends on what
// stands before them.
var lines = []string{
	"", "", "text", "文字，很长的一行文字。", "# head", "===", "---", "- item", "- ", "* star", "+ plus", "1. one", "2. two", "7) seven",
	"  - nested", "   1. deep", "    code", "\ttab", "  continued", "> quote", "> - in quote", ">> deeper", ">", "```", "```go", "~~~", "x := 1",
	"| a | b |", "|---|:-:|", "| 中 | 文 |", "a | b", "--|--", "<div>", "</div>", "<!-- c", "-->", "<b>x</b>",
	"[a]: https://a.example", "[a]", "[b][a]", "[b]: <x", "  \"title\"", "**bold", "bold**", "`code", "\\", "***", "* * *", "-", "- [ ] task", "- [x] done",
	"&amp;", "www.x.example", " indented", "  ", "- - a", "1.", "[^1]: note", "text  ", "text\\",
}

func document(t *rapid.T) string {
	doc := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 14).Draw(t, "lines"), "\n")
	if rapid.Bool().Draw(t, "newline") {
		doc += "\n"
	}
	return doc
}

func TestStreamProperties(t *testing.T) {
	r := markdown.NewRenderer(30, markdown.Dark)
	rapid.Check(t, func(t *rapid.T) {
		checkStream(t, r, document(t), func(n int) int { return rapid.IntRange(1, n).Draw(t, "delta") })
	})
}

// checkStream feeds doc to a stream in deltas and compares it with a render of
// what was fed, at each step and at the end, and again at another width.
func checkStream(t interface{ Fatalf(string, ...any) }, r *markdown.Renderer, doc string, next func(left int) int) {
	s := markdown.NewStream(r)
	for i := 0; i < len(doc); {
		n := min(next(len(doc)-i), len(doc)-i)
		s.Append(doc[i : i+n])
		i += n
		if utf8.ValidString(doc[:i]) {
			if want, got := ansi.Strip(r.Render(doc[:i])), ansi.Strip(s.View()); want != got {
				t.Fatalf("after %q (-render +stream):\n%s", doc[:i], cmp.Diff(want, got))
			}
		} else {
			s.View()
		}
	}
	s.Finish()
	if want, got := r.Render(doc), s.View(); want != got {
		t.Fatalf("all of %q (-render +stream):\n%s", doc, cmp.Diff(want, got))
	}
	narrow := markdown.NewRenderer(14, r.Theme())
	s.SetWidth(14)
	if want, got := narrow.Render(doc), s.View(); want != got {
		t.Fatalf("narrow %q (-render +stream):\n%s", doc, cmp.Diff(want, got))
	}
	checkRows(t, s.Lines(), 14)
}

func FuzzStream(f *testing.F) {
	for _, doc := range corpus(f) {
		f.Add(doc, uint64(1))
	}
	for i, line := range lines {
		f.Add(line+"\n"+lines[(i*7)%len(lines)]+"\n\n"+line, uint64(i))
	}
	r := markdown.NewRenderer(24, markdown.NoColor)
	f.Fuzz(func(t *testing.T, doc string, seed uint64) {
		if len(doc) > 4<<10 {
			return
		}
		rnd := rand.New(rand.NewPCG(seed, 0))
		checkStream(t, r, doc, func(int) int { return 1 + rnd.IntN(60) })
	})
}

func TestLongCodeStreams(t *testing.T) {
	var b strings.Builder
	b.WriteString("Intro\n\n```go\n")
	for i := range 300 {
		fmt.Fprintf(&b, "func f%d() {\n\treturn \"x\" // 注释\n}\n\n", i)
	}
	b.WriteString("```\n\nEnd\n")
	doc := b.String()
	r := markdown.NewRenderer(60, markdown.Dark)
	s := markdown.NewStream(r)
	step := unlessShort(97, 397)
	for i := 0; i < len(doc); i += step {
		s.Append(doc[i:min(i+step, len(doc))])
		if rows := s.Lines(); i > 5000 && strings.Count(rows[len(rows)/2], "\x1b[") < 2 && strings.TrimSpace(rows[len(rows)/2]) != "" {
			t.Fatalf("no colour in the middle of open code: %q", rows[len(rows)/2])
		}
	}
	s.Finish()
	if diff := cmp.Diff(r.Render(doc), s.View()); diff != "" {
		t.Errorf("finished (-render +stream):\n%s", diff)
	}
}

// A last block too long to be drawn at each delta still shows every word.
func TestLongBlocksShowAllTheTime(t *testing.T) {
	squash := strings.NewReplacer(" ", "", "\n", "", "│", "")
	for name, unit := range map[string]string{"one line": "word 文字，", "lines": "some words 文字\n", "quote": "> some words 文字\n"} {
		t.Run(name, func(t *testing.T) {
			doc := strings.Repeat(unit, 24<<10/len(unit))
			s := markdown.NewStream(markdown.NewRenderer(50, markdown.NoColor))
			step := unlessShort(409, 1637)
			for i := 0; i < len(doc); i += step {
				s.Append(doc[i:min(i+step, len(doc))])
				rows := s.Lines()
				checkRows(t, rows, 50)
				want := strings.TrimRight(strings.ToValidUTF8(doc[:min(i+step, len(doc))], ""), "> \n")
				got := strings.TrimRight(strings.Join(rows, ""), "> ")
				if a, b := squash.Replace(strings.ReplaceAll(want, ">", "")), squash.Replace(strings.ReplaceAll(got, ">", "")); a != b {
					t.Fatalf("after %d bytes %d characters are shown, want %d; end %q, want %q", i, len(b), len(a), b[max(0, len(b)-40):], a[max(0, len(a)-40):])
				}
			}
			s.Finish()
			if diff := cmp.Diff(markdown.NewRenderer(50, markdown.NoColor).Render(doc), s.View()); diff != "" {
				t.Errorf("finished (-render +stream):\n%.1000s", diff)
			}
		})
	}
}

func TestPlainBeyondTheLimit(t *testing.T) {
	long := strings.Repeat("**word** 文字 ", markdown.MaxMarkdown/16)
	doc := long + "\r\n" + strings.Repeat("line\r\n\x1b[31m", 5000)
	r := markdown.NewRenderer(40, markdown.Dark)
	want := r.Lines(doc)
	checkRows(t, want, 40)
	if strings.Contains(want[0], "\x1b") || !strings.HasPrefix(want[0], "**word**") {
		t.Errorf("first row %q is not plain", want[0])
	}
	s := markdown.NewStream(r)
	for i := 0; i < len(doc); i += 100_001 {
		s.Append(doc[i:min(i+100_001, len(doc))])
		s.Lines()
	}
	s.Finish()
	if diff := cmp.Diff(want, s.Lines()); diff != "" {
		t.Errorf("stream (-render +stream):\n%.2000s", diff)
	}
	s.SetWidth(70)
	if diff := cmp.Diff(markdown.NewRenderer(70, markdown.Dark).Lines(doc), s.Lines()); diff != "" {
		t.Errorf("at another width (-render +stream):\n%.2000s", diff)
	}
}
