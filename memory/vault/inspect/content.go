package inspect

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"memoria/index"
)

const (
	step     = 1 << 20 // bytes read at once
	maxDepth = 3       // of archives in archives
	// maxMember bounds the decompressed bytes of an archive in memory. A larger member is read
	// only as bytes.
	maxMember = 256 << 20
	// maxTotal bounds the decompressed bytes of a file.
	maxTotal = 4 << 30
)

// file searches one file in all its forms.
func (s *search) file(ctx context.Context, path string) (err error) {
	s.name(path)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed meanwhile
	}
	if err != nil {
		return fmt.Errorf("reading a file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s.read++
	hits, err := s.scan(ctx, io.NewSectionReader(f, 0, info.Size()))
	if err != nil {
		return err
	}
	head := make([]byte, 64)
	n, _ := f.ReadAt(head, 0)
	head = head[:n]
	switch {
	case isStore(head):
		return s.store(path, f, info.Size(), hits)
	case len(hits) > 0:
		s.found(path, Place{Part: PartContent})
	}
	switch {
	case index.IsSegment(filepath.Base(path)):
		return s.segment(ctx, path)
	default:
		budget := int64(maxTotal)
		return s.members(ctx, path, f, info.Size(), head, 0, &budget)
	}
}

// hit is a place in the bytes of a file.
type hit struct{ from, to int64 }

// scan looks for the needles in bytes, without regard to the case of Latin letters.
func (s *search) scan(ctx context.Context, r io.Reader) (hits []hit, err error) {
	buf := make([]byte, 0, step+s.longest)
	for at := int64(0); ; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n, err := io.ReadFull(r, buf[len(buf):min(cap(buf), len(buf)+step)])
		fresh := buf[len(buf) : len(buf)+n]
		buf = buf[:len(buf)+n]
		lower(fresh)
		for _, needle := range s.needles {
			for _, form := range needle.forms {
				for i := 0; ; i++ {
					j := bytes.Index(buf[i:], form)
					if j < 0 {
						break
					}
					i += j
					hits = append(hits, hit{at + int64(i), at + int64(i+len(form))})
				}
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return hits, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading a file: %w", err)
		}
		kept := min(len(buf), max(s.longest-1, 0))
		at += int64(len(buf) - kept)
		copy(buf, buf[len(buf)-kept:])
		buf = buf[:kept]
	}
}

// The beginnings of files.
var (
	gzipHead = []byte{0x1f, 0x8b}
	zipHead  = []byte("PK\x03\x04")
	ageHeads = [][]byte{[]byte("age-encryption.org/"), []byte("-----BEGIN AGE ENCRYPTED FILE-----")}
)

// members searches the members of an archive.
func (s *search) members(ctx context.Context, path string, r io.ReaderAt, size int64, head []byte, depth int, budget *int64) error {
	switch {
	case bytes.HasPrefix(head, ageHeads[0]), bytes.HasPrefix(head, ageHeads[1]):
		s.found(path, Place{Part: PartClosed})
	case bytes.HasPrefix(head, gzipHead):
		z, err := gzip.NewReader(io.NewSectionReader(r, 0, size))
		if err != nil {
			s.found(path, Place{Part: PartClosed})
			return nil
		}
		return s.member(ctx, path, z, depth, budget)
	case bytes.HasPrefix(head, zipHead):
		z, err := zip.NewReader(r, size)
		if err != nil {
			s.found(path, Place{Part: PartClosed})
			return nil
		}
		for _, m := range z.File {
			for _, n := range s.needles {
				if n.in(m.Name) || n.in(name(m.Name)) || n.in(m.Comment) {
					s.found(path, Place{Part: PartName})
				}
			}
			content, err := m.Open()
			if err != nil {
				s.found(path, Place{Part: PartClosed})
				continue
			}
			if err := errors.Join(s.member(ctx, path, content, depth, budget), content.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}

// member searches decompressed content, and its members if it is an archive.
func (s *search) member(ctx context.Context, path string, r io.Reader, depth int, budget *int64) error {
	content, err := io.ReadAll(io.LimitReader(r, min(maxMember, *budget)+1))
	*budget -= int64(len(content))
	if err != nil || *budget <= 0 || len(content) > maxMember || depth >= maxDepth {
		s.found(path, Place{Part: PartClosed})
	}
	hits, err := s.scan(ctx, bytes.NewReader(content))
	if err != nil {
		return err
	}
	if len(hits) > 0 {
		s.found(path, Place{Part: PartContent})
	}
	switch {
	case isStore(content):
		return s.storeInside(path, content)
	case depth < maxDepth:
		return s.members(ctx, path, bytes.NewReader(content), int64(len(content)), content[:min(64, len(content))], depth+1, budget)
	}
	return nil
}
