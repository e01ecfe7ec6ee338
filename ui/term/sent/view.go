package sent

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/index/text"
	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/recall"
	"memoria/ui/term/shapes"
	"memoria/ui/words"
)

// row is one line. A row with a key can be chosen: it folds a layer, or opens a
// memory when it has one.
type row struct {
	key    string
	item   string
	source *memory.Evidence // words that it leads to
	text   string
	copy   string
	lead   int // cells of text that keep their looks under the cursor
}

// folds reports whether the row is a layer that opens and closes.
func (r row) folds() bool { return r.key != "" && r.item == "" && r.source == nil }

func (m *Model) build() {
	was := ""
	if m.cursor >= 0 && m.cursor < len(m.rows) {
		was = m.rows[m.cursor].key
	}
	m.rows = m.rows[:0]
	if len(m.turns) == 0 {
		m.head("sent.empty")
		m.wrap(m.Styles.Dim, m.Words.Say("sent.empty.why"), 1)
	} else {
		m.addTurn()
	}
	m.cursor = max(m.next(-1, 1), slices.IndexFunc(m.rows, func(r row) bool { return was != "" && r.key == was }))
	m.clampFirst()
}

func (m *Model) add(line string) { m.rows = append(m.rows, row{text: line}) }

// head adds a heading, a message of the catalogue.
func (m *Model) head(id string, args ...any) {
	m.add(m.Styles.Accent.Render(" " + m.Words.Say(id, args...)))
}

func (m *Model) wrap(style list.Styler, text string, indent int) {
	for _, l := range m.Wrapped(style, text, indent) {
		m.add(l)
	}
}

// title names the turn shown, which sent p.
func (m *Model) title(p memory.Package) string {
	if m.names != nil {
		if who := m.names(p); who != "" {
			return m.Words.Say("sent.head.for", clean.Line(who), m.at+1, len(m.turns))
		}
	}
	return m.Words.Say("sent.head", m.at+1, len(m.turns))
}

func (m *Model) addTurn() {
	p := m.turns[m.at]
	m.add(cells.Spread(m.Styles.Accent.Render(" "+m.title(p))+m.Styles.Dim.Render(" · "+words.Moment(p.CreatedAt, m.Loc)),
		m.Styles.Dim.Render(m.Words.Say("sent.head.keys")+" "), m.Width))
	if said := m.asked(); said != "" {
		m.add(cells.Fit(m.Styles.Strong.Render(" “"+clean.Truncate(said, max(8, m.Width-4), cells.Ellipsis)+"”"), m.Width))
	}
	to := clean.Line(p.Model)
	switch {
	case p.Endpoint != "":
		to = m.Words.Say("sent.at", to, clean.Line(p.Endpoint))
	case p.Model == memory.ModelOffline:
		to = m.Words.Say("sent.nowhere")
	}
	m.wrap(m.Styles.Text, to, 1)
	m.addBudget(p)
	size := m.Words.Say("sent.tokens", cells.Number(p.Tokens))
	if p.Limit > 0 {
		size = m.Words.Say("sent.tokens.of", cells.Number(p.Tokens), cells.Number(p.Limit), m.Words.Share(p.Tokens, p.Limit))
	}
	if cut := m.Words.Cuts(p); cut != "" {
		size += " · " + cut
	}
	if n := len(p.Rounds); n > 0 {
		size += " · " + m.Words.Say("sent.requests", m.Words.Count(n, "search request"))
	}
	if proof := m.proof(); proof != "" {
		size += " · " + proof
	}
	indent := 1
	if p.Limit > 0 {
		indent += gauge + 1
	}
	lines := m.Wrapped(m.Styles.Text, size, indent)
	if p.Limit > 0 {
		lines[0] = " " + m.Styles.Gauge(p.Tokens, p.Limit, gauge) + lines[0][indent-1:]
	}
	for _, l := range lines {
		m.add(l)
	}
	if p.Degraded != "" {
		m.wrap(m.Styles.Warn, "! "+m.Words.Translate(p.Degraded), 1)
	}
	if m.detail.Problem != "" {
		m.wrap(m.Styles.Bad, m.detail.Problem, 1)
	}
	m.add("")
	m.addLayers(p)
	m.addSources(p)
	m.addRounds(p)
	m.addUsed(p)
	m.addFound(p)
	m.addDropped(p)
	m.addProof(p)
}

// asked is the message of the turn, on a line; empty until it was read.
func (m *Model) asked() string {
	for _, b := range m.detail.Rendered.Rendered {
		if b.Layer == memory.LayerMessage {
			return clean.Line(b.Text)
		}
	}
	return ""
}

// addBudget shows what the turn sent as a bar of its layers, each with a cell at least, and the
// names of the layers.
func (m *Model) addBudget(p memory.Package) {
	tokens := words.LayerTokens(p)
	parts, names, sum := make([]float64, len(tokens)), make([]string, len(tokens)), 0
	for i, n := range tokens {
		if n > 0 {
			names[i] = m.Words.Layer(words.Layers[i])
		}
		parts[i] = float64(n)
		sum += n
	}
	if sum == 0 {
		return
	}
	width, inks := max(1, m.Width-2), m.Styles.LayerInks()
	m.add(" " + m.Styles.Cells(shapes.Split(parts, float64(sum), width, true), inks, " ", width))
	for _, l := range m.Styles.Legend(inks, names, m.Width) {
		m.add(l)
	}
}

// gauge shows how much of the model's context the turn took.
const gauge = 10

// group is the consecutive blocks of one layer.
type group struct {
	layer     memory.Layer
	from, to  int // blocks
	tokens    int
	notes     []string
	forgotten int
}

func (m *Model) groups(p memory.Package) []group {
	var out []group
	for i, b := range p.Blocks {
		if n := len(out); n == 0 || out[n-1].layer != b.Layer {
			out = append(out, group{layer: b.Layer, from: i})
		}
		g := &out[len(out)-1]
		g.to = i + 1
		g.tokens += b.Tokens
		// The facts and the wishes of a profile are two blocks of one version.
		if b.Note != "" && !(b.Layer == memory.LayerProfile && slices.Contains(g.notes, b.Note)) {
			g.notes = append(g.notes, b.Note)
		}
		if i < len(m.detail.Rendered.Rendered) {
			g.forgotten += m.detail.Rendered.Rendered[i].Forgotten
		}
	}
	return out
}

func (m *Model) addLayers(p memory.Package) {
	there := map[memory.Layer]int{}
	for _, g := range m.groups(p) {
		key := fmt.Sprintf("%s %d", g.layer, there[g.layer]) // the same in every turn
		there[g.layer]++
		sign := "+ "
		if m.open[key] {
			sign = "- "
		}
		label := m.Words.Layer(g.layer)
		switch g.layer {
		case memory.LayerWindow:
			label += " · " + m.Words.Count(g.to-g.from, "message")
		case memory.LayerRecall:
			label += " · " + m.Words.Count(chosen(p), "memory")
		case memory.LayerJournal:
			label += " · " + m.Words.Count(linesOf(p, g), "passage")
		case memory.LayerEvidence:
			label += " · " + m.Words.Count(quoted(p), "quotation")
		case memory.LayerSummaries:
			label += " · " + m.Words.Count(linesOf(p, g), "conversation")
		}
		right := m.Styles.Dim.Render(fmt.Sprintf("~%s ", cells.Number(g.tokens)))
		m.rows = append(m.rows, row{
			key: key, text: cells.Spread("   "+m.Styles.Text.Render(sign)+m.swatch(g.layer)+m.Styles.Text.Render(label), right, m.Width),
			copy: m.text(g), lead: len("   + x "),
		})
		for _, n := range g.notes {
			m.wrap(m.Styles.Warn, m.Words.Translate(n), 5)
		}
		if g.forgotten > 0 {
			m.wrap(m.Styles.Warn, m.Words.Say("sent.forgotten", m.Words.Count(g.forgotten, "part")), 5)
		}
		if m.open[key] {
			m.addText(g)
		}
	}
	var missing []string
	for _, l := range words.Layers {
		if there[l] == 0 && l != memory.LayerNow {
			missing = append(missing, m.Words.Layer(l))
		}
	}
	if len(missing) > 0 && m.numbers {
		m.wrap(m.Styles.Dim, m.Words.Say("sent.missing", m.Words.List(missing)), 3)
	}
	m.add("")
}

// swatch is the sign of a layer in the bar, with a space.
func (m *Model) swatch(l memory.Layer) string {
	if i := slices.Index(words.Layers, l); i >= 0 {
		return m.Styles.Swatch(m.Styles.LayerInks()[i]) + " "
	}
	return "  "
}

// linesOf counts the fenced lines of a group.
func linesOf(p memory.Package, g group) (n int) {
	for _, b := range p.Blocks[g.from:g.to] {
		for _, part := range b.Parts {
			if part.Form == memory.FormFence {
				n++
			}
		}
	}
	return n
}

// text is the exact text of a group's blocks.
func (m *Model) text(g group) string {
	var parts []string
	for i := g.from; i < g.to && i < len(m.detail.Rendered.Rendered); i++ {
		parts = append(parts, m.detail.Rendered.Rendered[i].Text)
	}
	return strings.Join(parts, "\n")
}

// deletionNote matches the mark that replaces deleted words.
var deletionNote = regexp.MustCompile(`\[forgotten(?: \d{4}-\d\d-\d\d)?\]`)

// noted is a text some of whose parts were deleted, with the notes of that in the language of the
// run.
func (m *Model) noted(text string, deleted int) string {
	if deleted == 0 {
		return text
	}
	return deletionNote.ReplaceAllStringFunc(text, m.Words.Translate)
}

func (m *Model) addText(g group) {
	if len(m.detail.Rendered.Rendered) == 0 && m.detail.Problem == "" {
		m.add("     " + m.Styles.Dim.Render(m.Words.Say("life.reading")))
		return
	}
	for i := g.from; i < g.to && i < len(m.detail.Rendered.Rendered); i++ {
		b := m.detail.Rendered.Rendered[i]
		role := clean.Line(m.Words.Named("role", string(b.Role)))
		m.add("     " + m.Styles.Dim.Render(fmt.Sprintf("── %s · ~%s", role, cells.Number(b.Tokens))))
		if b.Layer == memory.LayerPersona && m.Words.Language == words.Chinese && !strings.ContainsFunc(b.Text, text.Han) {
			m.wrap(m.Styles.Dim, m.Words.Say("sent.verbatim"), 5)
		}
		for _, l := range list.Verbatim(m.Words.Words, m.Styles.Text, m.Styles.Warn, m.noted(b.Text, b.Forgotten), m.Width, 5) {
			m.add(l)
		}
	}
}

func chosen(p memory.Package) int {
	n := 0
	for _, u := range p.Used {
		if u.Chosen {
			n++
		}
	}
	return n
}

func (m *Model) addUsed(p memory.Package) {
	n := chosen(p)
	m.head("sent.memories", n, len(p.Used)-n)
	if len(p.Used) == 0 {
		m.wrap(m.Styles.Dim, m.Words.Say("sent.memories.none"), 3)
	}
	if len(p.Keywords) > 0 {
		m.wrap(m.Styles.Dim, m.Words.Say("sent.looked-for", m.Words.List(p.Keywords)), 3)
	}
	whole := words.FullScore
	used := slices.SortedStableFunc(slices.Values(p.Used), func(a, b memory.Used) int {
		if a.Chosen != b.Chosen {
			return map[bool]int{true: -1, false: 1}[a.Chosen]
		}
		return cmp.Compare(b.Score, a.Score)
	})
	var bars [][]float64
	for _, u := range used {
		bar, sum := words.ScoreShape(u.Contribution, u.Parts), 0.0
		for _, part := range bar {
			sum += part
		}
		bars, whole = append(bars, bar), max(whole, sum)
	}
	for _, u := range used {
		m.addOne(u, whole, p.Keywords)
	}
	for _, l := range recall.Legend(m.Words, m.Styles, bars, m.Width) {
		m.add(l)
	}
	m.add("")
}

// addFound shows which passages of the journal were found, which were sent, and why (J6).
func (m *Model) addFound(p memory.Package) {
	if len(p.Found) == 0 {
		return
	}
	n := 0
	for _, f := range p.Found {
		if f.Chosen {
			n++
		}
	}
	m.head("sent.passages", n, len(p.Found)-n)
	for _, f := range p.Found {
		sign, style := m.Styles.Good.Render("✓"), list.Styler(m.Styles.Text)
		if !f.Chosen {
			sign, style = m.Styles.Dim.Render("·"), m.Styles.Dim
		}
		path := "…"
		if m.detail.TurnID != "" {
			path = m.Words.Say("journal.forgotten")
		}
		if known, ok := m.detail.Files[f.File]; ok {
			path = clean.Line(known)
		}
		score := m.Styles.Strong.Render(fmt.Sprintf("%.1f", f.Score))
		m.add(cells.Fit(fmt.Sprintf("   %s %s %s", sign, score, style.Render(path)), m.Width))
		m.wrap(m.Styles.Dim, m.Words.Translate(f.Why), 6)
	}
	m.add("")
}

func (m *Model) addOne(u memory.Used, whole float64, keywords []string) {
	sign, style := m.Styles.Good.Render("✓"), list.Styler(m.Styles.Text)
	if !u.Chosen {
		sign, style = m.Styles.Dim.Render("·"), m.Styles.Dim
	}
	it, known := m.detail.Items[u.ItemID]
	what := m.Words.Say("journal.forgotten")
	switch {
	case known:
		what = clean.Line(it.Content)
	case m.detail.TurnID == "":
		what = "…"
	}
	bar := recall.BarWidth(m.Width)
	left := "   " + sign + " " + m.Styles.Bar(words.ScoreShape(u.Contribution, u.Parts), m.Styles.ScoreInks(), whole, bar) + " "
	lead := 3 + 2 + bar + 1
	if m.numbers {
		left += m.Styles.Strong.Render(fmt.Sprintf("%.2f", u.Score)) + " "
	}
	r := row{key: "used " + u.ItemID, text: cells.Fit(left+style.Render(what), m.Width), copy: it.Content, lead: lead}
	if known {
		r.item = u.ItemID
	} else {
		r.key = ""
	}
	m.rows = append(m.rows, r)
	why := m.Words.Translate(u.Why)
	if u.Chosen {
		why = m.Words.Because(it, u.Contribution, u.Parts, keywords, u.Why)
	}
	if why != "" {
		m.wrap(m.Styles.Dim, why, 6)
	}
	if m.numbers {
		m.wrap(m.Styles.Dim, recall.Contribution(m.Words, u.Contribution, u.Parts.TopicBoost), 6)
	}
}

func (m *Model) addDropped(p memory.Package) {
	if len(p.Dropped) == 0 {
		return
	}
	m.head("sent.dropped.head", len(p.Dropped))
	for _, d := range p.Dropped {
		what, why := m.Words.Translate(d.What), m.Words.Translate(d.Reason)
		m.wrap(m.Styles.Dim, m.Words.Say("sent.dropped.row", m.Words.Layer(d.Layer), what, why), 3)
	}
	m.add("")
}

// proof says in few words whether the text shown is what was sent.
func (m *Model) proof() string {
	switch {
	case m.detail.TurnID == "" || m.detail.Problem != "":
		return ""
	case m.detail.AllExact():
		return m.Words.Say("sent.verified")
	}
	return m.Words.Say("sent.incomplete")
}

// addProof says the same in full, with the hash.
func (m *Model) addProof(p memory.Package) {
	switch {
	case m.detail.TurnID == "":
		m.wrap(m.Styles.Dim, m.Words.Say("sent.reading"), 1)
	case m.detail.Problem != "":
	case m.detail.AllExact():
		m.wrap(m.Styles.Good, m.Words.Say("sent.verified.why"), 1)
	default:
		m.wrap(m.Styles.Warn, m.Words.Say("sent.incomplete.why"), 1)
	}
	if p.Hash != "" && m.numbers {
		m.wrap(m.Styles.Dim, "sha256 "+p.Hash, 1)
	}
}

// View returns the pane's lines: exactly its height, each exactly its width. There is no
// cursor of the terminal.
func (m *Model) View() ([]string, *tea.Cursor) {
	out := make([]string, 0, m.Height)
	for i := m.first; i < len(m.rows) && len(out) < m.Height; i++ {
		l := m.rows[i].text
		if i == m.cursor && m.Focused {
			l = list.Chosen(m.Styles, m.Styles.Accent.Render(" ▸ ")+strings.TrimPrefix(l, "   "), max(m.rows[i].lead, 3), m.Width)
		}
		out = append(out, l)
	}
	return m.Frame(out, nil, nil)
}
