package term

import (
	"strings"
	"time"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/pane"
)

// typed is what was typed where letters are keys. A letter alone is a key. One that follows
// another at once, or that has no meaning after it, shows that both are of a message: then all
// of them go to the input, and what they opened is closed again. Keys that only move, and a key
// after them, stay keys.
type typed struct {
	*root
	question *question // waits for a yes; nil when none does
	opener   string    // the letter that opened the open question; "" for none

	letters []tea.KeyPressMsg // taken as keys, and perhaps the beginning of a message
	alone   int               // of them that were taken for keys before the next came
	acted   bool              // they did more than move
	quick   bool              // the last of them came just now
	soon    bool              // the last of them came even less ago
	number  int               // of letters and ends, so that a late timer ends nothing
	was     scene             // before the first of them
	held    []func() tea.Cmd  // done when the letters were keys

	doubted  []tea.KeyPressMsg // letters in the input, of which the first were perhaps keys; nil for none
	wereKeys int               // how many of them
	pasted   bool              // some of the text of a search was pasted

	back   *scene // what stays as it was while the message is typed; nil for nothing
	moving bool   // text was typed elsewhere and goes to the input
}

// scene is what letters can open.
type scene struct {
	focus   focus
	overlay overlay
	shown   pane.ID
	depth   int // what is open inside the pane
}

const (
	// quickly is the longest time between two letters of somebody who types.
	quickly = 400 * time.Millisecond
	// soon is less than the time between two letters of somebody who types slowly.
	soon = quickly / 2
	// slowest is the longest time between a letter that did something and one that means nothing
	// then, but is of the same word.
	slowest = time.Second
)

func (m *typed) scene() scene {
	return scene{focus: m.focus, overlay: m.overlay, shown: m.panel.shown, depth: depth(m.current().About())}
}

// depth counts what is open inside a pane.
func depth(s pane.About) (n int) {
	for _, open := range []bool{s.Modal, s.Capturing, s.Asking} {
		if open {
			n++
		}
	}
	return n
}

// asking reports whether a question has the keyboard.
func (m *typed) asking() bool {
	return m.question != nil || m.focus == onPanel && m.overlay == noOverlay && m.current().About().Asking
}

// writing reports whether letters are text, and are shown where they are typed.
func (m *typed) writing() bool {
	return m.overlay != noOverlay || m.focus == onInput || m.focus == onPanel && m.current().About().Capturing
}

// take takes a key before everything else. handled is false for one that is to be a key, or the
// text of a field.
func (m *typed) take(msg tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	first := len(m.letters) == 0
	m.unglue(msg)
	if !m.asking() {
		m.opener = ""
	}
	switch {
	case m.switching.going, m.screen.Mode == 0, !prints(msg), first && msg.Text == " " && !m.asking():
		held := m.end()
		if !prints(msg) {
			m.back, m.moving = nil, false
		}
		if m.question != nil {
			return tea.Batch(held, m.answer(msg)), true
		}
		return held, false
	case m.reopens(msg):
		m.add(msg)
		m.acted = true
		if m.question != nil {
			m.say = m.question.text
		}
		return m.rest(), true
	case !first && m.continues(msg) && (m.quick || !m.answers(msg)):
		m.add(msg)
		return m.toInput(), true
	case m.answers(msg):
		m.add(msg)
		m.acted = true
		if strings.EqualFold(msg.Text, "n") {
			return tea.Batch(m.close(), m.rest()), true
		} // a yes waits for another key
		if m.question != nil {
			m.say = m.question.text
		}
		return m.rest(), true
	case m.asking():
		m.add(msg)
		return m.toInput(), true
	case m.writing():
		return m.end(), false
	}
	m.add(msg)
	return nil, false
}

// answers reports whether a letter alone is an answer to the open question.
func (m *typed) answers(msg tea.KeyPressMsg) bool {
	return m.asking() && (strings.EqualFold(msg.Text, "n") || strings.EqualFold(msg.Text, "y"))
}

// reopens reports whether a letter only opened the question again that is open: pressed twice, or
// held. It leaves the question open, and is of a text when another letter follows.
func (m *typed) reopens(msg tea.KeyPressMsg) bool {
	return m.asking() && msg.Text == m.opener && (m.quick || !m.answers(msg))
}

// prints reports whether a key types a character.
func prints(msg tea.KeyPressMsg) bool { return msg.Text != "" && clean.Typed(msg.Text) != "" }

// add notes a letter before it is taken as a key.
func (m *typed) add(msg tea.KeyPressMsg) {
	if len(m.letters) == 0 {
		m.was = m.scene()
	}
	m.letters = append(m.letters, msg)
	m.number++
}

// continues reports whether a letter is of the same word as those before it.
func (m *typed) continues(msg tea.KeyPressMsg) bool {
	again := msg.Text == m.letters[len(m.letters)-1].Text && m.scene() == m.was
	return m.asking() || m.quick && m.acted && !again
}

// taken notes what a letter did that was taken as a key.
func (m *typed) taken(msg tea.KeyPressMsg) tea.Cmd {
	if len(m.letters) == 0 || m.letters[len(m.letters)-1] != msg {
		return nil
	}
	if key.Matches(msg, m.keys.Input.Slash) && m.writing() { // it searches: what follows is the search
		return m.end()
	}
	if m.opener = ""; m.asking() {
		m.opener = msg.Text
	}
	if _, moves := m.keys.List.By(msg, 1); !moves || m.asking() || m.scene() != m.was {
		m.acted = true
	}
	return m.rest()
}

// rest waits until the letters are keys because nothing followed.
func (m *typed) rest() tea.Cmd {
	m.quick, m.soon = true, true
	n := m.number
	return tea.Batch(m.fx.After(soon, func() tea.Cmd {
		m.soon = m.soon && m.number != n
		return nil
	}), m.fx.After(quickly, func() tea.Cmd {
		if m.number != n {
			return nil
		}
		m.quick = false
		if !m.acted {
			return m.end()
		}
		m.alone = len(m.letters)
		return tea.Batch(m.release(), m.fx.After(slowest-quickly, func() tea.Cmd {
			if m.number != n {
				return nil
			}
			return m.end()
		}))
	}))
}

// end takes the letters for keys.
func (m *typed) end() tea.Cmd {
	m.letters, m.alone, m.acted, m.quick, m.soon = nil, 0, false, false, false
	m.number++
	return m.release()
}

// hold does something at once, or when the letter that asks for it turns out to be a key.
func (m *typed) hold(do func() tea.Cmd) tea.Cmd {
	if len(m.letters) == 0 {
		return do()
	}
	m.held = append(m.held, do)
	return nil
}

func (m *typed) release() tea.Cmd {
	held := m.held
	m.held = nil
	var cmds []tea.Cmd
	for _, do := range held {
		cmds = append(cmds, do())
	}
	return tea.Batch(cmds...)
}

// toInput takes the letters to the input, and closes what they opened and what they were typed at.
func (m *typed) toInput() tea.Cmd {
	letters, was := m.letters, m.was
	if alone := m.alone; len(letters)-alone > 1 && m.soon {
		letters = letters[alone:] // they came as in typing, and the keys before them did not
	} else if alone > 0 {
		m.doubted, m.wereKeys = letters, alone
	}
	cmds := []tea.Cmd{m.close()}
	if len(letters) > 0 {
		m.input.Stray()
		m.back = &was
		cmds = append(cmds, m.restore(was))
	}
	m.held = nil
	m.end()
	m.setFocus(onInput)
	for _, l := range letters {
		cmd, _ := m.inputKey(l)
		cmds = append(cmds, cmd)
	}
	m.moving = true
	n := m.number
	return tea.Batch(append(cmds, m.fx.After(soon, func() tea.Cmd {
		if m.number == n {
			m.doubted = nil
		}
		return nil
	}))...)
}

// unglue takes the keys before a text out of the input again, when the next letter of the text
// comes much faster than the first one came after them.
func (m *typed) unglue(msg tea.KeyPressMsg) {
	letters := m.doubted
	if m.doubted = nil; letters == nil || !prints(msg) || m.focus != onInput {
		return
	}
	for _, l := range letters {
		for range utf8.RuneCountInString(l.Text) {
			m.inputKey(tea.KeyPressMsg{Code: tea.KeyBackspace})
		}
	}
	for _, l := range letters[m.wereKeys:] {
		m.inputKey(l)
	}
}

// close closes the question that is open.
func (m *typed) close() (cmd tea.Cmd) {
	if m.question != nil {
		m.question = nil
		m.say = m.keys.Words.Say("ask.left")
		return nil
	}
	if m.asking() {
		cmd, _ = m.current().Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	}
	return cmd
}

// restore closes what was not open in a scene, and shows its pane.
func (m *typed) restore(was scene) tea.Cmd {
	var cmds []tea.Cmd
	m.overlay = was.overlay
	for _, id := range []pane.ID{m.panel.shown, was.shown} {
		least := 0
		if id == was.shown {
			least = was.depth
		}
		for range 3 { // as much as can be open
			if depth(m.panes[id].About()) <= least {
				break
			}
			cmd, _ := m.panes[id].Update(tea.KeyPressMsg{Code: tea.KeyEscape})
			cmds = append(cmds, cmd)
		}
	}
	if m.panel.shown != was.shown {
		m.panel.choose(was.shown)
		cmds = append(cmds, m.current().Load())
	}
	return tea.Batch(cmds...)
}

// leave forgets the message that is typed.
func (m *typed) leave() tea.Cmd {
	m.back, m.moving = nil, false
	return m.end()
}

// paste takes a paste that comes with letters before it, or while a question is open.
func (m *typed) paste(msg tea.PasteMsg) (cmd tea.Cmd, handled bool) {
	if len(m.letters) == 0 && !m.asking() || m.switching.going || m.screen.Mode == 0 || len(m.letters) > 0 && !m.quick && m.writing() {
		return nil, false
	}
	cmd = m.toInput()
	if m.input.Paste(msg.Content) {
		m.edited = true
	}
	return cmd, true
}

// searching is where the user looks for something.
type searching struct {
	overlay overlay
	shown   pane.ID
	pane.Search
}

// search is what the user looks for where the keyboard is.
func (m *typed) search() searching {
	s := searching{overlay: m.overlay, shown: m.panel.shown}
	switch {
	case m.overlay == helpOverlay:
		s.Search = m.help.Search()
	case m.overlay == paletteOverlay:
		s.Search = m.palette.Search()
	case m.focus == onPanel:
		s.Search = m.current().About().Search
	}
	m.pasted = m.pasted && s.Text != ""
	return s
}

// rescue keeps what was typed into a search that a key closed: it can be put into the input. A
// sentence that was not found in the help or the palette goes to the empty input at once.
func (m *typed) rescue(was searching, msg tea.KeyPressMsg) {
	var now pane.Search
	switch name := msg.String(); {
	case was.Text == "", name != "esc" && name != "f1" && name != "ctrl+p" && name != "ctrl+c":
		return
	case was.overlay == noOverlay:
		now = m.panes[was.shown].About().Search
	case m.overlay == helpOverlay:
		now = m.help.Search()
	}
	switch {
	case now.Text != "" || was.overlay != noOverlay && was.Found && !was.IsSentence():
	case was.overlay != noOverlay && !was.Found && was.IsSentence() && m.input.Empty():
		m.overlay, m.moving, m.edited = noOverlay, true, true
		m.setFocus(onInput)
		if m.pasted {
			m.input.Paste(was.Text)
		} else {
			m.input.Set(was.Text, nil)
		}
	default:
		m.input.Keep(was.Text, m.pasted)
		if was.overlay == noOverlay && !was.Long() {
			return
		}
		text := clean.Truncate(clean.Line(was.Text), keptCells, cells.Ellipsis)
		m.say = m.keys.Words.Say("typed.kept", text, m.keys.Input.PutBack.Help().Key)
	}
}

// keptCells is how much of a text is shown that can be put into the input.
const keptCells = 30

// watch closes what opens late, when what asked for it was found to be text.
func (m *typed) watch() tea.Cmd {
	if m.back == nil || m.focus == onInput && m.panel.shown == m.back.shown && depth(m.current().About()) <= m.back.depth {
		return nil
	}
	cmd := m.restore(*m.back)
	m.setFocus(onInput)
	return cmd
}

// tell says where the text is, as long as it is typed.
func (m *typed) tell() {
	if m.moving = m.moving && m.focus == onInput && !m.input.Empty(); m.moving && (m.say == "" || m.say == m.keys.Words.Say("ask.left")) {
		m.say = m.keys.Words.Say("typed.moved")
	}
}
