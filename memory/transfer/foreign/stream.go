package foreign

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

var errTooLarge = errors.New("it is too large")

// ErrNoList says that a file has no list of conversations.
var ErrNoList = errors.New("conversations.json should be a list of conversations")

// elements returns the elements of a JSON list as they are in the file, each up to limit
// bytes; a larger one is skipped with errTooLarge. An object is a list of one. The text is
// valid until the next element. Elements are not checked; any error but errTooLarge is the
// last pair.
func elements(r io.Reader, limit int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s := splitter{in: bufio.NewReaderSize(r, 1<<16), limit: limit}
		if err := s.open(); err != nil {
			yield(nil, err)
			return
		}
		for {
			element, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if errors.Is(err, errTooLarge) {
				err = fmt.Errorf("%w: more than %d MB", err, limit>>20)
			}
			if !yield(element, err) || err != nil && !errors.Is(err, errTooLarge) {
				return
			}
		}
	}
}

// A splitter finds where the elements of a list begin and end. It knows brackets and
// texts, and nothing else of JSON.
type splitter struct {
	in     *bufio.Reader
	limit  int64
	buf    []byte
	single bool // the file is one object instead of a list
	ended  bool
}

const space = " \t\r\n"

// open reads the bracket of the list.
func (s *splitter) open() error {
	switch b, err := s.skip(space); {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it is empty", ErrNoList)
	case err != nil:
		return err
	case b == '[':
		return nil
	case b == '{':
		s.single = true
		return s.in.UnreadByte()
	}
	return fmt.Errorf("%w: it is not JSON", ErrNoList)
}

// skip returns the first byte that is not in set.
func (s *splitter) skip(set string) (byte, error) {
	for {
		b, err := s.in.ReadByte()
		if err != nil || strings.IndexByte(set, b) < 0 {
			return b, err
		}
	}
}

// next returns the next element, or io.EOF after the last.
func (s *splitter) next() ([]byte, error) {
	if s.ended {
		return nil, io.EOF
	}
	b, err := s.skip(space + ",")
	if err != nil {
		return nil, truncated(err)
	}
	s.buf = s.buf[:0]
	var size int64
	depth, inText, escaped := 0, false, false
	for {
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = b == '\\', b != '"'
		case b == '"':
			inText = true
		case b == '[' || b == '{':
			depth++
		case (b == ']' || b == '}') && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte("]},", b) >= 0:
			s.ended = b != ','
			if size == 0 {
				return nil, io.EOF
			}
			return s.element(size)
		}
		if size++; size <= s.limit {
			s.buf = append(s.buf, b)
		}
		if s.single && depth == 0 {
			s.ended = true
			return s.element(size)
		}
		if b, err = s.in.ReadByte(); err != nil {
			return nil, truncated(err)
		}
	}
}

func (s *splitter) element(size int64) ([]byte, error) {
	if size > s.limit {
		return nil, errTooLarge
	}
	return s.buf, nil
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the file ends in the middle: %w", io.ErrUnexpectedEOF)
	}
	return err
}
