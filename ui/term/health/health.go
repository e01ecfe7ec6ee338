package health

import (
	"time"

	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for. Rebuild, Compact and Backup are answered by Done or
// Failed.
const (
	Nothing Do = iota
	Rebuild    // rebuild the indexes
	Compact    // remove from the indexes what was deleted
	Backup     // make a backup now
	Copy       // copy Text
	Leave      // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do   Do
	Text string
}

// Report is how the memory of one agent is doing.
type Report struct {
	At    time.Time // when it was made
	Agent string

	Memories int // that may be recalled
	Held     int // that wait for a yes
	Messages int
	Sessions int
	Jobs     int  // of learning that wait
	Unwiped  bool // words of what was deleted may still lie in pages without use
	// Erasing says how far the removal of deleted data from the files is, a sentence each.
	// EraseFailed says that a part of it failed.
	Erasing     []string
	EraseFailed bool

	Days    []Day // one after the other, the oldest first
	Indexes []Index

	StoreBytes int64
	FreeBytes  int64 // of it, in pages without use; -1 unknown
	Backups    Backups
	// Trouble has the problems of the storage, a sentence each; empty when
	// there are none.
	Trouble []string

	Model    string // empty for none
	Endpoint string // empty: nothing leaves the machine
	// TokensIn and TokensOut are what the server reported for this session.
	TokensIn, TokensOut int
	// Learning is what came of the analyses of turns by the model.
	Learning Learning
	// Cost of this session with its currency; empty where no prices are known.
	Cost string

	DataDir string
	LogFile string
}

// Learning counts analyses of turns by the model, and what they took.
type Learning struct {
	Waiting  int // turns
	Answered int // requests
	Unusable int // answers of them of which nothing could be used
	Failing  int // the same since the last usable one
	Learned  int // changes to the memory
	Refused  int // proposals that were not used
	// TokensIn and TokensOut are those of all of them, SessionIn and SessionOut
	// those of this session.
	TokensIn, TokensOut, SessionIn, SessionOut int
}

// Day is what happened on one day.
type Day struct {
	Date                         time.Time
	Messages, Learned, Forgotten int
}

// Index is something that is derived from the store.
type Index struct {
	Name        string // a name of derived in the catalogue
	State       string // a name of index.is in the catalogue; see [Ready]
	Done, Total int    // records, while it is being built
	Behind      uint64 // changes that it has not seen
	Bytes       int64  // on disk; 0 unknown
	Reason      string // why it is degraded or is being rebuilt
	Count       int    // of vectors, made by Model at Endpoint
	Model       string
	Endpoint    string
}

// Ready is the state of an index that is up to date when it is not behind.
const Ready = "ready"

// Backups are those that the program makes.
type Backups struct {
	Count  int
	Newest time.Time // zero for none
	Next   time.Time // zero when none is due
	Off    bool      // none are made by themselves
	Failed string    // why the last one did not work
}

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[string, Action]

	report  Report
	there   bool
	problem string
	lines   []string
	doing   Do   // what was asked for and not answered
	bad     bool // the notice tells a failure
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[string](list.Config[Action]{
		Keys: k, Moves: k.Health.Moves, Loc: loc, Rows: m.build, Key: m.key, Hints: m.hints,
		Text: func() []string { return m.lines }, Status: m.status,
	})
	return m
}

// Show shows a report. The place that is scrolled to stays.
func (m *Model) Show(r Report) {
	m.report, m.there, m.problem = r, true, ""
	m.Build()
}

// ReadFailed says that no report could be made; the one before stays.
func (m *Model) ReadFailed(text string) {
	m.problem = text
	m.Build()
}

// Done says what became of the action that was asked for.
func (m *Model) Done(text string) { m.doing, m.Notice, m.bad = Nothing, text, false }

// Failed says that what was asked for did not work.
func (m *Model) Failed(text string) { m.doing, m.Notice, m.bad = Nothing, text, true }
