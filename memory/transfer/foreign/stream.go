package foreign

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

var (
	errTooLarge = errors.New("it is too large")
	// ErrNoList says that a file has no list of conversations.
	ErrNoList = errors.New("the file is not a list of conversations")
)

// elements returns the elements of a JSON list as they are in the file, each up to limit
// bytes; a larger one is skipped with errTooLarge. The elements themselves are not
// checked: a broken one is the caller's, and leaves the others whole as long as its
// brackets match. The text is valid until the next element.
func elements(r io.Reader, limit int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s := splitter{in: bufio.NewReaderSize(r, 1<<16), limit: limit}
		if err := s.open(); err != nil {
			yield(nil, err)
			return
		}
		for n := 1; ; n++ {
			element, err := s.next()
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, errTooLarge):
				err = fmt.Errorf("%w: more than %d MB", err, limit>>20)
			case err != nil:
				yield(nil, fmt.Errorf("reading conversation %d: %w", n, err))
				return
			}
			if !yield(element, err) {
				return
			}
		}
	}
}

// A splitter finds where the elements of a list begin and end. It knows brackets and
// texts, and nothing else of JSON.
type splitter struct {
	in    *bufio.Reader
	limit int64
	buf   []byte
	ended bool
}

const space = " \t\r\n"

// open reads the bracket of the list.
func (s *splitter) open() error {
	switch b, err := s.skip(space); {
	case err == io.EOF:
		return fmt.Errorf("%w: it is empty", ErrNoList)
	case err != nil:
		return err
	case b == '[':
		return nil
	case b == '{':
		return fmt.Errorf("%w: it begins with {, not with [", ErrNoList)
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
			if size > s.limit {
				return nil, errTooLarge
			}
			return s.buf, nil
		}
		if size++; size <= s.limit {
			s.buf = append(s.buf, b)
		}
		if b, err = s.in.ReadByte(); err != nil {
			return nil, truncated(err)
		}
	}
}

func truncated(err error) error {
	if err == io.EOF {
		return fmt.Errorf("the file ends in the middle: %w", io.ErrUnexpectedEOF)
	}
	return err
}
