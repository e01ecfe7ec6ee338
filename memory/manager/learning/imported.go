package learning

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
	"memoria/memory/manager/reread"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store"
)

const (
	// MaxImported bounds the imported proposals that wait in the inbox (D1).
	MaxImported = 200
	// importedBatch is the number of proposals, or of sessions that are marked as read, in one
	// write.
	importedBatch = 50
	// fromImport is why an imported statement is held.
	fromImport = "you said it in an imported conversation"
	// importedSources bounds the sources kept of one proposal.
	importedSources = 5
)

// Imported counts what imported sessions propose.
type Imported struct {
	Held int `json:"held"` // in the inbox
	// Known were stored already, waiting, or rejected earlier. Over were more than
	// [MaxImported]; a later run proposes them when there is room.
	Known int `json:"known"`
	Over  int `json:"over"`
	// Generation is the run that made the proposals; [Writer.UndoGeneration] undoes it.
	Generation string `json:"generation,omitempty"`
}

// ProposeImported proposes to the inbox what the user said in imported sessions, by rules
// (D1, P10). Statements of all sessions are merged first: the same statement counts once,
// and of several values of a slot the last one stays. Nothing becomes active. Role-play, quotes, messages of
// several speakers, and requests to a memory propose nothing.
//
// A session is read once, unless a later import adds to it; an interrupted run is repeated
// whole and proposes nothing twice. progress, if not nil, is called after each session.
func (w *Writer) ProposeImported(ctx context.Context, agentID string, progress func(done, of int)) (Imported, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return Imported{}, err
	}
	out, err := importing{w, a}.propose(ctx, progress)
	if err != nil {
		err = fmt.Errorf("reading imported sessions: %w", err)
	}
	return out, err
}

// importing is one run of [Writer.ProposeImported].
type importing struct {
	*Writer
	agent *write.Agent
}

func (i importing) propose(ctx context.Context, progress func(done, of int)) (out Imported, err error) {
	sessions, waiting, err := i.unread(ctx)
	if err != nil || len(sessions) == 0 {
		return out, err
	}
	found := merged{i.Decide(), map[string]*statement{}}
	for n, s := range sessions {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		if err := i.mergeSession(ctx, s, found); err != nil {
			return out, err
		}
		if progress != nil {
			progress(n+1, len(sessions))
		}
	}
	best := found.best()
	room := max(0, MaxImported-waiting)
	for len(best) > 0 {
		n := min(importedBatch, len(best))
		err := i.Update(ctx, i.agent, func(t *write.Tx) error {
			now := out
			now.Generation = cmp.Or(now.Generation, t.NewID())
			for _, m := range best[:n] {
				if now.Held == room {
					now.Over++
					continue
				}
				p := m.proposal
				p.generation = now.Generation
				c, err := upsert(t, p)
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
	for marked := range slices.Chunk(sessions, importedBatch) {
		if err := i.Update(ctx, i.agent, func(t *write.Tx) error { return markRead(t, marked) }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// unread returns the imported sessions that no proposals were made from, oldest first, and
// the number of imported proposals that wait.
func (i importing) unread(ctx context.Context) (sessions []memory.Session, waiting int, err error) {
	err = i.View(ctx, func(tx *store.Tx) error {
		if sessions, err = importedSessions(tx, i.agent.ID, func(s memory.Imported) bool { return !s.Proposed }); err != nil {
			return err
		}
		waiting, err = importedWaiting(tx, i.agent.ID)
		return err
	})
	return sessions, waiting, err
}

// importedSessions returns the imported sessions that fit, oldest first.
func importedSessions(tx *store.Tx, agent string, fits func(memory.Imported) bool) (out []memory.Session, err error) {
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

// importedWaiting counts the imported proposals that wait.
func importedWaiting(tx *store.Tx, agent string) (n int, err error) {
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
func (i importing) mergeSession(ctx context.Context, s memory.Session, into merged) error {
	said, err := i.statements(ctx, s)
	for _, p := range said {
		into.add(p)
	}
	return err
}

// statements returns what the rules understand of a session.
func (i importing) statements(ctx context.Context, s memory.Session) (out []proposal, err error) {
	typed, err := reread.Imported(ctx, i.Core, s, importedFrames(i.Core))
	if err != nil {
		return nil, err
	}
	taught := map[string][]policy.Candidate{}
	for _, r := range typed.Typed() {
		if found := i.Decide().Route(policy.Event{Record: r}).Teaches; len(found) > 0 {
			taught[r.ID] = found
		}
	}
	if len(taught) == 0 {
		return nil, nil
	}
	for _, r := range typed.Framed() {
		found := taught[r.ID]
		if len(found) == 0 || r.Frame.Covers(0, len(r.Content)) {
			continue
		}
		_, asks := instruct.Read(r.Content, r.Spans) // it states nothing, but may end something
		for _, c := range found {
			if asks && !c.OnlyEnds() {
				continue
			}
			c = policy.Dated(c, r.Timestamp, i.Now().Location())
			p := proposal{Candidate: c, from: r, origin: memory.OriginImport, trust: memory.TrustForeign, hold: fromImport}
			if p.saidIn().Kind == "" && c.Risk != policy.RiskSecret {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// importedFrames returns the frames of imported messages, in which no pause is too long.
func importedFrames(c *write.Core) reread.NextFrame {
	return func(before memory.Frame, now frame.Message) memory.Frame {
		return nextFrame(c.Policy(), frame.Rules{}, before, now)
	}
}

// statement is a statement of imported sessions, said once or several times.
type statement struct {
	proposal
	said int
}

// merged are the statements of imported sessions by their slot.
type merged struct {
	decide policy.Decider
	bySlot map[string]*statement
}

// add adds a statement that may repeat, replace or end others. Of several values of a slot
// the last one counts, whatever the order of the calls.
func (m merged) add(p proposal) {
	later := func(old *statement) bool { return p.from.Timestamp.After(old.from.Timestamp) }
	if len(p.Ends) > 0 {
		maps.DeleteFunc(m.bySlot, func(_ string, old *statement) bool { return p.endsEarlier(old.proposal) })
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
	switch same := m.decide.PlanUpsert(p.Candidate, []memory.Item{old.asItem()}).Action == policy.Update; {
	case same:
		last, first := p, old.proposal
		if !later(old) {
			last, first = first, last
		}
		if last.more = old.more; len(last.more) < importedSources-1 {
			last.more = append(last.more, first.evidence())
		}
		*old = statement{last, old.said + 1}
	case later(old):
		*old = statement{p, 1}
	}
}

// endsEarlier reports whether a proposal ends another one that was said before.
func (p proposal) endsEarlier(old proposal) bool {
	return p.from.Timestamp.After(old.from.Timestamp) && p.MayEnd(old.Key) &&
		len(policy.Ended(p.Candidate, nil, []memory.Item{old.asItem()})) > 0
}

// asItem returns the proposal as an active item, for package policy.
func (p proposal) asItem() memory.Item {
	it := p.Item()
	it.ID, it.State = p.from.ID, memory.StateActive
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
		return cmp.Or(cmp.Compare(weight(y), weight(x)), y.from.Timestamp.Compare(x.from.Timestamp), cmp.Compare(x.Content, y.Content))
	})
	return out
}
