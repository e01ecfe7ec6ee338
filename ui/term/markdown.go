package term

import (
	"memoria/ui/term/markdown"
	"memoria/ui/term/transcript"
)

// rendering gives the transcript its Markdown: one renderer for each width.
type rendering struct {
	theme markdown.Theme
	image string // said before the text of an image
	last  *markdown.Renderer
}

func (r *rendering) at(width int) *markdown.Renderer {
	if r.last == nil || r.last.Width() != width {
		r.last = markdown.NewRenderer(width, r.theme).WithImage(r.image)
	}
	return r.last
}

// Render implements [transcript.Markdown].
func (r *rendering) Render(text string, width int) []string { return r.at(width).Lines(text) }

// Stream implements [transcript.Markdown].
func (r *rendering) Stream(width int) transcript.Stream {
	return &growing{of: r, width: width, stream: markdown.NewStream(r.at(width))}
}

// growing is a stream that survives a change of the width: it then begins again
// with all the text.
type growing struct {
	of     *rendering
	width  int
	text   []byte
	stream *markdown.Stream
}

// Append implements [transcript.Stream].
func (g *growing) Append(text string) {
	g.text = append(g.text, text...)
	g.stream.Append(text)
}

// SetWidth implements [transcript.Stream].
func (g *growing) SetWidth(width int) {
	if width == g.width {
		return
	}
	g.width = width
	g.stream = markdown.NewStream(g.of.at(width))
	g.stream.Append(string(g.text))
}

// Lines implements [transcript.Stream].
func (g *growing) Lines() []string { return g.stream.Lines() }
