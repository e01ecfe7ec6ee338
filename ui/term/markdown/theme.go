package markdown

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	"github.com/alecthomas/chroma/v2"
)

// Theme chooses the colours of a [Renderer].
type Theme uint8

// The themes. NoColor writes no escape sequences and marks emphasis and code with the
// characters of Markdown, for pipes, files and NO_COLOR.
const (
	Dark Theme = iota
	Light
	NoColor
)

// face is the look of a run of text. The zero face is the terminal's default.
type face struct {
	fg, bg                                         string // SGR parameters, "" for the terminal's default
	bold, italic, underline, strike, faint, invert bool
	before, after                                  string // written around the run, in its face
}

// on returns f with everything it leaves unset taken from base, the face of the surrounding
// text.
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

// sgr returns the sequence that turns the face on, or "" for the terminal's default.
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

// sheet is a prepared theme: one face for each kind of text.
type sheet struct {
	heading                              [6]face
	strong, emphasis, struck             face
	code, codeBlock                      face
	link, linkText, image, html          face
	bar, bullet, rule, border, tableHead face
	tokens                               *chroma.Style // nil without highlighting
	tokenFaces                           map[chroma.TokenType]string
	ticked, unticked                     string // the boxes of task lists
	imageWord                            string // before the text of an image
}

// newSheet reads the faces from Glamour's style sheet for the theme. Body text keeps
// the terminal's own colour. Glamour's padding with no-break spaces is omitted, since
// it would be copied along.
func newSheet(t Theme) sheet {
	cfg := styles.DarkStyleConfig
	switch t {
	case Light:
		cfg = styles.LightStyleConfig
	case NoColor:
		cfg = styles.ASCIIStyleConfig
	}
	s := sheet{
		strong:    faceOf(cfg.Strong),
		emphasis:  faceOf(cfg.Emph),
		struck:    faceOf(cfg.Strikethrough),
		code:      unpadded(faceOf(cfg.Code.StylePrimitive)),
		codeBlock: colours(cfg.CodeBlock.StylePrimitive),
		link:      faceOf(cfg.Link),
		linkText:  faceOf(cfg.LinkText),
		image:     colours(cfg.ImageText),
		html:      colours(cfg.ImageText),
		rule:      colours(cfg.HorizontalRule),
		ticked:    cfg.Task.Ticked,
		unticked:  cfg.Task.Unticked,
		imageWord: "image: ",
	}
	s.bar, s.border, s.bullet = s.rule, s.rule, colours(cfg.Heading.StylePrimitive)
	s.tableHead = s.strong
	s.tableHead.before, s.tableHead.after = "", ""
	if t != NoColor {
		s.bullet.bold = false
		s.tokens = tokenStyle(cfg.CodeBlock.Chroma)
	}
	if s.tokens != nil {
		s.tokenFaces = make(map[chroma.TokenType]string, len(chroma.StandardTypes))
		for t := range chroma.StandardTypes {
			s.tokenFaces[t] = s.tokenFace(t)
		}
	}
	general := colours(cfg.Heading.StylePrimitive)
	for i, h := range []ansi.StyleBlock{cfg.H1, cfg.H2, cfg.H3, cfg.H4, cfg.H5, cfg.H6} {
		s.heading[i] = colours(h.StylePrimitive).on(general)
		s.heading[i].before = strings.Repeat("#", i+1) + " "
	}
	return s
}

// faceOf converts one of Glamour's styles with its prefix and suffix.
func faceOf(p ansi.StylePrimitive) face {
	f := colours(p)
	f.before = p.BlockPrefix + p.Prefix
	f.after = p.Suffix + p.BlockSuffix
	return f
}

// colours converts one of Glamour's styles without its prefix and suffix.
func colours(p ansi.StylePrimitive) face {
	on := func(b *bool) bool { return b != nil && *b }
	return face{
		fg: colour(p.Color, 38), bg: colour(p.BackgroundColor, 48),
		bold: on(p.Bold), italic: on(p.Italic), underline: on(p.Underline),
		strike: on(p.CrossedOut), faint: on(p.Faint), invert: on(p.Inverse),
	}
}

// unpadded returns f without spaces around before and after.
func unpadded(f face) face {
	f.before = strings.Trim(f.before, "\u00a0 ")
	f.after = strings.Trim(f.after, "\u00a0 ")
	return f
}

// colour converts a style sheet's colour, "#rrggbb" or a number of the 256-colour
// palette, to SGR parameters. plane is 38 for foreground, 48 for background.
func colour(c *string, plane int) string {
	if c == nil {
		return ""
	}
	if n, err := strconv.ParseUint(*c, 10, 8); err == nil {
		return fmt.Sprintf("%d;5;%d", plane, n)
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(*c, "#"), 16, 32); err == nil && len(*c) == 7 {
		return fmt.Sprintf("%d;2;%d;%d;%d", plane, n>>16, n>>8&0xff, n&0xff)
	}
	return ""
}

// tokenStyle creates the highlighting style from one of Glamour's style sheets without
// registering it: chroma's registry is a global map.
func tokenStyle(c *ansi.Chroma) *chroma.Style {
	if c == nil {
		return nil
	}
	entries := chroma.StyleEntries{}
	for token, p := range map[chroma.TokenType]ansi.StylePrimitive{
		chroma.Text: c.Text, chroma.Error: c.Text, chroma.Comment: c.Comment, chroma.CommentPreproc: c.CommentPreproc,
		chroma.Keyword: c.Keyword, chroma.KeywordReserved: c.KeywordReserved, chroma.KeywordNamespace: c.KeywordNamespace,
		chroma.KeywordType: c.KeywordType, chroma.Operator: c.Operator, chroma.Punctuation: c.Punctuation,
		chroma.Name: c.Name, chroma.NameBuiltin: c.NameBuiltin, chroma.NameTag: c.NameTag,
		chroma.NameAttribute: c.NameAttribute, chroma.NameClass: c.NameClass, chroma.NameConstant: c.NameConstant,
		chroma.NameDecorator: c.NameDecorator, chroma.NameException: c.NameException, chroma.NameFunction: c.NameFunction,
		chroma.NameOther: c.NameOther, chroma.Literal: c.Literal, chroma.LiteralNumber: c.LiteralNumber,
		chroma.LiteralDate: c.LiteralDate, chroma.LiteralString: c.LiteralString, chroma.LiteralStringEscape: c.LiteralStringEscape,
		chroma.GenericDeleted: c.GenericDeleted, chroma.GenericEmph: c.GenericEmph, chroma.GenericInserted: c.GenericInserted,
		chroma.GenericStrong: c.GenericStrong, chroma.GenericSubheading: c.GenericSubheading,
	} {
		entries[token] = entry(p)
	}
	style, err := chroma.NewStyle("glamour", entries)
	if err != nil {
		return nil
	}
	return style
}

// entry converts one of Glamour's styles to the notation of a chroma style entry.
func entry(p ansi.StylePrimitive) string {
	var words []string
	if p.Color != nil {
		words = append(words, *p.Color)
	}
	if p.Bold != nil && *p.Bold {
		words = append(words, "bold")
	}
	if p.Italic != nil && *p.Italic {
		words = append(words, "italic")
	}
	if p.Underline != nil && *p.Underline {
		words = append(words, "underline")
	}
	return strings.Join(words, " ")
}
