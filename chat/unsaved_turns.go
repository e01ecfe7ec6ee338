package chat

import (
	"context"
	"errors"
	"slices"

	"memoria/chat/compose"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/vault"
)

// errUnsaved ends a turn whose answer is in memory only.
var errUnsaved = errors.New("it is not on the disk yet")

// unsaved are the turns that the disk did not take completely, in their order. Nothing of
// a later turn is written before them.
type unsaved []manager.UnsavedTurn

// sessionOf is the session of a turn, written or not.
func sessionOf(l manager.UnsavedTurn) string {
	for _, id := range []string{l.Message.SessionID, l.Place.SessionID, l.Place.NewID} {
		if id != "" {
			return id
		}
	}
	return ""
}

// writeUnsaved writes what the disk takes by now. Turns of a session that was deleted
// meanwhile are dropped.
func (w *worker) writeUnsaved() {
	before := len(w.unsaved)
	for len(w.unsaved) > 0 {
		err := w.memory.WriteUnsaved(context.WithoutCancel(w.ctx), w.unsaved[0])
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			w.log.Error("turn was not stored", "error", err)
			break
		}
		w.unsaved = w.unsaved[1:]
	}
	if len(w.unsaved) < before {
		w.learner.wake() // perhaps no other turn comes that would do it (L2)
	}
	w.storage.setUnsaved(len(w.unsaved))
}

// lastTry writes what it can when the conversation ends.
func (w *worker) lastTry() {
	if w.temporary {
		return
	}
	waiting := w.storage.keepWaiting()
	w.writeUnsaved()
	w.mu.Lock()
	w.storage.lost = waiting + len(w.unsaved)
	w.mu.Unlock()
}

// isWritten reports whether the whole turn so far is on disk, so that what follows can be
// written at once.
func (a *answer) isWritten() bool { return a.late.Begun && len(a.before) == 0 }

func (a *answer) rehearse(ctx context.Context, fn func(*manager.DryRun) error) error {
	return a.memory.DryRun(ctx, a.agent.ID, append(slices.Clone(a.before), *a.late), fn)
}

// records returns the session's last messages, unsaved ones included.
func (a *answer) records(ctx context.Context) (out []memory.Record, err error) {
	session, n := a.turn.begun.Session.ID, max(lookBack, 3*a.turn.set.ContextLimit) // some hold calls of tools, or are not sent
	if a.isWritten() {
		return a.memory.Lookup().LastRecords(ctx, a.who.ID, session, n)
	}
	err = a.rehearse(ctx, func(r *manager.DryRun) error {
		out, err = r.LastRecords(a.who.ID, session, n)
		return err
	})
	return out, err
}

// lastSent is the package of the newest turn among records, unsaved ones included; nil if
// none can be read.
func (a *answer) lastSent(ctx context.Context, records []memory.Record) (last *memory.Package) {
	var turns []string
	for _, r := range slices.Backward(records) {
		if len(turns) == 0 || turns[len(turns)-1] != r.TurnID {
			turns = append(turns, r.TurnID)
		}
	}
	var err error
	if a.isWritten() {
		last, err = a.memory.Lookup().LastSent(ctx, a.who.ID, turns)
	} else {
		err = a.rehearse(ctx, func(r *manager.DryRun) (err error) {
			last, err = r.LastSent(a.who.ID, turns)
			return err
		})
	}
	if err != nil { // the window begins where it would without it
		a.log.Warn("the package before was not read", "error", err)
	}
	return last
}

// pack stores the package, or leaves it to be written with the turn, and returns what to
// send.
func (a *answer) pack(ctx context.Context, comp compose.Result) (sent memory.Rendered, err error) {
	if a.isWritten() {
		sent, err = a.memory.SavePackage(ctx, comp.Package, comp.Texts)
		if _, disk := vault.TroubleOf(err); !disk {
			return sent, err
		}
	}
	err = a.rehearse(ctx, func(r *manager.DryRun) error {
		sent, err = r.Package(comp.Package, comp.Texts)
		return err
	})
	a.late.Package, a.late.Texts = &comp.Package, comp.Texts
	return sent, err
}

// packRound stores a round of the search tool, or leaves it to be written with the turn, and
// returns what to send.
func (a *answer) packRound(ctx context.Context, r manager.ToolRound) (sent memory.Rendered, err error) {
	if a.late.Begun && a.late.Package == nil && len(a.late.Rounds) == 0 {
		// What the model said and called is kept even if the answer has been cancelled.
		sent, err = a.memory.SaveRound(context.WithoutCancel(ctx), a.agent.ID, r)
		if _, disk := vault.TroubleOf(err); !disk {
			return sent, err
		}
	}
	err = a.rehearse(ctx, func(rehearsal *manager.DryRun) error {
		sent, err = rehearsal.Round(r)
		return err
	})
	a.late.Rounds = append(a.late.Rounds, r)
	return sent, err
}

// finish stores the answer, or leaves it in a.late; then the error says why.
func (a *answer) finish(ctx context.Context, record memory.Record) (memory.Record, error) {
	if a.temporary {
		return a.finishTemporary(record), nil
	}
	err := errUnsaved
	if t := a.memory.Vault().Trouble(); t != nil {
		err = t.Err
	}
	if a.isWritten() && a.late.Package == nil && len(a.late.Rounds) == 0 {
		var stored memory.Record
		if stored, err = a.memory.FinishTurn(context.WithoutCancel(ctx), record, a.late.Learn, a.next...); err == nil {
			return stored, nil
		}
	}
	record.ID, record.Timestamp = a.memory.NewID(), a.now()
	a.late.Reply = &record
	a.log.Error("answer was not stored", "error", err)
	return record, err
}
