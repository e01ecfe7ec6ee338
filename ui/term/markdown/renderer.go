package markdown

import (
	"strings"

	"github.com/yuin/goldmark/parser"
)

// Renderer renders whole texts at one width in one theme. It is immutable and safe for
// concurrent use.
type Renderer struct {
	width  int
	theme  Theme
	sheet  sheet
	full   parser.Parser
	blocks parser.Parser // parses blocks only
}

// NewRenderer returns a renderer for rows of at most width cells. A width below
// 2 counts as 2.
func NewRenderer(width int, theme Theme) *Renderer {
	return &Renderer{
		width: max(width, 2), theme: theme, sheet: newSheet(theme),
		full: newParser(true), blocks: newParser(false),
	}
}

// WithImage returns a renderer that says a word before the text of an image, in place of
// "image: ".
func (r *Renderer) WithImage(word string) *Renderer {
	out := *r
	out.sheet.imageWord = word
	return &out
}

// Width returns the width of the rows in cells.
func (r *Renderer) Width() int { return r.width }

// Theme returns the theme.
func (r *Renderer) Theme() Theme { return r.theme }

// Render returns Markdown as rows joined by newlines, without a final newline. The
// source may be any text: it is cleaned first. The only escape sequences in the result
// are SGR, each row ends its styles, and no row exceeds the width. A text of more than
// [MaxMarkdown] bytes is shown plain.
func (r *Renderer) Render(md string) string {
	return strings.Join(r.Lines(md), "\n")
}

// Lines is Render as separate rows, which belong to the caller. An empty text has no
// rows.
func (r *Renderer) Lines(md string) []string {
	s := NewStream(r)
	s.Append(md)
	s.Finish()
	return s.Lines()
}
