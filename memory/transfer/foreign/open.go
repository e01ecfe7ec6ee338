package foreign

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
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
	// Now bounds times: later ones count as missing.
	Now time.Time
}

// Export is an open export. It is not safe for concurrent use.
type Export struct {
	format  Format
	limits  Limits
	now     time.Time
	written time.Time // when the file was changed, for messages without any time
	file    *os.File
	archive *zip.ReadCloser // nil if the file is JSON
	parts   []*zip.File
	missing []string          // parts that the manifest names
	names   map[string]string // of pictures, by id
}

// Errors of an export that is refused whole.
var (
	ErrNotFound  = errors.New("the archive has no conversations.json")
	ErrEncrypted = errors.New("the archive is encrypted: unpack it first")
	ErrTotal     = errors.New("the export is larger than the limit")
	ErrUTF16     = errors.New("the file is UTF-16: save it as UTF-8")
)

// OtherFormatError says that an export is of another program.
type OtherFormatError struct{ Is, Asked Format }

func (e *OtherFormatError) Error() string {
	names := map[Format]string{ChatGPT: "ChatGPT", Claude: "Claude"}
	return fmt.Sprintf("this is an export of %s: use import %s", names[e.Is], e.Is)
}

// errDamaged is the reason for a part of an archive that cannot be read.
var errDamaged = errors.New("the file is damaged")

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
		return errors.New("it is not a regular file")
	}
	e.written = moment{Time: stat.ModTime().UTC()}.within(e.now)
	start := make([]byte, 2)
	n, err := e.file.ReadAt(start, 0)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case isUTF16(start[:n]):
		return ErrUTF16
	case string(start) != "PK" && strings.HasSuffix(e.file.Name(), ".zip"):
		return errors.New("it is not a ZIP archive")
	case string(start) != "PK":
		return nil
	case e.format == Lines:
		return errors.New("it is a ZIP archive: unpack it first")
	}
	if e.archive, err = zip.OpenReader(e.file.Name()); err != nil {
		return fmt.Errorf("opening the archive: %w", err)
	}
	return e.choose()
}

func isUTF16(start []byte) bool {
	return bytes.HasPrefix(start, []byte{0xfe, 0xff}) || bytes.HasPrefix(start, []byte{0xff, 0xfe})
}

// choose finds the parts of the archive that hold conversations.
func (e *Export) choose() error {
	if n := len(e.archive.File); n > e.limits.Entries {
		return fmt.Errorf("the archive has too many files: %d, at most %d", n, e.limits.Entries)
	}
	var manifest, names *zip.File
	seen := map[string]bool{}
	for _, f := range e.archive.File {
		if !fs.ValidPath(f.Name) || strings.HasPrefix(f.Name, "__MACOSX/") {
			continue // the name leads nowhere
		}
		switch base := path.Base(f.Name); {
		case base == "export_manifest.json":
			manifest = f
		case base == "conversation_asset_file_names.json":
			names = f
		case !partName.MatchString(base):
		case !f.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file", f.Name)
		case seen[f.Name]:
			return fmt.Errorf("the archive has %s twice", f.Name)
		case f.Flags&1 != 0:
			return ErrEncrypted
		default:
			seen[f.Name] = true
			e.parts = append(e.parts, f)
		}
	}
	if len(e.parts) == 0 {
		return ErrNotFound
	}
	slices.SortStableFunc(e.parts, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	e.readManifest(manifest)
	e.names = map[string]string{}
	e.readSmall(names, &e.names)
	return nil
}

// readManifest notes the parts that the manifest names and the archive lacks.
func (e *Export) readManifest(f *zip.File) {
	var m struct {
		Files map[string]struct {
			Files []string `json:"files"`
		} `json:"logical_files"`
	}
	e.readSmall(f, &m)
	for _, name := range m.Files["conversations.json"].Files {
		if !slices.ContainsFunc(e.parts, func(p *zip.File) bool { return path.Base(p.Name) == path.Base(name) }) {
			e.missing = append(e.missing, name)
		}
	}
}

// readSmall decodes an optional file of the archive; one that cannot be read is ignored.
func (e *Export) readSmall(f *zip.File, v any) {
	if f == nil {
		return
	}
	r, err := f.Open()
	if err != nil {
		return
	}
	defer r.Close()
	_ = json.NewDecoder(io.LimitReader(r, e.limits.Conversation)).Decode(v)
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
// several times. A [Failure] stands for what is left out; any other error is the last pair,
// and then the whole export is refused: it is never preceded by a conversation, unless ctx
// is done or the disk fails.
func (e *Export) Conversations(ctx context.Context) iter.Seq2[Conversation, error] {
	if e.format == Lines {
		return e.lines(ctx)
	}
	return onlyIfAny(e.all(ctx))
}

// onlyIfAny holds back what is no conversation until the first one. If there is none, the
// file is something else, and that is a single error.
func onlyIfAny(in iter.Seq2[Conversation, error]) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		var held []error
		any := false
		for c, err := range in {
			if !any && (errors.Is(err, errOther) || errors.Is(err, errDamaged)) {
				held = append(held, err)
				continue
			}
			any = true
			for _, before := range held {
				if !yield(Conversation{}, before) {
					return
				}
			}
			held = nil
			if !yield(c, err) {
				return
			}
		}
		if len(held) > 0 {
			yield(Conversation{}, fmt.Errorf("the file has no conversations: %s", held[0].Error()))
		}
	}
}

func (e *Export) all(ctx context.Context) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		if e.archive == nil {
			left := e.limits.Total
			r := &bounded{ctx: ctx, in: io.NewSectionReader(e.file, 0, e.limits.Total+1), left: &left}
			e.read(ctx, r, "", true, yield)
			return
		}
		damaged, err := e.verify(ctx)
		if err != nil {
			yield(Conversation{}, err)
			return
		}
		for _, name := range e.missing {
			if !yield(Conversation{}, &Failure{Part: name, Err: errors.New("the archive lacks this file")}) {
				return
			}
		}
		for i, part := range e.parts {
			if err := damaged[part.Name]; err != nil {
				if !yield(Conversation{}, &Failure{Part: part.Name, Err: err}) {
					return
				}
				continue
			}
			r, err := part.Open()
			if err != nil {
				yield(Conversation{}, err)
				return
			}
			left := e.limits.Total
			more := e.read(ctx, &bounded{ctx: ctx, in: r, left: &left}, part.Name, i == 0, yield)
			_ = r.Close()
			if !more {
				return
			}
		}
	}
}

// verify reads all parts once, so that nothing is imported from a damaged one, nor from an
// archive that is too large.
func (e *Export) verify(ctx context.Context) (damaged map[string]error, err error) {
	damaged = map[string]error{}
	left := e.limits.Total
	for _, part := range e.parts {
		r, err := part.Open()
		if err != nil {
			damaged[part.Name] = err
			continue
		}
		_, err = io.Copy(io.Discard, &bounded{ctx: ctx, in: r, left: &left})
		_ = r.Close()
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(err, ErrTotal):
			return nil, err
		case err != nil:
			damaged[part.Name] = fmt.Errorf("%w: %w", errDamaged, err)
		}
	}
	return damaged, nil
}

// read yields the conversations of one file, and reports whether to go on with the next.
func (e *Export) read(ctx context.Context, r io.Reader, part string, first bool, yield func(Conversation, error) bool) bool {
	in := bufferWithoutMark(r)
	if start, _ := in.Peek(2); isUTF16(start) {
		yield(Conversation{}, ErrUTF16)
		return false
	}
	number := 0
	for text, err := range elements(in, e.limits.Conversation) {
		number++
		if ctx.Err() != nil {
			yield(Conversation{}, context.Cause(ctx))
			return false
		}
		var c Conversation
		ends := false
		switch {
		case err == nil:
			c, err = e.conversation(text)
			var other *OtherFormatError
			if errors.As(err, &other) && first && number == 1 {
				yield(Conversation{}, err)
				return false
			}
			var syntax *json.SyntaxError
			ends = errors.As(err, &syntax) // what follows cannot be trusted
		case errors.Is(err, ErrNoList), errors.Is(err, ErrTotal):
			yield(Conversation{}, err)
			return false
		}
		if err != nil {
			err = &Failure{Part: part, Number: number, ID: c.ID, Title: c.Title, Err: explained(err)}
			c = Conversation{}
		}
		if !yield(c, err) {
			return false
		}
		if ends {
			break
		}
	}
	return true
}

// explained words an error of encoding/json without the names of our types.
func explained(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	if wrong.Field == "" && err.Error() == wrong.Error() {
		return fmt.Errorf("%w: it is a JSON %s", errOther, wrong.Value)
	}
	plain := fmt.Sprintf("a JSON %s is in the wrong place", wrong.Value)
	if wrong.Field != "" {
		plain = fmt.Sprintf("%q is a JSON %s, which does not belong there", wrong.Field, wrong.Value)
	}
	return errors.New(strings.Replace(err.Error(), wrong.Error(), plain, 1))
}

// conversation reads an element. With an error the conversation has an ID and a title, if
// they could be read.
func (e *Export) conversation(text []byte) (Conversation, error) {
	if e.format == Claude {
		return e.claude(text)
	}
	return e.chatgpt(text)
}

// start returns the time of the messages before the first that has one.
func (e *Export) start(c Conversation, nodes []*node) time.Time {
	if !c.Created.IsZero() {
		return c.Created
	}
	for _, n := range nodes {
		if !n.at.IsZero() {
			return n.at
		}
	}
	return cmp.Or(c.Updated, e.written, time.Unix(1, 0).UTC())
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
