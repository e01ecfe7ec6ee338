package foreign

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
)

// Conversation is one conversation of another program, complete.
type Conversation struct {
	// ID identifies the conversation in the other program. For JSON Lines it is the
	// session. It is empty if the export has none.
	ID    string
	Title string // may be empty
	// Model is that of the last answer of the branch shown that has one.
	Model string
	// Created and Updated are the conversation's, or else the first and the last time of
	// the branch shown. They are zero if nothing has a time.
	Created time.Time
	Updated time.Time
	// Began is Created as the export has it, or else the time of the first message. It stays
	// the same in later exports, and ids are made from it.
	Began time.Time
	// Messages is a forest: a parent comes before its children, and siblings are
	// alternatives in the order in which they were written.
	Messages []Message
	// Current is the ID of the last message of the branch that the other program shows.
	Current string
}

// Message is one message of a [Conversation].
type Message struct {
	ID     string
	Parent string // the ID of the previous message; empty for the first
	// Role is that of the speaker. Calls of tools and their results have role tool; they
	// are described in words.
	Role memory.Role
	// Speaker is the author's name in a conversation with several; otherwise empty.
	Speaker string
	Text    string
	// Spans mark the parts of Text that the author did not type.
	Spans []memory.Span
	// Reasoning is the model's visible reasoning before an answer; often empty.
	Reasoning string
	Model     string // of an answer
	// Time is the original time, or that of the message before it if the export has none.
	Time time.Time
	// Order is Time, but a millisecond at least after the parent's Order. Ids are made from
	// it, so that they sort like the conversation.
	Order time.Time
	// Attachments are the names of images and files.
	Attachments []string
}

// Branch returns the messages of the branch shown, from first to last.
func (c Conversation) Branch() []Message { return c.BranchTo(c.Current) }

// BranchTo returns the messages up to the one with this ID, from first to last.
func (c Conversation) BranchTo(id string) []Message {
	at := make(map[string]int, len(c.Messages))
	for i, m := range c.Messages {
		at[m.ID] = i
	}
	var branch []Message
	for id != "" {
		m := c.Messages[at[id]]
		branch = append(branch, m)
		id = m.Parent
	}
	slices.Reverse(branch)
	return branch
}

// Limits bound what is read. A zero field means its default.
type Limits struct {
	// Conversation is the size in bytes of one conversation as JSON; 64 MB by default.
	Conversation int64
	// Total is the size in bytes of all that is read, after decompression; 8 GB by
	// default.
	Total int64
	// Entries is the number of entries of an archive; 100,000 by default.
	Entries int
}

func (l Limits) withDefaults() Limits {
	if l.Conversation == 0 {
		l.Conversation = 64 << 20
	}
	if l.Total == 0 {
		l.Total = 8 << 30
	}
	if l.Entries == 0 {
		l.Entries = 100_000
	}
	return l
}

// ErrEmpty is the reason of a [Failure] for a conversation without messages, which is
// nothing to worry about.
var ErrEmpty = errors.New("it has no messages")

// errOther is the reason for something that is no conversation at all.
var errOther = errors.New("it is not a conversation")

// Failure says why one conversation, or the rest of a file, was left out. The
// conversations before and after it are not affected.
type Failure struct {
	Part string // the file in the archive; empty outside of one
	// Number counts the conversations of the file from 1; 0 if the file itself failed.
	Number int
	ID     string // may be empty
	Title  string // may be empty
	Err    error
}

func (e *Failure) Error() string {
	var where string
	if e.Number > 0 {
		where = fmt.Sprintf("conversation %d", e.Number)
	}
	if e.Part != "" {
		if where != "" {
			where = " " + where
		}
		where = e.Part + where
	}
	switch {
	case e.Title != "":
		where += fmt.Sprintf(" (%q)", e.Title)
	case e.ID != "":
		where += fmt.Sprintf(" (%q)", e.ID)
	}
	return where + ": " + e.Err.Error()
}

func (e *Failure) Unwrap() error { return e.Err }

// Empty reports whether the conversation was left out because it has no messages.
func (e *Failure) Empty() bool { return errors.Is(e.Err, ErrEmpty) }
