package memory

// FrameKind is the kind of a [Frame].
type FrameKind string

// The kinds of a frame.
const (
	FramePlay FrameKind = "play" // a game, role-play, fiction
	FrameTask FrameKind = "task" // a text to translate, correct, write …
)

// Frame says which words of a message are not about the user (P5b), and whether the next message may go on
// with them. The zero value says that all words are the user's.
type Frame struct {
	Kind FrameKind `json:"kind"`
	// What names it in one word: game, role, story, translate, edit, review, summarise, write, reply.
	What string `json:"what"`
	// Offset and Length are the bytes of the message that the frame covers; Length may be 0.
	Offset int `json:"offset,omitempty"`
	Length int `json:"length,omitempty"`
	// Open says that the frame goes on after the message, Left for how many messages at most; 0 is no limit.
	Open bool `json:"open,omitempty"`
	Left int  `json:"left,omitempty"`
	// Given says that a task came with its text: what follows belongs to it only when it clearly is a text.
	Given bool `json:"given,omitempty"`
}

// Covers reports whether the frame covers one of n bytes of its message that begin at offset.
func (f Frame) Covers(offset, n int) bool {
	return f.Length > 0 && offset < f.Offset+f.Length && f.Offset < offset+max(n, 1)
}

// Paused reports whether nothing is learned from some of the message, or may be from the next one.
func (f Frame) Paused() bool { return f.Open || f.Length > 0 }
