package manager

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"memoria/kv"
	"memoria/memory/guard"
)

// TroubleKind is why nothing can be written.
type TroubleKind string

// The kinds of trouble with the disk.
const (
	TroubleFull     TroubleKind = "full"      // the disk takes no more
	TroubleReadOnly TroubleKind = "read-only" // nothing may be written there
	TroubleGone     TroubleKind = "gone"      // the data folder was taken away
	TroubleFailing  TroubleKind = "failing"   // the system reports another error
)

// Trouble is why nothing can be written at present. What was acknowledged
// before is safe; reading goes on.
type Trouble struct {
	Kind  TroubleKind `json:"kind"`
	Since time.Time   `json:"since"`
	Err   error       `json:"-"`
	Text  string      `json:"text"` // of Err
}

// probeEvery is the pause between two tries whether the disk takes writes again.
const probeEvery = 5 * time.Second

// room is how many bytes a full disk must have again before it counts as
// writable: that is how much the store grows at once.
const room = 1 << 20

// TroubleOf says which trouble with the disk an error of writing is; false for
// an error that is none.
func TroubleOf(err error) (TroubleKind, bool) {
	err = kv.Refusal(err)
	var path *fs.PathError
	var link *os.LinkError
	var errno syscall.Errno
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return "", false
	case errors.Is(err, ErrFull):
		return TroubleFull, true
	case errors.Is(err, ErrUnwritable):
		return TroubleReadOnly, true
	case errors.Is(err, ErrTakenAway):
		return TroubleGone, true
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &errno):
		return TroubleFailing, true
	}
	return "", false
}

// storage remembers how the last write went, and tries again while it went
// wrong.
type storage struct {
	mu      sync.Mutex
	trouble *Trouble
	probe   *time.Timer
}

// Trouble returns why nothing can be written now; nil when all is well. [Watch]
// tells of changes.
func (m *Manager) Trouble() *Trouble {
	m.storage.mu.Lock()
	defer m.storage.mu.Unlock()
	if m.storage.trouble == nil {
		return nil
	}
	t := *m.storage.trouble
	return &t
}

// noteWrite takes note of how a write went, and returns its error.
func (m *Manager) noteWrite(err error) error {
	kind, bad := TroubleOf(err)
	if !bad && err != nil {
		return err // says nothing about the disk
	}
	if t := m.Trouble(); !bad && t != nil && t.Kind == TroubleFull && writable(m.dir, room) != nil {
		m.storage.mu.Lock()
		m.probeLater()
		m.storage.mu.Unlock()
		return nil // it fitted in; the next one may not
	}
	m.storage.mu.Lock()
	before := m.storage.trouble
	switch {
	case !bad:
		m.storage.trouble = nil
	case before == nil || before.Kind != kind:
		m.storage.trouble = &Trouble{Kind: kind, Since: m.now(), Err: err, Text: err.Error()}
	}
	changed := before != m.storage.trouble
	if bad {
		m.probeLater()
	}
	m.storage.mu.Unlock()
	if changed && bad {
		m.log.Error("the store cannot be written", "kind", string(kind), "error", err)
	} else if changed {
		m.log.Info("the store can be written again")
	}
	if changed {
		m.changed()
	}
	return err
}

// probeLater plans the next try; m.storage.mu is held.
func (m *Manager) probeLater() {
	if m.storage.probe == nil {
		m.storage.probe = time.AfterFunc(probeEvery, m.tryDisk)
		return
	}
	m.storage.probe.Reset(probeEvery)
}

// tryDisk finds out whether the disk takes writes again.
func (m *Manager) tryDisk() {
	if m.Trouble() == nil || !m.begin() {
		return
	}
	defer m.tasks.Done()
	_ = guard.Do(m.log, "trying the disk", func() error { return m.noteWrite(m.probeDisk()) })
}

func (m *Manager) probeDisk() error {
	if err := m.store.DB().Probe(); err != nil {
		return err
	}
	return writable(m.dir, 4096) // the files of long messages lie there too
}

// begin adds a background task that Close waits for; false when the memory is
// being closed. The caller calls m.tasks.Done.
func (m *Manager) begin() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.tasks.Add(1)
	return true
}

// endStorage ends the tries.
func (m *Manager) endStorage() {
	m.storage.mu.Lock()
	defer m.storage.mu.Unlock()
	if m.storage.probe != nil {
		m.storage.probe.Stop()
	}
}
