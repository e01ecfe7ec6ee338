package manager

import (
	"path/filepath"

	"memoria/kv"
	"memoria/memory/store"
)

// Errors of the store for the user; see package kv.
type (
	// LockedError reports that another process has the data folder open, and names it.
	LockedError = kv.LockedError
	// SchemaError reports that a newer program wrote the store.
	SchemaError = kv.SchemaError
)

// Sentinels of the store; see package kv.
var (
	// ErrDamaged reports that the store's file cannot be read.
	ErrDamaged = kv.ErrDamaged
	// ErrMissing reports that the data folder had a store, and its file is missing or
	// empty.
	ErrMissing = kv.ErrMissing
	// ErrEmpty is the ErrMissing of a file of 0 bytes.
	ErrEmpty = kv.ErrEmpty
	// ErrForeign reports that the store's file belongs to another folder.
	ErrForeign = kv.ErrForeign
	// ErrFull reports a full disk.
	ErrFull = kv.ErrFull
	// ErrUnwritable reports that the data folder cannot be written.
	ErrUnwritable = kv.ErrUnwritable
	// ErrTakenAway reports that the store's file was removed or replaced while it was
	// open.
	ErrTakenAway = kv.ErrGone
)

// Unreadable reports whether err means that one record is damaged or was written by a
// newer program. The record can be deleted, and others can be read.
func Unreadable(err error) bool { return store.Unreadable(err) }

// Path returns the path of the store's file.
func (e *LostError) Path() string { return filepath.Join(e.Dir, storeName) }
