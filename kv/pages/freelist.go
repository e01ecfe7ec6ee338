package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// readFreeList fills free from the free list and marks the list's own pages as reached.
// listed is false if the file has no list: bbolt rebuilds it at each open.
func (f *File) readFreeList(free, reached set) (listed bool, err error) {
	if f.freeList == noFreeList {
		return false, nil
	}
	p, err := f.first(f.freeList, nil)
	if err != nil {
		return true, fmt.Errorf("the free list: %w", err)
	}
	if p.kind != kindFreeList {
		return true, fmt.Errorf("page %d is no free list", p.id)
	}
	for n := p.id; n <= p.id+p.overflow; n++ {
		if reached.has(n) {
			return true, fmt.Errorf("the free list lies on page %d, which is in use", n)
		}
	}
	if err := f.rest(&p); err != nil {
		return true, err
	}
	for n := p.id; n <= p.id+p.overflow; n++ {
		reached.add(n)
	}
	ids := p.data[headerSize:]
	count := uint64(p.count)
	if p.count == 0xFFFF { // the first number is the count
		count, ids = binary.NativeEndian.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids)/8) {
		return true, errors.New("the free list does not end within its pages")
	}
	last := uint64(1)
	for i := range count {
		id := binary.NativeEndian.Uint64(ids[8*i:])
		if id <= last || id >= f.pageCount {
			return true, errors.New("the free list is out of order")
		}
		free.add(id)
		last = id
	}
	return true, nil
}

// Free returns the numbers of the pages in the free list, in order. It returns none if
// the file has no list.
func (f *File) Free() ([]uint64, error) {
	free := newSet(f.pageCount)
	if _, err := f.readFreeList(free, newSet(f.pageCount)); err != nil {
		return nil, err
	}
	out := make([]uint64, 0, free.count())
	for id := range f.pageCount {
		if free.has(id) {
			out = append(out, id)
		}
	}
	return out, nil
}

// DropFreeList marks a file as having no free list, so that bbolt rebuilds it from the
// tree at its next open. The tree must be without faults. It works like an empty
// transaction: it makes the other meta page the newer one. If interrupted, the file is
// unchanged.
func DropFreeList(f interface {
	io.ReaderAt
	io.WriterAt
}, size int64) error {
	file, err := Open(f, size)
	if err != nil {
		return err
	}
	b := make([]byte, headerSize+metaSize)
	id := (file.TxID + 1) % 2
	binary.NativeEndian.PutUint64(b, id)
	binary.NativeEndian.PutUint16(b[8:], 0x04)
	meta := b[headerSize:]
	copy(meta, file.raw[:])
	binary.NativeEndian.PutUint64(meta[32:], noFreeList)
	binary.NativeEndian.PutUint64(meta[48:], file.TxID+1)
	binary.NativeEndian.PutUint64(meta[56:], metaSum(meta))
	_, err = f.WriteAt(b, int64(id)*int64(file.PageSize))
	return err
}
