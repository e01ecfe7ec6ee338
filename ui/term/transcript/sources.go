package transcript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
)

// Source is something that an answer may rest on.
type Source struct {
	N    int
	Who  string // who said it, in a word; empty for a memory
	Time time.Time
	Text string
	// Recalled says that it is a memory which went with the message; the others
	// are what was looked up in the archive.
	Recalled bool
}

// sourcesShown is the number of sources under an answer, a line each.
const sourcesShown = 3

// wideSources is the width from which it is said whose words a source are.
const wideSources = 48

// SetSources puts the sources of a turn under its answer.
func (m *Model) SetSources(turnID string, sources []Source) {
	for _, it := range slices.Backward(m.items) {
		if it.TurnID == turnID && it.Role == memory.RoleAssistant {
			if !slices.Equal(it.Sources, sources) {
				it.Sources = sources
				it.version++
				m.clamp()
			}
			return
		}
	}
}

// sourceLines are the sources in as few lines as tell them: what was looked up a
// line each, what was recalled on one.
func (r *renderer) sourceLines(sources []Source, width int) []string {
	if len(sources) == 0 {
		return nil
	}
	if sources[0].Recalled {
		var said []string
		for _, s := range sources {
			said = append(said, fmt.Sprintf("[%d] %s", s.N, clean.Line(s.Text)))
		}
		line := r.words.Say("transcript.memories", strings.Join(said, " "))
		return []string{r.styles.Dim.Render(clean.Truncate(line, width, cells.Ellipsis))}
	}
	var out []string
	lead := r.words.Say("transcript.sources") + " "
	for i, s := range sources {
		if i == sourcesShown && len(sources) > sourcesShown+1 {
			more := lead + r.words.Say("transcript.sources.more", len(sources)-i)
			return append(out, r.styles.Dim.Render(clean.Truncate(more, width, cells.Ellipsis)))
		}
		head := fmt.Sprintf("%s[%d] %s ", lead, s.N, s.Time.In(r.loc).Format(time.DateOnly))
		if s.Who != "" && width >= wideSources {
			head += clean.Line(s.Who) + " "
		}
		room := max(4, width-cells.Width(head)-2)
		head += "“" + clean.Truncate(clean.Line(s.Text), room, cells.Ellipsis) + "”"
		out = append(out, r.styles.Dim.Render(clean.Truncate(head, width, cells.Ellipsis)))
		lead = strings.Repeat(" ", cells.Width(lead))
	}
	return out
}
