package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"memoria/ui/clean"
)

// minWidth is the minimum width of text: deeper nesting is not indented.
const minWidth = 8

// painter turns one parsed source into rows.
type painter struct {
	parsed
	sheet   *sheet
	codes   *[]*code // cache of the code blocks, in order
	seen    int      // how many of them have been drawn
	growing ast.Node // the last code block of a text that still grows, or nil
}

// end returns the last block of a tree.
func end(doc ast.Node) ast.Node {
	n := doc
	for n.LastChild() != nil && n.LastChild().Type() == ast.TypeBlock {
		n = n.LastChild()
	}
	return n
}

// top returns the rows of the whole source. The first list continues from from, if the
// source was cut inside a list.
func (p *painter) top(width int, from listState) []string {
	var rows []string
	first := true
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		var block []string
		if list, ok := n.(*ast.List); ok && first && from.open {
			block = p.list(list, width, from.next)
		} else {
			block = p.block(n, width)
		}
		first = false
		rows = join(rows, block, true)
	}
	return rows
}

// listState is the state of a list at a cut.
type listState struct {
	open bool // the source before the cut ends in a list that continues
	next int  // number of its next item
}

// after returns the state after this source if its last block is a list.
func (p *painter) after(from listState) listState {
	list, ok := p.doc.LastChild().(*ast.List)
	if !ok {
		return listState{}
	}
	start := list.Start
	if from.open && p.doc.FirstChild() == ast.Node(list) {
		start = from.next
	}
	return listState{true, start + list.ChildCount()}
}

// join appends block to rows, separated by an empty row if apart is set.
func join(rows, block []string, apart bool) []string {
	if apart && len(rows) > 0 && len(block) > 0 {
		rows = append(rows, "")
	}
	return append(rows, block...)
}

func (p *painter) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		f := p.sheet.heading[min(max(n.Level, 1), 6)-1]
		before := f.before
		f.before = ""
		return clean.WrapStyled(f.paint(before)+p.inline(n, f), width)
	case *ast.Paragraph, *ast.TextBlock:
		if n.ChildCount() == 0 {
			return nil
		}
		return clean.WrapStyled(p.inline(n, face{}), width)
	case *ast.Blockquote:
		return p.quote(n, width)
	case *ast.List:
		return p.list(n, width, n.Start)
	case *ast.FencedCodeBlock:
		return p.codeBlock(n, string(n.Language(p.src)), p.lines(n), width)
	case *ast.CodeBlock:
		return p.codeBlock(n, "", p.lines(n), width)
	case *ast.HTMLBlock:
		html := p.lines(n)
		if n.HasClosure() {
			html += string(n.ClosureLine.Value(p.src))
		}
		html, _ = clean.Text(strings.TrimRight(html, "\n"))
		return clean.WrapStyled(p.sheet.html.paint(html), width)
	case *ast.ThematicBreak:
		return []string{p.sheet.rule.paint(strings.Repeat("─", width))}
	case *east.Table:
		return p.table(n, width)
	}
	return p.children(n, width, func(ast.Node) bool { return true })
}

// children returns the rows of the blocks in a container. apart reports whether an
// empty row precedes a block.
func (p *painter) children(n ast.Node, width int, apart func(ast.Node) bool) []string {
	var rows []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		rows = join(rows, p.block(c, width), apart(c))
	}
	return rows
}

func (p *painter) lines(n ast.Node) string {
	var b strings.Builder
	lines := n.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		b.Write(seg.Value(p.src))
	}
	return b.String()
}

func (p *painter) quote(n ast.Node, width int) []string {
	bar, indent := p.sheet.bar.paint("│"), 2
	if width-indent < minWidth {
		bar, indent = "", 0
	}
	rows := p.children(n, width-indent, func(ast.Node) bool { return true })
	return prefix(rows, bar, bar, indent)
}

// prefix puts first before the first row and rest before the others, padded to indent
// cells on rows that are not empty. It modifies rows.
func prefix(rows []string, first, rest string, indent int) []string {
	if indent == 0 {
		return rows
	}
	mark, fill := first, strings.Repeat(" ", indent-clean.Width(first))
	for i, row := range rows {
		if row != "" {
			row = fill + row
		}
		rows[i] = mark + row
		if i == 0 {
			mark, fill = rest, strings.Repeat(" ", indent-clean.Width(rest))
		}
	}
	return rows
}

// list returns the rows of a list whose first number is start.
func (p *painter) list(n *ast.List, width, start int) []string {
	var rows []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		marker := p.marker(n, c, start)
		start++
		indent := clean.Width(marker) + 1
		if width-indent < minWidth {
			indent = 0
		}
		// Rows between the blocks of an item exist only where the source has them,
		// which depends on nothing that comes later.
		item := p.children(c, width-indent, ast.Node.HasBlankPreviousLines)
		if len(item) == 0 {
			item = []string{""}
		}
		if indent == 0 {
			item = append(clean.WrapStyled(marker, width), item...)
		}
		rows = join(rows, prefix(item, marker, "", indent), c.HasBlankPreviousLines())
	}
	return rows
}

// marker returns the marker of an item: its number or a bullet. The box of a task
// replaces the bullet.
func (p *painter) marker(list *ast.List, item ast.Node, number int) string {
	sign, box := "•", p.box(item)
	switch {
	case list.IsOrdered() && box != "":
		sign = strconv.Itoa(number) + string(list.Marker) + " " + box
	case list.IsOrdered():
		sign = strconv.Itoa(number) + string(list.Marker)
	case box != "":
		sign = box
	}
	return p.sheet.bullet.paint(sign)
}

// box returns the box of a task, or "" for other items.
func (p *painter) box(item ast.Node) string {
	first := item.FirstChild()
	if first == nil || first.FirstChild() == nil {
		return ""
	}
	box, ok := first.FirstChild().(*east.TaskCheckBox)
	switch {
	case !ok:
		return ""
	case box.IsChecked:
		return strings.TrimSpace(p.sheet.ticked)
	}
	return strings.TrimSpace(p.sheet.unticked)
}
