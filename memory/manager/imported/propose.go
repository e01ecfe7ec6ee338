package imported

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/reread"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store"
)

const (
	// Max bounds the imported proposals that wait in the inbox (D1).
	Max = 200
	// batch is the number of proposals, or of sessions that are marked as read, in one write.
	batch = 50
	// fromImport is why an imported statement is held.
	fromImport = "you said it in an imported conversation"
	// maxSources bounds the sources kept of one proposal.
	maxSources = 5
)

// Proposed counts what imported sessions propose.
type Proposed struct {
	Held int `json:"held"` // in the inbox
	// Known were stored already, waiting, or rejected earlier. Over were more than
	// [Max]; a later run proposes them when there is room.
	Known int `json:"known"`
	Over  int `json:"over"`
	// Generation is the run that made the proposals; [learning.Writer.UndoGeneration] undoes it.
	Generation string `json:"generation,omitempty"`
}

// ProposeImported proposes to the inbox what the user said in imported sessions, by rules
// (D1, P10). Statements of all sessions are merged first: the same statement counts once,
// and of several values of a slot the last one stays. Nothing becomes active. Role-play, quotes, messages of
// several speakers, and requests to a memory propose nothing.
//
// A session is read once, unless a later import adds to it; an interrupted run is repeated
// whole and proposes nothing twice. progress, if not nil, is called after each session.
func (w *Writer) ProposeImported(ctx context.Context, agentID string, progress func(done, of int)) (Proposed, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return Proposed{}, err
	}
	out, err := run{w, a}.propose(ctx, progress)
	if err != nil {
		err = fmt.Errorf("reading imported sessions: %w", err)
	}
	return out, err
}

// run is one run over the imported sessions of an agent.
type run struct {
	*Writer
	agent *write.Agent
}

func (r run) propose(ctx context.Context, progress func(done, of int)) (out Proposed, err error) {
	sessions, waiting, err := r.unread(ctx)
	if err != nil || len(sessions) == 0 {
		return out, err
	}
	found := merged{r.Decide(), map[string]*statement{}}
	for n, s := range sessions {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		if err := r.mergeSession(ctx, s, found); err != nil {
			return out, err
		}
		if progress != nil {
			progress(n+1, len(sessions))
		}
	}
	best := found.best()
	room := max(0, Max-waiting)
	for len(best) > 0 {
		n := min(batch, len(best))
		err := r.Update(ctx, r.agent, func(t *write.Tx) error {
			now := out
			now.Generation = cmp.Or(now.Generation, t.NewID())
			for _, m := range best[:n] {
				if now.Held == room {
					now.Over++
					continue
				}
				p := m.Proposal
				p.Generation = now.Generation
				c, err := learning.Upsert(t, p)
				switch {
				case err != nil:
					return err
				case c.Action == memory.ActionHeld:
					now.Held++
				default:
					now.Known++
				}
			}
			out = now
			return nil
		})
		if err != nil {
			return out, err
		}
		best = best[n:]
	}
	if out.Over > 0 {
		return out, nil // the next run proposes them, as far as there is room then
	}
	for marked := range slices.Chunk(sessions, batch) {
		if err := r.Update(ctx, r.agent, func(t *write.Tx) error { return markRead(t, marked) }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// unread returns the imported sessions that no proposals were made from, oldest first, and
// the number of imported proposals that wait.
func (r run) unread(ctx context.Context) (sessions []memory.Session, waiting int, err error) {
	err = r.View(ctx, func(tx *store.Tx) error {
		if sessions, err = sessionsWith(tx, r.agent.ID, func(s memory.Imported) bool { return !s.Proposed }); err != nil {
			return err
		}
		waiting, err = countWaiting(tx, r.agent.ID)
		return err
	})
	return sessions, waiting, err
}

// sessionsWith returns the imported sessions that fit, oldest first.
func sessionsWith(tx *store.Tx, agent string, fits func(memory.Imported) bool) (out []memory.Session, err error) {
	for s, err := range tx.Sessions(agent) {
		if store.Unreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if s.Imported != nil && fits(*s.Imported) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(x, y memory.Session) int { return x.CreatedAt.Compare(y.CreatedAt) })
	return out, nil
}

// countWaiting counts the imported proposals that wait.
func countWaiting(tx *store.Tx, agent string) (n int, err error) {
	held, err := tx.HeldItems(agent, 0, 0)
	for _, it := range held {
		if it.Origin == memory.OriginImport {
			n++
		}
	}
	return n, err
}

// markRead marks sessions as read, unless messages were added since.
func markRead(t *write.Tx, sessions []memory.Session) error {
	for _, read := range sessions {
		s, err := t.Session(t.Owner.ID, read.ID)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return err
		}
		if s.Imported == nil || s.Messages != read.Messages {
			continue
		}
		now := *s.Imported
		now.Proposed = true
		s.Imported = &now
		if err := t.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}

// mergeSession adds what the user says in a session.
func (r run) mergeSession(ctx context.Context, s memory.Session, into merged) error {
	said, err := r.statements(ctx, s)
	for _, p := range said {
		into.add(p)
	}
	return err
}

// statements returns what the rules understand of a session.
func (r run) statements(ctx context.Context, s memory.Session) (out []learning.Proposal, err error) {
	typed, err := reread.Imported(ctx, r.Core, s, frames(r.Core))
	if err != nil {
		return nil, err
	}
	taught := map[string][]policy.Candidate{}
	for _, m := range typed.Typed() {
		if found := r.Decide().Route(policy.Event{Record: m}).Teaches; len(found) > 0 {
			taught[m.ID] = found
		}
	}
	if len(taught) == 0 {
		return nil, nil
	}
	for _, m := range typed.Framed() {
		found := taught[m.ID]
		if len(found) == 0 || m.Frame.Covers(0, len(m.Content)) {
			continue
		}
		_, asks := instruct.Read(m.Content, m.Spans) // it states nothing, but may end something
		for _, c := range found {
			if asks && !c.OnlyEnds() {
				continue
			}
			c = policy.Dated(c, m.Timestamp, r.Now().Location())
			p := learning.Proposal{Candidate: c, From: m, Origin: memory.OriginImport, Trust: memory.TrustForeign, Hold: fromImport}
			if p.SaidIn().Kind == "" && c.Risk != policy.RiskSecret {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// frames returns the frames of imported messages, in which no pause is too long.
func frames(c *write.Core) reread.NextFrame {
	return func(before memory.Frame, now frame.Message) memory.Frame {
		return learning.NextFrame(c.Policy(), frame.Rules{}, before, now)
	}
}

// statement is a statement of imported sessions, said once or several times.
type statement struct {
	learning.Proposal
	said int
}

// merged are the statements of imported sessions by their slot.
type merged struct {
	decide policy.Decider
	bySlot map[string]*statement
}

// add adds a statement that may repeat, replace or end others. Of several values of a slot
// the last one counts, whatever the order of the calls.
func (m merged) add(p learning.Proposal) {
	later := func(old *statement) bool { return p.From.Timestamp.After(old.From.Timestamp) }
	if len(p.Ends) > 0 {
		maps.DeleteFunc(m.bySlot, func(_ string, old *statement) bool { return endsEarlier(p, old.Proposal) })
	}
	if p.OnlyEnds() {
		return
	}
	p.Ends = nil // an imported statement ends nothing that is stored
	key := slotOf(p.Candidate)
	old := m.bySlot[key]
	if old == nil {
		m.bySlot[key] = &statement{p, 1}
		return
	}
	switch same := m.decide.PlanUpsert(p.Candidate, []memory.Item{asItem(old.Proposal)}).Action == policy.Update; {
	case same:
		last, first := p, old.Proposal
		if !later(old) {
			last, first = first, last
		}
		if last.More = old.More; len(last.More) < maxSources-1 {
			last.More = append(last.More, first.Evidence())
		}
		*old = statement{last, old.said + 1}
	case later(old):
		*old = statement{p, 1}
	}
}

// endsEarlier reports whether a proposal ends another one that was said before.
func endsEarlier(p, old learning.Proposal) bool {
	return p.From.Timestamp.After(old.From.Timestamp) && p.MayEnd(old.Key) &&
		len(policy.Ended(p.Candidate, nil, []memory.Item{asItem(old)})) > 0
}

// asItem returns the proposal as an active item, for package policy.
func asItem(p learning.Proposal) memory.Item {
	it := p.Item()
	it.ID, it.State = p.From.ID, memory.StateActive
	return it
}

// slotOf returns one name for a slot in all languages; without a slot, one for the words.
func slotOf(c policy.Candidate) string {
	if c.Key == "" {
		return "words " + text.Fold(c.Content)
	}
	return slices.Min(policy.SlotKeys(c.Key))
}

// best returns the statements, those first that were said most often, then the most
// important and the latest.
func (m merged) best() (out []statement) {
	for _, s := range m.bySlot {
		s.Reason = "imported"
		if s.said > 1 {
			s.Reason += ", said " + strconv.Itoa(s.said) + " times"
		}
		out = append(out, *s)
	}
	weight := func(s statement) float64 { return float64(min(s.said, 5)) + s.Importance*s.Confidence }
	slices.SortFunc(out, func(x, y statement) int {
		return cmp.Or(cmp.Compare(weight(y), weight(x)), y.From.Timestamp.Compare(x.From.Timestamp), cmp.Compare(x.Content, y.Content))
	})
	return out
}
