package manager

import "sync"

// HeldTurns are the turns that conversations of this process are working on. They are in
// memory only: a crash lets go of all of them. The zero value is ready.
type HeldTurns struct {
	mu  sync.Mutex
	ids map[string]bool
}

// Hold says that the caller works on a turn, so that no other conversation of this process
// takes it up: [Manager.Recover] leaves a held turn alone. ok is false if the turn is held
// already. release may be called more than once.
func (h *HeldTurns) Hold(turnID string) (release func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ids[turnID] {
		return func() {}, false
	}
	if h.ids == nil {
		h.ids = map[string]bool{}
	}
	h.ids[turnID] = true
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.ids, turnID)
	}), true
}

// Has reports whether a conversation of this process works on a turn.
func (h *HeldTurns) Has(turnID string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ids[turnID]
}
