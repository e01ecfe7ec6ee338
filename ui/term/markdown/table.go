package markdown

import (
	"slices"
	"strings"

	east "github.com/yuin/goldmark/extension/ast"

	"memoria/ui/clean"
)

const (
	minColumn = 6 // minimum cells of a column in a table that is too wide
	// A wide column leaves this many cells to a narrower one, if there are enough.
	fairColumn = 12
	columnGap  = 3 // " │ "
)

// table returns the rows of a table with wrapped cells and straight borders. A table
// with too many columns for the width is shown as a list of its rows.
func (p *painter) table(t *east.Table, width int) []string {
	var grid [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		base := face{}
		if row.Kind() == east.KindTableHeader {
			base = p.sheet.tableHead
		}
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, p.inline(c, base))
		}
		grid = append(grid, cells)
	}
	widths, fits := columns(grid, width)
	if !fits {
		return p.records(grid, width)
	}
	var rows []string
	for i, cells := range grid {
		rows = append(rows, p.tableRow(cells, widths, t.Alignments)...)
		if i == 0 {
			rows = append(rows, p.sheet.border.paint(ruler(widths)))
		}
	}
	return rows
}

// columns returns the width of each column so that all fit into width. Narrow columns
// get the width that they need; the others share the rest in proportion to theirs.
func columns(grid [][]string, width int) (widths []int, fits bool) {
	need := make([]int, len(grid[0]))
	for _, cells := range grid {
		for i, cell := range cells[:min(len(cells), len(need))] {
			for line := range strings.SplitSeq(cell, "\n") {
				need[i] = max(need[i], clean.Width(line), 1)
			}
		}
	}
	room, wanted := width-columnGap*(len(need)-1), 0
	order := make([]int, len(need))
	for i := range order {
		order[i] = i
		wanted += min(need[i], width) // one endless cell leaves room for the others
	}
	slices.SortStableFunc(order, func(a, b int) int { return need[a] - need[b] })
	widths = make([]int, len(need))
	for i, column := range order {
		equal := room / (len(order) - i)
		share := max(min(equal, fairColumn), room*min(need[column], width)/max(wanted, 1))
		if need[column] <= equal {
			share = need[column]
		}
		widths[column] = min(need[column], share)
		room -= widths[column]
		wanted -= min(need[column], width)
		if widths[column] < min(need[column], minColumn) {
			return nil, false
		}
	}
	return widths, true
}

func (p *painter) tableRow(cells []string, widths []int, align []east.Alignment) []string {
	wrapped := make([][]string, len(widths))
	height := 1
	for i := range widths {
		if i < len(cells) {
			wrapped[i] = clean.WrapStyled(cells[i], widths[i])
		}
		height = max(height, len(wrapped[i]))
	}
	border := p.sheet.border.paint("│")
	rows := make([]string, height)
	for y := range rows {
		var b strings.Builder
		for i, w := range widths {
			if i > 0 {
				b.WriteString(" " + border + " ")
			}
			cell := ""
			if y < len(wrapped[i]) {
				cell = wrapped[i][y]
			}
			left, right := padding(w-clean.Width(cell), align[min(i, len(align)-1)])
			if i == len(widths)-1 {
				right = 0
			}
			b.WriteString(strings.Repeat(" ", left) + cell + strings.Repeat(" ", right))
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

func padding(free int, a east.Alignment) (left, right int) {
	free = max(free, 0)
	switch a {
	case east.AlignRight:
		return free, 0
	case east.AlignCenter:
		return free / 2, free - free/2
	}
	return 0, free
}

func ruler(widths []int) string {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat("─", w)
	}
	return strings.Join(parts, "─┼─")
}

// records shows each row of a table as lines of "header: cell".
func (p *painter) records(grid [][]string, width int) []string {
	var rows []string
	for _, cells := range grid[1:] {
		var record []string
		for i, cell := range cells[:min(len(cells), len(grid[0]))] {
			record = append(record, clean.WrapStyled(grid[0][i]+": "+cell, width)...)
		}
		rows = join(rows, record, true)
	}
	if len(grid) == 1 {
		return clean.WrapStyled(strings.Join(grid[0], ", "), width)
	}
	return rows
}
