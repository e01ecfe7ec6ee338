package chat_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"memoria/chat"
)

// S7, S10: whoever hears of the end of a turn may begin a new session at once; the
// end is told in its own session and before what begins after it.
func TestTheEndComesBeforeWhatBeginsNext(t *testing.T) {
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
			if h.chat.Session().ID == "" { // nothing to leave; events must not pile up
				runtime.Gosched()
				continue
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
