package vault

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
func (v *Vault) Trouble() *Trouble {
	v.storage.mu.Lock()
	defer v.storage.mu.Unlock()
	if v.storage.trouble == nil {
		return nil
	}
	t := *v.storage.trouble
	return &t
}

// NoteWrite takes note of how a write went, and returns its error.
func (v *Vault) NoteWrite(err error) error {
	kind, bad := TroubleOf(err)
	if !bad && err != nil {
		return err // says nothing about the disk
	}
	if t := v.Trouble(); !bad && t != nil && t.Kind == TroubleFull && writable(v.dir, room) != nil {
		v.storage.mu.Lock()
		v.probeLater()
		v.storage.mu.Unlock()
		return nil // it fitted in; the next one may not
	}
	v.storage.mu.Lock()
	before := v.storage.trouble
	switch {
	case !bad:
		v.storage.trouble = nil
	case before == nil || before.Kind != kind:
		v.storage.trouble = &Trouble{Kind: kind, Since: v.now(), Err: err, Text: err.Error()}
	}
	changed := before != v.storage.trouble
	if bad {
		v.probeLater()
	}
	v.storage.mu.Unlock()
	if changed && bad {
		v.log.Error("the store cannot be written", "kind", string(kind), "error", err)
	} else if changed {
		v.log.Info("the store can be written again")
	}
	if changed {
		v.changed()
	}
	return err
}

// probeLater plans the next try; v.storage.mu is held.
func (v *Vault) probeLater() {
	if v.storage.probe == nil {
		v.storage.probe = time.AfterFunc(probeEvery, v.tryDisk)
		return
	}
	v.storage.probe.Reset(probeEvery)
}

// tryDisk finds out whether the disk takes writes again.
func (v *Vault) tryDisk() {
	if v.Trouble() == nil || !v.begin() {
		return
	}
	defer v.tasks.Done()
	_ = guard.Do(v.log, "trying the disk", func() error { return v.NoteWrite(v.probeDisk()) })
}

func (v *Vault) probeDisk() error {
	if err := v.store.DB().Probe(); err != nil {
		return err
	}
	return writable(v.dir, 4096) // the files of long messages lie there too
}

// endStorage ends the tries.
func (v *Vault) endStorage() {
	v.storage.mu.Lock()
	defer v.storage.mu.Unlock()
	if v.storage.probe != nil {
		v.storage.probe.Stop()
	}
}
