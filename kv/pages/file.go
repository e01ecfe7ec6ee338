package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// ErrNoMeta says that neither meta page can be read: it is not a bbolt file, or its
// beginning is lost.
var ErrNoMeta = errors.New("no readable meta page")

const (
	headerSize  = 16
	elementSize = 16
	metaSize    = 64
	metaMagic   = 0xED0CDAED
	metaVersion = 2

	minPageSize = 1 << 10
	maxPageSize = 1 << 24

	noFreeList = ^uint64(0) // value of freeList for none
)

// The kinds of pages.
const (
	kindBranch   = 0x01
	kindLeaf     = 0x02
	kindFreeList = 0x10
)

// Meta is the content of the current meta page.
type Meta struct {
	PageSize int
	Pages    uint64 // pages in use or free: every number is less
	TxID     uint64 // of the last transaction
	root     uint64
	freeList uint64
	// Single says that the other meta page is damaged, or was torn when the computer
	// stopped. The next transaction rewrites it.
	Single bool
	raw    [metaSize]byte
}

// File is a bbolt file open for reading. It is safe for concurrent use if its reader
// is.
type File struct {
	Meta
	r         io.ReaderAt
	size      int64
	pageCount uint64 // Meta.Pages, or fewer if the file is too short for them
}

// Open reads the meta pages of a file of size bytes. The error is [ErrNoMeta].
func Open(r io.ReaderAt, size int64) (*File, error) {
	newest, found := readMeta(r, 0)
	newest.Single = true
	// The second page is tried at all page sizes, since the first may be damaged.
	for at := int64(minPageSize); at <= maxPageSize; at *= 2 {
		m, ok := readMeta(r, at)
		if !ok || int64(m.PageSize) != at {
			continue
		}
		m.Single, newest.Single = !found, false
		if !found || m.TxID > newest.TxID {
			newest, found = m, true
		}
	}
	if !found {
		return nil, ErrNoMeta
	}
	pageCount := min(newest.Pages, uint64(max(size, 0))/uint64(newest.PageSize))
	return &File{Meta: newest, r: r, size: size, pageCount: pageCount}, nil
}

// Bytes returns the minimum length of the file in bytes.
func (m Meta) Bytes() int64 { return int64(m.Pages) * int64(m.PageSize) }

func readMeta(r io.ReaderAt, at int64) (m Meta, ok bool) {
	if _, err := r.ReadAt(m.raw[:], at+headerSize); err != nil {
		return Meta{}, false
	}
	b := m.raw[:]
	m.PageSize = int(binary.NativeEndian.Uint32(b[8:]))
	m.root = binary.NativeEndian.Uint64(b[16:])
	m.freeList = binary.NativeEndian.Uint64(b[32:])
	m.Pages = binary.NativeEndian.Uint64(b[40:])
	m.TxID = binary.NativeEndian.Uint64(b[48:])
	ok = binary.NativeEndian.Uint32(b) == metaMagic &&
		binary.NativeEndian.Uint32(b[4:]) == metaVersion &&
		binary.NativeEndian.Uint64(b[56:]) == metaSum(b) &&
		m.PageSize >= minPageSize && m.PageSize <= maxPageSize &&
		m.Pages < 1<<40
	return m, ok
}

func metaSum(b []byte) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write(b[:56]) // a hash never fails
	return sum.Sum64()
}

// page is one page with its overflow pages.
type page struct {
	id       uint64
	kind     uint16
	count    int
	overflow uint64
	data     []byte // including the header
}

// first reads a page without its overflow pages. It reuses buf if large enough. The
// error is a read error or describes a fault of the header.
func (f *File) first(id uint64, buf []byte) (page, error) {
	if id < 2 || id >= f.pageCount {
		return page{}, fmt.Errorf("there is no page %d", id)
	}
	if cap(buf) < f.PageSize {
		buf = make([]byte, f.PageSize)
	}
	h := buf[:f.PageSize]
	if _, err := f.r.ReadAt(h, int64(id)*int64(f.PageSize)); err != nil {
		return page{}, fmt.Errorf("reading page %d: %w", id, err)
	}
	p := page{
		id: id, kind: binary.NativeEndian.Uint16(h[8:]), count: int(binary.NativeEndian.Uint16(h[10:])),
		overflow: uint64(binary.NativeEndian.Uint32(h[12:])), data: h,
	}
	if said := binary.NativeEndian.Uint64(h); said != id {
		return p, fmt.Errorf("page %d says that it is %d", id, said)
	}
	if p.overflow >= f.pageCount-id {
		return p, fmt.Errorf("page %d does not end within the file", id)
	}
	return p, nil
}

// rest reads the overflow pages of a page.
func (f *File) rest(p *page) error {
	if p.overflow == 0 {
		return nil
	}
	n := int(1+p.overflow) * f.PageSize
	if cap(p.data) < n {
		p.data = append(make([]byte, 0, n), p.data...)
	}
	read := len(p.data)
	p.data = p.data[:n]
	if _, err := f.r.ReadAt(p.data[read:], int64(p.id)*int64(f.PageSize)+int64(read)); err != nil {
		return fmt.Errorf("reading page %d: %w", p.id, err)
	}
	return nil
}

// recount checks that the elements of a complete page follow their table without gaps,
// as bbolt writes them. If the page's header has a wrong count, recount corrects
// p.count and returns an error.
func (p *page) recount() error {
	if p.packed(p.count) {
		return nil
	}
	said, n := p.count, 0
	if len(p.data) >= headerSize+elementSize {
		pos, _ := p.extent(0)
		n = int(pos / elementSize)
	}
	switch {
	case n > 0 && n != said && p.packed(n):
		p.count = n
		return fmt.Errorf("page %d says that it has %d elements, and has %d", p.id, said, n)
	case said == 0:
		return nil // an empty page
	}
	return fmt.Errorf("the elements of page %d do not lie one behind the other", p.id)
}

// packed reports whether n elements fill the page from the end of their table.
func (p *page) packed(n int) bool {
	end := uint64(headerSize + n*elementSize)
	if end > uint64(len(p.data)) {
		return false
	}
	for i := range n {
		pos, size := p.extent(i)
		if uint64(headerSize+i*elementSize)+pos != end {
			return false
		}
		end += size
	}
	if end > uint64(len(p.data)) {
		return false
	}
	if n > 0 || len(p.data) < headerSize+elementSize {
		return true
	}
	pos, _ := p.extent(0)
	return pos == 0 // otherwise the page has an element
}

// extent returns the position of an element's data, relative to the element, and its
// size.
func (p *page) extent(i int) (pos, size uint64) {
	b := p.data[headerSize+i*elementSize:]
	first, second := uint64(binary.NativeEndian.Uint32(b)), uint64(binary.NativeEndian.Uint32(b[4:]))
	if p.kind == kindBranch {
		return first, second
	}
	return second, uint64(binary.NativeEndian.Uint32(b[8:])) + uint64(binary.NativeEndian.Uint32(b[12:]))
}

// element is one element of a branch or leaf page.
type element struct {
	key, value []byte // value of a leaf
	child      uint64 // of a branch
	bucket     bool   // of a leaf: value describes a bucket
}

// element returns an element of the page; its byte slices share data.
func (p *page) element(i int) (e element, err error) {
	at := headerSize + i*elementSize
	if i >= p.count || at+elementSize > len(p.data) {
		return e, fmt.Errorf("page %d has no room for %d elements", p.id, p.count)
	}
	b := p.data[at : at+elementSize]
	first, second, third := binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint32(b[4:]), binary.NativeEndian.Uint32(b[8:])
	if p.kind == kindBranch {
		e.child = binary.NativeEndian.Uint64(b[8:])
		e.key, err = p.part(at, first, second)
		return e, err
	}
	if first > 1 {
		return e, fmt.Errorf("page %d has an element of an unknown kind", p.id)
	}
	e.bucket = first == 1
	if e.key, err = p.part(at, second, third); err != nil {
		return e, err
	}
	// A sum of two 32-bit numbers cannot overflow 64 bits.
	from := uint64(at) + uint64(second) + uint64(third)
	size := uint64(binary.NativeEndian.Uint32(b[12:]))
	if from+size > uint64(len(p.data)) {
		return e, fmt.Errorf("an element of page %d does not end within it", p.id)
	}
	e.value = p.data[from : from+size]
	return e, nil
}

// part returns a key, which follows the element table.
func (p *page) part(at int, pos, size uint32) ([]byte, error) {
	from := uint64(at) + uint64(pos)
	if from < uint64(headerSize+p.count*elementSize) || from+uint64(size) > uint64(len(p.data)) {
		return nil, fmt.Errorf("an element of page %d does not lie within it", p.id)
	}
	return p.data[from : from+uint64(size)], nil
}
