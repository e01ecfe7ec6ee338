package learning

import (
	"context"
	"slices"
	"strings"

	"memoria/memory/policy/sensitive"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/reread"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/store/queue"
)

// dialogue is the content of a session for a generation, with its source records.
type dialogue struct {
	learn.Dialogue
	session    memory.Session
	records    []memory.Record // one for each of Said
	needsModel bool            // a model is asked too
}

// Bounds for running sessions: a generation reads the first messages, which give the
// topic, the latest ones, and those not read before, so that its cost does not grow with
// every turn. An ended session is read completely.
const (
	firstOfRunning = 10
	lastOfRunning  = 40
)

// dialogue reads what the user typed in a session, except what must not be remembered:
// turns without memory, messages that ask for that, and words of deleted memories. A
// missing session gives an empty dialogue.
func (w *Writer) dialogue(ctx context.Context, a *write.Agent, j queue.Job) (*dialogue, error) {
	d := &dialogue{}
	var all []memory.Record
	var items []memory.Item
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		if d.session, err = tx.Session(a.ID, j.SessionID); err != nil {
			return err
		}
		if all, err = lookup.RecordsOf(tx, d.session, MostRecords, true); err != nil {
			return err
		}
		items, err = reread.MadeOf(tx, a.ID, j.SessionID)
		return err
	})
	if lookup.Lacking(err) {
		return d, nil // the writer checks it again
	}
	if err != nil {
		return d, err
	}
	d.Ended = ends(d.session, j)
	covered, modelled := -1, false
	for i, r := range all {
		if r.ID == d.session.Covered.To {
			covered = i
		}
		modelled = modelled || r.Role == memory.RoleAssistant && r.Model != "" && !r.Own()
	}
	isNew := func(i int) bool {
		if covered < 0 && d.session.Covered.To != "" { // the record was deleted
			return all[i].ID > d.session.Covered.To
		}
		return i > covered
	}
	first, last := firstOfRunning, len(all)
	for range lastOfRunning { // user messages
		last = lastOf(all[:last], memory.RoleUser)
	}
	for i, r := range all {
		if r.Role != memory.RoleUser || r.NotForMemory || r.Forgetful() {
			continue
		}
		said := learn.Said{New: isNew(i)}
		if first--; first < 0 && i < last && !said.New && !d.Ended {
			continue
		}
		said.Text = reread.Without(w.Recall().Fetch(r), d.session.Silenced)
		if strings.TrimSpace(said.Text) == "" || w.Policy().Forbids(said.Text) {
			continue
		}
		said.Used = reread.UsedIn(r.ID, items)
		d.Said, d.records = append(d.Said, said), append(d.records, r)
	}
	d.needsModel = w.Config().Analysis == write.AnalysisAuto && modelled && len(d.Said) > fewMessages
	if slices.ContainsFunc(d.Said, func(s learn.Said) bool { return len(sensitive.PII(s.Text)) > 0 }) {
		d.Accepted, err = w.Accepted(ctx, a)
	}
	return d, err
}

// lastOf returns the index of the last record of a role, or 0.
func lastOf(records []memory.Record, role memory.Role) int {
	for i := len(records) - 1; i > 0; i-- {
		if records[i].Role == role {
			return i
		}
	}
	return 0
}

// evidence converts places to references.
func (d *dialogue) evidence(at []learn.Place) []memory.Evidence {
	out := make([]memory.Evidence, 0, len(at))
	for _, p := range at {
		r := d.records[p.Message]
		out = append(out, memory.Evidence{
			SessionID: r.SessionID, TurnID: r.TurnID, RecordID: r.ID, Offset: p.Offset, Length: p.Length,
		})
	}
	return out
}

func (d *dialogue) proposal(j queue.Job, c learn.Conclusion) Proposal {
	return Proposal{
		Candidate: c.Candidate, From: d.records[c.At[0].Message], Origin: memory.OriginSessionEnd, Trust: c.Trust, Hold: c.Hold,
		Generation: j.Generation, More: d.evidence(c.At[1:]), frame: d.frameOf(c.At),
	}
}

// topicKey returns the form in which topics of sessions are compared.
func topicKey(word string) string { return text.Fold(word) }
