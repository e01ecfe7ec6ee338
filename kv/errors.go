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
	// ErrDamaged says that the file is not a readable store, or that pages in
	// it are not what they should be. The text behind it has the detail.
	ErrDamaged = errors.New("store is damaged")
	// ErrMissing says that the store was created once and is gone or empty. It
	// is never replaced by a fresh one: the user may have a backup.
	ErrMissing = errors.New("store is missing")
	// ErrEmpty is the [ErrMissing] of a file that is there and has 0 bytes.
	ErrEmpty = fmt.Errorf("%w: the file has 0 bytes", ErrMissing)
	// ErrForeign says that the store file is a healthy one, but not the one
	// that the sentinel beside it names.
	ErrForeign = errors.New("store is not the one its id file names")
	// ErrChecksum says that a record's bytes do not fit its checksum.
	ErrChecksum = errors.New("checksum does not match")
	// ErrNewerRecord says that a record was written in a later layout than this
	// program knows.
	ErrNewerRecord = errors.New("written by a newer version of this program")
	// ErrTrimmed says that the feed no longer holds all entries after a mark:
	// the follower has to rebuild what it derives and mark the last sequence.
	ErrTrimmed = errors.New("feed was trimmed past this mark")
	// ErrKey says that a key is empty, too long, or not a tuple made by [Key].
	ErrKey = errors.New("bad key")
	// ErrReadOnly says that something was to be written in a [DB.View].
	ErrReadOnly = errors.New("transaction is read-only")
	// ErrTxDone says that a [Tx] was used after its function returned.
	ErrTxDone = errors.New("transaction is over")
	// ErrClosed says that the [DB] is closed.
	ErrClosed = errors.New("store is closed")
	// ErrFull says that the disk, a quota or a limit takes no more. What was
	// acknowledged is there; a later write may succeed.
	ErrFull = errors.New("disk is full")
	// ErrUnwritable says that nothing may be written there: the disk is
	// read-only or the permission is missing.
	ErrUnwritable = errors.New("cannot be written")
	// ErrGone says that the store's file was taken away or replaced while it was
	// open. Nothing is written into a file that nobody would find again.
	ErrGone = errors.New("store was taken away while it was open")
	// ErrNoBucket says that a bucket was not named in [Options.Buckets].
	ErrNoBucket = errors.New("no such bucket")
)

// LockedError says that another process, or another [DB] in this one, has the
// store open.
type LockedError struct {
	Path string // the store
	PID  int    // its owner; 0 when the owner did not say
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("store %s is already open in another process", e.Path)
	}
	return fmt.Sprintf("store %s is already open in process %d", e.Path, e.PID)
}

// SchemaError says that the store and the program do not fit: the store is
// newer (Have > Want), or older and no [Options.Migrate] was given.
type SchemaError struct {
	Path string // the store
	Have uint64 // what the store was written with
	Want uint64 // what this program writes
	By   string // version of the program that wrote a newer one; empty when it did not say
}

func (e *SchemaError) Error() string {
	if e.Have > e.Want {
		return fmt.Sprintf("store has schema %d, this program knows up to %d: use %s", e.Have, e.Want, e.Reader())
	}
	return fmt.Sprintf("store has schema %d, this program needs %d and cannot migrate it", e.Have, e.Want)
}

// Reader names the program that reads a newer store.
func (e *SchemaError) Reader() string {
	if e.By == "" {
		return "a newer version of memoria"
	}
	return "memoria " + e.By + " or a newer one"
}

// RecordError says that one record cannot be read: Err is [ErrChecksum],
// [ErrNewerRecord] or what the codec said. The record stays where it is.
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

// keyString shows a key as its tuple, or in hexadecimal when it is none.
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
