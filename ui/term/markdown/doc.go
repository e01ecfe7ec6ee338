// Package markdown renders Markdown for a terminal, whole or as it streams in.
//
// A [Renderer] has a width and a theme and renders whole texts; it is safe for concurrent
// use. A [Stream] takes the deltas of an answer. It renders each block once and only the
// last one repeatedly. At the end it has exactly the rows of the renderer for the whole
// text.
//
//	source ── clean ──> parse ──> painter ──> rows (text and SGR, nothing else)
//	                      └─> openings: where a Stream may cut
//
// # Files
//
//   - parse.go: goldmark, the parser inside Glamour, with limits that keep hostile text
//     cheap, emphasis that works next to Chinese punctuation, and the openings: where each
//     top-level block begins.
//   - block.go, inline.go, table.go, code.go: the painter, from tree to rows.
//   - theme.go: faces from Glamour's style sheets (dark, light, ascii).
//   - renderer.go: whole texts. stream.go: the final and the redrawn rows of a stream.
//   - plain.go: texts that are too large. codes.go: code blocks for the clipboard.
//
// Glamour provides the style sheets and the dialect, not the writer. Its writer wraps a
// run of Chinese as one word, which leaves list bullets alone on their rows and begins
// rows with stops. It puts links into OSC 8 sequences, drops HTML, and keeps its
// highlighting style in a global map. Here ui/clean wraps the rows, and a full render
// takes a quarter of the time.
//
// # Rendering
//
// Newlines inside a paragraph are kept: chat is written line by line. A link shows its
// text and then its address, with the real host, in ASCII. Only http, https and mailto are
// drawn as links; any other address is text. Images are named and never fetched. HTML is
// text, except that <br> breaks the line. Footnotes are text in their place. A table that
// is too wide wraps in its cells, the wide ones most, or becomes a list of its rows. Code
// is coloured in pieces (see code.go), and is plain if its language is unknown. A code
// line that is too long is cut and continues after a ↳ with all its spaces.
//
// # Why a cut is safe
//
// CommonMark reads blocks line by line, and a closed block is never reopened. When a line
// begins a top-level block, everything before it is closed and can be rendered for good.
// If it begins an item of a top-level list, the same holds for the items before it. An item's rows
// depend on nothing after it: whether an empty row precedes it is decided by the source,
// not by the whole list ("loose" or "tight").
//
// Two things carry over a cut: the number of the next item, and link definitions. A
// new definition redraws the final blocks that contain a bracket. Only complete lines
// count, since "-" may still become a rule, a list or a heading's underline. An indented
// item is not cut.
//
// # Limits
//
// Blocks nest 32 deep (16 lists) and a block has 1,000 inline marks; anything beyond is
// text. A last block of more than 16 KB (128 KB for fenced code) is redrawn only after it
// has grown by a sixteenth. A text of more than 512 KB is shown plain. Code with lines
// over 1 KB is not coloured.
//
// # Testing
//
// Golden files in testdata have the widths of messages on screens of 60, 80 and 140
// columns and a narrow one (go test -update writes them); tmux confirms the position of
// their borders. Streams are compared with renders at every prefix of the corpus, of
// generated documents (rapid) and under FuzzStream. BenchmarkDelta measures the cost of
// one delta.
package markdown
