package composer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
)

// From these sizes on a paste is shown as one line. The text area needs about
// 0.07 ms for each of its lines at every key.
const (
	collapseLines = 40
	collapseBytes = 4000
)

// paste is a part of the shown text that was pasted.
type paste struct {
	off, n   int    // bytes in the shown text
	shown    string // what stood there right after the paste
	original string // what was pasted
}

// collapsed reports whether the paste is shown as a line in brackets.
func (p paste) collapsed() bool {
	return p.shown != p.original && p.shown != untab(p.original)
}

// untab is how the text area shows tabs.
func untab(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// placeholder is the line that is shown for a paste: its lines, its bytes, and its characters
// that cannot be seen.
func (m *Model) placeholder(lines, size, hidden int) string {
	parts := []string{m.words.Count(lines, "line")}
	if size < 1024 {
		parts = append(parts, m.words.Count(size, "byte"))
	} else {
		parts = append(parts, fmt.Sprintf("%.1f KB", float64(size)/1024))
	}
	if hidden > 0 {
		parts = append(parts, m.words.Count(hidden, "hidden character"))
	}
	return m.words.Say("composer.pasted", m.words.List(parts))
}

// expand puts the originals of untouched pastes back and returns the spans of
// all pasted parts. A paste that was edited is sent as it is shown.
func expand(shown string, pastes []paste) (string, []memory.Span) {
	var b strings.Builder
	var spans []memory.Span
	last := 0
	for _, p := range pastes {
		b.WriteString(shown[last:p.off])
		text := shown[p.off : p.off+p.n]
		if text == p.shown {
			text = p.original
		}
		spans = append(spans, memory.Span{Offset: b.Len(), Length: len(text), Kind: memory.SpanPasted})
		b.WriteString(text)
		last = p.off + p.n
	}
	b.WriteString(shown[last:])
	return b.String(), spans
}

// collapse is the way back: the shown form of a text with spans.
func (m *Model) collapse(text string, spans []memory.Span) (string, []paste) {
	var b strings.Builder
	var pastes []paste
	put := func(original string) {
		shown := m.display(original)
		pastes = append(pastes, paste{off: b.Len(), n: len(shown), shown: shown, original: original})
		b.WriteString(shown)
	}
	last := 0
	for _, s := range spans {
		lo, hi := s.Offset, s.Offset+s.Length
		if s.Kind != memory.SpanPasted || lo < last || s.Length <= 0 || hi > len(text) {
			continue
		}
		b.WriteString(text[last:lo])
		put(text[lo:hi])
		last = hi
	}
	rest := text[last:]
	if typed := untab(rest); len(pastes) == 0 && m.display(rest) != typed {
		put(rest) // a stored text too long to type, or with hidden characters
	} else {
		b.WriteString(typed)
	}
	return b.String(), pastes
}

// insertPaste adds p, for which track has made room. A part that it was pasted
// into becomes two.
func (m *Model) insertPaste(p paste, value string) {
	var parts []paste
	add := func(off, end int) {
		if off < end {
			text := value[off:end]
			parts = append(parts, paste{off: off, n: end - off, shown: text, original: text})
		}
	}
	end := p.off + p.n
	for _, q := range m.pastes {
		qEnd := q.off + q.n
		if qEnd <= p.off || end <= q.off {
			parts = append(parts, q)
			continue
		}
		add(q.off, p.off)
		add(end, qEnd)
	}
	parts = append(parts, p)
	slices.SortFunc(parts, func(a, b paste) int { return a.off - b.off })
	m.pastes = parts
}

// settle keeps the lines of long pastes whole: one that was damaged is removed, and the cursor
// is never inside one. was is the cursor's place before.
func (m *Model) settle(was int) {
	value := m.ta.Value()
	for i, p := range m.pastes {
		if p.collapsed() && value[p.off:p.off+p.n] != p.shown {
			m.pastes = slices.Delete(m.pastes, i, i+1)
			for j := i; j < len(m.pastes); j++ {
				m.pastes[j].off -= p.n
			}
			m.setValue(value[:p.off]+value[p.off+p.n:], p.off)
			return // one key damages one
		}
	}
	at := m.offset(value)
	for _, p := range m.pastes {
		if p.collapsed() && at > p.off && at < p.off+p.n {
			if was <= p.off {
				m.moveTo(value, p.off+p.n)
			} else {
				m.moveTo(value, p.off)
			}
		}
	}
}

// setValue replaces the shown text and puts the cursor at a byte of it.
func (m *Model) setValue(value string, cursor int) {
	m.ta.Reset()
	m.ta, _ = m.ta.Update(tea.PasteMsg{Content: value})
	m.moveTo(value, cursor)
}

// moveTo puts the cursor at a byte of value, which is the shown text.
func (m *Model) moveTo(value string, cursor int) {
	row := strings.Count(value[:cursor], "\n")
	m.ta.MoveToEnd()
	for m.ta.Line() > row {
		m.ta.CursorUp()
	}
	line := value[strings.LastIndexByte(value[:cursor], '\n')+1 : cursor]
	m.ta.SetCursorColumn(utf8.RuneCountInString(line))
}

// track moves the pasted parts along with an edit that made before into after.
// The cursor is at the end of the inserted text, so the text after it is
// what did not change; that decides among equal letters.
func (m *Model) track(before, after string) {
	if len(m.pastes) == 0 {
		return
	}
	lo, oldHi, newHi := changed(before, after, len(after)-m.offset(after))
	shift := newHi - oldHi
	kept := m.pastes[:0]
	for _, p := range m.pastes {
		end := p.off + p.n
		switch {
		case oldHi <= p.off: // before it
			p.off += shift
		case lo >= end: // after it
		case lo >= p.off && oldHi <= end: // inside it
			p.n += shift
		default: // across a border: from the earlier start to the later end
			start := min(p.off, lo)
			p.off, p.n = start, max(end, oldHi)+shift-start
		}
		if p.n > 0 {
			kept = append(kept, p)
		}
	}
	m.pastes = kept
}

// changed returns the smallest range that an edit replaced: before[lo:oldHi]
// became after[lo:newHi]. suffix is the number of bytes at the end that are
// thought to be untouched.
func changed(before, after string, suffix int) (lo, oldHi, newHi int) {
	suffix = min(suffix, len(before), len(after))
	if suffix < 0 || before[len(before)-suffix:] != after[len(after)-suffix:] {
		suffix = 0
		for suffix < min(len(before), len(after)) && before[len(before)-1-suffix] == after[len(after)-1-suffix] {
			suffix++
		}
	}
	for suffix > 0 && !utf8.RuneStart(before[len(before)-suffix]) {
		suffix--
	}
	limit := min(len(before), len(after)) - suffix
	for lo < limit && before[lo] == after[lo] {
		lo++
	}
	for lo > 0 && lo < len(before) && !utf8.RuneStart(before[lo]) {
		lo--
	}
	return lo, len(before) - suffix, len(after) - suffix
}
