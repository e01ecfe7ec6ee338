package transcript

import (
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

// Think adds to the thoughts before a message that is being written.
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
	said := "▸ " + r.words.Say("transcript.thought", r.size(it.Thought))
	if r.thoughts {
		said = "▾ " + r.words.Say("transcript.thought.open", r.size(it.Thought))
	}
	for _, l := range clean.Wrap(said, width) {
		out = append(out, r.styles.Dim.Render(l))
	}
	if r.thoughts {
		text, _ = clean.Text(text)
		dim(trimBlank(clean.Wrap(text, width)))
	}
	return append(out, "")
}

// size says how long a thought took, and how long it is.
func (r *renderer) size(t Thought) string {
	length := r.words.Count(utf8.RuneCountInString(t.Text), "character")
	if t.Took < time.Second {
		return length
	}
	return r.words.Say("transcript.thought.for", r.words.Seconds(t.Took.Round(time.Second)), length)
}
