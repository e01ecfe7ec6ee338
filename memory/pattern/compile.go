package pattern

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookup returns the expression of a list or form. ok is false for an unknown name.
type lookup func(name string) (expression string, ok bool)

// maxDepth bounds the nesting of references between forms, so that a cycle is an error (see
// Book.Expression).
const maxDepth = 20

// builtin has the expressions of the predefined names.
var builtin = map[string]string{
	"word":    `\w+`,
	"letters": `[a-z]+`,
	"nonword": `\W`,
	"chunk":   `\S+`,
	"digit":   `\d`,
	"digits":  `\d+`,
	"han":     `\p{Han}`,
	"gap":     `\s*`,
	"blank":   `\s+`,
	"any":     `.`,
	"inside":  `[^,]`,
}

// translate converts the notation described in doc.go to the syntax of package regexp.
func translate(notation string, find lookup) (string, error) {
	p := &parser{in: notation, find: find, seen: map[string]int{}}
	out, err := p.alternatives(0)
	if err != nil {
		return "", fmt.Errorf("%w in %q", err, notation)
	}
	if p.at < len(p.in) {
		return "", fmt.Errorf("unexpected %q at %d in %q", p.in[p.at], p.at, notation)
	}
	return out, nil
}

// parser is a recursive-descent parser that emits an expression as it reads.
type parser struct {
	in   string
	at   int
	find lookup
	seen map[string]int // number of captures of each name; the second of "o" is called o_2
}

// element is one piece of a sequence.
type element struct {
	text     string // its expression, without repeat
	blank    bool   // it is a blank between words
	repeat   string // its quantifier, "" for none
	optional bool   // it may be absent, and one adjacent blank with it
}

// alternatives parses alternatives separated by | up to and including the byte end. An end of 0
// means the end of the notation.
func (p *parser) alternatives(end byte) (string, error) {
	var all []string
	for {
		seq, err := p.sequence(end)
		if err != nil {
			return "", err
		}
		all = append(all, join(seq))
		if p.at < len(p.in) && p.in[p.at] == '|' {
			p.at++
			continue
		}
		break
	}
	if end != 0 {
		if p.at >= len(p.in) {
			return "", fmt.Errorf("missing %q", end)
		}
		p.at++
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return "(?:" + strings.Join(all, "|") + ")", nil
}

// sequence parses elements up to a | or end, and merges adjacent blanks.
func (p *parser) sequence(end byte) ([]element, error) {
	var out []element
	for p.at < len(p.in) {
		c := p.in[p.at]
		if c == '|' || c == end && end != 0 {
			break
		}
		e, err := p.element(c)
		if err != nil {
			return nil, err
		}
		if e.blank && len(out) > 0 && out[len(out)-1].blank {
			continue
		}
		out = append(out, e)
	}
	return trimmed(out), nil
}

// trimmed drops blanks at both ends: next to a bracket or a | they are only layout.
func trimmed(seq []element) []element {
	for len(seq) > 0 && seq[0].blank {
		seq = seq[1:]
	}
	for len(seq) > 0 && seq[len(seq)-1].blank {
		seq = seq[:len(seq)-1]
	}
	return seq
}

// join returns the expression of a sequence. An optional element includes the blank before it, or
// if there is none the blank after it, so that its absence leaves no extra blank.
func join(seq []element) string {
	var b strings.Builder
	for i := 0; i < len(seq); i++ {
		e := seq[i]
		next := i+1 < len(seq) && seq[i+1].blank
		switch {
		case e.blank && i+1 < len(seq) && seq[i+1].optional:
			i++
			e = seq[i]
			b.WriteString("(?: " + e.text + ")" + e.repeat)
		case e.blank:
			b.WriteByte(' ')
		case e.optional && next:
			i++
			b.WriteString("(?:" + e.text + " )" + e.repeat)
		case e.repeat != "":
			b.WriteString("(?:" + e.text + ")" + e.repeat)
		default:
			b.WriteString(e.text)
		}
	}
	return b.String()
}

// element parses the element that begins with the byte c.
func (p *parser) element(c byte) (element, error) {
	switch c {
	case ' ':
		p.at++
		return element{blank: true}, nil
	case '_':
		p.at++
		return element{text: " "}, nil
	case '(', '[':
		return p.group(c)
	case '{':
		return p.reference()
	case '<':
		return p.capture()
	case '/':
		return p.raw()
	case '\\':
		return p.escape()
	case '^', '$':
		p.at++
		return element{text: string(c)}, nil
	case ')', ']', '}', '>':
		return element{}, fmt.Errorf("unexpected %q at %d", c, p.at)
	}
	if strings.HasPrefix(p.in[p.at:], "...") {
		p.at += len("...")
		return element{text: ".*"}, nil
	}
	n := strings.IndexAny(p.in[p.at+1:], special) + 1
	if n == 0 {
		n = len(p.in) - p.at
	}
	p.at += n
	return element{text: regexp.QuoteMeta(p.in[p.at-n : p.at])}, nil
}

// special has the characters that end plain text. A dot is special only in "...".
const special = " _([{</\\^$)]}>|."

// group parses (a | b) or [a | b], with a quantifier if one follows.
func (p *parser) group(open byte) (element, error) {
	p.at++
	end := map[byte]byte{'(': ')', '[': ']'}[open]
	in, err := p.alternatives(end)
	if err != nil {
		return element{}, err
	}
	e := element{text: grouped(in), repeat: p.quantifier()}
	if open == '[' && e.repeat == "" {
		e.repeat = "?"
	}
	e.optional = strings.HasPrefix(e.repeat, "?") || strings.HasPrefix(e.repeat, "*")
	return e, nil
}

// grouped encloses an expression in a non-capturing group, unless it is one already.
func grouped(in string) string {
	if strings.HasPrefix(in, "(?:") && closing(in) == len(in)-1 {
		return in
	}
	return "(?:" + in + ")"
}

// closing returns the index of the parenthesis that closes the first group, or -1.
func closing(in string) int {
	depth, class := 0, false
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

var quantifiers = regexp.MustCompile(`^(?:[*+?]|\{\d+(?:,\d*)?\})\??`)

// quantifier reads a quantifier and returns it, "" for none.
func (p *parser) quantifier() string {
	q := quantifiers.FindString(p.in[p.at:])
	p.at += len(q)
	return q
}

// reference parses {name} with an optional quantifier.
func (p *parser) reference() (element, error) {
	n := strings.IndexByte(p.in[p.at:], '}')
	if n < 0 {
		return element{}, fmt.Errorf("missing '}'")
	}
	name := p.in[p.at+1 : p.at+n]
	p.at += n + 1
	in, ok := builtin[name]
	if !ok {
		if in, ok = p.find(name); !ok {
			return element{}, fmt.Errorf("unknown name {%s}", name)
		}
		in = grouped(in)
	}
	e := element{text: in, repeat: p.quantifier()}
	e.optional = strings.HasPrefix(e.repeat, "?") || strings.HasPrefix(e.repeat, "*")
	return e, nil
}

// capture parses <o>, <o+>, <o?> or <o: notation>.
func (p *parser) capture() (element, error) {
	n := p.at + 1
	for n < len(p.in) && (unicode.IsLetter(rune(p.in[n])) || unicode.IsDigit(rune(p.in[n]))) {
		n++
	}
	name := p.in[p.at+1 : n]
	if name == "" || n >= len(p.in) {
		return element{}, fmt.Errorf("a capture without a name at %d", p.at)
	}
	p.at = n + 1
	in := ".+?"
	switch p.in[n] {
	case '>':
	case '+', '?':
		if in = ".+"; p.in[n] == '?' {
			in = ".*?"
		}
		if n+1 >= len(p.in) || p.in[n+1] != '>' {
			return element{}, fmt.Errorf("missing '>'")
		}
		p.at++
	case ':':
		var err error
		if in, err = p.alternatives('>'); err != nil {
			return element{}, err
		}
	default:
		return element{}, fmt.Errorf("missing '>'")
	}
	p.seen[name]++
	if k := p.seen[name]; k > 1 {
		name = fmt.Sprintf("%s_%d", name, k)
	}
	return element{text: "(?P<" + name + ">" + in + ")"}, nil
}

// raw parses /expression/, which is in the syntax of package regexp.
func (p *parser) raw() (element, error) {
	for n := p.at + 1; n < len(p.in); n++ {
		if p.in[n] == '\\' {
			n++
		} else if p.in[n] == '/' {
			in := strings.ReplaceAll(p.in[p.at+1:n], `\/`, `/`)
			p.at = n + 1
			return element{text: in}, nil
		}
	}
	return element{}, fmt.Errorf("missing '/'")
}

// escape parses a backslash and a character. A letter has its meaning in package regexp, as in \b;
// any other character matches itself.
func (p *parser) escape() (element, error) {
	if p.at+1 >= len(p.in) {
		return element{}, fmt.Errorf("a lone backslash")
	}
	r, size := utf8.DecodeRuneInString(p.in[p.at+1:])
	p.at += 1 + size
	if unicode.IsLetter(r) {
		return element{text: `\` + string(r)}, nil
	}
	return element{text: regexp.QuoteMeta(string(r))}, nil
}
