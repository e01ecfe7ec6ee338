package transcript

import (
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
)

// Note is what went wrong, in words for the user.
type Note struct{ Title, Text, Hint string }

// Lesson is one thing that a message taught, in a line; Keys say what can be done about
// it. One that Waits for the user's approval and one that was Undone look different.
type Lesson struct {
	Text, Keys    string
	Waits, Undone bool
}

// Entry is one message. Its texts may hold anything; they are cleaned here.
type Entry struct {
	ID     string // the record's id, or one that no record has
	TurnID string
	Role   memory.Role
	Author string // who speaks, as the heading names them
	Color  string // of an agent's name; see [theme.Styles.Shade]
	Time   time.Time
	Text   string
	// Thought is shown above an answer's text.
	Thought Thought
	Status  memory.Status
	Note    *Note // why the answer is not whole; nil when it is, or was cancelled
	// Label is shown after the time, such as that no model wrote this.
	Label string
	// Remark is shown under the text: how the message came to its place.
	Remark string
	// Lessons are shown under a message of the user.
	Lessons []Lesson
	// Offer is shown under it: an action on the message, and its key.
	Offer string
	// Ways marks a message with alternatives, such as ‹2/3›; Above is shown over it, where a
	// fork begins.
	Ways, Above string
	// Sources are what an answer may rest on; see [Model.SetSources].
	Sources []Source
}

// Markdown makes lines of Markdown text. Lines are safe for a terminal, styled,
// and at most width cells wide.
type Markdown interface {
	Render(text string, width int) []string
	Stream(width int) Stream
}

// Stream makes lines of a Markdown text that grows.
type Stream interface {
	Append(text string)
	SetWidth(width int)
	// Lines returns all lines; the slice is the stream's own.
	Lines() []string
}

// Cells before a heading and before text.
const (
	headIndent = 1
	bodyIndent = 3
	margin     = 1 // at the right
)

// item is an entry with its rendered lines.
type item struct {
	Entry
	version int // counts changes
	stream  Stream
	grown   *strings.Builder // the text, while it streams
	thinks  strings.Builder  // what is thought before it
	pointed bool
	mark    [2]int // bytes of the text that are pointed at; equal when none

	rendered int    // the version of what follows, 0 for none
	used     uint64 // the view that last looked at it
	width    int
	head     []string
	thought  []string
	body     []string
	foot     []string
	markLine int // the line on which the mark begins
}

func (it *item) marked() bool { return it.mark[0] < it.mark[1] }

// same reports whether e would look like the item. A note that only this
// program saw is not taken away by a record that does not know it.
func (it *item) same(e Entry) bool {
	return it.Text == e.Text && it.Thought == e.Thought && it.Status == e.Status && it.Label == e.Label &&
		it.Remark == e.Remark && it.Offer == e.Offer && it.Time.Equal(e.Time) &&
		it.Author == e.Author && it.Color == e.Color && it.Ways == e.Ways && it.Above == e.Above &&
		slices.Equal(it.Lessons, e.Lessons) &&
		(it.Note != nil || e.Note == nil)
}

func (it *item) height() int { return len(it.head) + len(it.thought) + len(it.body) + len(it.foot) + 1 }

// line returns one line of a rendered item; the last one is blank.
func (it *item) line(i int) string {
	if i < len(it.head) {
		return strings.Repeat(" ", headIndent) + it.head[i]
	}
	i -= len(it.head)
	if i < len(it.thought) {
		return strings.Repeat(" ", bodyIndent) + it.thought[i]
	}
	i -= len(it.thought)
	if i < len(it.body) {
		return strings.Repeat(" ", bodyIndent) + it.body[i]
	}
	i -= len(it.body)
	if i < len(it.foot) {
		return strings.Repeat(" ", bodyIndent) + it.foot[i]
	}
	return ""
}

// maxKept is how many rendered lines are kept of messages that are not shown:
// some screens of long answers, a few megabytes.
const maxKept = 10_000

// render brings an item up to date for the model's width.
func (m *Model) render(it *item) {
	it.used = m.views
	if it.rendered == it.version && it.width == m.width {
		return
	}
	m.Renders++
	m.kept -= len(it.thought) + len(it.body)
	it.rendered, it.width = it.version, m.width
	width := max(1, m.width-bodyIndent-margin)
	if it.Role == memory.RoleTool {
		it.head, it.thought, it.body, it.foot = m.trace(it), nil, nil, nil
		return
	}
	it.head = nil
	if it.Above != "" {
		it.head = append(it.head, m.styles.Dim.Render(clean.Truncate(clean.Line("── "+it.Above), width, "…")), "")
	}
	it.head = append(it.head, m.heading(it))
	it.thought = m.thoughtLines(it, width)
	it.foot = m.footer(it, width)
	switch {
	case it.marked():
		it.body = m.plain(it, width) // what was said, as it is kept
	case it.stream != nil:
		it.stream.SetWidth(width)
		it.body = it.stream.Lines()
	case it.Role == memory.RoleAssistant:
		it.body = m.md.Render(it.Text, width)
	default:
		it.body = m.plain(it, width)
	}
	if len(it.body) == 1 && it.body[0] == "" {
		it.body = nil
	}
	m.kept += len(it.thought) + len(it.body)
}

// forget drops what was rendered of messages that the last view did not show,
// once that has become much.
func (m *Model) forget() {
	if m.kept <= maxKept {
		return
	}
	m.kept = 0
	for _, it := range m.items {
		if it.used != m.views {
			it.rendered, it.head, it.thought, it.body, it.foot = 0, nil, nil, nil, nil
		}
		m.kept += len(it.thought) + len(it.body)
	}
}
