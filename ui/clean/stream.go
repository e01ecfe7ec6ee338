package clean

import "unicode/utf8"

// Stream cleans a text that comes in pieces, such as an answer while it is
// written: the outputs of all Add calls and End together are what [Text] makes
// of the pieces together. The zero value is ready. It keeps back only what the
// next piece may change: a character cut in two, a CR, half a flag and the last
// letter of Korean, a few bytes at most. It is not safe for concurrent use.
type Stream struct {
	c    cleaner
	held string // input that cannot be told yet
}

// Add takes the next piece and returns what can be shown by now.
func (s *Stream) Add(piece string) string {
	in := s.held + piece
	for in != "" && !s.unclear(in) {
		r, n := utf8.DecodeRuneInString(in)
		s.c.add(r, in)
		in = in[n:]
	}
	s.held = in
	return s.take(len(s.c.b) - s.c.open())
}

// End returns what was kept back, and makes the stream ready for another text.
func (s *Stream) End() string {
	for i, r := range s.held {
		s.c.add(r, s.held[i:])
	}
	s.c.dropJoiner()
	out := s.take(len(s.c.b))
	*s = Stream{}
	return out
}

// unclear reports whether the first rune of in is cut off or needs to see the
// one after it, which has not come.
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

// open is how many bytes at the end of the output the next rune may replace:
// those of a Hangul letter or syllable that another letter may join.
func (c *cleaner) open() int {
	const anyVowel, anyFinal = 0x1161, 0x11a8
	if c.marks == 0 && (compose(c.prev, anyVowel) != 0 || compose(c.prev, anyFinal) != 0) {
		return utf8.RuneLen(c.prev)
	}
	return 0
}
