package foreign

import (
	"fmt"
	"time"

	"memoria/memory"
)

// Conversation is one conversation of another program, complete.
type Conversation struct {
	// ID identifies the conversation in the other program. For JSON Lines it is the
	// session.
	ID      string
	Title   string // may be empty
	Model   string // the conversation's default; may be empty
	Created time.Time
	Updated time.Time
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
	Role   memory.Role
	// Speaker is the author's name in a conversation with several; otherwise empty.
	Speaker string
	Text    string
	// Reasoning is the model's visible reasoning before an answer; often empty.
	Reasoning string
	Model     string
	// Time is the original time, or that of the message before it if the export has none.
	Time time.Time
	// Order is Time, but a millisecond at least after the parent's Order. Ids are made from
	// it, so that they sort like the conversation.
	Order time.Time
	// Attachments are the names of images and files.
	Attachments []string
	// Spans mark the parts of Text that the author did not type.
	Spans []memory.Span
}

// Branch returns the messages of the branch shown, from first to last.
func (c Conversation) Branch() []Message {
	at := make(map[string]int, len(c.Messages))
	for i, m := range c.Messages {
		at[m.ID] = i
	}
	var branch []Message
	for id := c.Current; id != ""; {
		m := c.Messages[at[id]]
		branch = append(branch, m)
		id = m.Parent
	}
	for i, j := 0, len(branch)-1; i < j; i, j = i+1, j-1 {
		branch[i], branch[j] = branch[j], branch[i]
	}
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

// ConversationError says why one conversation was left out. The conversations after it
// are not affected.
type ConversationError struct {
	// Number counts the conversations of the file from 1.
	Number int
	ID     string // may be empty
	Title  string // may be empty
	Err    error
}

func (e *ConversationError) Error() string {
	name := fmt.Sprintf("conversation %d", e.Number)
	switch {
	case e.Title != "":
		name += fmt.Sprintf(" (%q)", e.Title)
	case e.ID != "":
		name += fmt.Sprintf(" (%q)", e.ID)
	}
	return name + ": " + e.Err.Error()
}

func (e *ConversationError) Unwrap() error { return e.Err }
