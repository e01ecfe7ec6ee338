package term

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/layout"
	"memoria/ui/term/pane"
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
		m.talk.Unpoint()
	}
	m.talk.SetFocus(p == onTalk)
	for i, one := range m.all {
		one.SetFocus(p == onPanel && m.panel.shown == pane.ID(i))
	}
}

// arrange gives every part its place. It is cheap when nothing changed.
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
		m.input.SetPlaceholder(m.placeholder())
	}
	if !s.Transcript.Empty() {
		m.talk.SetWelcome(m.welcome())
		m.talk.SetTail(m.tail(s.Transcript.W))
		m.talk.SetSize(s.Transcript.W, s.Transcript.H)
	}
	if !s.Panel.Empty() {
		for _, p := range m.all {
			p.SetSize(s.Panel.W, s.Panel.H-1)
		}
	}
}

// placeholder says in the empty input what typing does.
func (m *root) placeholder() string {
	switch {
	case m.over:
		return "this conversation has ended; a message here begins a new one"
	case m.session.State == memory.SessionArchived, m.session.State == memory.SessionArchiving:
		return "an earlier session; a message here goes on with it"
	}
	return "type here, Enter sends, ctrl+j new line"
}

// tail is what always stands under the messages: what went wrong, what is
// offered, what is going on, what waits.
func (m *root) tail(w int) []string {
	out := m.bannerLines(w)
	out = append(out, m.noticeLines(w)...)
	add := func(style interface{ Render(...string) string }, text string) {
		out = append(out, " "+style.Render(clean.Truncate(clean.Line(text), max(1, w-2), "…")))
	}
	switch {
	case !m.info.Offline || len(m.found) == 0:
	case m.linking:
		add(m.styles.Accent, "connecting …")
	default:
		add(m.styles.Accent, foundWords(m.found[0])+" — F2 uses it")
	}
	if m.unanswered() {
		add(m.styles.Warn, "answer incomplete · F5 to retry")
	}
	out = append(out, m.branchTail(w)...)
	switch {
	case m.turn != nil:
		add(m.styles.Accent, m.activity())
	case m.judging != nil:
		add(m.styles.Accent, m.judgingWords())
	}
	for _, l := range m.waiting(w) {
		add(m.styles.Dim, l)
	}
	if m.sayWraps() {
		for _, l := range clean.Wrap(clean.Line(m.say), max(10, w-2)) {
			out = append(out, " "+m.styles.Warn.Render(l))
		}
	}
	return append(out, m.slashHelp(w)...)
}

// sayWraps reports whether what is said needs more than its part of the last
// line, and can stand above the input instead.
func (m *root) sayWraps() bool {
	return cells.Width(m.say) > m.width/2 && !m.screen.Transcript.Empty() && m.overlay == noOverlay
}

// slashHelp lists what the beginning of a command may mean.
func (m *root) slashHelp(w int) (out []string) {
	near := m.completions()
	for i, c := range near {
		if i == slashLines && len(near) > slashLines+1 {
			return append(out, " "+m.styles.Dim.Render(fmt.Sprintf("… and %d more; / and enter lists all", len(near)-i)))
		}
		out = append(out, cells.Fit(" "+m.styles.Key.Render(cells.Fit(c.Usage(), slashWidth))+" "+m.styles.Dim.Render(c.Help), w))
	}
	return out
}

// noticeLines are the notices that esc or the next message takes away.
func (m *root) noticeLines(w int) (out []string) {
	for _, n := range m.notices {
		out = append(out, problemLines(n, w, m.styles.Warn)...)
	}
	return out
}

// bannerLines say why nothing can be written, as long as that is so.
func (m *root) bannerLines(w int) []string {
	if m.storage == nil {
		return nil
	}
	return problemLines(*m.storage, w, m.styles.Bad)
}

func problemLines(p chat.Problem, w int, style lipgloss.Style) (out []string) {
	text := p.Title + ": " + p.Text
	if p.Hint != "" {
		text += " " + p.Hint
	}
	sign := "! "
	for _, l := range clean.Wrap(clean.Line(text), max(10, w-4)) {
		out = append(out, " "+style.Render(sign+l))
		sign = "  "
	}
	return out
}

// waiting is a line for each message that is on its way or in the queue (C8).
func (m *root) waiting(w int) (out []string) {
	for _, o := range m.sending {
		out = append(out, "sending: “"+o.text+"”")
	}
	if m.turn == nil && m.handing != "" {
		out = append(out, "sending: “"+m.handing+"”")
	}
	for i, q := range m.queue {
		if !m.busy() { // it is taken out at once
			out = append(out, "sending: “"+q.Text+"”")
			continue
		}
		how := ""
		if i == len(m.queue)-1 && m.input.Empty() { // else ↑ is for the text
			how = " · ↑ takes it back"
		}
		room := max(8, w-cells.Width("queued: “”"+how)-2)
		out = append(out, "queued: “"+clean.Truncate(clean.Line(q.Text), room, cells.Ellipsis)+"”"+how)
	}
	return out
}

// unanswered reports whether the last message could be answered again.
func (m *root) unanswered() bool {
	if m.branch.mark != "" { // it stands in the session that this one was forked from
		return false
	}
	if m.turn != nil || m.handing != "" || len(m.queue) > 0 || len(m.sending) > 0 || !m.ready {
		return false
	}
	e, ok := m.talk.Last()
	if !ok || m.missing {
		return ok
	}
	return e.Role == memory.RoleUser || e.Role == memory.RoleAssistant && e.Status != memory.StatusComplete && e.Status != ""
}

// slashWidth is the room for a command's name and what follows it.
const slashWidth = 18

// spinner is one turn of the sign that shows that something is going on.
var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// activity says what the answer is waiting for.
func (m *root) activity() string {
	t := m.turn
	gone := max(0, m.now.Sub(t.since))
	sign := spinner[int(gone/spinPause)%len(spinner)]
	if r := t.retry; r != nil {
		if left := r.until.Sub(m.now); left > 0 {
			return fmt.Sprintf("%s try %d of %d in %d s: %s · esc cancels", sign, r.attempt, r.of, wholeSeconds(left), r.reason)
		}
		return fmt.Sprintf("%s try %d of %d: %s · esc cancels", sign, r.attempt, r.of, r.reason)
	}
	doing := "waits for the model"
	switch {
	case t.searching != "":
		doing = "searches your memories: " + t.searching
	case t.first:
		doing = "answers"
	}
	return fmt.Sprintf("%s %s %s · %d s · esc cancels", sign, m.speaker(t.sender), doing, int(gone.Seconds()))
}

// openThoughts shows what models thought before their answers, or folds it (C9).
func (m *root) openThoughts() {
	switch open, some := m.talk.OpenThoughts(); {
	case !some:
		m.say = "no answer here came with what the model thought"
	case open:
		m.say = "what the model thought is shown"
	default:
		m.say = "what the model thought is folded"
	}
}

func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

func foundWords(f model.Found) string {
	host := strings.TrimSuffix(strings.TrimPrefix(f.BaseURL, "http://"), "/v1")
	s := fmt.Sprintf("%s found at %s", f.Name, host)
	if len(f.Models) > 0 {
		s += " (model " + f.Models[0] + ")"
	}
	return s
}

// hints are the keys of the pane that has the keyboard.
func (m *root) hints() []key.Binding {
	g, in, t := m.keys.Global, m.keys.Input, m.keys.Talk
	panel := key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "panel"))
	back := key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "input"))
	about := m.current().About()
	switch {
	case m.overlay != noOverlay:
		return nil
	case m.focus == onTalk:
		if m.unanswered() {
			return []key.Binding{t.Retry, t.Open, t.Copy, t.Code, back, g.Help}
		}
		if e, ok := m.talk.Selected(); ok && len(e.Sources) > 0 {
			return []key.Binding{t.Open, t.Sources, t.Copy, t.Code, back, g.Help}
		}
		return []key.Binding{t.Open, t.Copy, back, t.Anew, t.Edit, t.Fork, t.UndoTurn, g.Help}
	case m.focus == onPanel && about.Modal:
		return []key.Binding{g.Help}
	case m.focus == onPanel && len(about.Hints) > 0:
		return append(about.Hints, back, g.Help)
	case m.focus == onPanel:
		return []key.Binding{m.keys.Panel.NextPart, back, g.NextPane, g.Help}
	case m.input.Empty():
		return []key.Binding{g.Commands, panel, g.Help, g.NewSession}
	case len(m.completions()) > 0:
		return []key.Binding{
			key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "do it")),
			key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "complete")),
			key.NewBinding(key.WithKeys("/"), key.WithHelp("//…", "is a message")),
		}
	}
	return []key.Binding{in.Send, in.NewLine, panel, g.Help}
}
