package markdown

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// blockParser parses blocks only; it is safe for concurrent use.
var blockParser = sync.OnceValue(func() parser.Parser { return newParser(false) })

// Codes returns the fenced code blocks of a Markdown text in order, including those in
// lists and quotes. They are for the clipboard: not wrapped, not cleaned, and without
// the last newline. They must be cleaned before they are shown.
func Codes(md string) []string {
	if !strings.Contains(md, "```") && !strings.Contains(md, "~~~") {
		return nil
	}
	src := []byte(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(md))
	doc := blockParser().Parse(text.NewReader(src))
	p := &painter{parsed: parsed{src: src}}
	var codes []string
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, fenced := n.(*ast.FencedCodeBlock); fenced && entering {
			codes = append(codes, strings.TrimSuffix(p.lines(n), "\n"))
		}
		return ast.WalkContinue, nil
	})
	return codes
}
