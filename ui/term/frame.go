package term

import (
	"memoria/memory"
	framing "memoria/memory/frame"
)

// Text that is not about the user (P5b): while learning is paused for it, the last line says so.

// tellFrame notes the frame of a message, and says that it pauses learning or that learning
// goes on.
func (m *conversation) tellFrame(f memory.Frame) {
	was := m.frame
	m.frame = f
	switch {
	case m.say != "":
	case f.Paused() && (!was.Open || was.What != f.What):
		m.say = m.keys.Words.Translate(framing.Notice(f))
	case was.Open && !f.Paused():
		m.say = m.keys.Words.Say("talk.learns")
	}
}

// frameHint says that learning is paused; empty when it is not.
func (m *conversation) frameHint() string {
	answering := m.turn != nil && m.frame.Paused()
	cfg, _ := m.opts.chat.Config()
	idle := cfg.PassiveTimeout > 0 && m.now.Sub(m.session.LastMessageAt) >= cfg.PassiveTimeout
	if !answering && (!m.frame.Open || idle) {
		return ""
	}
	return m.keys.Words.Translate(framing.Hint(m.frame))
}
