package compose

import (
	"fmt"
	"sort"

	"memoria/memory"
)

// TooLongError says that a message is more than the model takes with what must go with it (C7). Nothing was sent.
type TooLongError struct {
	Tokens int // of the message, an estimate
	Room   int // tokens that are left for it, an estimate; perhaps none
	Fits   int // characters of the message's beginning that fit
}

// Error says how much would fit.
func (e *TooLongError) Error() string {
	if e.Fits == 0 {
		return fmt.Sprintf("the message has ~%d tokens, and what goes with it leaves the model no room", e.Tokens)
	}
	return fmt.Sprintf("the message has ~%d tokens, and ~%d fit: about the first %d characters of it", e.Tokens, e.Room, e.Fits)
}

// tooLong finds how much of the message would fit beside the other blocks.
func (b *builder) tooLong(blocks []memory.Block) error {
	said := []rune(b.Turn.Record.Content)
	e := &TooLongError{Tokens: b.count(string(said)), Room: b.limit - sum(blocks)}
	for _, block := range blocks {
		if block.Layer == memory.LayerMessage && block.Role == memory.RoleUser {
			e.Room += block.Tokens
		}
	}
	e.Room = max(e.Room, 0)
	e.Fits = max(0, sort.Search(len(said)+1, func(n int) bool { return b.count(string(said[:n])) > e.Room })-1)
	if e.Fits > 1000 {
		e.Fits -= e.Fits % 100
	}
	return e
}
