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
		sessions, waiting = nil, 0
		for s, err := range tx.Sessions(i.agent.ID) {
			if store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			if s.Imported != nil && !s.Imported.Proposed {
				sessions = append(sessions, s)
			}
		}
		held, err := tx.HeldItems(i.agent.ID, 0, 0)
		for _, it := range held {
			if it.Origin == memory.OriginImport {
				waiting++
			}
		}
		return err
	})
	slices.SortFunc(sessions, func(x, y memory.Session) int { return x.CreatedAt.Compare(y.CreatedAt) })
	return sessions, waiting, err
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
	var records []memory.Record
	err := i.View(ctx, func(tx *store.Tx) (err error) {
		records, err = tx.SessionRecords(i.agent.ID, s.ID)
		return err
	})
	if err != nil {
		return err
	}
	speakers := map[string]bool{}
	for _, r := range records {
		if r.Role == memory.RoleUser {
			speakers[speakerOf(r)] = true
		}
	}
	if len(speakers) > 1 { // which of them the user is, is unknown
		return nil
	}
	taught := map[string][]policy.Candidate{}
	for n, r := range records {
		if r.Role != memory.RoleUser || r.NotForMemory {
			continue
		}
		r = i.Recall().Fetch(r)
		r.Spans = WithQuoted(r.Content, r.Spans)
		if found := i.Decide().Route(policy.Event{Record: r}).Teaches; len(found) > 0 {
			taught[r.ID] = found
		}
		records[n] = r
	}
	framed(i.Core.Policy(), records, len(taught))
	for _, r := range records {
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
				into.add(p)
			}
		}
	}
	return nil
}

// framed sets the frames of a session's messages (P5b), parents first; none if no message
// teaches anything.
func framed(p *policy.Policy, records []memory.Record, taught int) {
	if taught == 0 {
		return
	}
	at := map[string]memory.Record{} // with the frame of the user's last message
	for i, r := range records {
		before := at[r.ParentID]
		if r.Role == memory.RoleUser && !r.NotForMemory {
			m := frame.Message{Typed: r.Typed(), Material: len(r.Foreign()) > 0}
			if !before.Timestamp.IsZero() && !r.Timestamp.IsZero() {
				m.Pause = r.Timestamp.Sub(before.Timestamp)
			}
			records[i].Frame = nextFrame(p, frame.Rules{}, before.Frame, m)
			r.Frame = records[i].Frame
		} else {
			r.Frame = before.Frame
		}
		at[r.ID] = memory.Record{Frame: r.Frame, Timestamp: r.Timestamp}
	}
}

// speakerOf returns the name that a message begins with, or "".
func speakerOf(r memory.Record) string {
	for _, s := range r.Spans {
		if s.Kind == memory.SpanName {
			return r.Content[min(s.Offset, len(r.Content)):min(s.Offset+s.Length, len(r.Content))]
		}
	}
	return ""
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
		maps.DeleteFunc(m.bySlot, func(_ string, old *statement) bool {
			return later(old) && p.MayEnd(old.Key) && len(policy.Ended(p.Candidate, nil, []memory.Item{old.asItem()})) > 0
		})
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

// asItem returns the statement as an active item, for package policy.
func (s *statement) asItem() memory.Item {
	it := s.Item()
	it.ID, it.State = s.from.ID, memory.StateActive
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
