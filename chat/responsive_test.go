package chat_test

import (
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// slowClock stops a write of the memory in the middle: the transaction reads the clock
// and does not get the time until it is released.
type slowClock struct {
	mu      sync.Mutex
	in      string // the function of the memory whose transaction waits; empty: none
	reached chan struct{}
	release chan struct{}
}

func (s *slowClock) stop(in string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.in, s.reached, s.release = in, make(chan struct{}), make(chan struct{})
}

func (s *slowClock) read() {
	s.mu.Lock()
	in := s.in
	if in == "" || !strings.Contains(string(debug.Stack()), "(*Manager)."+in+"(") {
		s.mu.Unlock()
		return
	}
	s.in = ""
	s.mu.Unlock()
	close(s.reached)
	<-s.release
}

// While the disk takes its time, all that a screen asks of a conversation is answered at
// once: no lock is held over a write.
func TestReadersDoNotWaitForTheDisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		prepare  func(*house) func() error
	}{
		{"send", "KeepIncoming", func(h *house) func() error {
			return func() error { _, err := h.chat.Send(h.t.Context(), "one more", nil); return err }
		}},
		{"take back", "DropIncoming", func(h *house) func() error {
			hold := make(chan struct{})
			h.t.Cleanup(func() { close(hold) })
			h.server.Add(modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold})
			h.send("a long one")
			until[chat.Delta](h, nil)
			id := h.send("not this")
			return func() error {
				_, err := h.chat.Unsend(h.t.Context(), id)
				h.chat.Cancel()
				return err
			}
		}},
		{"new session", "ArchiveSession", func(h *house) func() error {
			return func() error { return h.chat.NewSession(h.t.Context()) }
		}},
		{"rename", "RenameSession", func(h *house) func() error {
			return func() error { return h.chat.Rename(h.t.Context(), h.chat.Session().ID, "Trip") }
		}},
		{"fork", "Fork", func(h *house) func() error {
			return func() error { return h.chat.Fork(h.t.Context(), h.lastID()) }
		}},
		{"step", "StepBranch", func(h *house) func() error {
			h.regenerated()
			return func() error { _, err := h.chat.Step(h.t.Context(), h.lastID(), -1); return err }
		}},
		{"undo turn", "UndoLastTurn", func(h *house) func() error {
			return func() error { _, err := h.chat.UndoTurn(h.t.Context()); return err }
		}},
		{"redo turn", "RedoTurn", func(h *house) func() error {
			left, err := h.chat.UndoTurn(h.t.Context())
			if err != nil {
				h.t.Fatal(err)
			}
			return func() error { return h.chat.RedoTurn(h.t.Context(), left) }
		}},
		{"delete messages", "DeleteRecords", func(h *house) func() error {
			return func() error { _, err := h.chat.DeleteMessages(h.t.Context(), false, h.lastID()); return err }
		}},
		{"delete session", "DeleteSession", func(h *house) func() error {
			return func() error { _, err := h.chat.DeleteSession(h.t.Context(), h.chat.Session().ID, true); return err }
		}},
		{"undo deletion", "UndoDeletion", func(h *house) func() error {
			d, err := h.chat.DeleteSession(h.t.Context(), h.chat.Session().ID, true)
			if err != nil {
				h.t.Fatal(err)
			}
			return func() error { _, err := h.chat.UndoDeletion(h.t.Context(), d.ID); return err }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			slow := &slowClock{}
			h := slowHouse(t, slow, text("Noted."))
			h.say("My name is Bo")
			h.idle()
			do := tt.prepare(h)
			slow.stop(tt.in)
			result := make(chan error, 1)
			go func() { result <- do() }()
			select {
			case <-slow.reached:
			case err := <-result:
				t.Fatalf("nothing was written: %v", err)
			case <-time.After(time.Minute):
				t.Fatal("the write was not begun")
			}
			read := make(chan struct{})
			go func() {
				defer close(read)
				h.readAll()
			}()
			select {
			case <-read:
			case <-time.After(time.Minute):
				t.Error("a reader waits for the disk")
			}
			close(slow.release)
			if err := <-result; err != nil {
				t.Error(err)
			}
			<-read
		})
	}
}

// A message sent while a session is being deleted is stored after that, and is neither lost nor
// put into the session that goes.
func TestSentDuringADeletion(t *testing.T) {
	t.Parallel()
	slow := &slowClock{}
	h := slowHouse(t, slow, text("Noted."), text("Hello again."))
	h.say("My name is Bo")
	h.idle()
	old := h.chat.Session().ID
	slow.stop("DeleteSession")
	deleted := make(chan error, 1)
	go func() {
		_, err := h.chat.DeleteSession(t.Context(), old, true)
		deleted <- err
	}()
	<-slow.reached
	sent := make(chan error, 1)
	go func() {
		_, err := h.chat.Send(t.Context(), "Hello", nil)
		sent <- err
	}()
	close(slow.release)
	if err := <-deleted; err != nil {
		t.Error(err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	end := until[chat.Finished](h, nil)
	if end.Record.Status != memory.StatusComplete || end.Record.SessionID == old {
		t.Errorf("the answer: %+v", end.Record)
	}
}

// slowHouse is a house whose clock is slow.
func slowHouse(t *testing.T, slow *slowClock, steps ...modeltest.Step) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir() + "/data", clock: &clock{now: start}, server: modeltest.NewServer(t, steps...), slow: slow}
	h.open()
	t.Cleanup(h.close)
	return h
}

// readAll calls everything that a screen asks of a conversation while it is drawn.
func (h *house) readAll() {
	c := h.chat
	_, _, _, _ = c.Session(), c.Busy(), c.Info(), c.InfoOf(luna)
	_, _ = c.Config()
	_, _, _, _, _, _ = c.Agent(), c.Members(), c.NameOf(""), c.Searches(), c.Temporary(), c.Forgetful()
	c.Touch()
	c.SetSearches(false)
	if err := c.SetConfig(chat.DefaultConfig(), compose.DefaultConfig()); err != nil {
		h.t.Error(err)
	}
	if err := c.SetAgent(c.Agent()); err != nil {
		h.t.Error(err)
	}
}

// lastID is the id of the session's last message.
func (h *house) lastID() string {
	h.t.Helper()
	records, err := h.manager.Lookup().LastRecords(h.t.Context(), luna, h.chat.Session().ID, 1)
	if err != nil || len(records) != 1 {
		h.t.Fatalf("%d records, %v", len(records), err)
	}
	return records[0].ID
}

// regenerated has the last message answered once more.
func (h *house) regenerated() {
	h.t.Helper()
	h.server.Add(text("Yes."))
	if err := h.chat.Regenerate(h.t.Context(), ""); err != nil {
		h.t.Fatal(err)
	}
	until[chat.Finished](h, nil)
	h.idle()
}
