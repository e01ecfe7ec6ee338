package instruct

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// anyWords stands for "...": one word or more, no full stop.
const anyWords = `(?:\p{Han} ?|[^\p{Han} .,]+ |, )+?`

// expression turns sentences of the notation into regular expressions over plain text.
type expression struct {
	lists map[string]string
	depth int
}

// of returns the expression of one sentence.
func (e *expression) of(sentence string) (string, error) {
	p := parser{e: e, rest: sentence}
	out, err := p.choice("")
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q is left over", p.rest)
	}
	if err != nil {
		return "", fmt.Errorf("%q: %w", sentence, err)
	}
	return out, nil
}

// list returns the expression of a list of words.
func (e *expression) list(name string) (string, error) {
	words, ok := e.lists[name]
	if !ok {
		return "", fmt.Errorf("there is no list <%s>", name)
	}
	if e.depth++; e.depth > 8 {
		return "", fmt.Errorf("list <%s> names itself", name)
	}
	defer func() { e.depth-- }()
	out, err := e.of(words)
	return "(?:" + out + ")", err
}

// parser reads one sentence.
type parser struct {
	e    *expression
	rest string
}

// choice reads alternatives up to a closing mark; an empty mark is the end.
func (p *parser) choice(end string) (string, error) {
	var all []string
	for {
		one, err := p.row(end)
		if err != nil {
			return "", err
		}
		all = append(all, one)
		switch {
		case strings.HasPrefix(p.rest, "|"):
			p.rest = p.rest[1:]
		case end == "":
			return strings.Join(all, "|"), nil
		case strings.HasPrefix(p.rest, end):
			p.rest = p.rest[len(end):]
			return strings.Join(all, "|"), nil
		default:
			return "", fmt.Errorf("%q is missing", end)
		}
	}
}

// row reads what follows each other.
func (p *parser) row(end string) (string, error) {
	var b strings.Builder
	for {
		p.rest = strings.TrimLeft(p.rest, " \t")
		if p.rest == "" || p.rest[0] == '|' || end != "" && strings.HasPrefix(p.rest, end) {
			return b.String(), nil
		}
		one, err := p.one()
		if err != nil {
			return "", err
		}
		b.WriteString(one)
	}
}

func (p *parser) one() (string, error) {
	switch c := p.rest[0]; {
	case c == '[':
		p.rest = p.rest[1:]
		in, err := p.choice("]")
		return "(?:" + in + ")?", err
	case c == '(':
		p.rest = p.rest[1:]
		in, err := p.choice(")")
		return "(?:" + in + ")", err
	case c == '{':
		p.rest = p.rest[1:]
		name := "object"
		for _, n := range []string{"old", "new"} {
			if rest, ok := strings.CutPrefix(p.rest, n+":"); ok {
				name, p.rest = n, rest
			}
		}
		in, err := p.choice("}")
		return "(?P<" + name + ">" + in + ")", err
	case c == '<':
		name, rest, ok := strings.Cut(p.rest[1:], ">")
		if !ok {
			return "", fmt.Errorf("%q is missing", ">")
		}
		p.rest = rest
		return p.e.list(name)
	case strings.HasPrefix(p.rest, "//"):
		p.rest = p.rest[2:]
		return `[,.] `, nil
	case c == '/':
		p.rest = p.rest[1:]
		return `(?:[,.] )*`, nil
	case strings.HasPrefix(p.rest, "..."):
		p.rest = p.rest[3:]
		return anyWords, nil
	case strings.IndexByte("])}>", c) >= 0:
		return "", fmt.Errorf("%q closes nothing", string(c))
	}
	return p.word(), nil
}

// word reads a word, or Chinese characters without a blank between them.
func (p *parser) word() string {
	end := strings.IndexAny(p.rest, " \t[](){}<>|/")
	if end < 0 {
		end = len(p.rest)
	}
	if dots := strings.Index(p.rest[:end], "..."); dots > 0 {
		end = dots
	}
	word := strings.ReplaceAll(text.Fold(p.rest[:end]), "'", "")
	p.rest = p.rest[end:]
	last, _ := utf8.DecodeLastRuneInString(word)
	if text.CJK(last) {
		return regexp.QuoteMeta(word) + ` ?(?:, )?`
	}
	return regexp.QuoteMeta(word) + ` (?:, )?`
}
