package vault

import (
	"path/filepath"

	"memoria/kv"
)

// Errors of the store that a person has to be told about; see package kv.
type (
	// LockedError says that another process has the data folder open, and names it.
	LockedError = kv.LockedError
	// SchemaError says that a newer program wrote the store.
	SchemaError = kv.SchemaError
)

// Sentinels of the store; see package kv.
var (
	// ErrDamaged: the store's file cannot be read.
	ErrDamaged = kv.ErrDamaged
	// ErrMissing: the data folder had a store, and its file is gone or empty.
	ErrMissing = kv.ErrMissing
	// ErrEmpty is the ErrMissing of a file that is there and has 0 bytes.
	ErrEmpty = kv.ErrEmpty
	// ErrForeign: the store's file is another's than the one of this folder.
	ErrForeign = kv.ErrForeign
	// ErrFull: the disk takes no more.
	ErrFull = kv.ErrFull
	// ErrUnwritable: nothing may be written to the data folder.
	ErrUnwritable = kv.ErrUnwritable
	// ErrTakenAway: the store's file was removed or replaced while it was open.
	ErrTakenAway = kv.ErrGone
)

// Path is where the store's file lies, or should.
func (e *LostError) Path() string { return filepath.Join(e.Dir, StoreFile) }
