package clean

import "unicode/utf8"

// Stream cleans a text that arrives in pieces, such as a streaming answer. The outputs
// of all Add calls and End together equal [Text] of the joined pieces. The zero value
// is ready to use. A Stream holds back only bytes that the next piece may change: a
// partial character, a CR, half a flag, the last Korean letter. It is not safe for
// concurrent use.
type Stream struct {
	c     cleaner
	begun bool
	held  string // input that depends on the next piece
}

// Add takes the next piece and returns the text that is now final.
func (s *Stream) Add(piece string) string {
	if !s.begun {
		s.begun, s.c.keeps = true, joining()
	}
	in := s.held + piece
	for in != "" && !s.unclear(in) {
		r, n := utf8.DecodeRuneInString(in)
		s.c.add(r, in)
		in = in[n:]
	}
	s.held = in
	return s.take(len(s.c.b) - s.c.open())
}

// End returns the held text and resets the stream.
func (s *Stream) End() string {
	for i, r := range s.held {
		s.c.add(r, s.held[i:])
	}
	s.c.dropJoiner()
	out := s.take(len(s.c.b))
	*s = Stream{}
	return out
}

// unclear reports whether the first rune of in is incomplete or depends on a rune that
// has not arrived.
func (s *Stream) unclear(in string) bool {
	if !utf8.FullRuneInString(in) {
		return true
	}
	r, n := utf8.DecodeRuneInString(in)
	switch {
	case r == '\r':
		return len(in) == n
	case regional(r) && !s.c.flag:
		return !utf8.FullRuneInString(in[n:])
	}
	return false
}

// take removes the first n bytes of the output and returns them.
func (s *Stream) take(n int) string {
	out := string(s.c.b[:n])
	s.c.b = append(s.c.b[:0], s.c.b[n:]...)
	return out
}

// open returns the number of bytes at the end of the output that the next rune may
// replace: a Hangul letter or syllable that another letter may join.
func (c *cleaner) open() int {
	const anyVowel, anyFinal = 0x1161, 0x11a8
	if c.marks == 0 && (compose(c.prev, anyVowel) != 0 || compose(c.prev, anyFinal) != 0) {
		return utf8.RuneLen(c.prev)
	}
	return 0
}
