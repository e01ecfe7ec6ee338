package markdown_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"memoria/ui/clean"
	"memoria/ui/term/markdown"
)

var update = flag.Bool("update", false, "write the golden files")

// corpus returns the documents in testdata by name.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	docs := map[string]string{}
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("reading testdata: %v, %d files", err, len(files))
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		docs[strings.TrimSuffix(filepath.Base(file), ".md")] = string(b)
	}
	return docs
}

func TestGolden(t *testing.T) {
	for name, doc := range corpus(t) {
		for _, width := range []int{40, 56, 76, 79} {
			for theme, suffix := range map[markdown.Theme]string{markdown.NoColor: "plain", markdown.Dark: "dark"} {
				if theme == markdown.Dark && width != 76 {
					continue
				}
				file := fmt.Sprintf("%s-%d-%s.golden", name, width, suffix)
				t.Run(file, func(t *testing.T) {
					got := markdown.NewRenderer(width, theme).Render(doc) + "\n"
					got = strings.ReplaceAll(got, "\x1b", "␛")
					path := filepath.Join("testdata", file)
					if *update {
						if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
							t.Fatal(err)
						}
					}
					want, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(string(want), got); diff != "" {
						t.Errorf("%s (-want +got):\n%s", path, diff)
					}
				})
			}
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkRows fails if rows could harm or misalign a screen of that width.
func checkRows(t interface{ Fatalf(string, ...any) }, rows []string, width int) {
	for i, row := range rows {
		if w := clean.Width(row); w > max(width, 2) {
			t.Fatalf("row %d is %d cells wide, want at most %d: %q", i, w, width, row)
		}
		// A joiner whose letter went to the next row shows nothing.
		bare := strings.TrimRight(sgr.ReplaceAllString(row, ""), "\u200c\u200d")
		if safe, _ := clean.Text(bare); safe != bare || strings.ContainsAny(bare, "\n\t") {
			t.Fatalf("row %d is not clean: %q", i, row)
		}
		if on := sgr.FindAllString(row, -1); len(on) > 0 && on[len(on)-1] != "\x1b[m" {
			t.Fatalf("row %d leaves a style on: %q", i, row)
		}
	}
}

func TestRowsAreSafeAndFit(t *testing.T) {
	for name, doc := range corpus(t) {
		for _, theme := range []markdown.Theme{markdown.Dark, markdown.Light, markdown.NoColor} {
			for width := -1; width < 130; width += unlessShort(3, 13) {
				r := markdown.NewRenderer(width, theme)
				rows := r.Lines(doc)
				checkRows(t, rows, width)
				if theme == markdown.NoColor && strings.Contains(strings.Join(rows, ""), "\x1b") {
					t.Fatalf("%s at %d has escape sequences without colour", name, width)
				}
			}
		}
	}
}

func TestRender(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"empty", "", 20, nil},
		{"blank", " \n\n", 20, nil},
		{"paragraphs", "one\n\n\n\ntwo", 20, []string{"one", "", "two"}},
		{"lines stay lines", "one\ntwo  \nthree\\\nfour", 20, []string{"one", "two", "three", "four"}},
		{"chinese list hangs", "- 你好吗，世界很大，风景很美", 16, []string{"• 你好吗，世界很", "  大，风景很美"}},
		{"ordered list hangs", "9. aaa bbb ccc\n10. ddd eee fff", 14, []string{"9. aaa bbb ccc", "10. ddd eee", "    fff"}},
		{"no room to hang", "- 1) text", 10, []string{"• 1)", "  text"}},
		{"loose list", "- a\n\n- b\n- c", 20, []string{"• a", "", "• b", "• c"}},
		{"tasks", "- [x] done\n- [ ] open", 20, []string{"[x] done", "[ ] open"}},
		{"numbered tasks", "1. [x] 第一步\n2. [ ] 第二步：安装依赖，再清理缓存", 24, []string{"1. [x] 第一步", "2. [ ] 第二步：安装依", "       赖，再清理缓存"}},
		{"footnotes stay", "见[^1]和[^2]\n\n[^1]: 附录\n[^2]: https://a.example", 40, []string{"见[^1]和[^2]", "", "[^1]: 附录", "[^2]: https://a.example"}},
		{"long code goes on", "```\nif a  {  return \"中文字符\" }\n```", 16, []string{"  if a  {  retur", "↳ n \"中文字符\" }"}},
		{"code keeps no sign without room", "```\nabcdefghijkl\n```", 8, []string{"abcdefgh", "ijkl"}},
		{"chinese quote", "> 引用：「不闻不若闻之，闻之不若见之。」", 20, []string{"│ 引用：「不闻不若闻", "│ 之，闻之不若见", "│ 之。」"}},
		{"bold beside chinese punctuation", "**重要：**这是**（注）**吧", 40, []string{"**重要：**这是**（注）**吧"}},
		{"link", "[docs](https://go.dev/doc)", 60, []string{"docs (https://go.dev/doc)"}},
		{"link that names itself", "[https://go.dev](https://go.dev)", 60, []string{"https://go.dev"}},
		{"link that names another", "[https://bank.example](https://evil.example/)", 60, []string{"https://bank.example (https://evil.example/)"}},
		{"bare link with a user", "see https://google.com@evil.example/x", 60, []string{"see https://evil.example/x"}},
		{"bare links", "https://go.dev, www.go.dev/x and a@b.example", 60, []string{"https://go.dev, www.go.dev/x and a@b.example"}},
		{"script link", "[click](javascript:alert(1))", 60, []string{"click (javascript:alert(1))"}},
		{"relative link", "[readme](./README.md)", 60, []string{"readme (./README.md)"}},
		{"image", "![a cat](https://c.example/cat.png)", 60, []string{"image: a cat (https://c.example/cat.png)"}},
		{"reference", "[a]\n\n[a]: https://a.example", 60, []string{"a (https://a.example)"}},
		{"html", "<b>x</b> &amp; &lt;i&gt;\n\n<div>\ny\n</div>", 60, []string{"<b>x</b> & <i>", "", "<div>", "y", "</div>"}},
		{"entity that spells an escape", "&#27;[31m &#x202e;x", 60, []string{"\u241b[31m ‹RLO›x"}},
		{"backslashes", `a\,b \; 1\/2 \"x\" \\, \*y\* \`, 60, []string{`a\,b \; 1\/2 \"x\" \, *y* \`}},
		{"break in a cell", "|a|\n|-|\n|x<br>y|", 20, []string{"a", "─", "x", "y"}},
		{"code keeps its spaces", "```\na\n\n  b\tc\n```", 20, []string{"  a", "", "    b c"}},
		{"open fence", "```go\nx := 1", 20, []string{"  x := 1"}},
		{"table of many columns", "|a|b|c|\n|-|-|-|\n|looooong|looooooong|loooooong|", 14, []string{"a: looooong", "b: looooooong", "c: loooooong"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := markdown.NewRenderer(tt.width, markdown.NoColor).Lines(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Lines(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestTableBordersAreStraight(t *testing.T) {
	doc := corpus(t)["chinese"]
	table := doc[strings.Index(doc, "| 名称"):strings.Index(doc, "```")]
	for width := 24; width < 90; width += 3 {
		rows := markdown.NewRenderer(width, markdown.NoColor).Lines(table)
		want := ""
		for i, row := range rows {
			at := ""
			for j, r := range row {
				if r == '│' || r == '┼' {
					at += fmt.Sprint(clean.Width(row[:j]), " ")
				}
			}
			if i == 0 {
				want = at
			}
			if at != want {
				t.Errorf("width %d: borders of row %d at %s, want %s:\n%s", width, i, at, want, strings.Join(rows, "\n"))
			}
		}
	}
}

func TestCodeIsHighlighted(t *testing.T) {
	md := "```go\nfunc main() {}\n```"
	dark := markdown.NewRenderer(40, markdown.Dark).Render(md)
	if got, want := ansi.Strip(dark), "  func main() {}"; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
	if light := markdown.NewRenderer(40, markdown.Light).Render(md); strings.Count(dark, "\x1b[") < 4 || light == dark {
		t.Errorf("colours: dark %q, light %q", dark, light)
	}
}

// The word before the text of an image is the caller's, here and in what grows.
func TestImageWord(t *testing.T) {
	plain := markdown.NewRenderer(40, markdown.NoColor)
	if got := plain.WithImage("图片：").Render("![一只猫](https://c.example/cat.png)"); got != "图片：一只猫 (https://c.example/cat.png)" {
		t.Errorf("%q", got)
	}
	if got := plain.Render("![a cat](c.png)"); got != "image: a cat (c.png)" {
		t.Errorf("%q", got)
	}
}
