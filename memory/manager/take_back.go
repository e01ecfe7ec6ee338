package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/retrieve"
)

// TakenBack is the outcome of taking back earlier messages of the user.
type TakenBack struct {
	// Undone is what they had taught and is undone; its ID undoes that.
	Undone learning.Undone
	// Said are the words of the messages that are kept out of the memory from now on.
	Said []string
	// Already reports that the message before was out of the memory, and had taught nothing.
	Already bool
	// Asks reports that the message was only a question: the user may have meant a memory that was shown.
	Asks bool
}

// earlierSaid is how many earlier messages of the user are read for words that are to be taken back.
const earlierSaid = 5

// TakeBack takes back the user's message before a message, or the recent ones that have some
// words (U4, U5): what they taught is undone, and they are kept out of the memory, with their
// answers. They stay in the history. The zero outcome says that there is no such message.
// [learning.Writer.Undo] undoes what was undone, by its ID.
func TakeBack(ctx context.Context, m *Manager, said memory.Record, words string) (out TakenBack, err error) {
	a, err := m.Agent(said.AgentID)
	if err != nil {
		return out, err
	}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		out = TakenBack{}
		turns, err := takenBack(t, said, words)
		if err != nil {
			return err
		}
		for _, turn := range turns {
			if err := takeBackTurn(t, turn, &out); err != nil {
				return err
			}
		}
		return withhold(t, said.ID)
	})
	if err != nil {
		return TakenBack{}, fmt.Errorf("taking a message back: %w", err)
	}
	return out, nil
}

// takenBack returns the records of the turns that a message takes back: of the turn before, or of the recent ones
// whose messages have some words.
func takenBack(t *write.Tx, said memory.Record, words string) (turns [][]memory.Record, err error) {
	var turn []memory.Record
	read := 0
	end := func() bool { // reports whether no other turn is needed
		i := slices.IndexFunc(turn, func(r memory.Record) bool { return r.Role == memory.RoleUser })
		if i < 0 {
			return false
		}
		read++
		if words == "" || !turn[i].NotForMemory && hasWords(t.Core.Recall().Fetch(turn[i]).Content, words) {
			turns = append(turns, turn)
		}
		return words == "" || read >= earlierSaid
	}
	for r, err := range t.Path(t.Owner.ID, said.ID) {
		switch {
		case err != nil:
			return nil, err
		case r.TurnID == said.TurnID || r.SessionID != said.SessionID:
			continue
		case len(turn) > 0 && turn[0].TurnID != r.TurnID:
			if end() {
				return turns, nil
			}
			turn = nil
		}
		turn = append(turn, r)
	}
	end()
	return turns, nil
}

// hasWords reports whether a message has all keywords of some words.
func hasWords(content, words string) bool {
	q := retrieve.Analyse(words, "")
	return !q.Wordless() && retrieve.Share(q, content).Keyword > 0.99
}

// takeBackTurn undoes what a turn taught, and withholds its records.
func takeBackTurn(t *write.Tx, turn []memory.Record, out *TakenBack) error {
	plan, err := lookup.NewLedger(t.Tx, t.Owner.ID).PlanTurn(turn[0].TurnID)
	if err == nil {
		plan.Undo = out.Undone.ID
		var u learning.Undone
		if u, err = learning.ApplyPlan(t, plan, memory.OriginUser); err == nil {
			out.Undone.ID, out.Undone.Did = u.ID, append(out.Undone.Did, u.Did...)
		}
	}
	if err != nil && !errors.Is(err, lookup.ErrNotFound) {
		return err
	}
	for _, r := range turn {
		if r.Role == memory.RoleUser {
			content := strings.TrimSpace(t.Core.Recall().Fetch(r).Content)
			out.Already = r.NotForMemory && len(out.Undone.Did) == 0
			out.Asks = !out.Already && retrieve.OnlyAsks(content)
			if !out.Already {
				out.Said = append(out.Said, content)
			}
		}
		if err := withhold(t, r.ID); err != nil {
			return err
		}
	}
	return nil
}
