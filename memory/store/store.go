package store

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
)

// Schema is the number of the layout described in the package comment.
const Schema = 4

// readsFrom is the oldest layout that can be read without migration: later ones only
// encode some records differently.
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
	OpDelete = "delete"
)

// Job is work that one process may leave for the next (L2).
type Job struct {
	ID        string `json:"id"`
	AgentID   string `json:"agent_id"`
	Kind      string `json:"kind"`
	SessionID string `json:"session_id"`
	TurnID    string `json:"turn_id"`
	RecordID  string `json:"record_id"` // the turn's last record; for JobRules the user's message
	// SaidID is the user's message if it began another turn: an answer was regenerated.
	SaidID string `json:"said_id,omitempty"`
	// Ruled says that the message has, or had, a separate JobRules: its JobAnalyse does
	// not apply the rules again.
	Ruled     bool      `json:"ruled,omitempty"`
	Attempts  int       `json:"attempts"`
	CreatedAt time.Time `json:"created_at"`
	Error     string    `json:"error,omitempty"`
	// PutOff is when a model last failed to answer it: other jobs go first.
	PutOff time.Time `json:"put_off,omitzero"`
	// Generation and Epoch are those of a consolidation: it writes only while the
	// session still has this epoch (S5).
	Generation string `json:"generation,omitempty"`
	Epoch      int    `json:"epoch,omitempty"`
}

// The kinds of a job. JobRules learns by rules from a turn's first message, whatever
// happens to the answer. JobAnalyse follows the answer: it updates working memory by
// rules, and may become JobAsk, which waits for a language model. The job keeps its id.
// The consolidation of a session works likewise.
const (
	JobRules       = "rules"
	JobAnalyse     = "analyse"
	JobAsk         = "ask"
	JobConsolidate = "consolidate"
	JobCondense    = "condense"
)

type none struct{}

var (
	items           = kv.NewBucket("items", 1, kv.Codec[memory.Item](itemCodec{})).Rising()
	itemHeads       = kv.NewBucket("item_heads", 1, kv.Codec[memory.Head](headCodec{})).Rising()
	itemKeys        = kv.NewBucket("item_keys", 1, kv.Codec[none](emptyCodec{})).Rising()
	itemHashes      = kv.NewBucket("item_hashes", 1, kv.Codec[none](emptyCodec{}))
	itemVersions    = kv.NewBucket("item_versions", 1, kv.Codec[memory.Item](itemCodec{})).Rising()
	itemChanges     = kv.NewBucket("item_changes", 1, kv.JSON[memory.Change]()).Rising()
	turnChanges     = kv.NewBucket("turn_changes", 1, kv.JSON[memory.Change]()).Rising()
	changeTimes     = kv.NewBucket("change_times", 1, kv.Codec[none](emptyCodec{})).Rising()
	changeGroups    = kv.NewBucket("change_groups", 1, kv.Codec[none](emptyCodec{})).Rising()
	records         = kv.NewBucket("records", 1, kv.Codec[memory.Record](recordForm)).Rising()
	recordPlaces    = kv.NewBucket("record_places", 1, kv.JSON[location]()).Rising()
	gaps            = kv.NewBucket("gaps", 1, kv.JSON[gap]())
	bookmarks       = kv.NewBucket("bookmarks", 1, kv.Codec[none](emptyCodec{}))
	incoming        = kv.NewBucket("incoming", 1, kv.JSON[memory.Record]())
	sessions        = kv.NewBucket("sessions", 1, kv.JSON[memory.Session]()).Rising()
	sessionTimes    = kv.NewBucket("session_times", 1, kv.Codec[none](emptyCodec{})).Rising()
	working         = kv.NewBucket("working", 1, kv.JSON[memory.Working]())
	workingVersions = kv.NewBucket("working_versions", 1, kv.JSON[memory.Working]()).Rising()
	summaries       = kv.NewBucket("summaries", 1, kv.JSON[memory.Summary]()).Rising()
	packages        = kv.NewBucket("packages", 1, kv.Codec[memory.Package](newPacked[memory.Package](packageNames))).Rising()
	turnSessions    = kv.NewBucket("turn_sessions", 1, kv.Codec[string](stringCodec{})).Rising()
	texts           = kv.NewBucket("texts", 1, kv.Codec[string](stringCodec{}))
	drafts          = kv.NewBucket("drafts", 1, kv.JSON[memory.Draft]())
	partials        = kv.NewBucket("partials", 1, kv.JSON[memory.Record]())
	jobs            = kv.NewBucket("jobs", 1, kv.JSON[Job]())
	profiles        = kv.NewBucket("profiles", 1, kv.JSON[memory.Profile]())
	profileItems    = kv.NewBucket("profile_items", 1, kv.Codec[none](emptyCodec{}))
	groups          = kv.NewBucket("groups", 1, kv.JSON[memory.Group]())
	trash           = kv.NewBucket("trash", 2, kv.Codec[[]row](rowsCodec{}))
	deletions       = kv.NewBucket("deletions", 1, kv.JSON[Deleted]())
	forgotten       = kv.NewBucket("forgotten", 1, kv.JSON[time.Time]())
	refused         = kv.NewBucket("refused", 1, kv.JSON[time.Time]())
	seals           = kv.NewBucket("seals", 1, kv.Bytes())
	vectors         = kv.NewBucket("vectors", 1, kv.Codec[Vector](vectorCodec{}))
	vectorIDs       = kv.NewBucket("vector_ids", 1, kv.Codec[VectorID](vectorIDCodec{}))
	vectorSets      = kv.NewBucket("vector_sets", 1, kv.JSON[VectorSet]())
	history         = kv.NewBucket("history", 1, kv.JSON[memory.HistoryEntry]()).Rising()
	journalFiles    = kv.NewBucket("journal_files", 1, kv.JSON[memory.JournalFile]())
	journalIDs      = kv.NewBucket("journal_ids", 1, kv.Codec[[]string](recordIDs{}))
	journalStates   = kv.NewBucket("journal_states", 1, kv.JSON[memory.JournalState]())
	passages        = kv.NewBucket("passages", 1, kv.Codec[string](stringCodec{}))
	counts          = kv.NewBucket("counts", 1, kv.JSON[int]())
	agents          = kv.NewBucket("agents", 1, kv.JSON[memory.Agent]())
	departed        = kv.NewBucket("departed", 1, kv.JSON[departure]())
)

// BucketNames lists every bucket, in the order of the package's table.
func BucketNames() []string {
	return []string{
		"items", "item_heads", "item_keys", "item_hashes", "item_versions", "item_changes", "turn_changes",
		"change_times", "change_groups", "records", "record_places", "gaps", "bookmarks", "incoming", "sessions", "session_times",
		"working", "working_versions", "summaries", "packages", "turn_sessions", "texts", "drafts", "partials", "jobs",
		"profiles", "profile_items", "groups", "trash",
		"deletions", "forgotten", "refused", "seals", "vectors", "vector_ids", "vector_sets",
		"history", "journal_files", "journal_ids", "journal_states", "passages", "counts",
		"agents", "departed",
	}
}

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
		Path: o.Path, Now: o.Now, Schema: Schema, ReadsFrom: readsFrom, Buckets: BucketNames(), LockTimeout: o.LockTimeout, NoSync: o.NoSync, ReadOnly: o.ReadOnly,
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
		return writeGone(s.db.Path(), t.gone)
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
