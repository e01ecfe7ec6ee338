package transfer

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
)

// Limits bound what is read from an archive. A zero field means its default.
type Limits struct {
	Total int64 // bytes of all files, decompressed; 64 GB by default
	Line  int   // bytes of a line; 64 MB by default
	Files int   // number of files; 200,000 by default
}

func (l Limits) withDefaults() Limits {
	if l.Total == 0 {
		l.Total = 64 << 30
	}
	if l.Line == 0 {
		l.Line = 64 << 20
	}
	if l.Files == 0 {
		l.Files = 200_000
	}
	return l
}

// maxManifest is the size of a manifest in bytes.
const maxManifest = 64 << 20

// Archive is an open export. It is not safe for concurrent use.
type Archive struct {
	Manifest Manifest
	file     *os.File
	limits   Limits
	sum      string
	entries  map[string]*zip.File
	sums     map[string]File
}

// Open opens an export and checks its manifest. If it is encrypted, secret is asked for
// what opens it; see [Passphrase] and [Identities]. Errors wrap [ErrFormat], [ErrVersion],
// [ErrDamaged], [ErrLarge], [ErrEncrypted] or [ErrSecret]. The caller closes the archive.
func Open(name string, secret Secret, l Limits) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &Archive{file: f, limits: l.withDefaults()}
	if err := a.open(secret); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return a, nil
}

func (a *Archive) open(secret Secret) error {
	stat, err := a.file.Stat()
	if err != nil {
		return err
	}
	if !stat.Mode().IsRegular() {
		return fmt.Errorf("%w: not a regular file", ErrFormat)
	}
	plain, size, err := Decrypt(a.file, stat.Size(), secret)
	if err != nil {
		return err
	}
	z, err := zip.NewReader(plain, size)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if len(z.File) > a.limits.Files {
		return fmt.Errorf("%w: %d files", ErrLarge, len(z.File))
	}
	a.entries = make(map[string]*zip.File, len(z.File))
	for _, e := range z.File {
		if a.entries[e.Name] != nil || !e.Mode().IsRegular() {
			return fmt.Errorf("%w: the file %q", ErrDamaged, e.Name)
		}
		a.entries[e.Name] = e
	}
	return a.readManifest()
}

func (a *Archive) readManifest() error {
	e := a.entries[manifestName]
	if e == nil {
		return fmt.Errorf("%w: it has no %s", ErrFormat, manifestName)
	}
	r, err := e.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(text) > maxManifest {
		return fmt.Errorf("%w: its manifest", ErrLarge)
	}
	a.sum = sumOf(text)
	var of struct{ Format string }
	if json.Unmarshal(text, &of) == nil && of.Format == backupFormat {
		return ErrBackup
	}
	if err := json.Unmarshal(text, &a.Manifest); err != nil {
		return fmt.Errorf("%w: the manifest: %w", ErrDamaged, err)
	}
	if err := a.Manifest.check(); err != nil {
		return err
	}
	if len(a.entries) != len(a.Manifest.Files)+1 {
		return fmt.Errorf("%w: it has %d files, the manifest %d", ErrDamaged, len(a.entries)-1, len(a.Manifest.Files))
	}
	total := int64(0)
	a.sums = make(map[string]File, len(a.Manifest.Files))
	for _, f := range a.Manifest.Files {
		switch e := a.entries[f.Name]; {
		case e == nil:
			return fmt.Errorf("%w: %s is missing", ErrDamaged, f.Name)
		case f.Size < 0 || uint64(f.Size) != e.UncompressedSize64:
			return fmt.Errorf("%w: the size of %s", ErrDamaged, f.Name)
		}
		if total += f.Size; total > a.limits.Total {
			return fmt.Errorf("%w: more than %d bytes", ErrLarge, a.limits.Total)
		}
		a.sums[f.Name] = f
	}
	return nil
}

// Sum returns the checksum of the manifest, which has those of all files: it identifies the
// archive, encrypted or not.
func (a *Archive) Sum() string { return a.sum }

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

// Size returns the bytes of all files.
func (a *Archive) Size() (n int64) {
	for _, f := range a.Manifest.Files {
		n += f.Size
	}
	return n
}

// Verify compares the checksum of every file. It calls progress after each file with the
// bytes read so far.
func (a *Archive) Verify(ctx context.Context, progress func(read int64)) error {
	var read int64
	for _, f := range a.Manifest.Files {
		r, err := a.Open(ctx, f.Name)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, r)
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
		if read += f.Size; progress != nil {
			progress(read)
		}
	}
	return nil
}

// Names yields the names of the files below a prefix, in the order of the archive.
func (a *Archive) Names(prefix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range a.Manifest.Files {
			if strings.HasPrefix(f.Name, prefix) && !yield(f.Name) {
				return
			}
		}
	}
}

// Has reports whether the archive has a file.
func (a *Archive) Has(name string) bool { return a.entries[name] != nil }

// Open opens a file. Reading it to its end compares the checksum.
func (a *Archive) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	f, known := a.sums[name]
	if !known {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, name)
	}
	r, err := a.entries[name].Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return &checked{ReadCloser: r, ctx: ctx, file: f, sum: sha256.New()}, nil
}

// Lines yields the lines of a file of JSON Lines; a line is valid until the next. A file
// that does not exist has none. An error is the last pair.
func (a *Archive) Lines(ctx context.Context, name string) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		if !a.Has(name) {
			return
		}
		r, err := a.Open(ctx, name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, a.limits.Line)
		// After an error the rest of the buffer is no whole line.
		for lines.Scan() && lines.Err() == nil {
			if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 && !yield(line, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(nil, fmt.Errorf("%w: a line of %s", ErrLarge, name))
		case err != nil:
			yield(nil, err)
		}
	}
}

// checked compares what is read with the manifest.
type checked struct {
	io.ReadCloser
	ctx  context.Context
	file File
	sum  interface {
		io.Writer
		Sum([]byte) []byte
	}
	size int64
}

func (c *checked) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	n, err := c.ReadCloser.Read(p)
	_, _ = c.sum.Write(p[:n])
	c.size += int64(n)
	switch {
	case c.size > c.file.Size:
		err = fmt.Errorf("%w: the size of %s", ErrDamaged, c.file.Name)
	case errors.Is(err, io.EOF) && (c.size != c.file.Size || hex.EncodeToString(c.sum.Sum(nil)) != c.file.SHA256):
		err = fmt.Errorf("%w: the checksum of %s", ErrDamaged, c.file.Name)
	case err != nil && !errors.Is(err, io.EOF):
		err = fmt.Errorf("%w: %s: %w", ErrDamaged, c.file.Name, err)
	}
	return n, err
}
