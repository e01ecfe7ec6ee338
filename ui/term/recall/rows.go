package recall

import (
	"fmt"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// entry is the subject of a row.
type entry struct {
	item   memory.Item
	change *memory.Change // what was learned, in rows of that
	// passage of the journal; nil where the row is about an item
	passage *journal.Hit
}

// addRows adds the sections. A filter shows the list of all memories alone.
func (m *Model) addRows() {
	if m.only != partAll && m.filter == "" && !m.Typing {
		m.addPreview()
		m.addLessons()
	}
	if m.only != partRecall {
		m.addItems()
		return
	}
	p, l := m.preview, m.lessons
	switch {
	case p.result.Total > 0 || len(p.passages) > 0 || len(l.learned) > 0 || l.run.Generation != "":
	case !m.loaded || p.answered != p.typed:
	case m.total == 0:
		m.Dim(empty(m.unavailable))
	case p.typed:
		m.Dim(words.Say("recall.none"))
	default:
		m.Dim(words.Say("recall.rest"))
		m.Dim(words.Say("recall.all", list.Plural(m.total, "memory")))
	}
}

// empty says how the memory gets its first item, or why it cannot.
func empty(unavailable string) string {
	if unavailable != "" {
		return unavailable
	}
	return "Nothing is remembered yet. Say “My name is …”, “I prefer …”, " +
		"“remember that …” or 记住…, 我喜欢…, or press a here to write a memory yourself."
}

func (m *Model) addItems() {
	switch {
	case !m.loaded:
		m.Say(m.Styles.Dim.Render(" reading memories …"))
		return
	case m.Typing || m.filter != "":
		m.Say(m.Styles.Accent.Render(fmt.Sprintf(" %s match", list.Plural(m.total, "memory"))))
		if m.total == 0 {
			m.Dim("Nothing has these words. Esc takes the filter away.")
		}
	case m.total == 0:
		m.Say(m.Styles.Accent.Render(" all memories · 0"))
		m.Dim(empty(m.unavailable))
	default:
		m.Say(m.Styles.Accent.Render(fmt.Sprintf(" all memories · %d, newest first", m.total)))
	}
	drawn := m.drawn
	m.drawn = make(map[drawing]string, len(m.items))
	for _, it := range m.items {
		d := drawing{content: it.Content, typ: it.Type, state: it.State, age: words.Age(m.Now, it.CreatedAt), width: m.Width}
		line, ok := drawn[d]
		if !ok {
			line = m.draw(d)
		}
		m.drawn[d] = line
		m.Add("item"+it.ID, entry{item: it}, line)
	}
	m.Others(m.total - len(m.items))
}

// drawing is all that the line of a memory depends on but the styles: the list is rebuilt
// with everything that changes in it, and most lines stay.
type drawing struct {
	content string
	typ     memory.Type
	state   memory.State
	age     string
	width   int
}

func (m *Model) draw(d drawing) string {
	kind := m.Styles.Dim.Render(short(d.typ))
	if d.state != memory.StateActive && d.state != "" {
		kind = m.Styles.Warn.Render(cells.Fit(clean.Line(string(d.state)), typeWidth))
	}
	return cells.Spread("   "+kind+" "+m.Styles.Text.Render(clean.Line(d.content)), m.Styles.Dim.Render(" "+d.age+" "), d.width)
}

const typeWidth = 10

// short is a type's name in exactly typeWidth cells.
func short(t memory.Type) string {
	if t == memory.TypeRelationship {
		t = "relation"
	}
	return cells.Fit(clean.Line(string(t)), typeWidth)
}
