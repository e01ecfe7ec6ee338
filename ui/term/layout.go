package term

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/layout"
	"memoria/ui/term/pane"
	"memoria/ui/term/transcript"
	"memoria/ui/words"
)

func (m *root) setFocus(p focus) {
	if p != m.focus {
		m.showing = false
	}
	m.focus = p
	if p == onInput {
		m.input.Focus()
	} else {
		m.input.Blur()
	}
	if p != onTalk {
		m.conv.pointed = false
		m.talk.Unpoint()
	}
	m.talk.SetFocus(p == onTalk)
	for i, one := range m.panes {
		one.SetFocus(p == onPanel && m.panel.shown == pane.ID(i))
	}
}

// arrange gives every pane its place. It is cheap when nothing changed.
func (m *root) arrange() {
	if m.width == 0 {
		return
	}
	wish := layout.Wish{
		Width: m.width, Height: m.height, Input: m.input.Lines(),
		Panel: m.opts.Config.PanelWidth, PanelOnly: m.focus == onPanel, PanelShown: m.showing,
	}
	s := layout.Compute(wish)
	if !s.Input.Empty() && s.Input.W != m.screen.Input.W {
		// The width decides how many lines the input takes.
		m.input.SetSize(s.Input.W, layout.MaxInput)
		wish.Input = m.input.Lines()
		s = layout.Compute(wish)
	}
	m.screen = s
	if s.Mode == layout.TooSmall {
		return
	}
	if !s.Input.Empty() {
		m.input.SetSize(s.Input.W, s.Input.H)
		if m.input.Lines() < layout.MaxInput { // room to grow into
			m.input.SetSize(s.Input.W, layout.MaxInput)
		}
		m.input.SetPlaceholder(view{m}.placeholder())
	}
	if !s.Transcript.Empty() {
		m.talk.SetWelcome(view{m}.welcome())
		m.talk.SetTail(m.tail(s.Transcript.W))
		m.talk.SetSize(s.Transcript.W, s.Transcript.H)
	}
	if !s.Panel.Empty() {
		for _, p := range m.panes {
			p.SetSize(s.Panel.W, max(0, s.Panel.H-tabLines))
		}
	}
}

// tail is always shown under the messages: problems, offers, activity, queued messages.
func (m *root) tail(w int) []string {
	out := m.bannerLines(w)
	out = append(out, m.noticeLines(w)...)
	add := func(style interface{ Render(...string) string }, text string) {
		out = append(out, " "+style.Render(clean.Truncate(clean.Line(text), max(1, w-2), "…")))
	}
	switch {
	case !m.info.Offline || len(m.found) == 0:
	case m.linking:
		add(m.styles.Accent, m.keys.Words.Say("found.connecting"))
	default:
		add(m.styles.Accent, m.keys.Words.Say("found.use", foundWords(m.keys.Words.Words, m.found[0]), m.keys.Global.UseModel.Help().Key))
	}
	if m.conv.unanswered() {
		add(m.styles.Warn, m.keys.Words.Say("turn.incomplete", m.keys.Global.Retry.Help().Key))
	}
	out = append(out, m.branch.branchTail(w)...)
	switch {
	case m.conv.turn != nil:
		add(m.styles.Accent, m.conv.activity())
	case m.conv.judging != nil:
		add(m.styles.Accent, m.conv.judgingWords())
	}
	for _, l := range m.conv.waiting(w) {
		add(m.styles.Dim, l)
	}
	out = append(out, m.guided.lines(w)...)
	if m.sayWraps() {
		for _, l := range clean.Wrap(clean.Line(m.say), max(10, w-2)) {
			out = append(out, " "+m.styles.Warn.Render(l))
		}
	}
	return append(out, m.slashHelp(w)...)
}

// sayWraps reports whether the text of the last line is too long for it and can be shown
// above the input instead.
func (m *root) sayWraps() bool {
	return cells.Width(m.say) > m.width/2 && !m.screen.Transcript.Empty() && m.overlay == noOverlay
}

// slashHelp lists what the beginning of a command may mean.
func (m *root) slashHelp(w int) (out []string) {
	near := m.commands.completions()
	most := min(slashLines, transcript.TailRoom(m.screen.Transcript.H)-1)
	for i, c := range near {
		if i == most && len(near) > most+1 {
			return append(out, " "+m.styles.Dim.Render(m.keys.Words.Say("slash.more", len(near)-i)))
		}
		c = c.Worded(m.keys.Words.Language)
		out = append(out, cells.Fit(" "+m.styles.Key.Render(cells.Fit(c.Usage(), slashWidth))+" "+m.styles.Dim.Render(c.Help), w))
	}
	return out
}

// noticeLines are the notices that esc or the next message takes away.
func (m *root) noticeLines(w int) (out []string) {
	for _, n := range m.problems.notices {
		out = append(out, problemLines(m.keys.Words.Words, n, w, m.styles.Warn)...)
	}
	return out
}

// bannerLines say why nothing can be written, as long as that is so.
func (m *root) bannerLines(w int) []string {
	if m.problems.storage == nil {
		return nil
	}
	return problemLines(m.keys.Words.Words, *m.problems.storage, w, m.styles.Bad)
}

func problemLines(in words.Words, p chat.Problem, w int, style lipgloss.Style) (out []string) {
	text := in.Say("problem.is", in.Translate(p.Title), in.Translate(p.Text))
	if p.Hint != "" {
		text = strings.TrimRight(text, ".。") + in.Say("sep.sentence") + in.Translate(p.Hint)
	}
	sign := "! "
	for _, l := range clean.Wrap(clean.Line(text), max(10, w-4)) {
		out = append(out, " "+style.Render(sign+l))
		sign = "  "
	}
	return out
}

// slashWidth is the room for a command's name and what follows it.
const slashWidth = 18

// spinner is one turn of the sign that shows that something is going on.
var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

func foundWords(w words.Words, f model.Found) string {
	host := strings.TrimSuffix(strings.TrimPrefix(f.BaseURL, "http://"), "/v1")
	if len(f.Models) > 0 {
		return w.Say("found.model", f.Name, host, f.Models[0])
	}
	return w.Say("found.server", f.Name, host)
}
