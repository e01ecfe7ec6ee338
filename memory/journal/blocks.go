package journal

import (
	"slices"
	"strings"

	"memoria/memory"
)

// Block is a part of a document for display: Markdown without marks.
type Block struct {
	Record string // source message; empty if unknown
	Text   string
}

// Blocks cuts a document's body into blocks of one message each: a verbatim file at its
// message heads, any other at its headings, paragraphs and list items. Together they are the
// body, without marks and comments.
func (d Document) Blocks() (out []Block) {
	var text []string
	id, fenced := "", false
	flush := func() {
		if s := strings.Trim(strings.Join(text, "\n"), "\n"); strings.TrimSpace(s) != "" {
			out = append(out, Block{Record: id, Text: s})
		}
		text, id = nil, ""
	}
	for line := range strings.SplitSeq(WithoutComments(d.Body), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		rest, of := cutMark(line)
		switch known := slices.Contains(d.Records, of); {
		case d.Kind == memory.JournalVerbatim:
			if known && strings.HasPrefix(line, sectionHead) {
				flush()
				id = of
			} else {
				rest = unescaped(line)
			}
		case fenced:
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"), strings.HasPrefix(line, "- "):
			flush()
			fallthrough
		default:
			if known {
				id = of
			}
		}
		text = append(text, rest)
	}
	flush()
	return out
}
