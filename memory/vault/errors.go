package vault

import "memoria/kv"

// Errors of opening the store; see package kv.
type (
	// LockedError names the process that has the data folder open.
	LockedError = kv.LockedError
	// SchemaError says that the store has the layout of a newer program.
	SchemaError = kv.SchemaError
)

// Sentinels of the store; see package kv.
var (
	// ErrDamaged: the store's file cannot be read.
	ErrDamaged = kv.ErrDamaged
	// ErrMissing: the data folder had a store, and its file is missing or empty.
	ErrMissing = kv.ErrMissing
	// ErrEmpty: the store's file has 0 bytes. It is an ErrMissing.
	ErrEmpty = kv.ErrEmpty
	// ErrForeign: the store's file belongs to another folder.
	ErrForeign = kv.ErrForeign
	// ErrFull: the disk is full.
	ErrFull = kv.ErrFull
	// ErrUnwritable: the data folder cannot be written.
	ErrUnwritable = kv.ErrUnwritable
	// ErrTakenAway: the store's file was removed or replaced while it was open.
	ErrTakenAway = kv.ErrGone
)
