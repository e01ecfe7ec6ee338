package recall

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/retrieve"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// entry is what a row stands for.
type entry struct {
	item   memory.Item
	change *memory.Change // what was learned, in rows of that
	// passage of the journal; nil where the row is about an item
	passage *journal.Hit
}

type row = list.Row[entry]

// build makes the rows anew and keeps the cursor on its row. While the part has
// no keyboard what is new comes first.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	m.rows = nil
	if m.filter == "" && m.mode != filtering {
		m.addPreview()
		m.addLearned()
		m.addRun()
	}
	m.addItems()
	m.list.Set(m.rows)
}

func (m *Model) say(lines ...string) { m.rows = append(m.rows, row{Lines: lines}) }

func (m *Model) addPreview() {
	if !m.typed || !m.previewd || m.preview.Total == 0 && len(m.passages) == 0 {
		return
	}
	p := m.preview
	found := "would recall nothing"
	if n := len(p.Chosen); n > 0 {
		found = fmt.Sprintf("would recall · %d", n)
	}
	m.say(m.styles.Accent.Render(fmt.Sprintf(" %s of %d · %s", found, p.Total, millis(p.Took))))
	if p.Degraded != "" {
		m.note(m.styles.Warn, "! "+p.Degraded)
	}
	if p.Note != "" {
		m.note(m.styles.Dim, p.Note)
	}
	for _, s := range p.Chosen {
		m.rows = append(m.rows, m.scored("would", s))
	}
	if len(p.NotChosen) > 0 {
		how := ""
		if m.focused {
			how = " · x shows them"
			if m.unused {
				how = " · x hides them"
			}
		}
		m.note(m.styles.Dim, "not used: "+reasons(p.NotChosen)+how)
		if m.unused {
			for _, s := range p.NotChosen {
				r := m.scored("not", s)
				r.Lines = append(r.Lines, m.wrapped(m.styles.Dim, s.Why, 6)...)
				m.rows = append(m.rows, r)
			}
		}
	}
	m.addPassages()
	m.say("")
}

// addPassages shows what of the journal would go with the text, and why (J6).
func (m *Model) addPassages() {
	if len(m.passages) == 0 {
		return
	}
	m.say(m.styles.Accent.Render(" and of the journal · " + list.Plural(len(m.passages), "passage")))
	for i, h := range m.passages {
		path := clean.Truncate(clean.Line(h.Path), max(8, m.width-12), cells.Ellipsis)
		text := clean.Truncate(clean.Line(h.Text[h.From:h.To]), max(8, m.width-8), cells.Ellipsis)
		lines := []string{
			"   " + m.styles.Strong.Render(fmt.Sprintf("%.1f", h.Score)) + " " + m.styles.Text.Render(path),
			"      " + m.styles.Text.Render("“"+text+"”"),
		}
		lines = append(lines, m.wrapped(m.styles.Dim, words.JournalHit(h), 6)...)
		m.rows = append(m.rows, row{Key: fmt.Sprint("passage ", i), Of: entry{passage: &h}, Lines: lines})
	}
}

// reasons counts why candidates were left out. What stands before a colon is
// the reason, what follows its figures.
func reasons(not []retrieve.Scored) string {
	var order []string
	n := map[string]int{}
	for _, s := range not {
		why, _, _ := strings.Cut(clean.Line(s.Why), ":")
		if n[why] == 0 {
			order = append(order, why)
		}
		n[why]++
	}
	for i, why := range order {
		order[i] = fmt.Sprintf("%d %s", n[why], why)
	}
	return strings.Join(order, ", ")
}

// scored is an item with the parts of its score (R8).
func (m *Model) scored(kind string, s retrieve.Scored) row {
	head := m.styles.Strong.Render(fmt.Sprintf("%.2f", s.Score)) + " " +
		m.styles.Dim.Render(short(s.Item.Type)) + " " + m.styles.Text.Render(clean.Line(s.Item.Content))
	lines := []string{cells.Fit("   "+head, m.width)}
	lines = append(lines, m.wrapped(m.styles.Dim, Contribution(s.Contribution, s.Parts.TopicBoost), 6)...)
	return row{Key: kind + s.Item.ID, Of: entry{item: s.Item}, Lines: lines}
}

// Contribution writes the parts of a score, each as what it adds, in little room.
func Contribution(c memory.Parts, topic float64) string {
	var parts []string
	for _, p := range words.ScoreParts(c, topic) {
		parts = append(parts, p.Name+"\u00a0"+strings.TrimPrefix(p.Said, "0"))
	}
	return strings.Join(parts, "  ")
}

func (m *Model) addLearned() {
	if len(m.learned) == 0 {
		return
	}
	m.say(m.styles.Accent.Render(" learned from this turn · " + list.Plural(stored(m.learned), "change")))
	m.addChanges(m.learned)
}

// addRun adds what a consolidation did.
func (m *Model) addRun() {
	if m.run.Generation == "" {
		return
	}
	m.say(m.styles.Accent.Render(" a conversation was summed up · " + list.Plural(stored(m.run.Changes), "change")))
	if m.run.Title != "" {
		m.note(m.styles.Dim, "“"+m.run.Title+"”")
	}
	m.addChanges(m.run.Changes)
}

func (m *Model) addChanges(list []memory.Change) {
	for _, c := range list {
		sign, style := mark(c.Action), m.styles.Good
		if c.Action == memory.ActionSkipped || c.Action == memory.ActionDeleted || c.Undone {
			style = m.styles.Dim
		}
		if c.Item == nil {
			m.note(style, sign+" "+string(c.Action)+": "+c.Reason)
			continue
		}
		right := ""
		switch {
		case c.Undone:
			right = m.styles.Dim.Render(" undone ")
		case m.focused && len(m.removed) == 0 && m.undoable(c):
			right = m.styles.Dim.Render(" u undo ")
		}
		text := fmt.Sprintf("%s %s", m.styles.Dim.Render(short(c.Item.Type)), m.styles.Text.Render(clean.Line(c.Item.Content)))
		lines := []string{cells.Spread("   "+style.Render(sign)+" "+text, right, m.width)}
		if c.Action != memory.ActionAdded {
			what, why := c.Words()
			lines = append(lines, m.wrapped(m.styles.Dim, strings.TrimSuffix(what+": "+why, ": "), 6)...)
		}
		if c.Replaced != nil {
			lines = append(lines, m.wrapped(m.styles.Dim, "was: "+c.Replaced.Content, 6)...)
		}
		r := row{Lines: lines, Of: entry{item: *c.Item, change: &c}}
		if c.Action != memory.ActionSkipped && c.Action != memory.ActionDeleted {
			r.Key = "learned" + c.ID + c.ItemID
		}
		m.rows = append(m.rows, r)
	}
	m.say("")
}

// stored is how many of these changed something.
func stored(list []memory.Change) (n int) {
	for _, c := range list {
		if c.Action != memory.ActionSkipped {
			n++
		}
	}
	return n
}

// mark is the sign of a change in lists.
func mark(a memory.Action) string {
	switch a {
	case memory.ActionAdded, memory.ActionRestored, memory.ActionRedone:
		return "+"
	case memory.ActionConfirmed:
		return "="
	case memory.ActionEdited, memory.ActionSuperseded, memory.ActionRelinked:
		return "~"
	case memory.ActionHeld:
		return "?"
	}
	return "-"
}

func (m *Model) addItems() {
	switch {
	case !m.loaded:
		m.say(m.styles.Dim.Render(" reading memories …"))
		return
	case m.mode == filtering || m.filter != "":
		m.say(m.styles.Accent.Render(fmt.Sprintf(" %s match", list.Plural(m.total, "memory"))))
		if m.total == 0 {
			m.note(m.styles.Dim, "Nothing has these words. Esc takes the filter away.")
		}
	case m.total == 0:
		m.say(m.styles.Accent.Render(" all memories · 0"))
		if m.nobody != "" {
			m.note(m.styles.Dim, m.nobody)
			break
		}
		m.note(m.styles.Dim, `Nothing is remembered yet. Say “My name is …”, “I prefer …”, “remember that …” or 记住…, 我喜欢…, or press a here to write a memory yourself.`)
	default:
		m.say(m.styles.Accent.Render(fmt.Sprintf(" all memories · %d, newest first", m.total)))
	}
	drawn := m.drawn
	m.drawn = make(map[drawing]string, len(m.items))
	for _, it := range m.items {
		d := drawing{content: it.Content, typ: it.Type, state: it.State, age: words.Age(m.now, it.CreatedAt), width: m.width}
		line, ok := drawn[d]
		if !ok {
			line = m.draw(d)
		}
		m.drawn[d] = line
		m.rows = append(m.rows, row{Key: "item" + it.ID, Of: entry{item: it}, Lines: []string{line}})
	}
	if n := m.total - len(m.items); n > 0 {
		m.say(m.styles.Dim.Render(fmt.Sprintf("   … and %d more", n)))
	}
}

// drawing is all that the line of a memory depends on but the styles: the list is built anew
// with everything that changes in it, and most lines stay.
type drawing struct {
	content string
	typ     memory.Type
	state   memory.State
	age     string
	width   int
}

func (m *Model) draw(d drawing) string {
	kind := m.styles.Dim.Render(short(d.typ))
	if d.state != memory.StateActive && d.state != "" {
		kind = m.styles.Warn.Render(cells.Fit(clean.Line(string(d.state)), typeWidth))
	}
	return cells.Spread("   "+kind+" "+m.styles.Text.Render(clean.Line(d.content)), m.styles.Dim.Render(" "+d.age+" "), d.width)
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	return list.Wrapped(style, text, m.width, indent)
}

// note adds a row of wrapped text.
func (m *Model) note(style list.Styler, text string) { m.say(m.wrapped(style, text, 1)...) }

const typeWidth = 10

// short is a type's name in exactly typeWidth cells.
func short(t memory.Type) string {
	if t == memory.TypeRelationship {
		t = "relation"
	}
	return cells.Fit(clean.Line(string(t)), typeWidth)
}

// millis shows a short duration with two figures.
func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}
