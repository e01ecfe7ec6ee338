package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt's file format, as far as it is needed to see a cut file before it is
// mapped (there, reading behind the end would be a fault): the first two pages
// are meta pages, written in turn, and the valid one with the higher
// transaction number counts. Numbers have the byte order of the machine.
const (
	metaOffset  = 16 // behind the page header
	metaLength  = 64
	metaMagic   = 0xED0CDAED
	metaVersion = 2

	minPageSize = 1 << 10
	maxPageSize = 1 << 24
)

// metaPage holds the fields that tell how large the file must be.
type metaPage struct {
	pageSize uint32
	pages    uint64 // pages in use: every page number is below
	txid     uint64
}

// checkMeta compares the file's size with what its newest meta page claims.
func checkMeta(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	m, err := newestMeta(f)
	if err != nil {
		return err
	}
	if need := m.pages * uint64(m.pageSize); uint64(stat.Size()) < need {
		return fmt.Errorf("%w: cut short: %d bytes of at least %d", ErrDamaged, stat.Size(), need)
	}
	return nil
}

// newestMeta finds the second page by trying all page sizes, as the first may
// be the damaged one.
func newestMeta(f io.ReaderAt) (metaPage, error) {
	newest, found := readMeta(f, 0)
	for size := int64(minPageSize); size <= maxPageSize; size *= 2 {
		m, ok := readMeta(f, size)
		if ok && int64(m.pageSize) == size && (!found || m.txid > newest.txid) {
			newest, found = m, true
		}
	}
	if !found {
		return metaPage{}, fmt.Errorf("%w: no readable meta page", ErrDamaged)
	}
	return newest, nil
}

func readMeta(f io.ReaderAt, at int64) (metaPage, bool) {
	var b [metaLength]byte
	if _, err := f.ReadAt(b[:], at+metaOffset); err != nil {
		return metaPage{}, false
	}
	sum := fnv.New64a()
	_, _ = sum.Write(b[:56]) // a hash never fails
	m := metaPage{
		pageSize: binary.NativeEndian.Uint32(b[8:]),
		pages:    binary.NativeEndian.Uint64(b[40:]),
		txid:     binary.NativeEndian.Uint64(b[48:]),
	}
	ok := binary.NativeEndian.Uint32(b[0:]) == metaMagic &&
		binary.NativeEndian.Uint32(b[4:]) == metaVersion &&
		binary.NativeEndian.Uint64(b[56:]) == sum.Sum64() &&
		m.pageSize >= minPageSize && m.pageSize <= maxPageSize &&
		m.pages < 1<<40
	return m, ok
}
