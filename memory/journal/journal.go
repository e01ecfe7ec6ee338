package journal

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/policy"
	"memoria/memory/store"
)

// Options configure [Open].
type Options struct {
	Store *store.Store
	// Dir is the agent's journal folder, Index that of its index.
	Dir, Index string
	Agent      string
	Logger     *slog.Logger
	// Now is the clock; its location is the user's.
	Now func() time.Time
	// Config returns the current settings.
	Config func() Config
	// Policy classifies sensitive and informative content.
	Policy func() *policy.Policy
	// Content loads a message's content from a separate file, if needed.
	Content func(memory.Record) memory.Record
	// Keeps reports whether the messages of a session may be written to a file. It is
	// false until it is known that they are kept (A1).
	Keeps func(memory.Session) bool
	// Accepted returns the user's memories with sensitive content, which a summary may
	// mention (P5a).
	Accepted func() []string
	// Notify is called, from any goroutine, when files changed. It may be nil.
	Notify func()
	// Watch enables file system notifications. Without it the next search detects changed
	// files.
	Watch bool
}

// Journal is the journal of one agent. It is safe for concurrent use.
type Journal struct {
	Options
	disk disk
	log  *slog.Logger

	running chan struct{} // held by the running archiving
	stop    context.CancelFunc
	life    context.Context
	done    chan struct{}
	kick    chan struct{}
	told    atomic.Bool // the system reports edits,
	edited  atomic.Bool // and has reported a new one

	mu      sync.Mutex
	touched map[string]bool // paths that the system reported
	opened  bool
	files   map[string]memory.JournalFile // by path
	ix      *index.Index
	broken  string // why the index is unusable; empty if it is usable
}

const (
	followWait = 5 * time.Second  // until new messages are listed
	lookEvery  = 30 * time.Minute // interval of checking whether an archiving is due
	startWait  = time.Second      // until files are first checked, unless a search does so
	editWait   = 150 * time.Millisecond
)

// Open opens an agent's journal. It returns at once and catches up in the background.
func Open(o Options) *Journal {
	j := newJournal(o)
	go j.background()
	return j
}

func newJournal(o Options) *Journal {
	j := &Journal{
		Options: o, disk: disk{o.Dir}, log: o.Logger.With("agent", o.Agent, "part", "journal"),
		running: make(chan struct{}, 1), done: make(chan struct{}), kick: make(chan struct{}, 1),
		files: map[string]memory.JournalFile{}, touched: map[string]bool{},
	}
	j.life, j.stop = context.WithCancel(context.Background())
	return j
}

// Close stops the background work and waits for it. A missing Close loses nothing.
func (j *Journal) Close() error {
	j.stop()
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ix == nil {
		return nil
	}
	err := j.ix.Close()
	j.ix = nil
	return err
}

// background follows the feed and the files, and copies messages that need no model,
// until Close.
func (j *Journal) background() {
	defer close(j.done)
	follow, look, edits := time.NewTimer(followWait), time.NewTicker(lookEvery), time.NewTimer(startWait)
	defer follow.Stop()
	defer look.Stop()
	defer edits.Stop()
	wake := j.Store.DB().Watch(j.life)
	changed, unwatch := j.watch()
	defer func() { unwatch() }()
	for {
		select {
		case <-j.life.Done():
			return
		case _, ok := <-wake:
			if !ok {
				return
			}
			follow.Reset(followWait)
			continue
		case <-changed:
			edits.Reset(editWait)
			continue
		case <-edits.C:
			j.do("reading the files of the journal", j.refresh)
			continue
		case <-j.kick:
		case <-follow.C:
		case <-look.C:
		}
		j.do("archiving", func(ctx context.Context) error {
			_, err := j.Run(ctx, nil)
			return err
		})
		if changed == nil { // the folder may exist now
			changed, unwatch = j.watch()
		}
	}
}

func (j *Journal) do(what string, work func(context.Context) error) {
	if !j.Config().Enabled {
		return
	}
	err := guard.Do(j.log, what, func() error { return work(j.life) })
	if err != nil && j.life.Err() == nil && !errors.Is(err, ErrRunning) {
		j.log.Warn("the journal was not brought up to date", "error", err)
	}
}

// load reads the records of the files and opens the index, once. The caller holds mu.
func (j *Journal) load(ctx context.Context) error {
	if j.opened {
		return nil
	}
	err := j.Store.View(func(tx *store.Tx) error {
		for p, f := range tx.JournalFiles(j.Agent) {
			if ours(p) {
				j.files[p] = f
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !j.Store.DB().ReadOnly() {
		if err := j.disk.check(); err != nil {
			return err // the target of a link is not swept
		}
		err = j.disk.sweep(func(p, sum string) bool {
			f, known := j.files[p]
			return known && (sum == f.Sum || sum == f.Next)
		})
		if err != nil {
			return err
		}
	}
	j.opened = true
	j.openIndex(ctx)
	return nil
}

// put stores the records of files, and updates the cache on commit.
func (j *Journal) put(tx *store.Tx, files ...memory.JournalFile) error {
	for _, f := range files {
		if err := tx.PutJournalFile(j.Agent, f); err != nil {
			return err
		}
	}
	tx.OnCommit(func() {
		for _, f := range files {
			j.files[f.Path] = f
		}
	})
	return nil
}

// drop deletes a file's record. The caller holds mu.
func (j *Journal) drop(tx *store.Tx, p string) error {
	tx.OnCommit(func() { delete(j.files, p) })
	return tx.DeleteJournalFile(j.Agent, p)
}

// Files returns the records of the files, newest day first, without those that the user
// removed.
func (j *Journal) Files(ctx context.Context) ([]memory.JournalFile, error) {
	if err := j.refresh(ctx); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []memory.JournalFile
	for _, f := range j.files {
		if j.there(f) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b memory.JournalFile) int {
		return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}

// there reports whether a file is on the disk, according to its record.
func (j *Journal) there(f memory.JournalFile) bool {
	return !f.Removed && (f.Kind == memory.JournalOwn || f.Written())
}

// Read returns the content of a file on the disk. The error is ErrNotFound if there is
// none.
func (j *Journal) Read(p string) (string, error) {
	if !ours(p) {
		return "", store.ErrNotFound
	}
	words, _, err := j.disk.read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return "", store.ErrNotFound
	}
	return words, err
}

// File returns the full path of a file.
func (j *Journal) File(p string) string { return filepath.Join(j.Dir, filepath.FromSlash(p)) }

func (j *Journal) notify() {
	if j.Notify != nil {
		_ = guard.Do(j.log, "telling of the journal", func() error { j.Notify(); return nil })
	}
}

func (j *Journal) today() string {
	now := j.Now()
	return dayOf(now, now.Location())
}

// longTermText is the initial content of memory.md: a comment, which is neither shown nor
// searched.
const longTermText = "<!-- What you write here is searched with every message. Paragraphs and points of a list " +
	"are found one by one. The program does not change this file. -->\n\n"

// Begin creates the folder and the user's own file, if missing.
func (j *Journal) Begin() error {
	if _, err := j.disk.look(LongTerm); err == nil || j.Store.DB().ReadOnly() {
		return err
	}
	_, err := j.disk.replace(LongTerm, longTermText)
	if errors.Is(err, errEdited) {
		return nil
	}
	return err
}
