package term

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
)

// Taking back what was done to the memory (P9).

func (e effects) undone(do func() (learning.Undone, error)) tea.Cmd {
	return e.do(func() tea.Msg {
		u, err := do()
		return undoneMsg{undone: u, err: err}
	})
}

func (e effects) undo(change string) tea.Cmd {
	return e.undone(func() (learning.Undone, error) { return e.memory.Learning().Undo(e.ctx, e.agent, change) })
}

func (e effects) undoTurn(turn string) tea.Cmd {
	return e.undone(func() (learning.Undone, error) { return e.memory.Learning().UndoTurn(e.ctx, e.agent, turn) })
}

func (e effects) undoRun(generation string) tea.Cmd {
	return e.undone(func() (learning.Undone, error) { return e.memory.Learning().UndoGeneration(e.ctx, e.agent, generation) })
}

func (e effects) undoLast() tea.Cmd {
	return e.undone(func() (learning.Undone, error) { return e.memory.Learning().UndoLast(e.ctx, e.agent) })
}

// learned reads again what a turn did. That it cannot be read is no news: the
// list says so.
func (e effects) learned(turn string) tea.Cmd {
	return e.look("turn", func() tea.Msg {
		changes, err := e.memory.Lookup().TurnChanges(e.ctx, e.agent, turn)
		if err != nil {
			return nil
		}
		return learnedMsg{turn: turn, changes: changes}
	})
}

// ran reads again what a consolidation did.
func (e effects) ran(generation string) tea.Cmd {
	return e.look("generation", func() tea.Msg {
		page, err := e.memory.Lookup().Changes(e.ctx, e.agent, lookup.ChangeFilter{Generation: generation})
		if err != nil {
			return nil
		}
		return learnedMsg{generation: generation, changes: page.Changes}
	})
}

// onUndone tells what became of an undo. The lists follow the memory.
func (m *root) onUndone(msg undoneMsg) tea.Cmd {
	switch {
	case errors.Is(msg.err, lookup.ErrNotFound):
		m.recall.Undone("")
		m.say = "there is nothing to take back"
	case msg.err != nil:
		m.recall.Failed(short(msg.err))
	case len(msg.undone.Did) == 0:
		m.recall.Undone("Nothing was undone: " + strings.Join(msg.undone.Lines(), " · "))
		m.say = "nothing was undone: " + strings.Join(msg.undone.Lines(), " · ")
	default:
		m.recall.Undone("")
		m.say = strings.Join(msg.undone.Lines(), " · ")
	}
	var ids []string
	for _, c := range msg.undone.Did {
		ids = append(ids, c.ItemID)
	}
	return m.relearnItems(ids...)
}

func (m *root) onLearnedAgain(msg learnedMsg) {
	m.recall.RefreshLearned(msg.turn, msg.generation, msg.changes)
	m.relearn(msg.turn, msg.changes)
}
