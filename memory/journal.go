package memory

import "time"

// JournalKind says what a file of the journal is (J1).
type JournalKind string

// The kinds of a journal file.
const (
	JournalVerbatim JournalKind = "verbatim" // a day's messages of one session, word for word
	JournalDay      JournalKind = "day"      // the summary of a day
	JournalMonth    JournalKind = "month"    // the summary of a month
	JournalOwn      JournalKind = "own"      // written by the user: memory.md and notes beside it
)

// JournalFile is what the program knows of one file of the journal. The words are in the
// file alone.
type JournalFile struct {
	// Path is relative to the agent's journal folder, with slashes: memory/2026-01-28-deploy.md.
	Path string      `json:"path"`
	Kind JournalKind `json:"kind"`
	// Date is the day, 2026-01-28, or the month, 2026-01, that the messages are of; empty
	// for a file of the user.
	Date string `json:"date,omitempty"`
	// Session is that of a verbatim file.
	Session  string `json:"session,omitempty"`
	Messages int    `json:"messages,omitempty"`
	// By is the model that wrote a summary, or [JournalByRules]; empty for what was copied.
	By string `json:"by,omitempty"`
	// Sum is the SHA-256 of what the program wrote last, hex; Next that of what it is about
	// to write. A file with other words was edited by the user.
	Sum  string `json:"sum,omitempty"`
	Next string `json:"next,omitempty"`
	// Edited: the words are the user's now, and the program writes here no more.
	Edited bool `json:"edited,omitempty"`
	// Removed: the user deleted the file; its messages do not come back into the journal.
	Removed bool `json:"removed,omitempty"`
	// Covered is the coarser file that has all of these messages (J6); empty: none.
	Covered string `json:"covered,omitempty"`
	// Stale: a message was deleted or changed since the file was written.
	Stale bool `json:"stale,omitempty"`
	// Echoes are the SHA-256 of the paragraphs of an edited file that repeat a message which is
	// deleted and can still be taken back, by its id: they go with it.
	Echoes map[string][]string `json:"echoes,omitempty"`
	// Anew: the user edited a file of whose messages this summary told; it is to be made again
	// without them.
	Anew bool `json:"anew,omitempty"`
	// Seen is the SHA-256 of the words that are in the index, Size and Changed what the file
	// system says of them, Passages how many documents they are there.
	Seen     string    `json:"seen,omitempty"`
	Size     int64     `json:"size,omitempty"`
	Changed  time.Time `json:"changed,omitzero"`
	Passages int       `json:"passages,omitempty"`
	Failing
}

// JournalByRules is the By of a summary that no model wrote.
const JournalByRules = "rules"

// Written reports whether the program ever finished writing the file.
func (f JournalFile) Written() bool { return f.Sum != "" }

// Failing counts failures and says when to try again (J5).
type Failing struct {
	Attempts int       `json:"archive_attempts,omitempty"`
	FailedAt time.Time `json:"archive_failed_at,omitzero"`
	NextAt   time.Time `json:"archive_next_at,omitzero"`
}

// Archived says how far a message is on its way into the journal (J2).
type Archived string

// The states of a message in the history.
const (
	ArchivedNo      Archived = "false"
	ArchivedPending Archived = "pending"
	ArchivedYes     Archived = "true"
)

// HistoryEntry is one message in the list of those that are not yet in the journal, or were
// put there recently (J2).
type HistoryEntry struct {
	Session string `json:"session"`
	// Day is that of the message where the user was when the program first saw it: neither
	// a journey nor a clock moves a message from one day to another.
	Day      string   `json:"day"`
	Bytes    int      `json:"bytes"`
	Archived Archived `json:"archived"`
	// Old: it was there before the journal was, or came with an import. No model is asked
	// about it unless the user says so.
	Old bool `json:"old,omitempty"`
	Failing
}

// JournalEvent is something that the user may want to know of the journal.
type JournalEvent struct {
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// The kinds of a [JournalEvent].
const (
	HistoryOverflow = "history_overflow" // more unarchived messages than the hard limit (J2)
	ArchiveBacklog  = "archive_backlog"  // a summary failed five times (J5)
)

// JournalState is what an agent's journal keeps beside its files.
type JournalState struct {
	LastRun  time.Time `json:"last_run,omitzero"`
	Sequence uint64    `json:"sequence,omitempty"` // of the last batch of the index
	// Overflow: more messages wait than may, and the user was told so.
	Overflow bool `json:"overflow,omitempty"`
	// Events are the latest, oldest first.
	Events []JournalEvent `json:"events,omitempty"`
}
