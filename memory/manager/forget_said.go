package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// ForgetOutcome is the outcome of a request to forget something (U2).
type ForgetOutcome struct {
	// Deletion can be undone; zero if nothing was deleted.
	Deletion write.Deletion `json:"deletion,omitzero"`
	// Items were deleted. If Asks is set, they are the numbered choices of the question.
	Items []memory.Item `json:"items"`
	// Asks reports that a question was stored with the session: which of Items to delete
	// or, with All, whether to delete all Total items.
	Asks  bool `json:"asks,omitempty"`
	All   bool `json:"all,omitempty"`
	Total int  `json:"total,omitempty"`
	// These says that the question is whether to delete all of Items, which are not all of the memory.
	These bool `json:"these,omitempty"`
	// Kept reports that the user answered no.
	Kept bool `json:"kept,omitempty"`
	// Vague reports that the answer says neither which nor all: the question is asked again. With All it has but a yes or no.
	Vague bool `json:"vague,omitempty"`
	// Messages counts the messages newly marked not for memory, without the request.
	Messages int `json:"messages,omitempty"`
	// Saying are the user's messages that say what no memory holds. They are marked, too, unless Asks is set: then the
	// question is whether to do that. Words is what the first of them says.
	Saying []string `json:"saying,omitempty"`
	Words  string   `json:"words,omitempty"`
}

// ForgetSaid carries out a message's request to forget something (U2). A single clear
// match is deleted, also one that is no longer in force if no other is meant. For several
// matches, or for everything, a question is stored with the session instead. The message
// and the sources of the items are marked not for memory. The deletion can be undone for
// longer than [DeletionUndoTime] by the given time. found is false if an
// [instruct.Instruction.Unsure] instruction matches nothing; then nothing changes.
func (m *Manager) ForgetSaid(
	ctx context.Context, said memory.Record, in instruct.Instruction, longer time.Duration,
) (out ForgetOutcome, found bool, err error) {
	a, err := m.Agent(said.AgentID)
	if err != nil {
		return out, false, err
	}
	items, err := m.Lookup().Remembered(ctx, a.ID)
	if err != nil {
		return out, false, fmt.Errorf("looking for what is to be forgotten: %w", err)
	}
	meant := instruct.Match(in, items)
	if len(meant) == 0 {
		meant = instruct.MatchSeveral(in, items)
		in.Whole = in.Whole || len(meant) > 1
	}
	if len(meant) == 0 {
		meant = instruct.MatchDebt(in, items)
		in.Careful = in.Careful || len(meant) > 0
	}
	if len(meant) == 1 && instruct.Restates(in, meant[0]) {
		in.Careful = false // no other can be meant
	} else if len(meant) == 1 && (instruct.SaysMore(meant[0]) || instruct.MayBeAnother(in, meant[0])) {
		in.Careful = true // the words may be about a part of it, or about something else
	}
	if in.Whole && len(meant) == 1 && (meant[0].Type == memory.TypeRelationship || policy.AsSaid(meant[0].Key)) {
		in.Careful = true // somebody as a whole, or more than was named
	}
	slices.SortStableFunc(meant, func(a, b memory.Item) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	if len(meant) == 0 && !in.Guessed && !in.All && !in.Today {
		ended, err := m.Lookup().Ended(ctx, a.ID)
		if err != nil {
			return out, false, fmt.Errorf("looking for what is to be forgotten: %w", err)
		}
		meant = instruct.MatchEnded(in, ended)
		if !instruct.NamesExactly(in, meant) {
			in.Careful = true // the one in force may be kept in other words
		}
	}
	if in.Today {
		y, mo, d := m.Now().Date()
		meant = slices.DeleteFunc(meant, func(it memory.Item) bool {
			iy, im, id := it.CreatedAt.In(m.Now().Location()).Date()
			return iy != y || im != mo || id != d
		})
	}
	switch {
	case len(meant) == 0 && (in.Unsure || in.Guessed):
		return out, false, nil
	case len(meant) == 0:
		if out.Saying, err = messagesSaying(ctx, m, a.ID, in.Object, said.ID); err == nil {
			out.Messages = len(out.Saying)
			err = m.Update(ctx, a, func(t *write.Tx) error { return withhold(t, append(out.Saying, said.ID)...) })
		}
	case in.All:
		out = ForgetOutcome{Items: meant, Asks: true, All: true, Total: len(meant)}
		out.These = in.Type != ""
		err = m.askWhichToForget(ctx, a, said, memory.Question{All: true, Items: typed(in, meant)}, in.Chinese)
	case in.Whole && len(meant) > 1:
		out = ForgetOutcome{Items: meant, Asks: true, All: true, These: true, Total: len(meant)}
		err = m.askWhichToForget(ctx, a, said, memory.Question{All: true, Items: learning.IDsOf(meant)}, in.Chinese)
	case len(meant) > 1 || in.Guessed || in.Careful:
		out = ForgetOutcome{Items: meant, Asks: true}
		err = m.askWhichToForget(ctx, a, said, memory.Question{Items: learning.IDsOf(meant)}, in.Chinese)
	default:
		var on []string
		if on, err = messagesOn(ctx, m, said); err == nil {
			out, err = m.forgetItems(ctx, a, meant, on, longer, said.ID)
		}
	}
	if err != nil {
		return ForgetOutcome{}, false, fmt.Errorf("forgetting what was said: %w", err)
	}
	return out, true, nil
}

// OfferToWithhold asks whether to keep the messages out of the memory that say what an order to forget names and no memory
// holds. ok is false if there are none; then nothing changes.
func OfferToWithhold(
	ctx context.Context, m *Manager, said memory.Record, in instruct.Instruction,
) (out ForgetOutcome, ok bool, err error) {
	a, err := m.Agent(said.AgentID)
	if err != nil {
		return out, false, err
	}
	if out.Saying, err = messagesSaying(ctx, m, a.ID, in.Object, said.ID); err == nil && len(out.Saying) > 0 {
		out.Asks = true
		if first, got := m.Lookup().FindRecord(ctx, a.ID, out.Saying[0]); got == nil {
			out.Words = m.Recall().Fetch(first).Content
		}
		err = m.askWhichToForget(ctx, a, said, memory.Question{Saying: out.Saying}, in.Chinese)
	}
	if err != nil {
		return ForgetOutcome{}, false, fmt.Errorf("looking for messages to keep out: %w", err)
	}
	return out, out.Asks, nil
}

// mostSaying bounds the messages that messagesSaying returns.
const mostSaying = 20

// messagesSaying returns the ids of the user's messages, except one, with all keywords of some words.
func messagesSaying(ctx context.Context, m *Manager, agentID, words, except string) (ids []string, err error) {
	q := retrieve.Analyse(words, "")
	if q.Wordless() || len(q.Distinctive) == 0 {
		return nil, nil
	}
	found, err := m.Recall().SearchArchive(ctx, agentID, recall.ArchiveQuery{Text: words, Limit: mostSaying})
	if err != nil {
		return nil, err
	}
	for _, h := range found.Hits {
		if r := h.Record; r.Role == memory.RoleUser && !r.NotForMemory && r.ID != except && r.Heard == "" &&
			retrieve.Share(q, r.Content).Keyword > 0.99 && !retrieve.OnlyAsks(r.Content) {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// Withhold marks a message as not for memory (U5): it stays readable in the history.
func (m *Manager) Withhold(ctx context.Context, said memory.Record) error {
	if said.NotForMemory {
		return nil
	}
	a, err := m.Agent(said.AgentID)
	if err == nil {
		err = m.Update(ctx, a, func(t *write.Tx) error { return withhold(t, said.ID) })
	}
	if err != nil {
		return fmt.Errorf("keeping a message out of the memory: %w", err)
	}
	return nil
}

// typed returns the ids of the items if the instruction names a type, else none.
func typed(in instruct.Instruction, items []memory.Item) []string {
	if in.Type == "" {
		return nil
	}
	return learning.IDsOf(items)
}

// askWhichToForget stores a question with the session of a message, and marks the message
// not for memory.
func (m *Manager) askWhichToForget(ctx context.Context, a *write.Agent, said memory.Record, q memory.Question, chinese bool) error {
	q.Asked, q.AnsweredBy, q.Chinese = append(q.Asked, said.ID), "", chinese
	return m.Update(ctx, a, func(t *write.Tx) error {
		if err := withhold(t, said.ID); err != nil {
			return err
		}
		s, err := t.Session(a.ID, said.SessionID)
		if err != nil {
			return err
		}
		s.Question = &q
		return t.PutSession(s)
	})
}

// ForgetAnswered carries out the user's answer to the question stored with the session of
// the message answer (U2).
func (m *Manager) ForgetAnswered(
	ctx context.Context, said memory.Record, q memory.Question, reply instruct.Reply, longer time.Duration,
) (ForgetOutcome, error) {
	a, err := m.Agent(said.AgentID)
	if err != nil {
		return ForgetOutcome{}, err
	}
	if reply.Vague {
		if err := m.askWhichToForget(context.WithoutCancel(ctx), a, said, q, q.Chinese); err != nil {
			return ForgetOutcome{}, fmt.Errorf("asking again what is to be forgotten: %w", err)
		}
		return ForgetOutcome{Asks: true, Vague: true, All: instruct.Choices(q) == 1}, nil
	}
	out := ForgetOutcome{Kept: true}
	items, err := m.Lookup().Remembered(ctx, a.ID)
	if err == nil && len(q.Items) > 0 {
		var ended []memory.Item
		ended, err = m.Lookup().Ended(ctx, a.ID)
		items = append(items, ended...)
	}
	ctx = context.WithoutCancel(ctx) // two writes follow; an answered question must not be asked again
	switch {
	case err != nil || reply.No:
	case len(q.Saying) > 0:
		if reply.All {
			out = ForgetOutcome{Saying: q.Saying, Messages: len(q.Saying)}
			err = m.Update(ctx, a, func(t *write.Tx) error { return withhold(t, append(q.Saying, q.Asked...)...) })
		}
	default:
		items = slices.DeleteFunc(items, func(it memory.Item) bool { return !picked(q, reply, it.ID) })
		var on []string
		if reply.All {
			on, err = messagesOnAll(ctx, m, ordersOf(ctx, m, q, a.ID))
		}
		if err == nil {
			out, err = m.forgetItems(ctx, a, items, on, longer, append(q.Asked, said.ID)...)
		}
	}
	if err == nil {
		err = m.Update(ctx, a, func(t *write.Tx) error {
			s, err := t.Session(a.ID, said.SessionID)
			if err != nil {
				return err
			}
			s.Question = nil
			return errors.Join(t.PutSession(s), withhold(t, said.ID))
		})
	}
	if err != nil {
		return ForgetOutcome{}, fmt.Errorf("forgetting what was chosen: %w", err)
	}
	out.All = q.All
	return out, nil
}

// picked reports whether a reply to a question selects an item.
func picked(q memory.Question, reply instruct.Reply, id string) bool {
	at := slices.Index(q.Items, id)
	switch {
	case reply.Named:
		return at >= 0 && slices.Contains(reply.Picks, at+1)
	case len(q.Items) == 0:
		return q.All && reply.All
	case reply.All:
		return at >= 0
	}
	return at >= 0 && !q.All && slices.Contains(reply.Picks, at+1)
}

// forgetItems deletes items and marks their sources, the messages on their subject and the
// requests not for memory, in one write.
func (m *Manager) forgetItems(
	ctx context.Context, a *write.Agent, items []memory.Item, on []string, longer time.Duration, requests ...string,
) (ForgetOutcome, error) {
	out := ForgetOutcome{Items: items}
	if len(items) == 0 {
		return out, m.Update(ctx, a, func(t *write.Tx) error { return withhold(t, requests...) })
	}
	err := m.Update(ctx, a, func(t *write.Tx) error {
		for _, it := range items {
			if _, err := t.Item(a.ID, it.ID); err != nil {
				return err
			}
		}
		marked, sessions, err := withholdSources(t, items)
		if err != nil {
			return err
		}
		if marked, err = mark(t, on, marked); err != nil {
			return err
		}
		out.Messages = len(marked)
		if err := withhold(t, requests...); err != nil {
			return err
		}
		retold, err := episodesFrom(t, items, marked)
		if err != nil {
			return err
		}
		id := t.NewID()
		d, err := withRepeats(t, deletionSet{items: append(learning.IDsOf(items), retold...)})
		if err != nil {
			return err
		}
		if _, err := moveToTrash(t, d, id); err != nil {
			return err
		}
		if err := unmention(t, sessions, items); err != nil {
			return err
		}
		title := ""
		if len(items) == 1 {
			title = items[0].Content
		}
		gone, err := t.Extend(a.ID, id, title, longer, marked)
		out.Deletion = write.DeletionOf(gone)
		return err
	})
	if err != nil {
		return ForgetOutcome{}, err
	}
	m.PlanPurge()
	return out, nil
}

// episodesFrom returns the episodes made from the given records, except the given items.
func episodesFrom(t *write.Tx, items []memory.Item, records []string) (ids []string, err error) {
	made, err := t.ItemsFromRecords(t.Owner.ID, records)
	for _, it := range made {
		if it.Type == memory.TypeEpisode && it.Generation != "" && !slices.Contains(learning.IDsOf(items), it.ID) {
			ids = append(ids, it.ID)
		}
	}
	return ids, err
}

// LastDeletion returns the newest deletion that can be undone. The error is ErrNotFound
// if there is none.
func (m *Manager) LastDeletion(ctx context.Context, agentID string) (write.Deletion, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return write.Deletion{}, err
	}
	var d store.Deleted
	err = m.View(ctx, func(tx *store.Tx) error {
		d, err = tx.LastDeletion(a.ID)
		return err
	})
	if err == nil && !m.Now().Before(write.DeletionOf(d).Until) {
		err = lookup.ErrNotFound
	}
	if err != nil {
		return write.Deletion{}, fmt.Errorf("the last deletion: %w", err)
	}
	return write.DeletionOf(d), nil
}
