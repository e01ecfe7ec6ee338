package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// opening is a line at which the source may be cut: a top-level block, or an item of a
// top-level list, begins there.
type opening struct {
	at   int  // offset of the line
	item bool // an item after the first of its list
}

// openingsKey holds a *[]opening in the context of a parse.
var openingsKey = parser.NewContextKey()

// newParser returns a parser for the Markdown that models write: CommonMark with
// tables, strikethrough, task lists and bare links, and emphasis that works next to
// Chinese punctuation. It records the openings of each parse. Without inline it parses
// only the blocks.
func newParser(inline bool) parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i, b := range blocks {
		// A setext heading changes the paragraph before it, so it is no opening.
		if b.Priority != setextPriority {
			blocks[i].Value = recorder{b.Value.(parser.BlockParser)}
		}
	}
	transformers := append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200))
	transformers[0].Value = definitions{parser.LinkReferenceParagraphTransformer}
	if !inline {
		return parser.NewParser(
			parser.WithBlockParsers(blocks...),
			parser.WithParagraphTransformers(transformers...))
	}
	inlines := append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), emphasisPriority),
		util.Prioritized(extension.NewLinkifyParser(), 999))
	for i, p := range inlines {
		if p.Value == parser.NewEmphasisParser() {
			p.Value = emphasisParser{}
		}
		inlines[i].Value = limiter{p.Value.(parser.InlineParser)}
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(transformers...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// Limits that no real answer reaches and that keep hostile ones cheap.
const (
	maxDepth = 32   // blocks inside blocks; deeper quotes and lists are text
	maxMarks = 1000 // inline marks in one block; more are text
)

// Priorities that goldmark documents for its own parsers.
const (
	setextPriority   = 100
	emphasisPriority = 500
)

// parsed is a source with its tree.
type parsed struct {
	src  []byte
	doc  ast.Node
	refs references // of this source and of earlier ones
}

// painter parses cleaned source that begins and ends at block boundaries. refs are link
// definitions from elsewhere; codes caches the code blocks of this source between
// calls.
func (r *Renderer) painter(src string, refs references, codes *[]*code) *painter {
	p := &painter{parsed: parsed{src: []byte(src)}, sheet: &r.sheet, codes: codes}
	pc := parser.NewContext()
	for _, ref := range refs {
		pc.AddReference(ref)
	}
	p.doc = r.full.Parse(text.NewReader(p.src), parser.WithContext(pc))
	p.refs = refs.merge(pc.References())
	return p
}

// openings returns the lines at which top-level blocks of cleaned source begin, in
// order.
func (r *Renderer) openings(src string) []opening {
	var found []opening
	pc := parser.NewContext()
	pc.Set(openingsKey, &found)
	r.blocks.Parse(text.NewReader([]byte(src)), parser.WithContext(pc))
	return found
}

// recorder records where top-level blocks begin.
type recorder struct {
	parser.BlockParser
}

func (r recorder) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, pos := reader.Position()
	if len(pc.OpenedBlocks()) >= maxDepth && parent.Kind() != ast.KindList {
		switch r.BlockParser {
		case parser.NewListParser(), parser.NewBlockquoteParser():
			return nil, parser.NoChildren
		}
	}
	node, state := r.BlockParser.Open(parent, reader, pc)
	list, inList := parent.(*ast.List)
	top := parent.Kind() == ast.KindDocument || (inList && list.Parent() != nil && list.Parent().Kind() == ast.KindDocument)
	if node == nil || !top || (inList && list.ChildCount() == 0) {
		return node, state
	}
	if found, ok := pc.Get(openingsKey).(*[]opening); ok {
		at := 1 + bytes.LastIndexByte(reader.Source()[:pos.Start], '\n')
		*found = append(*found, opening{at, inList})
	}
	return node, state
}

// limiter limits the inline marks in one block: the time that goldmark takes to pair
// them is quadratic.
type limiter struct {
	parser.InlineParser
}

// marksKey holds the *marks of the block that is parsed.
var marksKey = parser.NewContextKey()

type marks struct {
	block ast.Node
	n     int
}

func (l limiter) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	m := pc.ComputeIfAbsent(marksKey, func() any { return new(marks) }).(*marks)
	if m.block != parent {
		*m = marks{block: parent}
	}
	if block.Peek() != ' ' { // at spaces, only bare links are parsed
		m.n++
	}
	if m.n > maxMarks {
		return nil
	}
	return l.InlineParser.Parse(parent, block, pc)
}

// CloseBlock forwards the end of the block.
func (l limiter) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := l.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// definitions extracts the link definitions from paragraphs, but not footnotes, which
// look alike: [^1]: 见附录.
type definitions struct{ parser.ParagraphTransformer }

func (d definitions) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	first := p.Lines().At(0)
	if !bytes.HasPrefix(bytes.TrimLeft(first.Value(reader.Source()), " "), []byte("[^")) {
		d.ParagraphTransformer.Transform(p, reader, pc)
	}
}

// references are link definitions by label. The first definition of a label is used.
type references map[string]parser.Reference

// merge returns r with the missing definitions from more; r is not changed.
func (r references) merge(more []parser.Reference) references {
	out := r
	for _, ref := range more {
		label := util.ToLinkReference(ref.Label())
		if _, known := out[label]; known {
			continue
		}
		if len(out) == len(r) {
			out = make(references, len(r)+1)
			for k, v := range r {
				out[k] = v
			}
		}
		out[label] = ref
	}
	return out
}

// emphasisParser reads * and _ as goldmark does, but treats a Chinese or Japanese
// neighbour like white space. In **重要：**这是 the second pair follows punctuation and
// precedes a letter, so by CommonMark's rule for words between spaces it would close
// nothing.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, emphasis{})
	if d == nil {
		return nil
	}
	if d.Char == '*' {
		after := ' '
		if d.OriginalLength < len(line) {
			after = util.ToRune(line, d.OriginalLength)
		}
		d.CanOpen = d.CanOpen || (wide(before) && !util.IsSpaceRune(after))
		d.CanClose = d.CanClose || (wide(after) && !util.IsSpaceRune(before))
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

type emphasis struct{}

func (emphasis) IsDelimiter(b byte) bool { return b == '*' || b == '_' }
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}
func (emphasis) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// wide reports whether r belongs to a script written without spaces, or to its
// punctuation.
func wide(r rune) bool {
	return (r >= 0x2e80 && r <= 0x9fff) || (r >= 0xf900 && r <= 0xfaff) ||
		(r >= 0xff00 && r <= 0xffef) || (r >= 0x20000 && r <= 0x3ffff)
}
