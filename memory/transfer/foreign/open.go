package foreign

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"regexp"
	"slices"
	"time"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Format is the form of an export.
type Format string

// The formats.
const (
	ChatGPT Format = "chatgpt"
	Claude  Format = "claude"
	Lines   Format = "jsonl"
)

// Options say how an export is read.
type Options struct {
	Limits Limits
	// Now bounds plausible times: later ones count as missing.
	Now time.Time
}

// Export is an open export. It is not safe for concurrent use.
type Export struct {
	format  Format
	limits  Limits
	now     time.Time
	written time.Time // when the file was changed, for messages without any time
	file    *os.File
	archive *zip.ReadCloser
	parts   []*zip.File
}

// Errors of [Open].
var (
	ErrNotFound  = errors.New("the archive has no conversations.json")
	ErrEncrypted = errors.New("the archive is encrypted: unpack it first")
	ErrTotal     = errors.New("the export is larger than allowed")
)

// parts of an archive that hold conversations.
var partName = regexp.MustCompile(`^conversations(-\d+)?\.json$`)

// Open opens the export in a file. The caller closes it.
func Open(name string, format Format, o Options) (*Export, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	e := &Export{format: format, limits: o.Limits.withDefaults(), now: o.Now, file: f}
	if err := e.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), e.Close())
	}
	return e, nil
}

func (e *Export) prepare() error {
	stat, err := e.file.Stat()
	if err != nil {
		return err
	}
	if !stat.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	e.written = moment{stat.ModTime().UTC()}.within(e.now)
	start := make([]byte, 4)
	n, err := e.file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.HasPrefix(start[:n], []byte("PK")) {
		return nil
	}
	if e.format == Lines {
		return errors.New("a ZIP archive: unpack it first")
	}
	if e.archive, err = zip.OpenReader(e.file.Name()); err != nil {
		return fmt.Errorf("opening the archive: %w", err)
	}
	if n := len(e.archive.File); n > e.limits.Entries {
		return fmt.Errorf("%w: %d files, at most %d", ErrTotal, n, e.limits.Entries)
	}
	for _, part := range e.archive.File {
		if !partName.MatchString(path.Base(part.Name)) || !part.Mode().IsRegular() {
			continue
		}
		if part.Flags&1 != 0 {
			return ErrEncrypted
		}
		e.parts = append(e.parts, part)
	}
	if len(e.parts) == 0 {
		return ErrNotFound
	}
	slices.SortStableFunc(e.parts, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// Close closes the file.
func (e *Export) Close() error {
	var err error
	if e.archive != nil {
		err = e.archive.Close()
	}
	return errors.Join(err, e.file.Close())
}

// Size returns the bytes that [Export.Conversations] reads, after decompression, as the
// archive states them.
func (e *Export) Size() int64 {
	if e.archive == nil {
		stat, err := e.file.Stat()
		if err != nil {
			return 0
		}
		return stat.Size()
	}
	var sum int64
	for _, part := range e.parts {
		sum += int64(part.UncompressedSize64)
	}
	return sum
}

// Conversations returns the conversations in the order of the file, which may contain one
// several times. A [ConversationError] stands for one that is left out; any other error is
// the last pair.
func (e *Export) Conversations(ctx context.Context) iter.Seq2[Conversation, error] {
	if e.format == Lines {
		return e.lines(ctx)
	}
	return func(yield func(Conversation, error) bool) {
		number := 0
		for text, err := range e.lists(ctx) {
			var skipped *ConversationError
			var c Conversation
			if number++; err == nil || errors.Is(err, errTooLarge) {
				c, skipped = e.conversation(text, err)
				if skipped != nil {
					skipped.Number = number
					err = skipped
				}
			}
			if !yield(c, err) || err != nil && skipped == nil {
				return
			}
		}
	}
}

// lists returns the elements of the lists in all parts.
func (e *Export) lists(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		left := e.limits.Total
		read := func(r io.Reader, name string) bool {
			r = &bounded{ctx: ctx, in: decoded(r), left: &left}
			for text, err := range elements(r, e.limits.Conversation) {
				if err != nil && name != "" && !errors.Is(err, errTooLarge) {
					err = fmt.Errorf("%s: %w", name, err)
				}
				if !yield(text, err) {
					return false
				}
			}
			return true
		}
		if e.archive == nil {
			read(io.NewSectionReader(e.file, 0, e.limits.Total+1), "")
			return
		}
		for _, part := range e.parts {
			r, err := part.Open()
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", part.Name, err))
				return
			}
			more := read(r, part.Name)
			_ = r.Close()
			if !more {
				return
			}
		}
	}
}

func (e *Export) conversation(text []byte, err error) (Conversation, *ConversationError) {
	if err != nil {
		return Conversation{}, &ConversationError{Err: err}
	}
	if e.format == Claude {
		return e.claude(text)
	}
	return e.chatgpt(text)
}

// decoded returns UTF-8 without a byte order mark; a mark of UTF-16 is obeyed.
func decoded(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
}

// bounded ends with an error when more than left bytes were read, or ctx is done.
type bounded struct {
	ctx  context.Context
	in   io.Reader
	left *int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	n, err := b.in.Read(p)
	if *b.left -= int64(n); *b.left < 0 {
		return 0, ErrTotal
	}
	return n, err
}
