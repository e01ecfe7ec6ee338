package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// Names in a data folder.
const (
	// StoreFile is the file of the store.
	StoreFile = "memoria.db"
	// IndexFolder holds a folder of indexes for each agent.
	IndexFolder = "index"
	// JournalFolder holds the journals, in a folder for each agent.
	JournalFolder = "journal"
	// MessageFolder holds the contents that are too long for the store (A1), in a folder
	// for each agent, and nothing else.
	MessageFolder = "content"
)

// IsContentRef reports whether ref can be a [memory.Record.ContentRef]. A forged one, of a
// backup that was changed, could name any other file.
func IsContentRef(ref string) bool {
	return strings.HasPrefix(ref, MessageFolder+"/") && fs.ValidPath(ref) && filepath.IsLocal(filepath.FromSlash(ref))
}

// Options configures a [Vault].
type Options struct {
	// Dir is the data folder. Open makes it if it is missing, for its owner alone (D4).
	Dir string
	// Config says which automatic backups are kept. The zero value makes none.
	Config Config
	Now    func() time.Time
	// Logger is optional.
	Logger *slog.Logger
	// IDs makes the ids of deletions in backups. nil means a source of its own.
	IDs *memory.IDs
	// LockTimeout limits the wait for another process. 0 means the default of kv.
	LockTimeout time.Duration
	// ReadOnly opens an existing store and leaves every file as it is.
	ReadOnly bool
	// NoSync is for a store that is thrown away: no write waits for the disk.
	NoSync bool
	// Migrating is called before a store of an older layout is copied and rewritten, which
	// may take seconds. It may be nil.
	Migrating func()
	// Version is the version of this program. The store names it to programs too old to
	// read the store.
	Version string
	// UndoTime is how long a deletion can be undone. Until then it stays in the backups.
	UndoTime time.Duration
	// Changed is called after [Vault.Trouble] has changed. It may be nil.
	Changed func()
}

// Vault is one open data folder. It holds the lock of the store until Close, makes and
// rewrites backups, probes a failing disk and erases free pages, all in the background.
// It is safe for concurrent use.
type Vault struct {
	store    *store.Store
	dir      string
	now      func() time.Time
	log      *slog.Logger
	ids      *memory.IDs
	undoTime time.Duration
	changed  func()

	life    context.Context // until Stop
	end     context.CancelFunc
	tasks   sync.WaitGroup // what Stop waits for
	storage storage
	keeper  keeper

	mu      sync.Mutex // of what follows
	closed  bool
	damage  string // the records that cannot be read, in words; may be empty
	wiping  wiping
	erasing erasing
}

var errClosed = errors.New("memory is closed")

// Open locks and opens the store in o.Dir or makes it, and begins the work in the
// background. The error is a [*LockedError] if another process has the store, and a
// [*LostError] if the store is damaged or missing. A damaged store is never changed.
func Open(ctx context.Context, o Options) (*Vault, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.IDs == nil {
		o.IDs = memory.NewIDs(nil)
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if err := o.Config.Validate(); err != nil {
		return nil, fmt.Errorf("backup settings: %w", err)
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the data folder: %w", kv.Refusal(err))
	}
	st, damage, err := openStore(ctx, o)
	if err != nil {
		return nil, err
	}
	v := &Vault{
		store: st, dir: o.Dir, now: o.Now, log: o.Logger, ids: o.IDs, undoTime: o.UndoTime, changed: o.Changed,
		damage: damage, keeper: keeper{cfg: o.Config},
	}
	v.life, v.end = context.WithCancel(context.Background())
	v.erasing.Erasing = ErasingIn(o.Dir)
	if st.DB().ReadOnly() {
		_ = v.NoteWrite(fmt.Errorf("%w: the data folder can only be read", ErrUnwritable))
		return v, nil
	}
	if !st.DB().WasClean() {
		v.PlanWipe() // it may have been due when the last process died
	}
	if err := v.removeHalves(); err != nil {
		v.log.Warn("what is left of a backup cannot be removed", "error", err)
	}
	v.planBackups(backupWait)
	return v, nil
}

// openStore opens the store and returns which of its records cannot be read, in words.
func openStore(ctx context.Context, o Options) (st *store.Store, damage string, err error) {
	so := store.Options{
		Path: filepath.Join(o.Dir, StoreFile), Now: o.Now, Logger: o.Logger, LockTimeout: o.LockTimeout, NoSync: o.NoSync,
		ReadOnly: o.ReadOnly, Program: o.Version, MigrationCopy: func(uint64) string {
			if o.Migrating != nil {
				o.Migrating()
			}
			return backupPath(o.Dir, o.Now(), BackupMigration, false)
		},
	}
	if _, err = look(o.Dir); err == nil {
		st, err = store.Open(so)
	}
	if err != nil {
		return nil, "", lost(ctx, o.Dir, err)
	}
	if found := st.DB().Unreadable(); found != nil { // all others can be read
		err := judge(found)
		o.Logger.Error("records of the store cannot be read", "error", err)
		damage = err.Error()
	}
	return st, damage, nil
}

// Stop cancels the work in the background, waits for its end, and starts no more. The
// store stays open.
func (v *Vault) Stop() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.end()
	v.endBackups()
	v.endStorage()
	v.tasks.Wait()
}

// Close stops the background work, erases free pages that hold deleted data, and closes
// the store. No other call may be under way.
func (v *Vault) Close() error {
	v.Stop()
	v.wipeAtTheEnd()
	if err := v.store.Close(); err != nil {
		return fmt.Errorf("closing the memory store: %w", err)
	}
	return nil
}

// begin adds a task that Stop waits for, and reports whether it may run. The caller calls
// v.tasks.Done at its end.
func (v *Vault) begin() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return false
	}
	v.tasks.Add(1)
	return true
}

// Dir returns the data folder.
func (v *Vault) Dir() string { return v.dir }

// Store returns the open store. Durable writes to it go through [Vault.Update].
func (v *Vault) Store() *store.Store { return v.store }

// Update runs a durable transaction of the store, and remembers an error of the disk as
// [Trouble].
func (v *Vault) Update(fn func(*store.Tx) error) error { return v.NoteWrite(v.store.Update(fn)) }

// Unreadable returns the number of records, of every kind and agent, that could not be
// read when the store was opened (K5).
func (v *Vault) Unreadable() int {
	if found := v.store.DB().Unreadable(); found != nil {
		return found.Total
	}
	return 0
}

// noteDamage remembers which records of the store cannot be read.
func (v *Vault) noteDamage(err error) {
	v.mu.Lock()
	v.damage = err.Error()
	v.mu.Unlock()
	v.log.Error("records of the store cannot be read", "error", err)
}

// Status is the state of the files of a data folder.
type Status struct {
	Dir string `json:"dir"`
	// Trouble is why nothing can be written; nil while all is well.
	Trouble *Trouble `json:"trouble,omitempty"`
	// Damage names the records that cannot be read, as far as is known; it may be empty.
	Damage string `json:"damage,omitempty"`
	// Backup is the newest backup; nil if there is none.
	Backup *Backup `json:"backup,omitempty"`
	// BackupError is why the last automatic backup, or the last removal of deleted data
	// from the backups, failed; it may be empty.
	BackupError string `json:"backup_error,omitempty"`
	// Erasing is the removal of deleted data from the files; nil if there never was any.
	Erasing *Erasing `json:"erasing,omitempty"`
}

// Status returns the state of the files. It reads no record.
func (v *Vault) Status() Status {
	s := Status{Dir: v.dir, Trouble: v.Trouble()}
	v.mu.Lock()
	s.Damage = v.damage
	v.mu.Unlock()
	if all, err := Backups(v.dir); err == nil && len(all) > 0 {
		s.Backup = &all[0]
	}
	if err := v.backupTrouble(); err != nil {
		s.BackupError = err.Error()
	}
	if e := v.Erasing(); e.Pending() || !e.Finished.IsZero() {
		s.Erasing = &e
	}
	return s
}

// Space is the size of the store's file.
type Space struct {
	// StoreBytes includes the FreeBytes that deletions have left. Both are those of all
	// agents.
	StoreBytes int64 `json:"store_bytes"`
	FreeBytes  int64 `json:"free_bytes"`
	// Unwiped says that the free bytes may hold deleted data for some more seconds.
	Unwiped bool `json:"unwiped,omitempty"`
}

// Space measures the store's file.
func (v *Vault) Space() (s Space, err error) {
	if s.StoreBytes, s.FreeBytes, err = v.store.DB().Size(); err != nil {
		return Space{}, fmt.Errorf("measuring the store: %w", err)
	}
	s.Unwiped = v.unwiped()
	return s, nil
}

// SyncDirs makes the names of new files durable, in dir and in its parents up to top.
// Windows has no such call.
func SyncDirs(dir, top string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	for {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
		if dir == top {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}
