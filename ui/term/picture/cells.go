package picture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// look is how a cell is drawn. Colours are "#rrggbb", or empty for the terminal's own.
type look struct {
	fg, bg                                   string
	bold, faint, italic, underline, reversed bool
}

// cell is one cluster of a line with the place of its left edge.
type cell struct {
	look
	text     string
	x, width int
}

// cells reads a line with SGR sequences; others are left out.
func cells(line string) (out []cell) {
	var now look
	var state byte
	x := 0
	for line != "" {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		switch {
		case width > 0:
			out = append(out, cell{look: now, text: seq, x: x, width: width})
			x += width
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			now.apply(strings.FieldsFunc(seq[2:len(seq)-1], func(r rune) bool { return r == ';' || r == ':' }))
		}
	}
	return out
}

// apply changes the look as an SGR sequence with these parameters does.
func (l *look) apply(params []string) {
	if len(params) == 0 {
		*l = look{}
	}
	for i := 0; i < len(params); i++ {
		switch n, _ := strconv.Atoi(params[i]); n {
		case 0:
			*l = look{}
		case 1:
			l.bold = true
		case 2:
			l.faint = true
		case 3:
			l.italic = true
		case 4:
			l.underline = true
		case 7:
			l.reversed = true
		case 22:
			l.bold, l.faint = false, false
		case 23:
			l.italic = false
		case 24:
			l.underline = false
		case 27:
			l.reversed = false
		case 39:
			l.fg = ""
		case 49:
			l.bg = ""
		case 38, 48:
			colour, used := rgb(params[i+1:])
			i += used
			if n == 38 {
				l.fg = colour
			} else {
				l.bg = colour
			}
		}
	}
}

// rgb reads "2;R;G;B" and returns how many parameters that are.
func rgb(params []string) (colour string, used int) {
	if len(params) < 4 || params[0] != "2" {
		return "", len(params)
	}
	var c [3]int
	for i := range c {
		c[i], _ = strconv.Atoi(params[i+1])
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]), 4
}
