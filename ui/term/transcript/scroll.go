package transcript

import "slices"

// body is the number of lines for messages: all but the tail.
func (m *Model) body() int { return m.height - min(len(m.tail), TailRoom(m.height)) }

// TailRoom is how many lines of a transcript of this height the tail can take. Of a longer one,
// only the end is visible.
func TailRoom(height int) int { return height / 2 }

// heightOf renders item i if needed and returns its height.
func (m *Model) heightOf(i int) int {
	m.render(m.items[i])
	return m.items[i].height()
}

// position returns the first visible item and line.
func (m *Model) position() (top, line int) {
	if m.follow {
		return m.end()
	}
	return m.top, m.line
}

// end is the position that shows the last line at the bottom.
func (m *Model) end() (top, line int) {
	// The blank line after the last message needs no room.
	left := m.body() + 1
	for i := len(m.items) - 1; i >= 0; i-- {
		h := m.heightOf(i)
		if h >= left {
			return i, h - left
		}
		left -= h
	}
	return 0, 0
}

// below reports whether there are lines below the visible ones.
func (m *Model) below() bool {
	top, line := m.end()
	return m.top < top || m.top == top && m.line < line
}

// leave stops following the end and remembers what was the newest then.
func (m *Model) leave() {
	if m.follow && len(m.items) > 0 {
		m.newest = m.items[len(m.items)-1].ID
	}
	m.follow = false
}

// belowWords describes the part below the view.
func (m *Model) belowWords() string {
	last := len(m.items) - 1
	if i, ok := m.index[m.newest]; ok && last > i {
		return m.words.Say("transcript.below.new", m.words.Count(last-i, "new message"))
	}
	if m.items[last].stream != nil {
		return m.words.Say("transcript.below.grows")
	}
	return m.words.Say("transcript.below")
}

// clamp brings the position back to where something is, and follows the end
// once it is reached.
func (m *Model) clamp() {
	if m.follow || m.width <= 0 || m.height <= 0 {
		return
	}
	if len(m.items) == 0 {
		m.follow = true
		return
	}
	m.top = min(max(m.top, 0), len(m.items)-1)
	m.line = min(max(m.line, 0), m.heightOf(m.top)-1)
}

// ScrollBy moves the view down by n lines, up when n is negative.
func (m *Model) ScrollBy(n int) {
	if len(m.items) == 0 || m.width <= 0 {
		return
	}
	m.top, m.line = m.position()
	m.leave()
	for ; n < 0; n++ {
		switch {
		case m.line > 0:
			m.line--
		case m.top > 0:
			m.top--
			m.line = m.heightOf(m.top) - 1
		}
	}
	for ; n > 0; n-- {
		if m.line++; m.line >= m.heightOf(m.top) {
			if m.top == len(m.items)-1 {
				m.line--
				break
			}
			m.top, m.line = m.top+1, 0
		}
	}
	m.follow = !m.below()
}

// Page moves by pages of the view's height, keeping one line of context.
func (m *Model) Page(n int) { m.ScrollBy(n * max(1, m.body()-1)) }

// ScrollTop shows the first line.
func (m *Model) ScrollTop() {
	if len(m.items) > 0 {
		m.leave()
		m.top, m.line = 0, 0
		m.follow = !m.below()
	}
}

// ScrollEnd shows the end and follows it.
func (m *Model) ScrollEnd() { m.follow = true }

// ShowBeginning shows a message from its beginning if the view follows the end and has not
// enough room for it: the best of an answer that comes at once is at its beginning.
func (m *Model) ShowBeginning(id string) {
	i, ok := m.index[id]
	if !ok || !m.follow || m.width <= 0 {
		return
	}
	if top, line := m.end(); top < i || top == i && line == 0 {
		return
	}
	m.leave()
	m.top, m.line = i, 0
	m.follow = !m.below()
}

// AtEnd reports whether the view follows the end.
func (m *Model) AtEnd() bool { return m.follow }

// Move selects the message n places further. Within a message that is longer
// than the view it scrolls first.
func (m *Model) Move(n int) {
	if len(m.items) == 0 {
		return
	}
	if m.selected < 0 {
		m.selected = len(m.items) - 1
	}
	from, to := m.span(m.selected)
	if n > 0 && to > m.body() || n < 0 && from < 0 {
		m.ScrollBy(n * max(1, m.body()/2))
		return
	}
	m.selected = min(max(m.selected+n, 0), len(m.items)-1)
	m.show(m.selected)
}

// span returns the rows of the view of item i; rows outside the
// view are only known to be outside.
func (m *Model) span(i int) (from, to int) {
	top, line := m.position()
	if i < top {
		return -1, 0
	}
	row := -line
	for j := top; j < i; j++ {
		row += m.heightOf(j)
		if row > m.body() {
			return row, row + 1
		}
	}
	return row, row + m.heightOf(i) - 1
}

// show scrolls as little as needed to show item i, at least its beginning, or
// its mark.
func (m *Model) show(i int) {
	if m.width <= 0 || m.height <= 0 {
		return
	}
	from, to := m.span(i)
	h := m.body()
	if from >= 0 && to <= h {
		return
	}
	m.leave()
	m.top, m.line = i, 0
	m.heightOf(i)
	if it := m.items[i]; it.marked() && len(it.thought)+it.markLine+2 >= h {
		m.line = len(it.thought) + it.markLine + 1 - h/2 // the mark in the middle
		m.follow = !m.below()
		return
	}
	if from >= 0 { // below the view: as far down as it still fits
		m.ScrollBy(min(0, m.heightOf(i)-1-h))
	}
	m.follow = !m.below()
}

// ShownTurns are the turns of the messages in view.
func (m *Model) ShownTurns() (turns []string) {
	if m.width <= 0 || len(m.items) == 0 {
		return nil
	}
	top, line := m.position()
	for i, left := top, m.body()+line; i < len(m.items) && left > 0; i++ {
		left -= m.heightOf(i)
		if id := m.items[i].TurnID; id != "" && !slices.Contains(turns, id) {
			turns = append(turns, id)
		}
	}
	return turns
}
