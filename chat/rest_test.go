package chat_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// S7, S10: a reader of the end of a turn may begin a new session at once; the
// end is told in its own session and before what begins after it.
func TestTheEndComesBeforeWhatBeginsNext(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := h.chat.NewSession(t.Context()); err != nil && !errors.Is(err, chat.ErrBusy) {
				t.Error(err)
			}
		}
	})
	in := ""
	for i := range 20 {
		if _, err := h.chat.Send(t.Context(), fmt.Sprint("message ", i), nil); err != nil {
			t.Fatal(err)
		}
		for over := false; !over; {
			switch e := (<-h.chat.Events()).(type) {
			case chat.SessionChanged:
				in = e.Session.ID
			case chat.Finished:
				if over = true; e.SessionID != e.Record.SessionID || in != e.Record.SessionID {
					t.Errorf("turn %d of session %s ends in %s while %s is shown", i, e.Record.SessionID, e.SessionID, in)
				}
			}
		}
	}
	close(stop)
	go func() {
		for range h.chat.Events() { // until Close
		}
	}()
	wg.Wait()
}

// S10: a new session in an empty conversation is nothing: no event, and the next
// message begins one, once.
func TestNewSessionOfNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	for range 1000 {
		if err := h.chat.NewSession(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	end, _ := h.say("hello")
	for _, e := range h.seen {
		if s, ok := e.(chat.SessionChanged); ok && s.Session.ID == "" {
			t.Errorf("%+v", s)
		}
	}
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Session.ID == "" && e.Why == chat.WhyRequested })
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, _ := h.say("hello again"); next.Record.SessionID == end.Record.SessionID {
		t.Error("the new session is the old one")
	}
	// What was to be gone on with is still left for a new one.
	if err := h.chat.Resume(t.Context(), end.Record.SessionID); err != nil {
		t.Fatal(err)
	}
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, _ := h.say("and again"); next.Record.SessionID == end.Record.SessionID {
		t.Error("the new session is the resumed one")
	}
}

// A1, C8: without a reader messages are kept, and after a while no further turn
// begins; with a reader, every turn ends, in order.
func TestNobodyReads(t *testing.T) {
	t.Parallel()
	h := &house{t: t, dir: t.TempDir(), clock: &clock{now: start}, server: modeltest.NewServer(t)}
	h.change = func(o *chat.Options) { o.Model = model.NewOffline(h.clock.Now) }
	h.open()
	t.Cleanup(h.close)
	const messages = 80
	var want []string
	for i := range messages {
		want = append(want, h.send(fmt.Sprint("message ", i)))
	}
	stuck := 0
	for left := messages; stuck < 100 && left > 0; { // until it rests
		st, err := h.manager.Lookup().Incoming(t.Context(), luna)
		if err != nil {
			t.Fatal(err)
		}
		if stuck++; len(st) != left {
			left, stuck = len(st), 0
		}
		runtime.Gosched()
	}
	if stuck == 0 {
		t.Error("all was answered, though nobody reads")
	}
	var got []string
	for len(got) < messages {
		e := <-h.chat.Events()
		if u, ok := e.(chat.UserStored); ok {
			got = append(got, u.Record.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d turns, not in order", len(got))
	}
}
