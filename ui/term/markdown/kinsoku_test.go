package markdown_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/ui/clean"
	"memoria/ui/clean/oracle"
	"memoria/ui/term/markdown"
)

const noStart, noEnd = "、。，！？：；）】》」』”", "（【《「『“"

// frame is what stands before the text of a row in lists and quotes.
var frame = regexp.MustCompile(`^(?:[│•↳ ]|\d+\. |\[[x ]\] )*`)

// The rules for the ends of rows hold inside lists, quotes, tables, headings
// and footnotes. Code is cut where a row is full.
func TestKinsokuInsideBlocks(t *testing.T) {
	doc := corpus(t)["mixed"]
	fence := regexp.MustCompile("(?s)```go.*?```\n")
	if !fence.MatchString(doc) {
		t.Fatal("no code in the document")
	}
	doc = fence.ReplaceAllString(doc, "")
	for width := 44; width <= 140; width++ {
		for _, row := range markdown.NewRenderer(width, markdown.NoColor).Lines(doc) {
			cells := []string{frame.ReplaceAllString(row, "")}
			if strings.Contains(row, " │ ") && !strings.HasPrefix(row, "│") {
				cells = strings.Split(row, "│")
			}
			for _, cell := range cells {
				cell = strings.TrimSpace(cell)
				first, _ := utf8.DecodeRuneInString(cell)
				last, _ := utf8.DecodeLastRuneInString(cell)
				if cell != "" && (strings.ContainsRune(noStart, first) || strings.ContainsRune(noEnd, last)) {
					t.Errorf("width %d: %q", width, row)
				}
			}
		}
	}
}

// Nothing of a code block is lost however narrow it is.
func TestCodeIsWhole(t *testing.T) {
	doc := corpus(t)["mixed"]
	code := markdown.Codes(doc)[0]
	want := strings.ReplaceAll(code, "\u200d", "")
	for width := 2; width <= 140; width++ {
		for _, theme := range []markdown.Theme{markdown.NoColor, markdown.Dark} {
			var got strings.Builder
			for i, row := range markdown.NewRenderer(width, theme).Lines("```go\n" + code + "\n```") {
				row = sgr.ReplaceAllString(row, "")
				switch cut, more := strings.CutPrefix(row, "↳ "); {
				case width < 10:
					got.WriteString(row)
				case more:
					got.WriteString(cut)
				default:
					if i > 0 {
						got.WriteByte('\n')
					}
					got.WriteString(strings.TrimPrefix(row, "  "))
				}
			}
			expect := want
			if width < 10 { // no room for signs
				expect = strings.ReplaceAll(want, "\n", "")
			}
			if got.String() != expect {
				t.Fatalf("width %d:\n got %q\nwant %q", width, got.String(), expect)
			}
		}
	}
}

// Borders of tables and of a panel at the right stand where they were counted,
// in a real terminal, whatever emoji stand before them.
func TestBordersStandInATerminal(t *testing.T) {
	var rows []string
	for _, width := range []int{40, 56, 76, 79} {
		for _, name := range []string{"mixed", "chinese", "hostile"} {
			for _, row := range markdown.NewRenderer(width, markdown.Dark).Lines(corpus(t)[name]) {
				if w := clean.Width(row); w > width {
					t.Fatalf("row of %d cells: %q", w, row)
				}
				rows = append(rows, row+strings.Repeat(" ", width-clean.Width(row))+fmt.Sprintf("│ panel %d", width))
			}
		}
	}
	oracle.Straight(t, clean.Width, rows)
}

func TestRowsSatisfyTheOracle(t *testing.T) {
	for name, doc := range corpus(t) {
		for _, width := range []int{2, 40, 79} {
			t.Run(fmt.Sprint(name, width), func(t *testing.T) {
				oracle.Check(t, oracle.Styled, markdown.NewRenderer(width, markdown.Dark).Render(doc))
				oracle.Check(t, oracle.Plain, markdown.NewRenderer(width, markdown.NoColor).Render(doc))
			})
		}
	}
}
