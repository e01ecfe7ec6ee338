package manager

import (
	"context"
	"fmt"
	"strings"

	"memoria/memory"
	"memoria/memory/instruct"
)

// understood is the instruction that a message was found to be, or not to be.
type guessedInstruction struct {
	record string
	in     instruct.Instruction
	ok     bool
}

// Instruction returns what a message wants from the memory: what [instruct.Read] finds, or else what [instruct.Guess]
// tells with the items that the memory held when the message was first looked at. ok is false when it wants nothing.
func (m *Manager) Instruction(ctx context.Context, said memory.Record) (in instruct.Instruction, ok bool, err error) {
	a, err := m.agent(said.AgentID)
	if err != nil {
		return in, false, fmt.Errorf("understanding a message: %w", err)
	}
	in, ok = m.instruction(ctx, a, said)
	if err := context.Cause(ctx); err != nil { // the items were perhaps not read
		return instruct.Instruction{}, false, fmt.Errorf("understanding a message: %w", err)
	}
	return in, ok, nil
}

// instruction is Instruction, and says nothing reliable when ctx is done. A message in a frame
// (P5b) is not guessed at. One of which nothing was typed can only ask: what is known changes
// nothing, whoever wants to hear it.
func (m *Manager) instruction(ctx context.Context, a *agent, said memory.Record) (instruct.Instruction, bool) {
	if len(said.Spans) > 0 && strings.TrimSpace(said.Typed()) == "" {
		said.Spans = nil
		in, ok := m.instruction(ctx, a, said)
		return in, ok && in.Kind == instruct.List
	}
	if in, ok := instruct.Read(said.Content, said.Spans); ok {
		return in, true
	}
	if said.Frame.Covers(0, len(said.Content)) {
		return instruct.Instruction{}, false
	}
	return m.guess(ctx, a, said)
}

// guess guesses once for a message: what that teaches must not change what it is. Where it belongs may be looked for, and
// so its frame be unknown, when it is guessed at first.
func (m *Manager) guess(ctx context.Context, a *agent, said memory.Record) (instruct.Instruction, bool) {
	a.guessing.Lock()
	defer a.guessing.Unlock()
	if said.ID != "" && a.guessed.record == said.ID {
		return a.guessed.in, a.guessed.ok
	}
	u := guessedInstruction{record: said.ID}
	if instruct.Possible(said.Content, said.Spans) {
		items, err := m.remembered(ctx, a)
		if err != nil {
			if ctx.Err() == nil {
				m.log.Warn("looking for what a message names failed", "agent", a.id, "error", err)
			}
			return u.in, false
		}
		u.in, u.ok = instruct.Guess(said.Content, said.Spans, items)
	}
	a.guessed = u
	return u.in, u.ok
}
