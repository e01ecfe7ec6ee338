package transfer

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
)

// Writer writes an archive. It is not safe for concurrent use.
type Writer struct {
	zip      *zip.Writer
	manifest Manifest
	open     *part
	err      error
}

// part is the file being written.
type part struct {
	name string
	out  io.Writer
	sum  hash.Hash
	size int64
}

func (p *part) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.sum.Write(b[:n])
	p.size += int64(n)
	return n, err
}

// NewWriter returns a writer of an archive to w. The manifest's format, version and files
// are filled in.
func NewWriter(w io.Writer, m Manifest) *Writer {
	m.Format, m.Version, m.Files = Format, Version, nil
	return &Writer{zip: zip.NewWriter(w), manifest: m}
}

// create begins a file, and ends the one before it.
func (w *Writer) create(name string) error {
	w.finish()
	if w.err == nil && !fs.ValidPath(name) {
		w.err = &fs.PathError{Op: "export", Path: name, Err: fs.ErrInvalid}
	}
	if w.err != nil {
		return w.err
	}
	// Headers without times keep two exports equal.
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if w.err = err; err == nil {
		w.open = &part{name: name, out: out, sum: sha256.New()}
	}
	return w.err
}

func (w *Writer) finish() {
	if p := w.open; p != nil {
		w.manifest.Files = append(w.manifest.Files, File{p.name, p.size, hex.EncodeToString(p.sum.Sum(nil))})
		w.open = nil
	}
}

// File writes a file with the given contents.
func (w *Writer) File(name string, contents io.Reader) error {
	if err := w.create(name); err != nil {
		return err
	}
	_, err := io.Copy(w.open, contents)
	w.err = errors.Join(w.err, err)
	return w.err
}

// Lines begins a file of JSON Lines and returns a function that writes a value as its
// next line. The function may be called until the next file begins.
func (w *Writer) Lines(name string) (write func(v any) error, err error) {
	if err := w.create(name); err != nil {
		return nil, err
	}
	return func(v any) error {
		if w.err != nil {
			return w.err
		}
		line, err := json.Marshal(v)
		if err == nil {
			_, err = w.open.Write(append(line, '\n'))
		}
		w.err = err
		return err
	}, nil
}

// Close writes the manifest and ends the archive. It does not close the underlying
// writer.
func (w *Writer) Close() error {
	w.finish()
	m := w.manifest
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := w.File(manifestName, bytes.NewReader(append(text, '\n'))); err != nil {
		return err
	}
	return w.zip.Close()
}
