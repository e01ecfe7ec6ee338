package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Screen is a screen of the program.
type Screen struct {
	// Title describes the image to readers who do not see it.
	Title string
	// Lines are styled by SGR sequences with 24-bit colours; each is Width cells wide.
	Lines []string
	Width int
	// Cursor is the cell of the cursor.
	Cursor image.Point
	// Dark says which background the colours are made for.
	Dark bool
}

// Sizes in pixels.
const (
	fontSize   = 14.0
	wideSize   = 15.0 // of Chinese, which looks small otherwise
	cellWidth  = 8.4
	cellHeight = 18.0
	baseline   = 13.5 // below the top of a cell
	margin     = 10.0
	wideInset  = (2*cellWidth - wideSize) / 2 // a wide glyph is in the middle of its cells
)

const fonts = `ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "PingFang SC", ` +
	`"Microsoft YaHei", "Noto Sans Mono CJK SC", "Noto Sans CJK SC", monospace`

// drawing is an image that is being written.
type drawing struct {
	bytes.Buffer
	fg, bg string
}

// SVG returns the image. Equal screens give equal bytes.
func SVG(s Screen) []byte {
	d := &drawing{fg: "#24283b", bg: "#f7f7fb"}
	if s.Dark {
		d.fg, d.bg = "#c0caf5", "#1a1b26"
	}
	w, h := float64(s.Width)*cellWidth+2*margin, float64(len(s.Lines))*cellHeight+2*margin
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img">`+"\n",
		px(w), px(h), px(w), px(h))
	fmt.Fprintf(d, "<title>%s</title>\n", escape(s.Title))
	fmt.Fprintf(d, "<style>text { font: %spx %s; white-space: pre; fill: %s } .wide { font-size: %spx }</style>\n",
		px(fontSize), escape(fonts), d.fg, px(wideSize))
	fmt.Fprintf(d, `<rect width="%s" height="%s" rx="8" fill="%s"/>`+"\n", px(w), px(h), d.bg)
	for y, l := range s.Lines {
		d.line(cells(l), y)
	}
	d.rect(float64(s.Cursor.X)*cellWidth, float64(s.Cursor.Y)*cellHeight+1, 2, cellHeight-2, d.fg, 1)
	d.WriteString("</svg>\n")
	return d.Bytes()
}

// line draws the cells of one line, runs of one look together.
func (d *drawing) line(all []cell, y int) {
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && together(all[end-1], all[end]) {
			end++
		}
		d.run(all[start:end], y)
		start = end
	}
}

// together reports whether two neighbours are drawn by one element.
func together(a, b cell) bool {
	if a.look != b.look || a.width != b.width {
		return false
	}
	if isShape(a.text) || isShape(b.text) {
		return a.text == b.text && shapes[first(a.text)].spans
	}
	return true
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isShape(s string) bool { return utf8.RuneCountInString(s) == 1 && shapes[first(s)].parts != nil }

// run draws cells of one look and width.
func (d *drawing) run(all []cell, y int) {
	one := all[0]
	x, top := float64(one.x)*cellWidth, float64(y)*cellHeight
	wide := float64(len(all)*one.width) * cellWidth
	fg, bg := one.fg, one.bg
	if fg == "" {
		fg = d.fg
	}
	if one.reversed {
		if bg == "" {
			bg = d.bg
		}
		fg, bg = bg, fg
	}
	if bg != "" {
		d.rect(x, top, wide, cellHeight, bg, 1)
	}
	if isShape(one.text) {
		for _, p := range shapes[first(one.text)].parts {
			d.rect(x+p.x*cellWidth, top+p.y*cellHeight, wide-cellWidth+p.w*cellWidth, p.h*cellHeight, fg, p.opacity)
		}
		return
	}
	if one.underline {
		d.rect(x, top+cellHeight-2, wide, 1, fg, 1)
	}
	style := one.attributes(fg, d.fg)
	if one.width > 1 {
		d.glyphs(all, top, style)
		return
	}
	d.text(all, top, style)
}

// attributes are those of a text element, after its place.
func (l look) attributes(fg, usual string) (out string) {
	if fg != usual {
		out += ` style="fill:` + fg + `"`
	}
	if l.bold {
		out += ` font-weight="bold"`
	}
	if l.italic {
		out += ` font-style="italic"`
	}
	if l.faint {
		out += ` opacity=".6"`
	}
	return out
}

// text draws words of narrow cells. Each gets the width of its cells, whatever the font is.
func (d *drawing) text(all []cell, top float64, style string) {
	for start := 0; start < len(all); {
		if all[start].text == " " {
			start++
			continue
		}
		end := start // behind the last cell before two spaces
		for i := start; i < len(all) && (all[i].text != " " || i+1 < len(all) && all[i+1].text != " "); i++ {
			end = i + 1
		}
		var b strings.Builder
		for _, c := range all[start:end] {
			b.WriteString(c.text)
		}
		fmt.Fprintf(d, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			px(margin+float64(all[start].x)*cellWidth), px(margin+top+baseline),
			px(float64(end-start)*cellWidth), style, escape(b.String()))
		start = end
	}
}

// glyphs draws wide cells, each at its own place.
func (d *drawing) glyphs(all []cell, top float64, style string) {
	var places []string
	var b strings.Builder
	for _, c := range all {
		if utf8.RuneCountInString(c.text) > 1 || c.text[0] >= 0xf0 { // an emoji: several characters at one place
			fmt.Fprintf(d, `<text x="%s" y="%s"%s>%s</text>`+"\n",
				px(margin+float64(c.x)*cellWidth), px(margin+top+baseline), style, escape(c.text))
			continue
		}
		places = append(places, px(margin+float64(c.x)*cellWidth+wideInset))
		b.WriteString(c.text)
	}
	if len(places) > 0 {
		fmt.Fprintf(d, `<text x="%s" y="%s" class="wide"%s>%s</text>`+"\n",
			strings.Join(places, " "), px(margin+top+baseline), style, escape(b.String()))
	}
}

func (d *drawing) rect(x, y, w, h float64, fill string, opacity float64) {
	clear := ""
	if opacity != 1 {
		clear = ` opacity="` + px(opacity) + `"`
	}
	fmt.Fprintf(d, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>`+"\n", px(margin+x), px(margin+y), px(w), px(h), fill, clear)
}

// px is a number with at most two decimals.
func px(f float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// part is a rectangle of a shape, in shares of a cell.
type part struct{ x, y, w, h, opacity float64 }

// shape is a character that is drawn; spans says that a run of it is one piece.
type shape struct {
	parts []part
	spans bool
}

// shapes are the characters of lines and bars.
var shapes = func() map[rune]shape {
	const thin, thick = 1.2, 2.4
	row := func(x, w, size float64) part { return part{x, .5 - size/cellHeight/2, w, size / cellHeight, 1} }
	column := func(y, h, size float64) part { return part{.5 - size/cellWidth/2, y, size / cellWidth, h, 1} }
	all, left, right := row(0, 1, thin), row(0, .5, thin), row(.5, .5, thin)
	bar, up, down := column(0, 1, thin), column(0, .5, thin), column(.5, .5, thin)
	out := map[rune]shape{
		'─': {[]part{all}, true}, '━': {[]part{row(0, 1, thick)}, true},
		'│': {[]part{bar}, false}, '┃': {[]part{column(0, 1, thick)}, false},
		'┬': {[]part{all, down}, false}, '┴': {[]part{all, up}, false}, '┼': {[]part{all, bar}, false},
		'├': {[]part{bar, right}, false}, '┤': {[]part{bar, left}, false},
		'╭': {[]part{right, down}, false}, '╮': {[]part{left, down}, false},
		'╰': {[]part{right, up}, false}, '╯': {[]part{left, up}, false},
		'┌': {[]part{right, down}, false}, '┐': {[]part{left, down}, false},
		'└': {[]part{right, up}, false}, '┘': {[]part{left, up}, false},
		'┯': {[]part{row(0, 1, thick), down}, false}, '┷': {[]part{row(0, 1, thick), up}, false},
		'▀': {[]part{{0, 0, 1, .5, 1}}, true}, '▄': {[]part{{0, .5, 1, .5, 1}}, true},
		'█': {[]part{{0, .1, 1, .8, 1}}, true}, '■': {[]part{{.1, .3, .8, .4, 1}}, false},
		'░': {[]part{{0, .1, 1, .8, .25}}, true}, '▒': {[]part{{0, .1, 1, .8, .5}}, true}, '▓': {[]part{{0, .1, 1, .8, .75}}, true},
	}
	for i, r := range []rune("▏▎▍▌▋▊▉") {
		out[r] = shape{[]part{{0, .1, float64(i+1) / 8, .8, 1}}, false}
	}
	return out
}()
