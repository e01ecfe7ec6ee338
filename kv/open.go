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

	// growBy is the step in which the file grows, bytes; bbolt's own 16 MB would
	// be most of the disk space of a small store.
	growBy = 1 << 20
	// mapBytes is the address space taken at open, where it costs nothing. As
	// long as the file is smaller, a writer never waits for a slow reader in
	// order to map the file anew.
	mapBytes = 1 << 30
)

// ownPrefix begins the names of this package's own buckets.
const ownPrefix = "kv."

// Options say which store to open and how.
type Options struct {
	// Path of the store file. Its folder is created when it is not there.
	Path string
	// LockTimeout is how long to wait for another owner to close the store.
	// 0 means 1 second.
	LockTimeout time.Duration
	// Now is the clock. Required. It is called once a transaction and must be
	// safe for concurrent use.
	Now func() time.Time
	// Schema is the number that this program writes, 1 or more.
	Schema uint64
	// ReadsFrom is the oldest schema that this program can read as it is, where the store
	// cannot be written and so not migrated; 0 is Schema alone.
	ReadsFrom uint64
	// Program is the version of this program; a store that it made or migrated names it
	// to programs that cannot read it any more. It may be empty.
	Program string
	// Buckets are the names of the buckets in use; those that are not there yet
	// are created. Names that begin with "kv." are refused.
	Buckets []string
	// Migrate, when not nil, turns a store with an older schema number into one
	// with Schema, in one transaction together with the new number. Before it
	// runs a copy of the store is made and checked, but with NoSync: see MigrationCopy.
	Migrate func(tx *Tx, have uint64) error
	// MigrationCopy says where the copy before a migration goes; the folder is
	// made when it is not there. nil is Path + ".schema<have>.bak".
	MigrationCopy func(have uint64) string
	// ReadOnly opens a store that is there for reading alone: nothing is created,
	// migrated or mended, and the next owner finds everything as it was left.
	ReadOnly bool
	// NoSync is for a store that is thrown away: nothing waits for the disk, and
	// what was committed may be lost or torn when the computer stops. A process
	// that dies loses nothing.
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
	file       os.FileInfo // which file is open; nil for one that is being made
	info       storeInfo
	clean      bool
	readOnly   bool
	unreadable *CheckError               // records that the walk at the open found; nil for none
	last       atomic.Pointer[time.Time] // time of the last commit
	watchers   watchers
	closed     atomic.Bool
}

// Open opens the store, or creates it on a first start. It fails with
// [*LockedError], [*SchemaError], [ErrDamaged], [ErrMissing] or [ErrForeign],
// each wrapped with the path, or with an error of the system. It never replaces
// a file that is there, whatever is in it.
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

// prepare sees to it that there is a file that may be opened, and returns what
// the sentinel says: nil when it is not there.
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

// Look says whether there is a store at path, as far as that can be seen without
// reading it: false and no error where none was ever made, [ErrMissing] for one
// that is gone or empty, [ErrDamaged] for one that is cut short, is not a file,
// or whose sentinel cannot be read.
func Look(path string) (there bool, err error) {
	if there, _, err = look(path); err == nil && there {
		err = checkMeta(path)
	}
	return there, err
}

// look also returns what the sentinel says: nil when it is not there.
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

// load reads the package's own records and brings the store up to date.
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

// checkIdentity compares the store with its sentinel and writes the latter when
// it is not there: the creation was cut short between the two, or the user took
// the store here without it.
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

// abandon undoes a half-done open. Whether the store was closed before stays
// as it was found.
func (db *DB) abandon() error {
	var err error
	if db.bolt != nil {
		err = db.bolt.Close()
	}
	return errors.Join(err, db.lock.release(db.clean, db.lock.stamp))
}

// Close waits for open transactions, releases the store, and ends the channels
// of [DB.Watch]. A second Close does nothing.
func (db *DB) Close() error {
	if db.closed.Swap(true) {
		return nil
	}
	db.watchers.close()
	err := guard("closing", db.bolt.Close)
	switch {
	case db.lock == nil: // its folder cannot be written
		return err
	case db.readOnly:
		return errors.Join(err, db.lock.release(db.lock.previous == 0, db.lock.stamp))
	}
	if err := errors.Join(err, db.lock.release(err == nil, stampOf(db.opts.Path))); err != nil {
		return fmt.Errorf("closing store %s: %w", db.opts.Path, err)
	}
	return nil
}

// ID returns the store's id, 26 letters and digits drawn at its creation. What
// is derived from a store keeps the id, to know when it is another's.
func (db *DB) ID() string { return db.info.ID }

// Path returns the path of the store file.
func (db *DB) Path() string { return db.opts.Path }

// Unreadable says which records could not be read when the store was opened; nil when
// all could, or when it is so large that not every open reads it through.
func (db *DB) Unreadable() *CheckError { return db.unreadable }

// WasClean says whether the last owner had closed the store. After a crash
// nothing is lost, but a [DB.Check] is worth its time.
func (db *DB) WasClean() bool { return db.clean }

// openBolt opens an existing file. Nothing in it makes it panic; its handle and
// lock are released on failure.
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
		// Only a program other than this one takes bbolt's lock without ours.
		return nil, &LockedError{Path: path}
	}
	return nil, damaged(err)
}

// damaged calls a failure to open a file damage, unless it is the system's.
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
			Timeout:         time.Millisecond, // 0 would wait for ever
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
		return nil, errors.Join(err, unlock(file), file.Close()) // bbolt had no chance to
	}
	return db, err
}

func initialMap() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0 // there the file itself would grow to that size, or address space is scarce
	}
	return mapBytes
}
