package kv

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that callers branch on. They arrive wrapped: use [errors.Is].
var (
	// ErrNotFound says that a bucket holds no record under a key.
	ErrNotFound = errors.New("not found")
	// ErrDamaged says that the file is not a readable store, or that pages in it are
	// damaged. The wrapping text has the detail.
	ErrDamaged = errors.New("store is damaged")
	// ErrMissing says that an existing store is gone or empty. It is never replaced by
	// a new one: the user may have a backup.
	ErrMissing = errors.New("store is missing")
	// ErrEmpty is the [ErrMissing] of a file of 0 bytes.
	ErrEmpty = fmt.Errorf("%w: the file has 0 bytes", ErrMissing)
	// ErrForeign says that the store file is healthy, but not the one that its sentinel
	// names.
	ErrForeign = errors.New("store is not the one its id file names")
	// ErrChecksum says that a record does not match its checksum.
	ErrChecksum = errors.New("checksum does not match")
	// ErrNewerRecord says that a record was written in a later layout than this
	// program knows.
	ErrNewerRecord = errors.New("written by a newer version of this program")
	// ErrTrimmed says that the feed no longer holds all entries after a mark. The
	// follower has to rebuild its derived data and mark the last sequence.
	ErrTrimmed = errors.New("feed was trimmed past this mark")
	// ErrKey says that a key is empty, too long, or not a tuple made by [Key].
	ErrKey = errors.New("bad key")
	// ErrReadOnly says that a [DB.View] tried to write.
	ErrReadOnly = errors.New("transaction is read-only")
	// ErrTxDone says that a [Tx] was used after its function returned.
	ErrTxDone = errors.New("transaction is over")
	// ErrClosed says that the [DB] is closed.
	ErrClosed = errors.New("store is closed")
	// ErrFull says that the disk, a quota or a limit accepts no more data. Acknowledged
	// writes are safe; a later write may succeed.
	ErrFull = errors.New("disk is full")
	// ErrUnwritable says that the disk is read-only or the permission is missing.
	ErrUnwritable = errors.New("cannot be written")
	// ErrGone says that the store's file was removed or replaced while open. Nothing is
	// written to the detached file.
	ErrGone = errors.New("store was taken away while it was open")
	// ErrNoBucket says that a bucket was not named in [Options.Buckets].
	ErrNoBucket = errors.New("no such bucket")
)

// LockedError says that another process, or another [DB] in this one, has the
// store open.
type LockedError struct {
	Path string // the store
	PID  int    // its owner; 0 if unknown
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("store %s is already open in another process", e.Path)
	}
	return fmt.Sprintf("store %s is already open in process %d", e.Path, e.PID)
}

// SchemaError says that store and program do not match: the store is newer (Have >
// Want), or older and there is no [Options.Migrate].
type SchemaError struct {
	Path string // the store
	Have uint64 // the store's schema
	Want uint64 // the program's schema
	By   string // program version that wrote a newer store; may be empty
}

func (e *SchemaError) Error() string {
	if e.Have > e.Want {
		return fmt.Sprintf("store has schema %d, this program knows up to %d: use %s", e.Have, e.Want, e.Reader())
	}
	return fmt.Sprintf("store has schema %d, this program needs %d and cannot migrate it", e.Have, e.Want)
}

// Reader names the program that reads the newer store.
func (e *SchemaError) Reader() string {
	if e.By == "" {
		return "a newer version of memoria"
	}
	return "memoria " + e.By + " or a newer one"
}

// RecordError says that one record cannot be read: Err is [ErrChecksum],
// [ErrNewerRecord] or the codec's error. The record is left in place.
type RecordError struct {
	Bucket string
	Key    []byte
	Err    error
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("record %s in %s: %v", keyString(e.Key), e.Bucket, e.Err)
}

// Unwrap returns Err.
func (e *RecordError) Unwrap() error { return e.Err }

// keyString formats a key as its tuple, or in hexadecimal if it is not one.
func keyString(key []byte) string {
	parts, err := ParseKey(key)
	if err != nil {
		return fmt.Sprintf("%x", key)
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('/')
		}
		if s, ok := p.(string); ok {
			fmt.Fprintf(&b, "%q", s)
			continue
		}
		fmt.Fprint(&b, p)
	}
	return b.String()
}
