package kv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
	fileMode = 0o600 // D4
	dirMode  = 0o700

	defaultLockTimeout = time.Second

	// growBy is the step in which the file grows, in bytes. bbolt's own 16 MB would be
	// most of the disk space of a small store.
	growBy = 1 << 20
	// mapBytes is the address space reserved at open, where it is free. While the file
	// is smaller, a writer never waits for a slow reader to remap the file.
	mapBytes = 1 << 30
)

// ownPrefix begins the names of this package's own buckets.
const ownPrefix = "kv."

// Options configure [Open].
type Options struct {
	// Path of the store file. A missing folder is created.
	Path string
	// LockTimeout bounds the wait for another owner to close the store. 0 means 1
	// second.
	LockTimeout time.Duration
	// Now is the clock. Required. It is called once a transaction and must be
	// safe for concurrent use.
	Now func() time.Time
	// Schema is the number that this program writes, 1 or more.
	Schema uint64
	// ReadsFrom is the oldest schema that this program can read without migration, for
	// a store that cannot be written. 0 means Schema alone.
	ReadsFrom uint64
	// Program is the version of this program. A store that it creates or migrates names
	// it to older programs. It may be empty.
	Program string
	// Buckets are the names of the buckets in use. Missing ones are created. Names that
	// begin with "kv." are refused.
	Buckets []string
	// Migrate, if not nil, brings a store from an older schema to Schema, in one
	// transaction with the new number. The store is first copied and checked, except
	// with NoSync: see MigrationCopy.
	Migrate func(tx *Tx, have uint64) error
	// MigrationCopy returns the path of the copy before a migration. A missing folder
	// is created. nil means Path + ".schema<have>.bak".
	MigrationCopy func(have uint64) string
	// ReadOnly opens an existing store for reading. Nothing is created, migrated or
	// repaired, and the next owner finds the store unchanged.
	ReadOnly bool
	// NoSync is for disposable stores: writes are not synced, and committed data may be
	// lost or torn when the computer stops. It survives the process's death.
	NoSync bool
}

func (o *Options) validate() error {
	switch {
	case o.Path == "":
		return errors.New("opening store: no path")
	case o.Now == nil:
		return errors.New("opening store: no clock")
	case o.Schema == 0:
		return errors.New("opening store: no schema number")
	}
	for _, name := range o.Buckets {
		if name == "" || strings.HasPrefix(name, ownPrefix) {
			return fmt.Errorf("opening store: bucket name %q is not allowed", name)
		}
	}
	if o.LockTimeout <= 0 {
		o.LockTimeout = defaultLockTimeout
	}
	return nil
}

// DB is an open store. All methods are safe for concurrent use.
type DB struct {
	opts       Options
	bolt       *bolt.DB
	lock       *fileLock
	file       os.FileInfo // the open file; nil while the store is being created
	info       storeInfo
	clean      bool
	readOnly   bool
	unreadable *CheckError               // unreadable records found at open; nil for none
	last       atomic.Pointer[time.Time] // time of the last commit
	watchers   watchers
	closed     atomic.Bool
}

// Open opens the store, or creates it on a first start. The error is [*LockedError],
// [*SchemaError], [ErrDamaged], [ErrMissing] or [ErrForeign], each wrapped with the
// path, or a system error. Open never replaces an existing file, whatever its content.
func Open(opts Options) (*DB, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	db, err := open(opts)
	if err != nil {
		return nil, fmt.Errorf("opening store %s: %w", opts.Path, Refusal(err))
	}
	return db, nil
}

func open(opts Options) (_ *DB, err error) {
	if opts.ReadOnly {
		return openForReading(opts)
	}
	if err := makeDir(filepath.Dir(opts.Path)); err != nil {
		return nil, err
	}
	db := &DB{opts: opts}
	if db.lock, err = acquire(opts.Path, opts.LockTimeout); err != nil {
		return openUnwritable(opts, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.abandon())
		}
	}()
	db.clean = db.lock.previous == 0
	sentinel, err := db.prepare()
	if err != nil {
		return nil, err
	}
	if db.file, err = os.Stat(opts.Path); err != nil {
		return nil, err
	}
	if db.bolt, err = openBolt(opts.Path); err != nil {
		return nil, err
	}
	db.bolt.NoSync, db.bolt.NoGrowSync = opts.NoSync, opts.NoSync
	if err := db.load(sentinel); err != nil {
		return nil, err
	}
	return db, nil
}

// prepare makes sure that there is a file to open and returns its sentinel, nil if
// there is none.
func (db *DB) prepare() (*storeInfo, error) {
	path := db.opts.Path
	if err := removeTorn(path, ""); err != nil {
		return nil, err
	}
	there, sentinel, err := look(path)
	switch {
	case err != nil:
		return nil, err
	case !there:
		return nil, create(path, db.opts)
	}
	if err := checkMeta(path); err != nil {
		return nil, err
	}
	if err := os.Chmod(path, fileMode); err != nil {
		return nil, err
	}
	return sentinel, db.walk(path)
}

// Look reports whether there is a store at path, without reading it. It returns false
// and no error if none was ever created, [ErrMissing] if it is gone or empty, and
// [ErrDamaged] if it is truncated, not a regular file, or its sentinel is unreadable.
func Look(path string) (there bool, err error) {
	if there, _, err = look(path); err == nil && there {
		err = checkMeta(path)
	}
	return there, err
}

// look is Look without the size check. It also returns the sentinel, nil if there is
// none.
func look(path string) (there bool, sentinel *storeInfo, err error) {
	if sentinel, err = readSentinel(path); err != nil {
		return true, nil, err
	}
	stat, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && sentinel == nil:
		return false, nil, nil
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("%w: %s says it was created on %s", ErrMissing,
			sentinelPath(path), sentinel.Created.Format(time.DateOnly))
	case err != nil:
	case !stat.Mode().IsRegular():
		err = fmt.Errorf("%w: not a regular file", ErrDamaged)
	case stat.Size() == 0:
		err = ErrEmpty
	}
	return true, sentinel, err
}

// load reads the package's own records and updates the store.
func (db *DB) load(sentinel *storeInfo) error {
	var missing bool
	err := db.View(func(tx *Tx) error {
		missing = missingBucket(tx, db.opts.Buckets)
		return db.identify(tx)
	})
	if err != nil {
		return err
	}
	if err := db.checkIdentity(sentinel); err != nil {
		return err
	}
	if err := db.migrate(); err != nil {
		return err
	}
	if !missing {
		return nil
	}
	return db.Update(func(tx *Tx) error { return createBuckets(tx, db.opts.Buckets) })
}

// identify reads the package's own records.
func (db *DB) identify(tx *Tx) (err error) {
	if db.info, err = infoBucket.Get(tx, infoKey); err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	last, err := clockBucket.Get(tx, clockKey)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	db.last.Store(&last)
	return nil
}

// checkIdentity compares the store with its sentinel. It writes a missing sentinel:
// either the creation was interrupted, or the user moved the store without it.
func (db *DB) checkIdentity(sentinel *storeInfo) error {
	if sentinel == nil {
		return writeSentinel(db.opts.Path, db.info)
	}
	if sentinel.ID != db.info.ID {
		return fmt.Errorf("%w: file is %s, %s names %s", ErrForeign,
			db.info.ID, sentinelPath(db.opts.Path), sentinel.ID)
	}
	return nil
}

// abandon undoes an unfinished open. It keeps the clean or unclean state of the last
// close.
func (db *DB) abandon() error {
	var err error
	if db.bolt != nil {
		err = db.bolt.Close()
	}
	return errors.Join(err, db.lock.release(db.clean, db.lock.stamp))
}

// Close waits for open transactions, releases the store, and closes the channels of
// [DB.Watch]. A second Close is a no-op.
func (db *DB) Close() error {
	if db.closed.Swap(true) {
		return nil
	}
	db.watchers.close()
	err := guard("closing", db.bolt.Close)
	switch {
	case db.lock == nil: // its folder is not writable
		return err
	case db.readOnly:
		return errors.Join(err, db.lock.release(db.lock.previous == 0, db.lock.stamp))
	}
	if err := errors.Join(err, db.lock.release(err == nil, stampOf(db.opts.Path))); err != nil {
		return fmt.Errorf("closing store %s: %w", db.opts.Path, err)
	}
	return nil
}

// ID returns the store's id, 26 letters and digits drawn at creation. Derived data
// keeps the id to detect another store.
func (db *DB) ID() string { return db.info.ID }

// Path returns the path of the store file.
func (db *DB) Path() string { return db.opts.Path }

// Unreadable returns the records that were unreadable when the store was opened. It is
// nil if there were none, or if a large store was not walked at this open.
func (db *DB) Unreadable() *CheckError { return db.unreadable }

// WasClean reports whether the last owner closed the store. After a crash nothing is
// lost, but a [DB.Check] is worthwhile.
func (db *DB) WasClean() bool { return db.clean }

// openBolt opens an existing file. No content makes it panic; it releases its handle
// and lock on failure.
func openBolt(path string) (*bolt.DB, error) {
	db, err := mapBolt(path, initialMap())
	if errors.Is(err, syscall.ENOMEM) {
		db, err = mapBolt(path, 0) // the process may not have that much address space
	}
	switch {
	case err == nil:
		db.AllocSize = growBy
		return db, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		// Only another program takes bbolt's lock without ours.
		return nil, &LockedError{Path: path}
	}
	return nil, damaged(err)
}

// damaged marks a failure to open a file as damage, unless it is a system error.
func damaged(err error) error {
	var (
		system *os.PathError
		errno  syscall.Errno
	)
	if errors.Is(err, ErrDamaged) || errors.As(err, &system) || errors.As(err, &errno) {
		return err
	}
	return fmt.Errorf("%w: %v", ErrDamaged, err)
}

func mapBolt(path string, mapSize int) (db *bolt.DB, err error) {
	var file *os.File
	err = guard("mapping the file", func() (err error) {
		db, err = bolt.Open(path, fileMode, &bolt.Options{
			Timeout:         time.Millisecond, // 0 would wait without limit
			InitialMmapSize: mapSize,
			FreelistType:    bolt.FreelistMapType,
			OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
				file, err = os.OpenFile(name, flag&^os.O_CREATE, mode)
				return file, err
			},
		})
		return err
	})
	if fault := (*faultError)(nil); errors.As(err, &fault) {
		return nil, errors.Join(err, unlock(file), file.Close()) // bbolt did not get to it
	}
	return db, err
}

func initialMap() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0 // the file itself would grow to that size, or address space is scarce
	}
	return mapBytes
}
