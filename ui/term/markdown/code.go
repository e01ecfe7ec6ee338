package markdown

import (
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"

	"memoria/ui/clean"
)

const codeIndent = 2

// Code beyond these limits is not coloured: the lexers are regular expressions, run at
// 4 MB/s at best, and may backtrack.
const (
	maxHighlight      = 64 << 10 // bytes of a piece
	maxHighlightLine  = 1 << 10  // bytes of a line
	maxHighlightLines = 2000     // lines of a block; later ones are not coloured
)

// Lexing costs about 0.2 ms a line. So code is coloured in pieces that depend on
// nothing after them, and no line is lexed more than twice while it streams in.
const (
	minPiece = 32 // a piece has at least so many lines
	maxPiece = 96 // and at most so many
)

// modal are the languages in which the start of a file determines how to read the rest;
// they are always one piece.
var modal = []string{"PHP", "PHTML", "HTML", "XML", "vue", "Svelte", "Twig", "Django/Jinja", "ERB", "Go HTML Template", "markdown"}

// codeBlock returns the rows of a code block, indented by two cells.
func (p *painter) codeBlock(n ast.Node, lang, code string, width int) []string {
	indent := codeIndent
	if width-indent < minWidth {
		indent = 0
	}
	lines := p.nextCode().update(p.sheet, lang, strings.TrimSuffix(code, "\n"), n == p.growing)
	rows := make([]string, 0, len(lines)+8)
	for _, line := range lines {
		rows = append(rows, line.wrap(p.sheet, width, indent)...)
	}
	return rows
}

// nextCode returns the cache for the next code block of the source, in order.
func (p *painter) nextCode() *code {
	if p.seen == len(*p.codes) {
		*p.codes = append(*p.codes, &code{})
	}
	p.seen++
	return (*p.codes)[p.seen-1]
}

// code is one code block with its colours. As the block streams in, update is called
// repeatedly and lexes only the new text.
type code struct {
	lang    string
	lexer   chroma.Lexer // nil without colours
	src     string       // the code at the last update
	whole   bool         // lines are the colours of src as a finished block
	pieces  int          // bytes of src in finished pieces
	settled int          // lines in finished pieces
	lines   []*codeLine
}

// codeLine is a line of code with its rows at one width.
type codeLine struct {
	src, text string
	width     int
	rows      []string
}

// wrap returns the rows of the line. It is cut where a row is full, so that every space
// is visible. A sign marks the rows that continue a line.
func (l *codeLine) wrap(s *sheet, width, indent int) []string {
	if l.width == width {
		return l.rows
	}
	l.rows, l.width = clean.CutStyled(l.text, width-indent), width
	before := strings.Repeat(" ", indent)
	for i, row := range l.rows {
		if row != "" {
			l.rows[i] = before + row
		}
		if i == 0 && indent == codeIndent {
			before = s.rule.paint("↳") + " "
		}
	}
	return l.rows
}

// update returns the lines of the block, whose text is src. While it grows, lines after
// the last finished piece are coloured one by one, and the last line is plain, since it
// may be incomplete.
func (c *code) update(s *sheet, lang, src string, grows bool) []*codeLine {
	if c.lines != nil && lang == c.lang && src == c.src && (c.whole || grows) {
		return c.lines
	}
	if c.lines == nil || lang != c.lang || len(src) < c.pieces || src[:c.pieces] != c.src[:c.pieces] {
		*c = code{lang: lang, lexer: s.lexer(lang)}
	}
	c.src, c.whole = src, !grows
	for {
		n := pieceEnd(src[c.pieces:], c.lexer)
		if n < 0 {
			break
		}
		c.put(c.settled, s.colour(c.lexer, src[c.pieces:c.pieces+n-1]), src[c.pieces:c.pieces+n-1])
		c.pieces += n
		c.settled = len(c.lines)
		if c.settled > maxHighlightLines {
			c.lexer = nil
		}
	}
	rest := src[c.pieces:]
	if c.whole {
		c.put(c.settled, s.colour(c.lexer, rest), rest)
		return c.lines
	}
	c.preview(s, strings.Split(rest, "\n"))
	return c.lines
}

// put replaces the lines from index at on.
func (c *code) put(at int, texts []string, src string) {
	c.lines = c.lines[:at]
	i := 0
	for line := range strings.SplitSeq(src, "\n") {
		c.lines = append(c.lines, &codeLine{src: line, text: texts[i]})
		i++
	}
}

// preview replaces the lines after the finished pieces, each coloured alone. A line
// that did not change is kept, except the last one, which was drawn plain.
func (c *code) preview(s *sheet, lines []string) {
	kept := 0
	for known := c.lines[c.settled:]; kept < len(known)-1 && kept < len(lines)-1; kept++ {
		if known[kept].src != lines[kept] {
			break
		}
	}
	c.lines = c.lines[:c.settled+kept]
	last := len(lines) - 1
	for _, line := range lines[kept:last] {
		c.lines = append(c.lines, &codeLine{src: line, text: s.colour(c.lexer, line)[0]})
	}
	c.lines = append(c.lines, &codeLine{src: lines[last], text: s.codeBlock.paint(lines[last])})
}

// pieceEnd returns the length of the first piece of src with its newline, or -1 if the
// piece may continue. A piece ends after an empty line, before a line without
// indentation, and outside comments and strings that span lines, as far as counting
// their marks can tell.
func pieceEnd(src string, l chroma.Lexer) int {
	if l == nil || slices.Contains(modal, l.Config().Name) {
		return -1
	}
	lines, empty := 0, false
	for at := 0; ; lines++ {
		line, _, more := strings.Cut(src[at:], "\n")
		if lines == maxPiece {
			return at
		}
		if lines >= minPiece && empty && line != "" && !strings.ContainsRune(" \t})]", rune(line[0])) && balanced(src[:at]) {
			return at
		}
		if !more {
			return -1
		}
		empty = strings.TrimSpace(line) == ""
		at += len(line) + 1
	}
}

func balanced(s string) bool {
	for _, mark := range []string{`"""`, `'''`, "`"} {
		if strings.Count(s, mark)%2 != 0 {
			return false
		}
	}
	return strings.Count(s, "/*") == strings.Count(s, "*/") && strings.Count(s, "<!--") == strings.Count(s, "-->")
}

// lexer returns the lexer for the language of a fence, or nil.
func (s *sheet) lexer(lang string) chroma.Lexer {
	if lang == "" || len(lang) > 32 || s.tokens == nil {
		return nil
	}
	l := lexers.Get(lang)
	if l == nil {
		return nil
	}
	return chroma.Coalesce(l)
}

// colour returns the lines of a piece of cleaned code in colour. Code without a lexer,
// or beyond the limits, has the plain face of code blocks.
func (s *sheet) colour(l chroma.Lexer, code string) []string {
	if l != nil && len(code) <= maxHighlight && longestLine(code) <= maxHighlightLine {
		if lines, ok := s.tokenise(l, code); ok {
			return lines
		}
	}
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		lines[i] = s.codeBlock.paint(line)
	}
	return lines
}

// tokenise runs the lexer. ok is false if it failed or if its tokens differ from the
// code, so that a bug in one of some 250 lexers cannot hide text.
func (s *sheet) tokenise(l chroma.Lexer, code string) (lines []string, ok bool) {
	defer func() {
		if recover() != nil { // lexers panic on errors in their rules
			lines, ok = nil, false
		}
	}()
	tokens, err := l.Tokenise(nil, code)
	if err != nil {
		return nil, false
	}
	var (
		line strings.Builder
		at   int
	)
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if !strings.HasPrefix(code[at:], t.Value) {
			// The lexer may have added a newline at the end.
			if code[at:]+"\n" != t.Value {
				return nil, false
			}
			t.Value = code[at:]
		}
		at += len(t.Value)
		on := s.token(t.Type)
		for {
			head, rest, more := strings.Cut(t.Value, "\n")
			if on == "" || head == "" {
				line.WriteString(head)
			} else {
				line.WriteString(on)
				line.WriteString(head)
				line.WriteString("\x1b[m")
			}
			if !more {
				break
			}
			lines = append(lines, line.String())
			line.Reset()
			t.Value = rest
		}
	}
	return append(lines, line.String()), at == len(code)
}

// token returns the sequence that turns on the face of a token type.
func (s *sheet) token(t chroma.TokenType) string {
	if on, known := s.tokenFaces[t]; known {
		return on
	}
	return s.tokenFace(t)
}

func (s *sheet) tokenFace(t chroma.TokenType) string {
	e := s.tokens.Get(t)
	f := face{bold: e.Bold == chroma.Yes, italic: e.Italic == chroma.Yes, underline: e.Underline == chroma.Yes}
	if e.Colour.IsSet() {
		c := e.Colour.String()
		f.fg = colour(&c, 38)
	}
	return f.sgr()
}

func longestLine(s string) int {
	longest := 0
	for line := range strings.SplitSeq(s, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}
