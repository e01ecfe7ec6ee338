package memory

import "time"

// JournalKind is the kind of a journal file (J1).
type JournalKind string

// The kinds of a journal file.
const (
	JournalVerbatim JournalKind = "verbatim" // a day's messages of one session, word for word
	JournalDay      JournalKind = "day"      // the summary of a day
	JournalMonth    JournalKind = "month"    // the summary of a month
	JournalOwn      JournalKind = "own"      // written by the user: memory.md and other notes
)

// JournalFile is the program's record of one journal file. The words are only in the
// file.
type JournalFile struct {
	// Path is relative to the agent's journal folder, with slashes: memory/2026-01-28-deploy.md.
	Path string      `json:"path"`
	Kind JournalKind `json:"kind"`
	// Date is the day (2026-01-28) or month (2026-01) of the messages; empty for a file
	// of the user.
	Date string `json:"date,omitempty"`
	// Session is the session of a verbatim file.
	Session  string `json:"session,omitempty"`
	Messages int    `json:"messages,omitempty"`
	// By is the model that wrote a summary, or [JournalByRules]; empty for verbatim copies.
	By string `json:"by,omitempty"`
	// Sum is the SHA-256 of the content that the program wrote last, hex. Next is that of a
	// pending write. A file with other content was edited by the user.
	Sum  string `json:"sum,omitempty"`
	Next string `json:"next,omitempty"`
	// Edited says that the user owns the content, and the program no longer writes the
	// file.
	Edited bool `json:"edited,omitempty"`
	// Removed says that the user deleted the file; its messages do not return to the
	// journal.
	Removed bool `json:"removed,omitempty"`
	// Covered is the coarser file that includes all of these messages (J6); empty for
	// none.
	Covered string `json:"covered,omitempty"`
	// Stale says that a message was deleted or changed after the file was written.
	Stale bool `json:"stale,omitempty"`
	// Echoes are the SHA-256 of an edited file's paragraphs that repeat a deleted message, by
	// the message's id. They are removed when the deletion can no longer be undone.
	Echoes map[string][]string `json:"echoes,omitempty"`
	// Regenerate says that the user edited a source file of this summary; it is to be regenerated
	// without that file's messages.
	Regenerate bool `json:"anew,omitempty"`
	// Seen is the SHA-256 of the indexed content, Size and Changed its size and time in the
	// file system, Passages the number of its documents in the index.
	Seen     string    `json:"seen,omitempty"`
	Size     int64     `json:"size,omitempty"`
	Changed  time.Time `json:"changed,omitzero"`
	Passages int       `json:"passages,omitempty"`
	Failing
}

// JournalByRules is the By of a summary written by rules.
const JournalByRules = "rules"

// Written reports whether the program ever finished writing the file.
func (f JournalFile) Written() bool { return f.Sum != "" }

// Failing counts failures and holds the time of the next retry (J5).
type Failing struct {
	Attempts int       `json:"archive_attempts,omitempty"`
	FailedAt time.Time `json:"archive_failed_at,omitzero"`
	NextAt   time.Time `json:"archive_next_at,omitzero"`
}

// Archived is a message's progress into the journal (J2).
type Archived string

// The states of a message in the history.
const (
	ArchivedNo      Archived = "false"
	ArchivedPending Archived = "pending"
	ArchivedYes     Archived = "true"
)

// HistoryEntry is a message that is not yet in the journal, or was added recently (J2).
type HistoryEntry struct {
	Session string `json:"session"`
	// Day is the message's local day when the program first saw it. Travel and clock
	// changes do not move a message to another day.
	Day      string   `json:"day"`
	Bytes    int      `json:"bytes"`
	Archived Archived `json:"archived"`
	// Old says that it predates the journal, or was imported. It is sent to a model only
	// if the user asks for it.
	Old bool `json:"old,omitempty"`
	Failing
}

// JournalEvent is a notice to the user about the journal.
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

// JournalState is an agent's journal state apart from its files.
type JournalState struct {
	LastRun  time.Time `json:"last_run,omitzero"`
	Sequence uint64    `json:"sequence,omitempty"` // of the last batch of the index
	// Overflow says that more messages are pending than allowed, and the user was told.
	Overflow bool `json:"overflow,omitempty"`
	// Events are the latest events, oldest first.
	Events []JournalEvent `json:"events,omitempty"`
}
