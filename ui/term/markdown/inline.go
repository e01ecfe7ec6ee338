package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"memoria/ui/clean"
)

// maxPlainAddress is the number of cells shown of an address that is not a link.
const maxPlainAddress = 80

// inline returns the inline content of a block as styled text. Soft breaks are kept as
// newlines, since chat is written line by line.
func (p *painter) inline(block ast.Node, base face) string {
	var b strings.Builder
	p.writeChildren(&b, block, base)
	return b.String()
}

func (p *painter) writeChildren(b *strings.Builder, n ast.Node, f face) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.writeInline(b, c, f)
	}
}

func (p *painter) writeInline(b *strings.Builder, n ast.Node, f face) {
	switch n := n.(type) {
	case *ast.Text:
		b.WriteString(f.paint(p.text(n)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte('\n')
		}
	case *ast.String:
		b.WriteString(f.paint(flat(string(n.Value))))
	case *ast.CodeSpan:
		p.wrapped(b, n, p.sheet.code.on(f), func(b *strings.Builder, f face) {
			b.WriteString(f.paint(flat(p.raw(n))))
		})
	case *ast.Emphasis:
		f2 := p.sheet.emphasis
		if n.Level == 2 {
			f2 = p.sheet.strong
		}
		p.wrapped(b, n, f2.on(f), nil)
	case *east.Strikethrough:
		p.wrapped(b, n, p.sheet.struck.on(f), nil)
	case *ast.Link:
		p.writeLink(b, n, string(n.Destination), p.sheet.linkText.on(f), f)
	case *ast.Image:
		b.WriteString(p.sheet.image.on(f).paint(p.sheet.imageWord))
		p.writeLink(b, n, string(n.Destination), p.sheet.image.on(f), f)
	case *ast.AutoLink:
		p.writeAutoLink(b, n, f)
	case *ast.RawHTML:
		p.writeHTML(b, n, f)
	case *east.TaskCheckBox:
		// Drawn as the item's marker.
	default:
		p.writeChildren(b, n, f)
	}
}

// wrapped writes the face's prefix, the run, and the face's suffix.
func (p *painter) wrapped(b *strings.Builder, n ast.Node, f face, run func(*strings.Builder, face)) {
	before, after := f.before, f.after
	f.before, f.after = "", ""
	b.WriteString(f.paint(before))
	if run != nil {
		run(b, f)
	} else {
		p.writeChildren(b, n, f)
	}
	b.WriteString(f.paint(after))
}

// writeLink writes the label and then the address, so that the real host is always
// visible; a label that equals the address is written once. An address that cannot be a
// link is shown as text.
func (p *painter) writeLink(b *strings.Builder, n ast.Node, dest string, label, f face) {
	addr, ok := clean.URL(unescape([]byte(dest)))
	text := strings.TrimSpace(p.raw(n))
	if ok && (text == addr || text == "") {
		b.WriteString(p.sheet.link.on(f).paint(addr))
		return
	}
	if !ok {
		label = f
	}
	p.writeChildren(b, n, label)
	switch {
	case addr == "" || addr == text:
	case ok:
		b.WriteString(f.paint(" ("))
		b.WriteString(p.sheet.link.on(f).paint(addr))
		b.WriteString(f.paint(")"))
	default:
		b.WriteString(f.paint(" (" + clean.Truncate(addr, maxPlainAddress, "…") + ")"))
	}
}

// writeAutoLink writes a bare link: as written if that shows the host, otherwise as its
// real address.
func (p *painter) writeAutoLink(b *strings.Builder, n *ast.AutoLink, f face) {
	label := flat(string(n.Label(p.src)))
	dest := string(n.URL(p.src))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(dest), "mailto:") {
		dest = "mailto:" + dest
	}
	addr, ok := clean.URL(dest)
	host, _ := clean.Host(dest)
	switch {
	case !ok:
		b.WriteString(f.paint(label))
	case n.AutoLinkType == ast.AutoLinkEmail, label == addr, strings.HasPrefix(label, host):
		b.WriteString(p.sheet.link.on(f).paint(label))
	default:
		b.WriteString(p.sheet.link.on(f).paint(addr))
	}
}

// writeHTML shows inline HTML as text, except <br>, which models write to break lines
// in tables.
func (p *painter) writeHTML(b *strings.Builder, n *ast.RawHTML, f face) {
	var raw strings.Builder
	for i := range n.Segments.Len() {
		seg := n.Segments.At(i)
		raw.Write(seg.Value(p.src))
	}
	switch s := raw.String(); strings.ToLower(strings.ReplaceAll(s, " ", "")) {
	case "<br>", "<br/>":
		b.WriteByte('\n')
	default:
		b.WriteString(p.sheet.html.on(f).paint(flat(s)))
	}
}

// text returns the text of one segment with escapes and entities resolved.
func (p *painter) text(n *ast.Text) string {
	v := n.Segment.Value(p.src)
	if n.IsRaw() {
		return flat(string(v))
	}
	return unescape(kept(v))
}

// unmarked are the signs that begin and end nothing in Markdown: a backslash before one is a
// backslash, as in "\,", and not an escape.
const unmarked = ",;?/@%^='\""

// kept doubles the backslashes before unmarked signs, so that they stay.
func kept(v []byte) []byte {
	if !bytes.ContainsRune(v, '\\') {
		return v
	}
	out := make([]byte, 0, len(v)+1)
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) {
			if bytes.IndexByte([]byte(unmarked), v[i+1]) >= 0 {
				out = append(out, '\\')
			}
			out = append(out, v[i])
			i++ // the sign behind it begins no escape
		}
		out = append(out, v[i])
	}
	return out
}

// raw returns the source text below a node.
func (p *painter) raw(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(p.src))
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(p.raw(c))
		}
	}
	return b.String()
}

// unescape resolves backslash escapes and entities. An entity can spell any character,
// so the result is cleaned again.
func unescape(v []byte) string {
	if strings.ContainsAny(string(v), `\&`) {
		v = util.UnescapePunctuations(v)
		v = util.ResolveNumericReferences(v)
		v = util.ResolveEntityNames(v)
	}
	return flat(string(v))
}

// flat cleans a run and keeps it on one line.
func flat(s string) string {
	s, _ = clean.Text(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
	}
	return s
}
