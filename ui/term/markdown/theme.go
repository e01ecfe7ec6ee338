package markdown

import (
	"fmt"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// Theme chooses the colours of a [Renderer].
type Theme uint8

// The themes. NoColor writes no escape sequence at all and marks emphasis and
// code with the characters of Markdown, for pipes, files and NO_COLOR.
const (
	Dark Theme = iota
	Light
	NoColor
)

// face is how a run of text looks. The zero face is the terminal's own.
type face struct {
	fg, bg                                         string // SGR parameters, "" for the terminal's own
	bold, italic, underline, strike, faint, invert bool
	before, after                                  string // written around the run, with its face
}

// on returns the face of text that has face f inside text that has face base.
func (f face) on(base face) face {
	if f.fg == "" {
		f.fg = base.fg
	}
	if f.bg == "" {
		f.bg = base.bg
	}
	f.bold = f.bold || base.bold
	f.italic = f.italic || base.italic
	f.underline = f.underline || base.underline
	f.strike = f.strike || base.strike
	f.faint = f.faint || base.faint
	f.invert = f.invert || base.invert
	return f
}

// sgr returns the sequence that turns the face on, "" for the terminal's own.
func (f face) sgr() string {
	var b []byte
	add := func(on bool, parameter string) {
		if on {
			b = append(append(b, parameter...), ';')
		}
	}
	add(f.bold, "1")
	add(f.faint, "2")
	add(f.italic, "3")
	add(f.underline, "4")
	add(f.invert, "7")
	add(f.strike, "9")
	add(f.fg != "", f.fg)
	add(f.bg != "", f.bg)
	if len(b) == 0 {
		return ""
	}
	b[len(b)-1] = 'm'
	return "\x1b[" + string(b)
}

// paint returns the cleaned text s in face f.
func (f face) paint(s string) string {
	if on := f.sgr(); on != "" && s != "" {
		return on + s + "\x1b[m"
	}
	return s
}

// sheet is a theme made ready: one face for each kind of text.
type sheet struct {
	heading                              [6]face
	strong, emphasis, struck             face
	code, codeBlock                      face
	link, linkText, image, html          face
	bar, bullet, rule, border, tableHead face
	tokens                               *chroma.Style // nil: code is not highlighted
	tokenFaces                           map[chroma.TokenType]string
	ticked, unticked                     string
}

// palette is the colours of a theme: numbers of the 256-colour palette, and words of a
// chroma style for the tokens of code.
type palette struct {
	title, titleGround, heading, lastHeading int
	code, codeGround, codeBlock              int
	link, linkText, html, rule               int
	tokens                                   chroma.StyleEntries
}

// The palettes have the colours of Glamour's dark and light styles.
var (
	darkPalette = palette{
		title: 228, titleGround: 63, heading: 39, lastHeading: 35, code: 203, codeGround: 236, codeBlock: 244,
		link: 30, linkText: 35, html: 243, rule: 240,
		tokens: chroma.StyleEntries{
			chroma.Text: "#c4c4c4", chroma.Error: "#c4c4c4", chroma.Comment: "#676767", chroma.CommentPreproc: "#ff875f",
			chroma.Keyword: "#00aaff", chroma.KeywordReserved: "#ff5fd2", chroma.KeywordNamespace: "#ff5f87",
			chroma.KeywordType: "#6e6ed8", chroma.Operator: "#ef8080", chroma.Punctuation: "#e8e8a8",
			chroma.Name: "#c4c4c4", chroma.NameBuiltin: "#ff8ec7", chroma.NameTag: "#b083ea", chroma.NameAttribute: "#7a7ae6",
			chroma.NameClass: "bold underline #f1f1f1", chroma.NameDecorator: "#ffff87", chroma.NameFunction: "#00d787",
			chroma.LiteralNumber: "#6eefc0", chroma.LiteralString: "#c69669", chroma.LiteralStringEscape: "#afffd7",
			chroma.GenericDeleted: "#fd5b5b", chroma.GenericEmph: "italic", chroma.GenericInserted: "#00d787",
			chroma.GenericStrong: "bold", chroma.GenericSubheading: "#777777",
		},
	}
	lightPalette = palette{
		title: 228, titleGround: 63, heading: 27, lastHeading: 27, code: 203, codeGround: 254, codeBlock: 242,
		link: 36, linkText: 29, html: 243, rule: 249,
		tokens: chroma.StyleEntries{
			chroma.Text: "#2a2a2a", chroma.Error: "#2a2a2a", chroma.Comment: "#8d8d8d", chroma.CommentPreproc: "#ff875f",
			chroma.Keyword: "#279efc", chroma.KeywordReserved: "#ff5fd2", chroma.KeywordNamespace: "#fb406f",
			chroma.KeywordType: "#7049c2", chroma.Operator: "#ff2626", chroma.Punctuation: "#fa7878",
			chroma.Name: "#2a2a2a", chroma.NameBuiltin: "#0a1bb1", chroma.NameTag: "#581290", chroma.NameAttribute: "#8362cb",
			chroma.NameClass: "bold underline #212121", chroma.NameConstant: "#581290", chroma.NameDecorator: "#a3a322",
			chroma.NameFunction:  "#019f57",
			chroma.LiteralNumber: "#22ccae", chroma.LiteralString: "#7e5b38", chroma.LiteralStringEscape: "#00aeae",
			chroma.GenericDeleted: "#fd5b5b", chroma.GenericEmph: "italic", chroma.GenericInserted: "#00d787",
			chroma.GenericStrong: "bold", chroma.GenericSubheading: "#777777",
		},
	}
)

// newSheet returns the faces of a theme. Body text keeps the terminal's own colour.
func newSheet(t Theme) sheet {
	var s sheet
	switch t {
	case Dark:
		s = darkPalette.sheet()
	case Light:
		s = lightPalette.sheet()
	default:
		s = plainSheet()
	}
	for i := range s.heading {
		s.heading[i].before = strings.Repeat("#", i+1) + " "
	}
	return s
}

// plainSheet returns the faces without colours, which mark text as Markdown does.
func plainSheet() sheet {
	around := func(mark string) face { return face{before: mark, after: mark} }
	return sheet{
		strong: around("**"), emphasis: around("*"), struck: around("~~"), code: around("`"),
		ticked: "[x] ", unticked: "[ ] ",
	}
}

func (p *palette) sheet() sheet {
	fg := func(n int) face { return face{fg: fmt.Sprintf("38;5;%d", n)} }
	onGround := func(f face, n int) face { f.bg = fmt.Sprintf("48;5;%d", n); return f }
	bold := func(f face) face { f.bold = true; return f }
	s := sheet{
		strong: face{bold: true}, emphasis: face{italic: true}, struck: face{strike: true}, tableHead: face{bold: true},
		code: onGround(fg(p.code), p.codeGround), codeBlock: fg(p.codeBlock),
		link: fg(p.link), linkText: bold(fg(p.linkText)), image: fg(p.html), html: fg(p.html),
		rule: fg(p.rule), bar: fg(p.rule), border: fg(p.rule), bullet: fg(p.heading),
		ticked: "[✓] ", unticked: "[ ] ",
	}
	s.link.underline = true
	for i := range s.heading {
		s.heading[i] = bold(fg(p.heading))
	}
	s.heading[0] = onGround(bold(fg(p.title)), p.titleGround)
	s.heading[5] = bold(fg(p.lastHeading))
	// The style is not registered: chroma's registry is a global map.
	style, err := chroma.NewStyle("memoria", p.tokens)
	if err != nil {
		return s // code has no colours; a test compares the faces
	}
	s.tokens = style
	s.tokenFaces = make(map[chroma.TokenType]string, len(chroma.StandardTypes))
	for t := range chroma.StandardTypes {
		s.tokenFaces[t] = s.tokenFace(t)
	}
	return s
}
