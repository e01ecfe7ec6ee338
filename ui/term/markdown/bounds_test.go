package markdown_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memoria/ui/term/markdown"
)

// hostile returns texts of about n bytes that are costly to a naive parser.
func hostile(n int) map[string]string {
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	texts := map[string]string{
		"stars": rep("*"), "openers": rep("*a_ "), "mixed": rep("*a_"), "pairs": rep("a**b"),
		"brackets": rep("["), "links": rep("[a]("), "images": rep("![a]["), "closed": rep("[a]"),
		"quotes": rep(">"), "spaced quotes": rep("> "), "list in list": rep("- "), "numbers": rep("1. "),
		"tags": rep("<a "), "comments": rep("<!-- "), "strikes": rep("~~a "), "ticks": rep("` `` ``` "),
		"pipes": rep("|") + "\n" + rep("-|"), "table": "|a|b|\n|-|-|\n" + rep("|*a|b_|\n"),
		"entities": rep("&amp;"), "addresses": rep("http://a "), "mails": rep("a@b.c "), "escapes": rep("\\"),
		"one line": rep("word "), "one word": rep("x"), "chinese": rep("字，"), "joiners": rep("a\u200d"), "marks": rep("\u0301"),
		"definitions": rep("[a]: b\n"), "returns": rep("a\r"), "code line": "```go\n" + rep("f(x) "), "code": "```go\n" + rep("f(x)\n"),
		"comment": "```go\n/*" + rep("a*\n"), "strings": "```python\n" + rep("\"\"\"\n'"),
	}
	var stairs strings.Builder
	for i := 0; stairs.Len() < n; i++ {
		stairs.WriteString(strings.Repeat("  ", i%200) + "- a\n")
	}
	texts["stairs"] = stairs.String()
	return texts
}

// unlessShort is how much of the same is tried: a full run also has the full, and
// tests of races, which take ten times as long, a part of it.
func unlessShort(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// No input makes a render or a stream hang; BenchmarkHostile has the times.
func TestHostileTextIsBounded(t *testing.T) {
	r := markdown.NewRenderer(76, markdown.Dark)
	for name, text := range hostile(unlessShort(16<<10, 4<<10)) {
		t.Run(name, func(t *testing.T) {
			want := r.Lines(text)
			checkRows(t, want, 76)
			s := markdown.NewStream(r)
			for i := 0; i < len(text); i += 3001 {
				s.Append(text[i:min(i+3001, len(text))])
				s.Lines()
			}
			s.Finish()
			// Not the colours: the lexers give up by the clock.
			if got := ansi.Strip(s.View()); got != ansi.Strip(strings.Join(want, "\n")) {
				t.Errorf("stream and render differ")
			}
		})
	}
}

func TestOneMegabyteLine(t *testing.T) {
	r := markdown.NewRenderer(76, markdown.Dark)
	text := strings.Repeat("word 文字 ", 1<<20/12)
	checkRows(t, r.Lines(text), 76)
}

func TestRendererIsSafeForConcurrentUse(t *testing.T) {
	r := markdown.NewRenderer(60, markdown.Dark)
	docs := corpus(t)
	var wg sync.WaitGroup
	for range 4 {
		for _, doc := range docs {
			wg.Go(func() {
				if r.Render(doc) == "" {
					t.Error("empty render")
				}
			})
		}
	}
	wg.Wait()
}

func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile(100 << 10) {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			r := markdown.NewRenderer(76, markdown.Dark)
			for b.Loop() {
				r.Render(text)
			}
		})
	}
}
