package markdown

import (
	"bytes"
	"strings"

	"memoria/ui/clean"
)

// plainPiece is the length in bytes at which a line of plain text is broken, so that an
// endless line is not wrapped again for each delta.
const plainPiece = 4 << 10

// plainText shows a text without parsing it as Markdown. Each piece is cleaned and
// wrapped once; only the last line is wrapped again.
type plainText struct {
	width  int
	pieces []string // cleaned
	rows   []string // of the pieces
	raw    []byte   // the last line, not cleaned
}

func (p *plainText) append(delta string) {
	p.raw = append(p.raw, delta...)
	for {
		n := bytes.IndexByte(p.raw, '\n')
		switch {
		case n >= 0 && n <= plainPiece:
			p.take(p.raw[:n])
			p.raw = p.raw[n+1:]
		case len(p.raw) > 2*plainPiece || n > plainPiece:
			head := wholeRunes(p.raw[:plainPiece])
			p.take(head)
			p.raw = p.raw[len(head):]
		default:
			return
		}
	}
}

func (p *plainText) take(raw []byte) {
	text, _ := clean.Text(strings.TrimSuffix(string(raw), "\r"))
	p.pieces = append(p.pieces, text)
	p.rows = append(p.rows, clean.Wrap(text, p.width)...)
}

func (p *plainText) setWidth(width int) {
	p.width = width
	p.rows = p.rows[:0]
	for _, piece := range p.pieces {
		p.rows = append(p.rows, clean.Wrap(piece, width)...)
	}
}

// lines returns the rows. The slice is valid until the next method call.
func (p *plainText) lines(finished bool) []string {
	raw := p.raw
	if !finished {
		raw = wholeRunes(raw)
	}
	if len(raw) == 0 {
		return p.rows
	}
	text, _ := clean.Text(string(raw))
	return append(p.rows, clean.Wrap(text, p.width)...)
}
