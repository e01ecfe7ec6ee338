package transcript

import (
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Model is the conversation's view. It is used by one goroutine.
type Model struct {
	renderer
	height  int
	items   []*item
	index   map[string]int // id to place in items
	tail    []string       // always at the bottom
	welcome []string       // shown while there is nothing else

	follow bool
	top    int // first visible item and
	line   int // its first visible line

	newest string // the last message when the view left the end

	selected int // -1 for none
	focused  bool

	views uint64 // counts calls of View
	kept  int    // lines of all rendered messages

	// Renders counts how often a message was rendered.
	Renders int
}

// New returns an empty transcript that shows times in loc.
func New(md Markdown, loc *time.Location, w words.Pictures) *Model {
	return &Model{renderer: renderer{md: md, loc: loc, words: w}, follow: true, selected: -1, index: map[string]int{}}
}

// SetStyles changes the looks; everything is rendered again when it is shown.
func (m *Model) SetStyles(s theme.Styles, md Markdown) {
	m.styles, m.md = s, md
	for _, it := range m.items {
		it.rendered = 0
	}
}

// SetSize sets the size in cells and keeps the place.
func (m *Model) SetSize(width, height int) {
	if width != m.width && !m.follow && m.top < len(m.items) {
		it := m.items[m.top]
		m.render(it)
		before := it.height()
		m.width = width
		m.render(it)
		m.line = m.line * it.height() / before
	}
	m.width, m.height = width, height
	m.clamp()
}

// SetDay tells which day is today, so that other days get their date.
func (m *Model) SetDay(now time.Time) {
	if now.In(m.loc).Format(time.DateOnly) == m.now.In(m.loc).Format(time.DateOnly) {
		return
	}
	m.now = now
	for _, it := range m.items {
		it.rendered = 0
	}
}

// SetWelcome sets what an empty conversation shows; clean text, wrapped here.
func (m *Model) SetWelcome(lines []string) { m.welcome = lines }

// SetTail sets the lines that are always shown under the messages: styled, one line
// each.
func (m *Model) SetTail(lines []string) { m.tail = lines; m.clamp() }

// SetFocus says whether the conversation has the keyboard. The newest message
// is selected first.
func (m *Model) SetFocus(on bool) {
	m.focused = on
	if on && (m.selected < 0 || m.selected >= len(m.items)) {
		m.selected = len(m.items) - 1
	}
}

// Len is the number of messages.
func (m *Model) Len() int { return len(m.items) }

// Reset replaces all messages and shows the end.
func (m *Model) Reset(entries []Entry) {
	m.items, m.index = nil, map[string]int{}
	m.follow, m.top, m.line, m.selected = true, 0, 0, -1
	for _, e := range entries {
		m.Put(e)
	}
}

// Load brings in what a session holds, oldest first. Messages that it does not
// have stay at the end, those that did not change stay rendered, and the place
// is kept.
func (m *Model) Load(entries []Entry) {
	top := ""
	if !m.follow && m.top < len(m.items) {
		top = m.items[m.top].ID
	}
	old, was := m.items, m.index
	m.items, m.index = nil, map[string]int{}
	for _, e := range entries {
		if i, ok := was[e.ID]; ok {
			m.index[e.ID] = len(m.items)
			m.items = append(m.items, old[i])
			if old[i].stream == nil && !old[i].same(e) {
				m.Put(e)
			}
			continue
		}
		m.Put(e)
	}
	for _, it := range old {
		if _, ok := m.index[it.ID]; !ok {
			m.index[it.ID] = len(m.items)
			m.items = append(m.items, it)
		}
	}
	if i, ok := m.index[top]; ok {
		m.top = i
	}
	m.clamp()
}

// Put adds a message at the end, or replaces the one with its id. A message
// that was streaming is complete by this.
func (m *Model) Put(e Entry) {
	if i, ok := m.index[e.ID]; ok {
		it := m.items[i]
		it.Entry, it.stream, it.grown = e, nil, nil
		it.version++
		m.clamp()
		return
	}
	m.index[e.ID] = len(m.items)
	m.items = append(m.items, &item{Entry: e, version: 1})
	switch {
	case !m.focused:
		m.selected = -1 // the newest is wanted next time
	case m.follow:
		m.selected = len(m.items) - 1
	}
}

// Replace is Put under a new id: the message keeps its place.
func (m *Model) Replace(id string, e Entry) {
	if i, ok := m.index[id]; ok && id != e.ID {
		if m.newest == id {
			m.newest = e.ID
		}
		delete(m.index, id)
		if _, twice := m.index[e.ID]; twice {
			m.remove(i)
		} else {
			m.index[e.ID] = i
		}
	}
	m.Put(e)
}

// Rename changes the name and colour of an agent's messages.
func (m *Model) Rename(was, author, color string) {
	for _, it := range m.items {
		if it.Role == memory.RoleAssistant && it.Author == was {
			it.Author, it.Color = author, color
			it.version++
		}
	}
}

// SetShortened says which messages the model was sent in part with the latest one, and
// what was left of each, by id (C3).
func (m *Model) SetShortened(notes map[string]string) {
	for _, it := range m.items {
		if m.shortened[it.ID] != notes[it.ID] {
			it.version++
		}
	}
	m.shortened = notes
	m.clamp()
}

// Remove takes a message out, if it is here.
func (m *Model) Remove(id string) {
	if i, ok := m.index[id]; ok {
		delete(m.index, id)
		m.remove(i)
	}
}

// remove takes item i out.
func (m *Model) remove(i int) {
	m.items = append(m.items[:i], m.items[i+1:]...)
	clear(m.index)
	for j, it := range m.items {
		m.index[it.ID] = j
	}
	m.selected = min(m.selected, len(m.items)-1)
	m.top = min(m.top, max(0, len(m.items)-1))
	m.clamp()
}

// Append adds text to a message that streams; the first call makes it so.
func (m *Model) Append(id, text string) {
	i, ok := m.index[id]
	if !ok {
		return
	}
	it := m.items[i]
	if it.stream == nil {
		it.stream, it.grown = m.md.Stream(max(1, m.width-bodyIndent-margin)), &strings.Builder{}
		it.grown.WriteString(it.Text)
		it.stream.Append(it.Text)
	}
	it.grown.WriteString(text)
	it.Text = it.grown.String()
	it.stream.Append(text)
	it.version++
}

// Entries returns copies of all messages, oldest first.
func (m *Model) Entries() []Entry {
	out := make([]Entry, len(m.items))
	for i, it := range m.items {
		out[i] = it.Entry
	}
	return out
}

// Entry returns the message with an id.
func (m *Model) Entry(id string) (Entry, bool) {
	if i, ok := m.index[id]; ok {
		return m.items[i].Entry, true
	}
	return Entry{}, false
}

// Last returns the newest message.
func (m *Model) Last() (Entry, bool) {
	if len(m.items) == 0 {
		return Entry{}, false
	}
	return m.items[len(m.items)-1].Entry, true
}

// Selected returns the message under the cursor while there is one.
func (m *Model) Selected() (Entry, bool) {
	if m.selected < 0 || m.selected >= len(m.items) {
		return Entry{}, false
	}
	return m.items[m.selected].Entry, true
}

// Point selects a message, marks it and length bytes of it from offset on (0 for
// none), and scrolls there. The text of a message with marked bytes is shown as
// it was written, not as Markdown. It reports whether the message is here.
func (m *Model) Point(id string, offset, length int) bool {
	i, ok := m.index[id]
	if !ok {
		return false
	}
	m.Unpoint()
	it := m.items[i]
	m.selected, it.pointed = i, true
	if length > 0 && offset >= 0 && offset <= len(it.Text)-length {
		it.mark = [2]int{offset, offset + length}
		it.version++
	}
	m.show(i)
	return true
}

// Unpoint takes the marks away.
func (m *Model) Unpoint() {
	for _, it := range m.items {
		it.pointed = false
		if it.mark != [2]int{} {
			it.mark = [2]int{}
			it.version++
		}
	}
}

// View returns the transcript's lines: exactly its height, each exactly its
// width.
func (m *Model) View() []string {
	m.views++
	var lines []string
	if len(m.items) == 0 && len(m.welcome) > 0 {
		lines = m.greeting()
	} else {
		lines = m.messages()
	}
	h := m.body()
	out := cells.Block(lines, m.width, h)
	if h > 0 && !m.follow && m.below() {
		more := m.styles.Accent.Render("↓ " + m.belowWords() + " · ctrl+end ")
		out[h-1] = cells.Spread(out[h-1], more, m.width)
	}
	m.forget()
	tail := m.tail[max(0, len(m.tail)-(m.height-h)):]
	return append(out, cells.Block(tail, m.width, m.height-h)...)
}

// greeting is the welcome, without its blank lines where they do not fit.
func (m *Model) greeting() []string {
	var lines, dense []string
	for _, l := range m.welcome {
		for _, row := range clean.WrapStyled(l, max(1, m.width-headIndent-margin)) {
			lines = append(lines, strings.Repeat(" ", headIndent)+row)
			if strings.TrimSpace(row) != "" {
				dense = append(dense, lines[len(lines)-1])
			}
		}
	}
	if len(lines) > m.body() {
		return dense
	}
	return lines
}

// messages puts the visible lines together.
func (m *Model) messages() []string {
	top, line := m.position()
	h := m.body()
	out := make([]string, 0, h)
	for i := top; i < len(m.items) && len(out) < h; i++ {
		it := m.items[i]
		m.render(it)
		n := it.height()
		for ; line < n && len(out) < h; line++ {
			l := it.line(line)
			if (m.focused && i == m.selected || it.pointed) && line < n-1 {
				l = m.styles.Accent.Render("▌") + strings.TrimPrefix(l, " ")
			}
			out = append(out, l)
		}
		line = 0
	}
	return out
}
