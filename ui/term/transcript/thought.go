package transcript

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/ui/clean"
)

// liveThought is how many lines of what a model is thinking are shown (C9).
const liveThought = 3

// liveTail is how many bytes at its end these lines are made of.
const liveTail = 4 << 10

// Thought is what a model thought before it said a message.
type Thought struct {
	Text string
	Took time.Duration // 0: it is not known
}

// Think adds to what is thought before a message that is being written.
func (m *Model) Think(id, text string) {
	if i, ok := m.index[id]; ok {
		it := m.items[i]
		it.thinks.WriteString(text)
		it.Thought.Text = it.thinks.String()
		it.version++
	}
}

// Unsay takes back what a message that is being written says so far.
func (m *Model) Unsay(id string) {
	if i, ok := m.index[id]; ok {
		it := m.items[i]
		it.Text, it.stream, it.grown = "", nil, nil
		it.version++
	}
}

// OpenThoughts shows thoughts whole, or folds them; it returns which, and whether
// there are any.
func (m *Model) OpenThoughts() (open, any bool) {
	m.thoughts = !m.thoughts
	for _, it := range m.items {
		if it.Thought.Text != "" {
			it.version++
			any = true
		}
	}
	m.clamp()
	return m.thoughts, any
}

// thoughtLines are a thought above its message: live its last lines, then one line
// with time and length, and all of it when it is opened.
func (r *renderer) thoughtLines(it *item, width int) (out []string) {
	text := it.Thought.Text
	if strings.TrimSpace(text) == "" {
		return nil
	}
	dim := func(lines []string) {
		for _, l := range lines {
			out = append(out, r.styles.Dim.Render(l))
		}
	}
	if live := it.Text == "" && it.Status == ""; live && !r.thoughts {
		if n := len(text); n > liveTail {
			text = strings.ToValidUTF8(text[n-liveTail:], "")
		}
		text, _ = clean.Text(text)
		lines := trimBlank(clean.Wrap(text, width))
		dim(lines[max(0, len(lines)-liveThought):])
		return out
	}
	sign, key := "▸", " · F4 shows it"
	if r.thoughts {
		sign, key = "▾", " · F4 folds it"
	}
	for _, l := range clean.Wrap(sign+" thought "+it.Thought.size()+key, width) {
		out = append(out, r.styles.Dim.Render(l))
	}
	if r.thoughts {
		text, _ = clean.Text(text)
		dim(trimBlank(clean.Wrap(text, width)))
	}
	return append(out, "")
}

// size is how long it took, and how long it is.
func (t Thought) size() string {
	length := count(utf8.RuneCountInString(t.Text), "character")
	if t.Took < time.Second {
		return length
	}
	return fmt.Sprintf("for %s, %s", t.Took.Round(time.Second), length)
}
