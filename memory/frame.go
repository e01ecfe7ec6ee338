package memory

// FrameKind is the kind of a [Frame].
type FrameKind string

// The kinds of a frame.
const (
	FramePlay FrameKind = "play" // a game, role-play, fiction
	FrameTask FrameKind = "task" // a text to translate, correct, write …
)

// Frame marks the words of a message that are not about the user (P5b), and whether the next message may
// continue it. The zero value means that all words are the user's.
type Frame struct {
	Kind FrameKind `json:"kind"`
	// What names the subject in one word: game, role, story, translate, edit, review, summarise,
	// write, reply.
	What string `json:"what"`
	// Offset and Length are the covered bytes of the message; Length may be 0.
	Offset int `json:"offset,omitempty"`
	Length int `json:"length,omitempty"`
	// Open says that the frame continues after the message. Left is the maximum number of further messages; for
	// play it counts only messages in a row that are plainly about the user, and 0 means not yet counted.
	Open bool `json:"open,omitempty"`
	Left int  `json:"left,omitempty"`
	// Given says that a task came with its text: the next message belongs to it only if it is clearly a
	// text.
	Given bool `json:"given,omitempty"`
}

// Covers reports whether the frame covers any of the n bytes of its message from offset.
func (f Frame) Covers(offset, n int) bool {
	return f.Length > 0 && offset < f.Offset+f.Length && f.Offset < offset+max(n, 1)
}

// Paused reports whether learning is paused for a part of the message, or may be for the next one.
func (f Frame) Paused() bool { return f.Open || f.Length > 0 }
