package recall

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// hot is the set of heads in memory (L3). It is loaded in the background; changes
// meanwhile are applied afterwards.
type hot struct {
	limit int // 0 means all

	mu      sync.RWMutex
	loaded  chan struct{}
	ready   bool
	heads   map[string]memory.Head
	prefs   map[string]time.Time // when the active preferences were last touched
	pending []HeadChange
}

// HeadChange is a head that was written, or the id of one that was deleted.
type HeadChange struct {
	ID      string
	Head    memory.Head
	Deleted bool
}

func newHot(cfg Config) *hot {
	h := &hot{loaded: make(chan struct{})}
	if cfg.LoadOnStart == LoadHot {
		h.limit = cfg.HotItems
	}
	return h
}

// load reads the heads of an agent. The set is usable even after a failure.
func (h *hot) load(st *store.Store, agent string, log *slog.Logger) {
	defer close(h.loaded)
	var all []memory.Head
	err := guard.Do(log, "loading items", func() error {
		return st.View(func(tx *store.Tx) error {
			n, _ := tx.Count(agent, counter.Items)
			all = make([]memory.Head, 0, min(max(n, 0), 1<<20)) // growing would allocate twice as much
			for head, err := range tx.Heads(agent) {
				if err != nil {
					return err
				}
				all = append(all, head)
			}
			return nil
		})
	})
	if err != nil {
		log.Warn("items were not all loaded", "agent", agent, "error", err)
	}
	h.begin(all)
}

// begin starts the use of the set with the loaded heads.
func (h *hot) begin(all []memory.Head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keep(all)
	h.ready = true
	h.applyLocked(h.pending)
	h.pending = nil
}

// keep replaces the set by the given heads, or by the limit of those touched last; h.mu
// is held.
func (h *hot) keep(all []memory.Head) {
	if h.limit > 0 && len(all) > h.limit {
		slices.SortFunc(all, lastTouchedFirst)
		all = all[:h.limit]
	}
	h.heads, h.prefs = make(map[string]memory.Head, len(all)), map[string]time.Time{}
	for _, head := range all {
		h.set(head)
	}
}

func lastTouchedFirst(a, b memory.Head) int {
	return cmp.Or(b.LastTouched().Compare(a.LastTouched()), cmp.Compare(b.ID, a.ID))
}

// wait waits until loading has ended.
func (h *hot) wait() { <-h.loaded }

// apply applies the changes of a transaction.
func (h *hot) apply(changes []HeadChange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ready {
		h.pending = append(h.pending, changes...)
		return
	}
	h.applyLocked(changes)
}

func (h *hot) applyLocked(changes []HeadChange) {
	for _, c := range changes {
		if c.Deleted {
			delete(h.heads, c.ID)
			delete(h.prefs, c.ID)
		} else {
			h.set(c.Head)
		}
	}
	if h.limit > 0 && len(h.heads) > 2*h.limit {
		h.keep(slices.Collect(maps.Values(h.heads)))
	}
}

func (h *hot) set(head memory.Head) {
	h.heads[head.ID] = head
	if head.Type == memory.TypePreference && head.State == memory.StateActive {
		h.prefs[head.ID] = head.LastTouched()
	} else {
		delete(h.prefs, head.ID)
	}
}

// get returns a head if it is in memory.
func (h *hot) get(id string) (memory.Head, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	head, ok := h.heads[id]
	return head, ok
}

// in returns the items learned or confirmed in a span of time.
func (h *hot) in(when retrieve.Span) (out []retrieve.Candidate) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, head := range h.heads {
		if head.In(when.From, when.To) {
			out = append(out, retrieve.Candidate{Head: head})
		}
	}
	return out
}

// due returns the ids of at most n plans that a question asks for: those with a date first,
// the next one before the others.
func (h *hot) due(q retrieve.Query, n int) (ids []string) {
	var all []memory.Head
	h.mu.RLock()
	for _, head := range h.heads {
		if q.Due(head) {
			all = append(all, head)
		}
	}
	h.mu.RUnlock()
	slices.SortFunc(all, func(a, b memory.Head) int {
		if a.ValidTo.IsZero() != b.ValidTo.IsZero() {
			return b.ValidTo.Compare(a.ValidTo)
		}
		return cmp.Or(a.ValidTo.Compare(b.ValidTo), cmp.Compare(b.ID, a.ID))
	})
	for _, head := range all[:min(n, len(all))] {
		ids = append(ids, head.ID)
	}
	return ids
}

// preferences returns the ids of at most n preferences, last touched first.
func (h *hot) preferences(n int) []string {
	type touched struct {
		id string
		at time.Time
	}
	lastFirst := func(a, b touched) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id)) }
	h.mu.RLock()
	defer h.mu.RUnlock()
	latest := make([]touched, 0, n+1) // sorted; most preferences are older than its last
	for id, at := range h.prefs {
		t := touched{id, at}
		if len(latest) == n && lastFirst(t, latest[n-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(latest, t, lastFirst)
		latest = slices.Insert(latest, i, t)
		latest = latest[:min(n, len(latest))]
	}
	ids := make([]string, len(latest))
	for i, t := range latest {
		ids[i] = t.id
	}
	return ids
}
