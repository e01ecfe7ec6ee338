// Package plain is line mode, the conversation for screen readers: each event is one plain
// line, written once, in order. Nothing is drawn, moved, coloured or repainted, and no
// escape sequence is written.
//
//	you: ...               what is typed; the terminal echoes it
//	luna: ...              the answer, sentence by sentence as it arrives
//	searched memories: ... what the model looked for by itself, and how much it found
//	end of answer, ...     after every answer
//	Remembered: ...        what the turn taught, before the answer
//	error: ...             with what can be done about it
//
// What others wrote passes ui/clean, and its second and further lines are set in
// by two spaces: what begins at the margin is the program's.
//
// # Input
//
// The terminal stays as it was: it edits the line, echoes it, and gives it on
// Enter. A line that ends in a backslash goes on in the next one. Lines that arrive
// faster than a person types are a paste. It is held until the next Enter, becomes one
// message, and counts as pasted (a paste never sends and never commands). Most terminals
// deliver at most 4,095 bytes as one line; longer messages are better sent by memoria ask.
//
// Switching to another agent drops all state of the previous one except deletions that
// can be undone, and the numbers of the last list of agents.
//
// Commands are the actions of actions.Plain. What a list has shown can be named by its
// number.
//
// Without a terminal (Options.Typed is false) lines come from a program: each
// waits until the one before it is answered and learned from, every line is a
// message of its own that counts as not typed, and what is read is printed too.
// What such messages would teach waits in the inbox (P10). Options.ByHand says
// that a person types them all the same.
//
// # Interrupts
//
// An interrupt ends the answer that is arriving, or drops what is half entered.
// When there is nothing to end, a second one leaves, with [app.ErrInterrupted]. The end
// of the input leaves when the last answer has come.
//
// # Structure
//
// One goroutine, [Run]'s, holds all state, handles entries, events and
// interrupts one after the other, and is the only one that writes. A second one
// reads lines (input.go); a blocked read cannot be interrupted, so that it may last until
// the process ends.
package plain
