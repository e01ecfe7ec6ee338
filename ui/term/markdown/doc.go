// Package markdown renders Markdown for a terminal, whole or as it streams in.
//
// A [Renderer] has a width and a theme and renders whole texts; it is safe for
// concurrent use. A [Stream] takes the deltas of an answer, renders each block
// once and only the last one again, and at the end has exactly the rows that
// the renderer has for the whole text.
//
//	source ── clean ──> parse ──> painter ──> rows (text and SGR, nothing else)
//	                      └ openings: where a Stream may cut
//
// # Parts
//
//   - parse.go: goldmark, the parser inside Glamour, with the bounds that keep
//     hostile text cheap, emphasis that works beside Chinese punctuation, and a
//     note of where each block at the top begins.
//   - block.go, inline.go, table.go, code.go: the painter, from tree to rows.
//   - theme.go: faces from Glamour's style sheets (dark, light, ascii).
//   - stream.go: what is final, what is drawn again, and when. plain.go: texts
//     that are too large. codes.go: code blocks for the clipboard.
//
// Glamour gives the style sheets and the dialect, not the writer: its writer
// wraps a run of Chinese as one word, which leaves list bullets alone on their
// rows and begins rows with stops; it puts links into OSC 8 sequences, drops
// HTML, and keeps its highlighting style in a global map. The rows here are
// wrapped by ui/clean, and a full render takes a quarter of the time.
//
// # What is shown
//
// Newlines inside a paragraph stay: chat is written line by line. A link shows
// its text and then its address, with the real host, in ASCII; only http, https
// and mailto are drawn as links, any other address is text. Images are named
// and never fetched. HTML is text, except that <br> breaks the line. Footnotes
// are text where they stand. A table that is too wide wraps in its cells, the wide
// ones most, or becomes a list of its rows. Code is coloured in pieces (see
// code.go), without colour when its language is unknown; a line that is too long
// is cut, and goes on after a ↳ with every space it has.
//
// # Why a cut is safe
//
// CommonMark reads blocks line by line, and a block that was closed is never
// opened again. When a line begins a block at the top of the document, all
// before it is closed and can be rendered for good; when it begins an item of a
// list at the top, so are the items before it. An item's rows depend on nothing
// after it: whether an empty row stands before it is asked of the source, not
// of the whole list ("loose" or "tight"). Two things reach further and are
// carried over the cut: the number of the next item, and link definitions; a
// new definition draws again those final blocks that hold a bracket. Only whole
// lines count, since "-" may still become a rule, a list or a heading's
// underline. An item that is set in is no place to cut.
//
// # Bounds
//
// Blocks nest 32 deep (16 lists) and a block has 1,000 inline marks; what goes
// beyond is text. A last block of more than 16 KB (128 KB for fenced code) is
// drawn again only when it has grown by a sixteenth. A text of more than 512 KB
// is shown plain. Code with lines over 1 KB has no colours.
//
// # Testing
//
// Golden files in testdata, for the widths that messages have on screens of 60,
// 80 and 140 columns and a narrow one (go test -update writes them); tmux is asked
// where the borders of these rows stand. Streams are compared with renders at
// every prefix of the corpus, of generated documents (rapid) and under FuzzStream.
// BenchmarkDelta is what one delta costs.
package markdown
