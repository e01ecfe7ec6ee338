package learning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
)

// Consolidation of ended and of long running sessions (P7, S12): one generation, whose id
// marks everything it writes. Rules work at once. If a model took part in the session,
// its result replaces theirs.

const (
	// fewMessages is the number of user messages up to which no model is asked: the turns
	// already taught them.
	fewMessages = 2
	// maxCondensing is how many sessions may wait for a model; rules handle the others.
	maxCondensing = 20
	// MostRecords is how many of a session's latest records are read.
	MostRecords = 4000
	// A topic of usualSessions among the usualOf sessions that ended last is a recurring
	// one.
	usualSessions = 3
	usualOf       = 20
)

// QueueRunning queues a generation of a running session if policy asks for it.
func QueueRunning(t *write.Tx, s memory.Session) error {
	if s.State != memory.SessionActive || !t.Core.Decide().ShouldConsolidate(s, s.Covered.Turns).Yes {
		return nil
	}
	if queued, err := consolidations(t.Tx, t.Owner.ID, s.ID); err != nil || len(queued) > 0 {
		return err
	}
	return QueueConsolidation(t, s, t.NewID())
}

// QueueConsolidation queues a generation in place of any pending one of the session.
func QueueConsolidation(t *write.Tx, s memory.Session, generation string) error {
	if err := DropConsolidations(t, s.ID); err != nil {
		return err
	}
	return t.PutJob(queue.Job{
		ID: t.NewID(), AgentID: t.Owner.ID, Kind: queue.Consolidate, SessionID: s.ID,
		Generation: generation, Epoch: s.Epoch, CreatedAt: t.Now(),
	})
}

// Consolidates reports whether a job is a generation of a session.
func Consolidates(j queue.Job) bool {
	return j.Kind == queue.Consolidate || j.Kind == queue.Condense
}

// consolidations returns the queued generations of a session.
func consolidations(tx *store.Tx, agent, session string) ([]queue.Job, error) {
	jobs, err := tx.Jobs(agent)
	return slices.DeleteFunc(jobs, func(j queue.Job) bool { return !Consolidates(j) || j.SessionID != session }), err
}

// DropConsolidations deletes the queued generations of a session.
func DropConsolidations(t *write.Tx, session string) error {
	jobs, err := consolidations(t.Tx, t.Owner.ID, session)
	for _, j := range jobs {
		if err == nil {
			err = t.DeleteJob(t.Owner.ID, j.ID)
		}
	}
	return err
}

// consolidateAll runs queued generations by rules, except for sessions with a pending
// turn, which must be learned first.
func (w *Writer) consolidateAll(ctx context.Context, a *write.Agent, done func(Learned)) error {
	var jobs []queue.Job
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		jobs, err = tx.Jobs(a.ID)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading the queued jobs: %w", err)
	}
	var first error
	for _, j := range jobs {
		unread := func(o queue.Job) bool { return byRules(o) && o.SessionID == j.SessionID }
		if j.Kind != queue.Consolidate || slices.ContainsFunc(jobs, unread) {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l, err := w.consolidate(ctx, a, j, false)
		if err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			return err // not a failure of the job
		}
		if err != nil {
			w.Log.Warn("consolidation failed", "agent", a.ID, "job", j.ID, "attempt", j.Attempts+1, "error", err)
			first = cmp.Or(first, errors.Join(w.failed(ctx, a, j, err), err))
			continue
		}
		if done != nil {
			done(l)
		}
	}
	return first
}

// consolidate analyses a session by rules and writes the result. If a model will be
// asked, it writes only the summary, which is kept until the model answers. alone means
// that no model will be.
func (w *Writer) consolidate(ctx context.Context, a *write.Agent, j queue.Job, alone bool) (Learned, error) {
	l := Learned{SessionID: j.SessionID, Generation: j.Generation}
	err := guard.Do(w.Log, "consolidating a session", func() error {
		d, err := w.dialogue(ctx, a, j)
		if err != nil {
			return err
		}
		gist := learn.Summarise(w.Policy(), d.Dialogue, w.Config().MaxContent)
		var found []Proposal
		if e := gist.Episode; e != nil {
			found = append(found, d.proposal(j, *e))
		}
		return w.Update(ctx, a, func(t *write.Tx) error {
			l.Changes, l.Summary, l.Waits = nil, nil, false
			s, ok, err := currentSession(t, j, d.session)
			if !ok || err != nil {
				return err
			}
			if d.Ended {
				sum := memory.Summary{Title: strings.TrimRight(write.TitleOf(gist.Title), ".。"), Snippet: gist.Snippet, By: memory.ByRules}
				for _, r := range gist.Topics {
					sum.Topics = append(sum.Topics, memory.Topic{Word: r.Word, Evidence: d.evidence(r.At)})
				}
				if l.Summary, err = summariseSession(t, &s, sum, len(d.Said) > 0); err != nil {
					return err
				}
			}
			waiting, err := condensing(t)
			if err != nil {
				return err
			}
			if t.IsGroup() { // groups have no memory; their members do
				found = nil
			}
			if l.Waits = !alone && !t.IsGroup() && d.needsModel && waiting < maxCondensing; l.Waits {
				j.Kind, j.Attempts, j.Error = queue.Condense, 0, ""
				return errors.Join(t.PutJob(j), t.PutSession(s))
			}
			l.Changes, err = applyGeneration(t, j, s, found, nil)
			return err
		})
	})
	return l, err
}

// condensing counts the sessions that wait for a model.
func condensing(t *write.Tx) (n int, err error) {
	jobs, err := t.Jobs(t.Owner.ID)
	for _, j := range jobs {
		if j.Kind == queue.Condense {
			n++
		}
	}
	return n, err
}

// currentSession returns the session of a generation. ok reports whether the generation may
// still write: its job exists, the session has not advanced since it was queued (S5), and
// its content is the one that was read. Otherwise the job ends, or is run again later if
// the session has advanced.
func currentSession(t *write.Tx, j queue.Job, read memory.Session) (s memory.Session, ok bool, err error) {
	if now, err := t.Job(t.Owner.ID, j.ID); errors.Is(err, lookup.ErrNotFound) || err == nil && now.Kind != j.Kind {
		return s, false, nil // done by another run
	} else if err != nil {
		return s, false, err
	}
	s, err = t.Session(t.Owner.ID, j.SessionID)
	if err != nil && !lookup.Lacking(err) {
		return s, false, err
	}
	running := s.State == memory.SessionActive && s.Generation == ""
	if err != nil || s.Epoch != j.Epoch || !running && !ends(s, j) {
		return s, false, t.DeleteJob(t.Owner.ID, j.ID)
	}
	return s, s.LastRecordID == read.LastRecordID && s.Messages == read.Messages && slices.Equal(s.Silenced, read.Silenced), nil
}

// ends reports whether a job is the generation of a session's end.
func ends(s memory.Session, j queue.Job) bool {
	return s.State != memory.SessionActive && s.Generation == j.Generation && s.Memories == memory.MemoriesGenerating
}

// applyGeneration writes the conclusions of a generation, the record of it, and the end of its
// job.
func applyGeneration(t *write.Tx, j queue.Job, s memory.Session, found []Proposal, refused []learn.Refusal) ([]memory.Change, error) {
	ended := ends(s, j)
	if ended && !t.IsGroup() && t.Core.Decide().ShouldConsolidate(withoutGeneration(s), s.Covered.Turns).Yes {
		habits, err := habitsOf(t, j, s)
		if err != nil {
			return nil, err
		}
		found = append(found, habits...)
	}
	var out []memory.Change
	for _, p := range found {
		c, err := Upsert(t, p)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	n := 0
	for _, r := range refused {
		n += r.Count
		reason := "the model: " + r.Reason
		if r.Count > 1 {
			reason += fmt.Sprintf(" (%d times)", r.Count)
		}
		out = append(out, memory.Change{
			Action: memory.ActionSkipped, Reason: reason, Origin: memory.OriginSessionEnd, Generation: j.Generation, Time: t.Now(),
		})
	}
	s.Covered = memory.Reach{Turns: s.Turns, To: s.LastRecordID}
	if ended {
		endRead(&s)
	}
	return out, errors.Join(t.PutSession(s), t.DeleteJob(t.Owner.ID, j.ID), t.Add(t.Owner.ID, counter.Refused, n))
}

// withoutGeneration returns a session as policy sees it while its end is generated.
func withoutGeneration(s memory.Session) memory.Session {
	s.Generation = ""
	return s
}

// habitsOf proposes the session's most frequent topic that recurs in earlier sessions. It
// returns at most one, so that incidental words do not become memories.
func habitsOf(t *write.Tx, j queue.Job, s memory.Session) ([]Proposal, error) {
	if s.Summary == nil || len(s.Summary.Topics) == 0 {
		return nil, nil
	}
	shared := map[string][]memory.Evidence{}
	in := map[string]int{}
	seen := 0
	for other, err := range t.Sessions(t.Owner.ID) {
		if err != nil {
			return nil, err
		}
		if seen++; seen > usualOf {
			break
		}
		if other.ID == s.ID || other.Summary == nil {
			continue
		}
		for _, topic := range other.Summary.Topics {
			word := topicKey(topic.Word)
			in[word]++
			shared[word] = append(shared[word], topic.Evidence[:min(1, len(topic.Evidence))]...)
		}
	}
	for _, topic := range s.Summary.Topics {
		word := topicKey(topic.Word)
		everyday := len(retrieve.Analyse(topic.Word, "").Distinctive) == 0
		if in[word]+1 < usualSessions || len(topic.Evidence) == 0 || everyday {
			continue
		}
		ev := topic.Evidence[0]
		from, err := t.Record(t.Owner.ID, ev.RecordID)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c := learn.Habit(topic.Word, learn.Place{Offset: ev.Offset, Length: ev.Length})
		return []Proposal{{
			Candidate: c.Candidate, From: from, Origin: memory.OriginSessionEnd, Trust: c.Trust, Generation: j.Generation,
			More: shared[word],
		}}, nil
	}
	return nil, nil
}

// QueueEnd queues the generation of an ended session. The caller writes the session.
func QueueEnd(t *write.Tx, s *memory.Session) error {
	if s.Turns == 0 || s.Memories != memory.MemoriesNone {
		return nil
	}
	s.Generation, s.Memories, s.CoveredBefore = t.NewID(), memory.MemoriesGenerating, s.Covered
	return QueueConsolidation(t, *s, s.Generation)
}

// endRead marks the generation of a session's end as finished or given up.
func endRead(s *memory.Session) { s.Memories = memory.MemoriesGenerated }
