package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/ui/clean"
)

// MaxMarkdown is the maximum size in bytes of a text that is parsed as Markdown; a
// larger one is shown plain.
const MaxMarkdown = 512 << 10

// A last block of at least this size is redrawn only after it has grown by a sixteenth;
// until then, new text is shown plain. Code, whose lines are cached, has a higher
// limit.
const (
	lazyTail = 16 << 10
	lazyCode = 128 << 10
)

// Stream renders a text that arrives in pieces. Blocks that later text cannot change
// are rendered once; only the last block is rendered again. After Finish its rows equal
// [Renderer.Render] of the whole text. Before, they may differ in the colours of an
// unfinished code block, and in a last block of more than 16 KB. A Stream is not safe
// for concurrent use.
type Stream struct {
	r        *Renderer
	width    int
	size     int // bytes appended
	finished bool
	plain    *plainText // used once the text is too large, else nil

	done  []segment  // blocks that are final
	rows  []string   // their rows; those of the tail are appended after them
	refs  references // link definitions in them
	list  listState  // whether they end inside a list
	known string     // the definitions that done was rendered with

	tail  string  // complete lines after them, cleaned
	raw   []byte  // the last line while it is incomplete, not cleaned
	codes []*code // code blocks in the tail
	drawn drawn
	fresh bool // everything is drawn
	lines bool // complete lines arrived since the last cut
}

// drawn is the last drawing of the tail.
type drawn struct {
	rows      []string
	full      int // number of rendered rows; later ones are plain
	tail, raw int // rendered bytes of each
	limit     int // size in bytes from which the tail is redrawn less often
}

// stale is a value of Stream.known that matches no definitions.
const stale = "\x00"

// segment is a run of complete blocks.
type segment struct {
	src   string
	from  listState
	apart bool // an empty row precedes it
	codes []*code
	rows  []string
}

// NewStream returns an empty stream with the renderer's theme and width.
func NewStream(r *Renderer) *Stream {
	return &Stream{r: r, width: r.width}
}

// Append adds text, which may end inside a character or an escape sequence.
func (s *Stream) Append(delta string) {
	if delta == "" {
		return
	}
	if s.finished {
		s.finished, s.drawn = false, drawn{}
	}
	s.fresh = false
	if s.plain == nil && s.size+len(delta) > MaxMarkdown {
		// The limit is at the same byte no matter how the text is split.
		head := delta[:MaxMarkdown-s.size]
		s.Append(head)
		s.goPlain()
		delta = delta[len(head):]
	}
	if s.plain != nil {
		s.plain.append(delta)
		return
	}
	s.size += len(delta)
	s.raw = append(s.raw, delta...)
	if i := strings.LastIndexByte(delta, '\n'); i >= 0 {
		end := len(s.raw) - len(delta) + i + 1
		s.takeLines(end)
	}
}

// takeLines cleans the first n bytes of raw and adds them to the complete lines.
func (s *Stream) takeLines(n int) {
	text, _ := clean.Text(string(s.raw[:n]))
	s.tail += text
	s.raw = append(s.raw[:0], s.raw[n:]...)
	s.lines = true
	if s.drawn.raw > 0 {
		s.drawn = drawn{}
	}
}

// goPlain drops the rendered rows and shows the text plain.
func (s *Stream) goPlain() {
	s.plain = &plainText{width: s.width}
	for _, seg := range s.done {
		s.plain.append(seg.src)
	}
	s.plain.append(s.tail)
	s.plain.append(string(s.raw))
	*s = Stream{r: s.r, width: s.width, plain: s.plain}
}

// Finish says that the text is complete. Appending more text makes it incomplete again.
func (s *Stream) Finish() {
	if s.finished {
		return
	}
	s.finished, s.fresh = true, false
	s.drawn = drawn{}
}

// SetWidth changes the width of the rows. The minimum is 2.
func (s *Stream) SetWidth(width int) {
	width = max(width, 2)
	if width == s.width {
		return
	}
	s.width, s.fresh = width, false
	s.drawn = drawn{}
	if s.plain != nil {
		s.plain.setWidth(width)
		return
	}
	s.redraw(func(segment) bool { return true }, s.refs)
	s.known = key(s.refs)
}

// View returns the rows joined by newlines, without a final newline.
func (s *Stream) View() string {
	return strings.Join(s.Lines(), "\n")
}

// Lines returns the rows. The slice is valid until the next method call.
func (s *Stream) Lines() []string {
	if s.plain != nil {
		return s.plain.lines(s.finished)
	}
	if !s.fresh {
		if s.lines && !s.finished {
			s.cut()
		}
		s.draw()
		s.fresh = true
	}
	rows := s.rows
	if len(s.drawn.rows) > 0 && len(rows) > 0 && s.apart() {
		rows = append(rows, "")
	}
	return append(rows, s.drawn.rows...)
}

// apart reports whether an empty row precedes the tail: always between blocks, and
// between list items if the source has one.
func (s *Stream) apart() bool {
	if !s.list.open || len(s.done) == 0 {
		return true
	}
	src := strings.TrimSuffix(s.done[len(s.done)-1].src, "\n")
	return strings.TrimSpace(src[strings.LastIndexByte(src, '\n')+1:]) == ""
}

// cut moves the final blocks from the tail to done: everything before the last line at
// which a top-level block begins. It looks only at complete lines, since "-" may become
// a list, a rule or the underline of a heading.
func (s *Stream) cut() {
	s.lines = false
	openings := s.r.openings(s.tail)
	for i := len(openings) - 1; i >= 0; i-- {
		o := openings[i]
		if o.at == 0 {
			return
		}
		if o.item && (s.tail[o.at] == ' ' || s.tail[o.at] == '\t') {
			continue // an indented item could be parsed differently alone
		}
		s.settle(o.at, o.item)
		return
	}
}

// settle renders the first n bytes of the tail for good.
func (s *Stream) settle(n int, inList bool) {
	seg := segment{src: s.tail[:n], from: s.list, apart: s.apart(), codes: s.codes}
	p := s.r.painter(seg.src, s.refs, &seg.codes)
	seg.rows = p.top(s.width, seg.from)
	s.list = listState{}
	if inList {
		s.list = p.after(seg.from)
	}
	s.refs = p.refs
	if s.known != key(p.refs) && strings.Contains(seg.src, "[") {
		s.known = stale
	}
	s.tail = s.tail[n:]
	s.codes = nil
	s.drawn = drawn{}
	s.done = append(s.done, seg)
	s.rows = join(s.rows, seg.rows, seg.apart)
}

// draw renders the tail.
func (s *Stream) draw() {
	raw := s.raw
	if !s.finished {
		raw = wholeRunes(raw)
	}
	have := s.drawn.tail + s.drawn.raw
	if !s.finished && s.drawn.limit > 0 && have >= s.drawn.limit && len(s.tail)+len(raw)-have < have/16 {
		s.drawRest(raw)
		return
	}
	limit := s.limit()
	if !s.finished && len(s.tail) >= limit {
		raw = nil // complete lines do not change with the next one
	}
	text, _ := clean.Text(string(raw))
	p := s.r.painter(s.tail+text, s.refs, &s.codes)
	if !s.finished {
		p.growing = end(p.doc)
	}
	s.drawn = drawn{rows: p.top(s.width, s.list), tail: len(s.tail), raw: len(raw), limit: limit}
	s.drawn.full = len(s.drawn.rows)
	s.learn(p.refs)
	if len(raw) < len(s.raw) && !s.finished {
		s.drawRest(wholeRunes(s.raw))
	}
}

// limit returns lazyCode if the tail is a fenced block and lazyTail otherwise.
func (s *Stream) limit() int {
	if strings.HasPrefix(s.tail, "```") || strings.HasPrefix(s.tail, "~~~") {
		return lazyCode
	}
	return lazyTail
}

// drawRest shows as plain text the input since the tail was drawn.
func (s *Stream) drawRest(raw []byte) {
	text, _ := clean.Text(string(raw[s.drawn.raw:]))
	text = s.tail[s.drawn.tail:] + text
	s.drawn.rows = s.drawn.rows[:s.drawn.full]
	if text != "" {
		s.drawn.rows = append(s.drawn.rows, clean.Wrap(strings.TrimSuffix(text, "\n"), s.width)...)
	}
}

// learn redraws the final blocks that a link definition may change.
func (s *Stream) learn(refs references) {
	if k := key(refs); k != s.known {
		s.known = k
		s.redraw(func(seg segment) bool { return strings.Contains(seg.src, "[") }, refs)
	}
}

func (s *Stream) redraw(which func(segment) bool, refs references) {
	s.rows = s.rows[:0]
	for i := range s.done {
		seg := &s.done[i]
		if which(*seg) {
			seg.rows = s.r.painter(seg.src, refs, &seg.codes).top(s.width, seg.from)
		}
		s.rows = join(s.rows, seg.rows, seg.apart)
	}
}

// wholeRunes cuts an unfinished character from the end.
func wholeRunes(b []byte) []byte {
	for i := 1; i <= min(len(b), utf8.UTFMax-1); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// key distinguishes sets of definitions.
func key(refs references) string {
	if len(refs) == 0 {
		return ""
	}
	lines := make([]string, 0, len(refs))
	for label, ref := range refs {
		lines = append(lines, label+"\x00"+string(ref.Destination()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
