package chat

import (
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// Event is something that happened in a conversation. Events of one [Chat]
// arrive in order on one channel; consecutive pieces of an answer, or of what is
// thought before it, may be merged into one, everything else arrives as it was sent.
type Event interface{ head() Head }

// Head is common to all events.
type Head struct {
	// Seq numbers the events from 1. A gap means that the reader was so late that
	// outdated events were dropped.
	Seq       uint64
	SessionID string
	TurnID    string
	// Sender is in a group the member whose answer or memory it is about; empty
	// elsewhere, and where it is about the user or the group.
	Sender string
}

func (h Head) head() Head { return h }

// HeadOf returns the head of an event.
func HeadOf(e Event) Head { return e.head() }

// QueueChanged carries the messages that wait for their turn, oldest first (C8).
type QueueChanged struct {
	Head
	Waiting []Waiting
}

// Waiting is a message that was sent while another was being answered.
type Waiting struct {
	ID   string
	Text string
}

// SessionChanged says which session the conversation is in from now on.
type SessionChanged struct {
	Head
	Session memory.Session
	Why     SessionWhy
}

// SessionWhy says why the conversation is in a session.
type SessionWhy string

// The reasons to be in a session.
const (
	WhyFirst     SessionWhy = "first"     // the agent had none
	WhyContinued SessionWhy = "continued" // less than passive_timeout ago (S1)
	WhyTimeout   SessionWhy = "timeout"   // the old one was idle for too long (S2)
	WhyRevived   SessionWhy = "revived"   // it was idle for too long, and the message goes on with it (S3)
	WhyUnrelated SessionWhy = "unrelated" // the message does not continue the old one, or no judge could say so (S3, S4)
	WhyEnded     SessionWhy = "ended"     // the old one has ended, by itself or by the user (S6)
	WhyOverruled SessionWhy = "overruled" // the user decided against the judgement
	WhyResumed   SessionWhy = "resumed"   // the user went back to it (S9a)
	WhyRequested SessionWhy = "requested" // the user asked for a new one (S10)
	WhyDeleted   SessionWhy = "deleted"   // the user deleted the one it was in; it is in none
	WhyRestored  SessionWhy = "back"      // the user undid that deletion
	WhyRenamed   SessionWhy = "renamed"   // the same one, under another title
	WhyForked    SessionWhy = "forked"    // the user forked it from another
	WhyBranched  SessionWhy = "branched"  // the same one, in another branch
	WhyEdited    SessionWhy = "edited"    // the same one; messages were deleted or restored
	WhyElsewhere SessionWhy = "elsewhere" // another conversation with the agent added a turn there
)

// Judging says that it is being judged whether a message goes on with the session
// that has timed out (S3). [Chat.Cancel] ends the judging and begins a new one; the
// result comes with [UserStored], in its record.
type Judging struct {
	Head
	Session memory.Session
	// By is the judge, one of memory's JudgedBy constants, and Model the model's name.
	By, Model string
	// Within is the longest that it takes.
	Within time.Duration
}

// TurnsLeft says that an edited message replaced turns, which stay in a branch of their own,
// and which of the changes that they had taught were undone (P9).
type TurnsLeft struct {
	Head
	Left manager.LeftTurns
}

// UserStored says that the user's message is in the archive and its session is
// known.
type UserStored struct {
	Head
	Record memory.Record
	// Unsaved says that it is in memory only; [StorageChanged] tells when it is
	// not any more.
	Unsaved bool
	// Secrets are the kinds of secrets in the message, as "password": they are never
	// remembered, and [Chat.EraseSecret] erases them from the archive (P5a).
	Secrets []string
}

// PackageStored says that the turn's package can be opened; it, or its last round,
// is about to be sent.
type PackageStored struct {
	Head
	Package memory.Package
}

// Delta is a piece of the answer.
type Delta struct {
	Head
	Text string
}

// Thinking is a piece of what the model thinks aloud before it answers (C9).
type Thinking struct {
	Head
	Text string
}

// Reconsidered takes every [Delta] of the answer so far back: it was thought and
// not said, and comes once more as [Thinking].
type Reconsidered struct{ Head }

// Searching says that the model called the search tool, and what it looks for, in
// words: "pnpm", last March.
type Searching struct {
	Head
	Words string
}

// Searched carries the calls of the model and their results (I2), as they are in the
// archive: the answer goes on in another record. Said is the part of
// the answer before the calls; nil if there was none.
type Searched struct {
	Head
	Said  *memory.Record
	Calls []memory.Record
}

// Retrying says that the model did not answer and will be asked again after
// Wait.
type Retrying struct {
	Head
	Attempt, Of int
	Wait        time.Duration
	Reason      string
}

// Finished ends a turn; it always arrives. In a group it ends the answer of one
// member, and with More the turn goes on. Record.Status says how the turn
// ended; the partial text of a cancelled or broken answer is kept in it.
type Finished struct {
	Head
	Record     memory.Record
	FirstToken time.Duration
	Took       time.Duration
	// Problem says what went wrong; nil when nothing did or the user cancelled.
	Problem *Problem
	// Unsaved says that the answer is in memory only, and why is the Problem.
	Unsaved bool
	// More says that another member of the group answers after this one.
	More bool
}

// StorageChanged says that the disk takes no writes, or that something said
// meanwhile is in memory only; nil says that all is written again. What was
// acknowledged is safe in any case, and the conversation goes on.
type StorageChanged struct {
	Head
	Problem *Problem
}

// Learned carries the changes that a turn made to the memory. One follows [UserStored] if
// the rules made changes. One follows [Finished], usually without changes. Another one
// follows when the model has added or corrected something.
type Learned struct {
	Head
	Changes []memory.Change
	// Generation is set when it was no turn but the consolidation of a session,
	// which has ended when there is a Summary of it (P7, S12); Waits says that the
	// model is to read it too.
	Generation string
	Summary    *memory.Summary
	Waits      bool
}

// Consolidating says that the model reads a session in the background, or that it
// does not any more: it has answered, or made way for a message.
type Consolidating struct {
	Head
	Session memory.Session
	On      bool
}

// ModelChanged says which model answers from now on.
type ModelChanged struct {
	Head
	Info model.Info
}

// ModelsFound carries the model servers found on this machine.
type ModelsFound struct {
	Head
	Found []model.Found
}

// Instructed says what an instruction of the user to the memory did, before the answer
// (U2–U4).
type Instructed struct {
	Head
	// Lines say it in words for a person, in the language of the message.
	Lines []string
	// Deletion is what was forgotten, so that it can be undone; zero when nothing was.
	Deletion write.Deletion
	// Restored is the id of the deletion that was undone; empty when none was.
	Restored string
	// Undo is the change, or undo, by which what was done can be undone; empty when there
	// is none.
	Undo string
}

// Notice is something the user should know that ends nothing.
type Notice struct {
	Head
	Problem Problem
}

// Problem is an error in words for a person.
type Problem struct {
	Title string // what happened, a few words
	Text  string // one sentence
	Hint  string // what to do about it; may be empty
}
