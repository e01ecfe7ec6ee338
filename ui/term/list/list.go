package list

import (
	"slices"
	"strings"

	"memoria/ui/term/cells"
)

// indent is what a row's first line begins with, so that the cursor has room.
const indent = "   "

// Row is some lines about something. The first line begins with three blanks, in whose
// place the cursor is drawn.
type Row[T any] struct {
	Key string // finds the row again in other rows; "" where the cursor passes over
	// Lines are nil where the list draws the row when it is visible: see [Config].Draw.
	Lines []string
	// Chosen is shown instead of Lines while the cursor is marked on the row; nil for Lines.
	Chosen []string
	// Lead is how many cells of the first line keep their looks under the cursor: a picture.
	Lead int
	Of   T
}

// List is rows with a cursor on one of those that have a key.
type List[T any] struct {
	rows   []Row[T]
	cursor int // -1 when no row has a key
	first  int // first visible line
	drew   int // first line that was drawn, with mark
	mark   string
	key    string // of the last row under the cursor
	moved  bool
	held   bool
	under  []string // lines below the row under the cursor

	draw  func(T) string                     // a row without lines
	paint func(line string, lead int) string // the line under the cursor; nil for its own looks
}

// New returns a list without rows.
func New[T any]() *List[T] { return &List[T]{cursor: -1} }

// Set replaces the rows. A cursor that was moved or is held stays on its row, or at its
// place; any other goes to the first.
func (l *List[T]) Set(rows []Row[T]) {
	at := l.cursor
	if r, ok := l.Selected(); ok {
		l.key = r.Key
	}
	l.rows = rows
	if !l.moved && !l.held {
		l.cursor, l.first = l.nearest(0), 0
		return
	}
	l.cursor = l.nearest(at)
	if i := l.find(l.key); i >= 0 {
		l.cursor = i
	}
}

// Hold sets whether the cursor stays on its row before it was moved.
func (l *List[T]) Hold(on bool) { l.held = on }

// Loose lets a cursor that was moved go to the first of the next rows.
func (l *List[T]) Loose() { l.moved = false }

// Reset puts the cursor on the first of the rows to come.
func (l *List[T]) Reset() { l.cursor, l.first, l.moved, l.key = -1, 0, false, "" }

// Len is the number of rows.
func (l *List[T]) Len() int { return len(l.rows) }

// Below is the number of rows after the cursor.
func (l *List[T]) Below() int { return len(l.rows) - 1 - l.cursor }

// Selected returns the row under the cursor.
func (l *List[T]) Selected() (Row[T], bool) {
	if l.cursor < 0 || l.cursor >= len(l.rows) {
		return Row[T]{}, false
	}
	return l.rows[l.cursor], true
}

// Seek moves the cursor to the row with a key, if there is one; in a list whose cursor is held,
// also if it comes with the next rows.
func (l *List[T]) Seek(key string) {
	if l.held {
		l.key = key
	}
	if i := l.find(key); i >= 0 {
		l.cursor, l.moved = i, true
	}
}

// find returns the row with a key, -1 for none.
func (l *List[T]) find(key string) int {
	if key == "" {
		return -1
	}
	return slices.IndexFunc(l.rows, func(r Row[T]) bool { return r.Key == key })
}

// Move moves the cursor by n rows that have a key.
func (l *List[T]) Move(n int) {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for i := l.cursor + step; n > 0 && i >= 0 && i < len(l.rows); i += step {
		if l.rows[i].Key != "" {
			l.cursor, l.moved = i, true
			n--
		}
	}
}

// nearest returns the row with a key that is closest to i, -1 for none.
func (l *List[T]) nearest(i int) int {
	i = max(0, i)
	for d := range len(l.rows) + i + 1 {
		if j := i + d; j < len(l.rows) && l.rows[j].Key != "" {
			return j
		}
		if j := i - d; j >= 0 && j < len(l.rows) && l.rows[j].Key != "" {
			return j
		}
	}
	return -1
}

// View returns at most h lines from the first visible one on, with the cursor's row among them;
// mark, three cells wide, is put before it, "" for none, and the lines under below it. Lines above the first row that can be
// chosen are visible with it, and so are lines below the last.
func (l *List[T]) View(h int, mark string, under ...string) []string {
	l.under = under
	n, from, to := 0, 0, 0
	for i := range l.rows {
		at := n
		if n += l.heightOf(i, mark); i == l.cursor {
			from, to = at, n-1
		}
	}
	wanted := []int{to, from}
	switch l.cursor {
	case l.nearest(0):
		wanted = []int{to, 0, from}
	case l.nearest(len(l.rows) - 1):
		wanted = []int{n - 1, to, from}
	}
	for _, line := range wanted { // what matters most comes last
		l.first = cells.Window(n, h, l.first, line)
	}
	l.drew, l.mark = l.first, mark
	return l.lines(l.first, h, mark)
}

// at returns the row that was drawn at a line, -1 where there is none that can be chosen.
func (l *List[T]) at(line int) int {
	if line < 0 {
		return -1
	}
	line += l.drew
	for i := range l.rows {
		if line -= l.heightOf(i, l.mark); line < 0 {
			if l.rows[i].Key == "" {
				return -1
			}
			return i
		}
	}
	return -1
}

// Top returns the first h lines, without a cursor.
func (l *List[T]) Top(h int) []string {
	l.under, l.drew, l.mark = nil, 0, ""
	return l.lines(0, h, "")
}

// heightOf is the number of lines of a row, with those below it.
func (l *List[T]) heightOf(i int, mark string) (n int) {
	r := &l.rows[i]
	if i == l.cursor {
		n = len(l.under)
	}
	switch {
	case i == l.cursor && mark != "" && r.Chosen != nil:
		return n + len(r.Chosen)
	case r.Lines == nil:
		return n + 1
	}
	return n + len(r.Lines)
}

// lines returns at most h lines from one on. Only rows among them are drawn.
func (l *List[T]) lines(first, h int, mark string) (out []string) {
	at := 0
	for i := range l.rows {
		if at >= first+h {
			break
		}
		if n := l.heightOf(i, mark); at+n <= first {
			at += n
			continue
		}
		r, chosen := &l.rows[i], i == l.cursor && mark != ""
		drawn := l.drawn(r, chosen)
		if i == l.cursor && len(l.under) > 0 {
			end := len(drawn)
			if end > 1 && strings.TrimSpace(drawn[end-1]) == "" { // the gap to the next row
				end--
			}
			drawn = slices.Concat(drawn[:end], l.under, drawn[end:])
		}
		for j, line := range drawn {
			if chosen && j == 0 {
				line = l.marked(line, mark, r.Lead)
			}
			if at >= first && at < first+h {
				out = append(out, line)
			}
			at++
		}
	}
	return out
}

func (l *List[T]) drawn(r *Row[T], chosen bool) []string {
	switch {
	case chosen && r.Chosen != nil:
		return r.Chosen
	case r.Lines == nil && l.draw != nil:
		return []string{l.draw(r.Of)}
	}
	return r.Lines
}

// marked puts the mark before the first line of the row under the cursor, and paints it.
func (l *List[T]) marked(line, mark string, lead int) string {
	line = mark + strings.TrimPrefix(line, indent)
	if l.paint == nil {
		return line
	}
	return l.paint(line, max(lead, len(indent)))
}
