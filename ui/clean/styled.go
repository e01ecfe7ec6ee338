package clean

import "strings"

const reset = "\x1b[m"

// WrapStyled is [Wrap] for a text with our SGR sequences (ESC [ … m), which have no
// width. A style that is on at the end of a row is ended there and begins again on the
// next row. Rows without text have no styles. Any other escape sequence loses its ESC
// and becomes text.
func WrapStyled(s string, width int) []string {
	if strings.IndexByte(s, '\x1b') < 0 {
		return Wrap(s, width)
	}
	return breakStyled(s, width, wrapLine)
}

// CutStyled is WrapStyled for code: a row is cut when it is full, and nothing is
// dropped, not even spaces.
func CutStyled(s string, width int) []string {
	return breakStyled(s, width, cutLine)
}

// breakStyled breaks lines at newlines and at the positions that lay reports.
func breakStyled(s string, width int, lay func(line string, width int, row func(start, end int))) []string {
	width = max(width, 1)
	var (
		rows []string
		pen  pen
	)
	for line := range strings.SplitSeq(s, "\n") {
		text, turns := splitSGR(line)
		text, turns = expandStyledTabs(text, turns)
		lay(text, width, func(start, end int) {
			rows = append(rows, pen.row(text, &turns, start, end))
		})
		pen.take(turns)
	}
	return rows
}

// cutLine calls row with the bounds of each row of one line without tabs.
func cutLine(s string, width int, row func(start, end int)) {
	if len(s) <= width && plainPrefix(s) == len(s) {
		row(0, len(s))
		return
	}
	start, col := 0, 0
	for i := 0; i < len(s); {
		size, w := cluster(s[i:])
		if col+w > width && i > start {
			row(start, i)
			start, col = i, 0
		}
		i, col = i+size, col+w
	}
	row(start, len(s))
}

// turn is a change of style before byte at of the plain text.
type turn struct {
	at  int
	sgr string
}

// splitSGR separates the SGR sequences of one line from its text.
func splitSGR(s string) (string, []turn) {
	if strings.IndexByte(s, '\x1b') < 0 {
		return s, nil
	}
	var (
		b     strings.Builder
		turns []turn
	)
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\x1b')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		n := sgrLen(s[i:])
		if n > 0 {
			turns = append(turns, turn{b.Len(), s[i : i+n]})
		}
		s = s[i+max(n, 1):]
	}
	b.WriteString(s)
	return b.String(), turns
}

// sgrLen returns the length of the SGR sequence that s starts with, or 0.
func sgrLen(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch b := s[i]; {
		case b == 'm':
			return i + 1
		case (b < '0' || b > '9') && b != ';' && b != ':':
			return 0
		}
	}
	return 0
}

// expandStyledTabs is expandTabs that also moves the turns.
func expandStyledTabs(s string, turns []turn) (string, []turn) {
	if strings.IndexByte(s, '\t') < 0 {
		return s, turns
	}
	var b strings.Builder
	col, from, t := 0, 0, 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '\t' {
			continue
		}
		shift := b.Len() - from
		for ; t < len(turns) && turns[t].at <= i; t++ {
			turns[t].at += shift
		}
		b.WriteString(s[from:i])
		if i < len(s) {
			col += Width(s[from:i])
			pad := TabWidth - col%TabWidth
			b.WriteString("        "[:pad])
			col += pad
		}
		from = i + 1
	}
	return b.String(), turns
}

// pen is the current style: the sequences since the last reset.
type pen struct {
	sgr string
}

func (p *pen) apply(sgr string) {
	switch {
	case sgr == reset || sgr == "\x1b[0m":
		p.sgr = ""
	case strings.HasSuffix(p.sgr, sgr):
		// A repeated sequence; skipping it keeps a style that is never reset from
		// growing.
	default:
		p.sgr += sgr
	}
}

func (p *pen) take(turns []turn) {
	for _, t := range turns {
		p.apply(t.sgr)
	}
}

// row returns the text from start to end with its styles, and removes the turns up to
// end from the list. A style is written only if text follows it.
func (p *pen) row(text string, turns *[]turn, start, end int) string {
	var (
		b    strings.Builder
		have string
	)
	put := func(s string) {
		if s == "" {
			return
		}
		if have != p.sgr {
			if have != "" {
				b.WriteString(reset)
			}
			b.WriteString(p.sgr)
			have = p.sgr
		}
		b.WriteString(s)
	}
	n := 0
	for ; n < len(*turns) && (*turns)[n].at < end; n++ {
		t := (*turns)[n]
		if t.at > start {
			put(text[start:t.at])
			start = t.at
		}
		p.apply(t.sgr)
	}
	*turns = (*turns)[n:]
	put(text[start:end])
	if have != "" {
		b.WriteString(reset)
	}
	return b.String()
}
