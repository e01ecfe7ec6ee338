package term

// pointNow shows the message that a search or a memory led to, once it is there.
func (m *root) pointNow() {
	if m.pointAt == "" {
		return
	}
	if m.point(m.pointAt, 0, 0) {
		m.pointAt = ""
	}
}

// point shows a message in the conversation with some of its words marked, and gives it
// the keyboard; false when it is not there. The conversation may have been hidden and
// has its size first: what is in sight depends on it.
func (m *root) point(record string, offset, length int) bool {
	if _, there := m.talk.Entry(record); !there {
		return false
	}
	m.setFocus(onTalk)
	m.arrange()
	return m.talk.Point(record, offset, length)
}
