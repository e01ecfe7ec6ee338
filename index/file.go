package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/blevesearch/mmap-go"
	bluge "github.com/blugelabs/bluge/index"
)

// Every segment and snapshot file ends with our own trailer: bluge writes checksums
// into segments but never verifies them.
//
//	id        8 bytes  the number in the file's name, so that a file under a
//	                   wrong name is noticed
//	kind      4 bytes  ".seg" or ".snp"
//	checksum  4 bytes  CRC-32C of everything before it
const trailerSize = 8 + 4 + 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendTrailer(sum hash.Hash32, kind string, id uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, id)
	b = append(b, kind...)
	sum.Write(b)
	return binary.BigEndian.AppendUint32(b, sum.Sum32())
}

// checkTrailer returns the file's content without the trailer, or ErrBroken.
func checkTrailer(file []byte, kind string, id uint64) ([]byte, error) {
	if len(file) < trailerSize {
		return nil, fmt.Errorf("file of %d bytes: %w", len(file), ErrBroken)
	}
	content := file[:len(file)-trailerSize]
	trailer := file[len(content):]
	sum := crc32.Checksum(file[:len(file)-4], castagnoli)
	if err := compareTrailer(trailer, sum, kind, id); err != nil {
		return nil, err
	}
	return content, nil
}

// compareTrailer compares a trailer with the file's name and with the checksum of all
// bytes before its last four.
func compareTrailer(trailer []byte, sum uint32, kind string, id uint64) error {
	switch {
	case sum != binary.BigEndian.Uint32(trailer[12:]):
		return fmt.Errorf("wrong checksum: %w", ErrBroken)
	case binary.BigEndian.Uint64(trailer) != id || string(trailer[8:12]) != kind:
		return fmt.Errorf("another file's content: %w", ErrBroken)
	}
	return nil
}

// checkFile compares a file with its checksum. It reads the file instead of mapping it:
// faulting in every page of a mapping takes several times as long and leaves the whole
// file resident.
func checkFile(path, kind string, id uint64) error {
	f, err := os.Open(path)
	if err != nil {
		return broken(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return broken(err)
	}
	if info.Size() < trailerSize {
		return fmt.Errorf("file of %d bytes: %w", info.Size(), ErrBroken)
	}
	sum := crc32.New(castagnoli)
	content := io.LimitReader(f, info.Size()-trailerSize)
	if _, err := io.CopyBuffer(sum, content, make([]byte, 64<<10)); err != nil {
		return broken(err)
	}
	trailer := make([]byte, trailerSize)
	if _, err := io.ReadFull(f, trailer); err != nil {
		return broken(err)
	}
	sum.Write(trailer[:trailerSize-4])
	return compareTrailer(trailer, sum.Sum32(), kind, id)
}

// writeFile writes w's output and the trailer to a temporary file and renames it to
// path, so that path is never partly written. It does not sync: the checksum detects a
// power loss, and the index can be rebuilt.
func writeFile(path, kind string, id uint64, w bluge.WriterTo, closing chan struct{}) (err error) {
	temp := path + tempSuffix
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(temp)
		}
	}()
	sum := crc32.New(castagnoli)
	buf := bufio.NewWriterSize(f, 64<<10)
	if _, err = w.WriteTo(io.MultiWriter(buf, sum), closing); err != nil {
		return err
	}
	if _, err = buf.Write(appendTrailer(sum, kind, id)); err != nil {
		return err
	}
	if err = buf.Flush(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// mapFile maps a file into memory, read only. The mapping survives the file's removal.
func mapFile(path string) (m mmap.MMap, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < trailerSize {
		return nil, fmt.Errorf("file of %d bytes: %w", info.Size(), ErrBroken)
	}
	return mmap.Map(f, mmap.RDONLY, 0)
}

// broken marks a missing or unreadable file as ErrBroken. Errors that a rebuild would
// not fix (permissions, open files, memory) are returned unchanged.
func broken(err error) error {
	for _, other := range []error{ErrBroken, fs.ErrPermission, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, other) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", err, ErrBroken)
}
