package store

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
	"memoria/memory/store/gone"
	"memoria/memory/store/queue"
)

// Schema is the number of the layout described in the package comment.
const Schema = 6

// readsFrom is the oldest layout that can be read without migration: later ones only
// encode some records differently or have more indexes.
const readsFrom = 2

// ErrNotFound says that nothing is stored under an id.
var ErrNotFound = kv.ErrNotFound

// The kinds of a feed entry.
const (
	KindItem   = "item"
	KindRecord = "record"
)

// The operations of a feed entry.
const (
	OpPut    = "put"
	opDelete = "delete"
)

// none is the value of a bucket with keys only.
type none = struct{}

var (
	items           = bucket[memory.Item]("items", codec.Item{}).Rising()
	itemHeads       = bucket[memory.Head]("item_heads", codec.Head{}).Rising()
	itemKeys        = bucket[none]("item_keys", codec.Empty{}).Rising()
	itemHashes      = bucket[none]("item_hashes", codec.Empty{})
	itemsHeld       = bucket("items_held", kv.JSON[[]string]()).Rising()
	itemSources     = bucket[none]("item_sources", codec.Empty{}).Rising()
	itemVersions    = bucket[memory.Item]("item_versions", codec.Item{}).Rising()
	itemChanges     = bucket("item_changes", kv.JSON[memory.Change]()).Rising()
	turnChanges     = bucket("turn_changes", kv.JSON[memory.Change]()).Rising()
	changeTimes     = bucket[none]("change_times", codec.Empty{}).Rising()
	changeGroups    = bucket[none]("change_groups", codec.Empty{}).Rising()
	records         = bucket[memory.Record]("records", codec.Record).Rising()
	recordPlaces    = bucket("record_places", kv.JSON[Place]()).Rising()
	gaps            = bucket("gaps", kv.JSON[gap]())
	bookmarks       = bucket[none]("bookmarks", codec.Empty{})
	derived         = bucket[none]("derived", codec.Empty{}).Rising()
	incoming        = bucket("incoming", kv.JSON[memory.Record]())
	sessions        = bucket("sessions", kv.JSON[memory.Session]()).Rising()
	sessionTimes    = bucket[none]("session_times", codec.Empty{}).Rising()
	working         = bucket("working", kv.JSON[memory.Working]())
	workingVersions = bucket("working_versions", kv.JSON[memory.Working]()).Rising()
	summaries       = bucket("summaries", kv.JSON[memory.Summary]()).Rising()
	packages        = bucket[memory.Package]("packages", codec.NewPacked[memory.Package](codec.PackageNames)).Rising()
	turnSessions    = bucket[string]("turn_sessions", codec.String{}).Rising()
	texts           = bucket[string]("texts", codec.String{})
	drafts          = bucket("drafts", kv.JSON[memory.Draft]())
	partials        = bucket("partials", kv.JSON[memory.Record]())
	jobs            = bucket("jobs", kv.JSON[queue.Job]())
	profiles        = bucket("profiles", kv.JSON[memory.Profile]())
	profileItems    = bucket[none]("profile_items", codec.Empty{})
	groups          = bucket("groups", kv.JSON[memory.Group]())
	trash           = trashBucket()
	deletions       = bucket("deletions", kv.JSON[Deleted]())
	forgotten       = bucket("forgotten", kv.JSON[time.Time]())
	refused         = bucket("refused", kv.JSON[time.Time]())
	seals           = bucket("seals", kv.Bytes())
	vectors         = bucket[codec.Vector]("vectors", codec.Vectors{})
	vectorIDs       = bucket[codec.VectorID]("vector_ids", codec.VectorIDs{})
	vectorSets      = bucket("vector_sets", kv.JSON[codec.VectorSet]())
	history         = bucket("history", kv.JSON[memory.HistoryEntry]()).Rising()
	journalFiles    = bucket("journal_files", kv.JSON[memory.JournalFile]())
	journalIDs      = bucket[[]string]("journal_ids", codec.IDs{})
	journalStates   = bucket("journal_states", kv.JSON[memory.JournalState]())
	passages        = bucket[string]("passages", codec.String{})
	counts          = bucket("counts", kv.JSON[int]())
	agents          = bucket("agents", kv.JSON[memory.Agent]())
	departed        = bucket("departed", kv.JSON[departure]())
)

// bucketNames lists every bucket, in the order of the package's table.
var bucketNames []string

func named(name string) string {
	bucketNames = append(bucketNames, name)
	return name
}

func trashBucket() kv.Bucket[[]codec.Row] {
	known := func(bucket string) bool { return slices.Contains(bucketNames, bucket) }
	b := kv.NewBucket(named("trash"), 2, kv.Codec[[]codec.Row](codec.Rows{Known: known}))
	read(b)
	return b
}

func bucket[T any](name string, c kv.Codec[T]) kv.Bucket[T] {
	b := kv.NewBucket(named(name), 1, c)
	read(b)
	return b
}

// BucketNames lists every bucket, in the order of the package's table.
func BucketNames() []string { return slices.Clone(bucketNames) }

// Store is the memory of one data folder.
type Store struct {
	db  *kv.DB
	log *slog.Logger
}

// Options configure [Open].
type Options struct {
	Path   string
	Now    func() time.Time
	Logger *slog.Logger
	// LockTimeout bounds the wait for another process; 0 means kv's default.
	LockTimeout time.Duration
	// ReadOnly opens an existing store for reading; see [kv.Options].
	ReadOnly bool
	// NoSync is for disposable stores; see [kv.Options].
	NoSync bool
	// Program is the version of the program, for stores that older ones cannot read.
	Program string
	// MigrationCopy returns the path of the copy before a migration; see [kv.Options].
	// It may be nil.
	MigrationCopy func(have uint64) string
}

// Open opens the store at o.Path or creates it. Errors are those of [kv.Open].
func Open(o Options) (*Store, error) {
	db, err := kv.Open(kv.Options{
		Path: o.Path, Now: o.Now, Schema: Schema, ReadsFrom: readsFrom, Buckets: BucketNames(),
		LockTimeout: o.LockTimeout, NoSync: o.NoSync, ReadOnly: o.ReadOnly,
		Migrate: migrate, MigrationCopy: o.MigrationCopy, Program: o.Program,
	})
	if err != nil {
		return nil, fmt.Errorf("opening the memory store: %w", err)
	}
	s := &Store{db: db, log: o.Logger}
	if err := s.beginGone(); err != nil {
		return nil, errors.Join(fmt.Errorf("listing what was deleted: %w", err), s.Close())
	}
	return s, nil
}

// Close closes the file. Transactions must have ended.
func (s *Store) Close() error { return s.db.Close() }

// DB returns the underlying store, for followers of the change feed.
func (s *Store) DB() *kv.DB { return s.db }

// Tx is one transaction. It must not be used after its function has returned.
type Tx struct {
	kv   *kv.Tx
	log  *slog.Logger
	gone []string // lines for the list of deletions
}

// View runs fn in a read-only transaction.
func (s *Store) View(fn func(*Tx) error) error {
	return s.db.View(func(tx *kv.Tx) error { return fn(&Tx{kv: tx, log: s.log}) })
}

// Update runs fn in a durable transaction: when Update returns nil, everything fn wrote
// is on the disk.
func (s *Store) Update(fn func(*Tx) error) error {
	return s.db.Update(func(tx *kv.Tx) error {
		t := &Tx{kv: tx, log: s.log}
		if err := fn(t); err != nil {
			return err
		}
		return gone.Append(s.db.Path(), t.gone)
	})
}

// Now returns the transaction's time.
func (tx *Tx) Now() time.Time { return tx.kv.Now() }

// KV returns the underlying transaction, for followers of the change feed.
func (tx *Tx) KV() *kv.Tx { return tx.kv }

// OnCommit runs fn when the transaction is durable.
func (tx *Tx) OnCommit(fn func()) { tx.kv.OnCommit(fn) }

func (tx *Tx) announce(agent, kind, id, op string) error {
	_, err := tx.kv.Append(kv.Change{Agent: agent, Kind: kind, ID: id, Op: op})
	return err
}

// Unreadable reports whether err says that one record is damaged or was written by a
// newer program. The record is kept; others are readable.
func Unreadable(err error) bool {
	var bad *kv.RecordError
	return errors.As(err, &bad)
}

// skip reports whether err is a damaged record that a scan should skip. It logs the
// record, which is kept.
func (tx *Tx) skip(err error) bool {
	var bad *kv.RecordError
	if !errors.As(err, &bad) {
		return false
	}
	if tx.log != nil {
		tx.log.Warn("record cannot be read", "bucket", bad.Bucket)
	}
	return true
}

// Add adds n to a count of the agent.
func (tx *Tx) Add(agent string, c counter.Name, n int) error {
	if n == 0 {
		return nil
	}
	key := kv.Key(agent, string(c))
	have, err := orZero(counts.Get(tx.kv, key))
	if err != nil {
		return err
	}
	return counts.Put(tx.kv, key, have+n)
}

// Count returns a count of the agent, 0 if nothing was counted.
func (tx *Tx) Count(agent string, c counter.Name) (int, error) {
	return orZero(counts.Get(tx.kv, kv.Key(agent, string(c))))
}
