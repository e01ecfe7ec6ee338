package chat

import (
	"context"
	"fmt"

	"memoria/memory/vault"
)

// storage watches the disk and reports what is in memory only.
type storage struct {
	*conversation
	// conversation.mu guards these.
	told *Problem // with the disk
	lost int      // messages and turns that were unsaved when the conversation ended
}

// watch reports how the disk is, and has everything written when it takes writes again.
func (s *storage) watch() {
	changed, stop := s.memory.Watch()
	defer stop()
	for {
		select {
		case <-changed:
		case <-s.ctx.Done():
			return
		}
		if s.memory.Vault().Trouble() == nil {
			s.keepWaiting()
			poke(s.wake)
		}
		s.tell()
	}
}

// setUnsaved notes how many turns are not written completely, and reports it.
func (s *storage) setUnsaved(n int) {
	s.mu.Lock()
	s.unsavedTurns = n
	s.mu.Unlock()
	s.tell()
}

func (s *storage) hasUnsaved() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unsavedTurns > 0
}

// keepWaiting writes the messages that wait and are in memory only (A1), and returns how
// many the disk did not take.
func (s *storage) keepWaiting() (left int) {
	defer s.tickets.next()() // no turn begins meanwhile
	s.mu.Lock()
	unkept := s.queue.unkept()
	s.mu.Unlock()
	for i, t := range unkept {
		if s.memory.KeepUnsaved(context.WithoutCancel(s.ctx), t.late.Message) != nil {
			return len(unkept) - i
		}
		s.mu.Lock()
		t.late.Kept = true
		s.mu.Unlock()
	}
	return 0
}

// tell sends [StorageChanged] if something has changed.
func (s *storage) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var p *Problem
	waiting := s.unsavedTurns + len(s.queue.unkept())
	if t := s.memory.Vault().Trouble(); t != nil || waiting > 0 {
		words := explainStorage(t, waiting)
		p = &words
	}
	if p == s.told || p != nil && s.told != nil && *p == *s.told {
		return
	}
	s.told = p
	session := s.session.ID
	s.events.send(func(seq uint64) Event {
		return StorageChanged{Head: Head{Seq: seq, SessionID: session}, Problem: p}
	})
}

// lostError is the error of a conversation that ended with something in memory only.
func (s *storage) lostError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost == 0 {
		return nil
	}
	err := errUnsaved
	if t := s.memory.Vault().Trouble(); t != nil {
		err = t.Err
	}
	return fmt.Errorf("what was said in the last %d turns could not be saved: %w", s.lost, err)
}

// explainStorage words trouble with the disk; waiting is how many turns are in memory only.
func explainStorage(t *vault.Trouble, waiting int) Problem {
	p := Problem{Title: "Not everything is written yet", Hint: "It is written by itself, in order."}
	if t != nil {
		p = Explain(t.Err)
		p.Text = map[vault.TroubleKind]string{
			vault.TroubleFull:     "Nothing can be written.",
			vault.TroubleReadOnly: "The data folder is read-only.",
			vault.TroubleGone:     "The data folder was moved or removed.",
		}[t.Kind]
		if p.Text == "" {
			p.Title, p.Text = "The disk does not take writes", t.Text+"."
		}
	}
	switch waiting {
	case 0:
		p.Text += " What was saved before is safe."
	case 1:
		p.Text += " The last message is in memory only."
	default:
		p.Text += fmt.Sprintf(" The last %d messages are in memory only.", waiting)
	}
	return p
}
