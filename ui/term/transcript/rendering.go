package transcript

import "memoria/ui/term/markdown"

// Rendering is the [Markdown] of the program: one renderer for each width.
type Rendering struct {
	Theme markdown.Theme
	Image string // said before the text of an image

	last *markdown.Renderer
}

func (r *Rendering) at(width int) *markdown.Renderer {
	if r.last == nil || r.last.Width() != width {
		r.last = markdown.NewRenderer(width, r.Theme).WithImage(r.Image)
	}
	return r.last
}

// Render implements [Markdown].
func (r *Rendering) Render(text string, width int) []string { return r.at(width).Lines(text) }

// Stream implements [Markdown].
func (r *Rendering) Stream(width int) Stream {
	return &growing{of: r, width: width, stream: markdown.NewStream(r.at(width))}
}

// growing is a stream that survives a change of the width: it then begins again
// with all the text.
type growing struct {
	of     *Rendering
	width  int
	text   []byte
	stream *markdown.Stream
}

// Append implements [Stream].
func (g *growing) Append(text string) {
	g.text = append(g.text, text...)
	g.stream.Append(text)
}

// SetWidth implements [Stream].
func (g *growing) SetWidth(width int) {
	if width == g.width {
		return
	}
	g.width = width
	g.stream = markdown.NewStream(g.of.at(width))
	g.stream.Append(string(g.text))
}

// Lines implements [Stream].
func (g *growing) Lines() []string { return g.stream.Lines() }
