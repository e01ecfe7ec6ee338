package transcript

import (
	"unicode"
	"unicode/utf8"

	"memoria/ui/term/markdown"
)

// Codes returns the fenced code blocks of a message as they were written, for
// the clipboard: never wrapped, not cleaned. None when the message is not here.
func (m *Model) Codes(id string) []string {
	if i, ok := m.index[id]; ok {
		return markdown.Codes(m.items[i].Text)
	}
	return nil
}

// Find selects and marks the next message that contains text, upper and lower
// case alike, and the text in it: the next later one from the selected on, or
// the next earlier one when back is set, round the end. Called again it goes on
// from the last place. It returns false, and marks nothing, where no message has
// the text.
func (m *Model) Find(text string, back bool) bool {
	if text == "" || len(m.items) == 0 {
		m.Unpoint()
		return false
	}
	step := 1
	if back {
		step = -1
	}
	i, from := m.findFrom(back)
	for range len(m.items) + 1 {
		it := m.items[i]
		at, n := indexFold(it.Text, text, from, back)
		if at >= 0 {
			return m.Point(it.ID, at, n)
		}
		i = (i + step + len(m.items)) % len(m.items)
		from = 0
		if back {
			from = len(m.items[i].Text)
		}
	}
	m.Unpoint()
	return false
}

// findFrom is where a search begins: at the mark of the last one, else at the
// newest message for going back and at the selected one for going on.
func (m *Model) findFrom(back bool) (item, from int) {
	item = min(max(m.selected, 0), len(m.items)-1)
	it := m.items[item]
	switch marked := it.mark[0] < it.mark[1]; {
	case marked && back:
		return item, it.mark[0] - 1
	case marked:
		return item, it.mark[0] + 1
	case back && m.selected < 0:
		item = len(m.items) - 1
		return item, len(m.items[item].Text)
	case back:
		return item, len(it.Text)
	}
	return item, 0
}

// indexFold returns the first place of sub in s at or after from, or the last
// one at or before it, whatever the case of its letters, and its length in s;
// -1 where there is none.
func indexFold(s, sub string, from int, back bool) (at, n int) {
	if back {
		for at := min(from, len(s)); at >= 0; at-- {
			if n, ok := prefixFold(s[at:], sub); ok {
				return at, n
			}
		}
		return -1, 0
	}
	for at := max(from, 0); at < len(s); at++ {
		if n, ok := prefixFold(s[at:], sub); ok {
			return at, n
		}
	}
	return -1, 0
}

func prefixFold(s, prefix string) (n int, ok bool) {
	if s != "" && !utf8.RuneStart(s[0]) {
		return 0, false
	}
	for _, want := range prefix {
		got, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || got != want && unicode.ToLower(got) != unicode.ToLower(want) {
			return 0, false
		}
		n += size
	}
	return n, true
}
