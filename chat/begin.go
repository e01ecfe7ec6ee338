package chat

import (
	"context"
	"slices"

	"memoria/memory/manager"
	"memoria/memory/vault"
)

// begin decides which session a message goes to, which may be judged, and moves it there
// (S7). Both are done before anything is sent (S11). If earlier turns are unsaved, or the
// disk does not take this one, the turn begins in memory only; t.late says so.
//
// ctx ends the judging alone: a turn begins even if its answer has been cancelled or the
// conversation ends.
func (w *worker) begin(ctx context.Context, t *turn) (err error) {
	always := context.WithoutCancel(ctx)
	if w.temporary {
		return w.beginTemporary(always, t)
	}
	if !t.late.Kept {
		t.late.Kept = w.memory.Vault().Trouble() == nil && w.memory.KeepUnsaved(always, t.late.Message) == nil
	}
	last, has, err := w.lastSession(always, len(t.before) > 0)
	if err != nil {
		return err
	}
	if t.retry {
		return w.beginAgain(always, t, resolve(destination{sessionID: t.late.Message.SessionID}, last, has, t.set.Config, w.now()))
	}
	message := t.late.Message
	j := judging{conversation: w.conversation, turn: t, old: last}
	p, err := j.settle(ctx, resolve(t.want, last, has, t.set.Config, message.Timestamp))
	if err != nil {
		return err
	}
	t.late.Place = manager.Place{
		SessionID: p.sessionID, Archive: p.archive, Judgement: p.judgement, Forgetful: w.noMemory, First: t.first(),
		Passive: t.set.PassiveTimeout,
	}
	t.why = p.why
	if manager.EditedBy(message) != "" && p.sessionID != "" {
		t.why = WhyBranched
	}
	if t.late.Kept && len(t.before) == 0 {
		t.begun, err = w.memory.BeginTurn(always, w.agent.ID, message.ID, t.late.Place)
		if _, disk := vault.TroubleOf(err); !disk {
			t.late.Begun = err == nil
			return err
		}
	}
	if p.sessionID == "" {
		t.late.Place.NewID = w.memory.NewID()
		if len(t.before) > 0 && p.archive == "" {
			t.late.Place.Archive = sessionOf(t.before[len(t.before)-1])
		}
	}
	if err := w.rehearse(always, t); err != nil {
		return err
	}
	w.storage.setUnsaved(len(t.before) + 1)
	return nil
}

// beginAgain begins a turn that answers a stored message again.
func (w *worker) beginAgain(ctx context.Context, t *turn, p place) (err error) {
	at := manager.Place{Archive: p.archive, Forgetful: w.noMemory, First: t.first()}
	if t.beside {
		t.why = WhyBranched
		w.conversation.beside.keeping.RLock()
		t.begun, err = w.memory.RegenerateTurn(ctx, w.agent.ID, t.late.Message.ID, at)
		w.holdTurn(t, t.begun.Record.TurnID)
		w.conversation.beside.keeping.RUnlock()
	} else {
		t.why = WhyContinued
		t.begun, err = w.memory.RetryTurn(ctx, t.late.Message, at)
	}
	t.late.Begun = err == nil
	return err
}

// rehearse begins a turn in memory only.
func (w *worker) rehearse(ctx context.Context, t *turn) error {
	return w.memory.DryRun(ctx, w.agent.ID, append(slices.Clone(t.before), t.late), func(r *manager.DryRun) error {
		t.begun = r.Turn()
		return nil
	})
}
