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

// TroubleKind is the cause of a [Trouble].
type TroubleKind string

// The kinds of trouble with the disk.
const (
	TroubleFull     TroubleKind = "full"      // the disk is full
	TroubleReadOnly TroubleKind = "read-only" // the data folder cannot be written
	TroubleGone     TroubleKind = "gone"      // the data folder was moved or removed
	TroubleFailing  TroubleKind = "failing"   // the system reports another error
)

// Trouble is the reason why nothing can be written at present. Acknowledged writes are
// safe, and reading goes on.
type Trouble struct {
	Kind  TroubleKind `json:"kind"`
	Since time.Time   `json:"since"`
	Err   error       `json:"-"`
	Text  string      `json:"text"` // of Err
}

// probeEvery is the interval of the probes of a failing disk.
const probeEvery = 5 * time.Second

// room is the number of free bytes with which a full disk counts as writable again: the
// step by which the store grows.
const room = 1 << 20

// TroubleOf classifies an error of writing. It returns false if the disk is not the cause.
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

// storage holds the trouble of the last write, and the timer of the probes.
type storage struct {
	mu      sync.Mutex
	trouble *Trouble
	probe   *time.Timer
}

// Trouble returns why nothing can be written now, or nil. [Options.Changed] reports changes.
func (v *Vault) Trouble() *Trouble {
	v.storage.mu.Lock()
	defer v.storage.mu.Unlock()
	if v.storage.trouble == nil {
		return nil
	}
	t := *v.storage.trouble
	return &t
}

// NoteWrite remembers the outcome of a write to the data folder as [Trouble], and returns
// err.
func (v *Vault) NoteWrite(err error) error {
	kind, bad := TroubleOf(err)
	if !bad && err != nil {
		return err // not about the disk
	}
	if t := v.Trouble(); !bad && t != nil && t.Kind == TroubleFull && writable(v.dir, room) != nil {
		v.storage.mu.Lock()
		v.probeLater()
		v.storage.mu.Unlock()
		return nil // this write fitted; the next may not
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

// probeLater schedules the next probe. The caller holds v.storage.mu.
func (v *Vault) probeLater() {
	if v.storage.probe == nil {
		v.storage.probe = time.AfterFunc(probeEvery, v.tryDisk)
		return
	}
	v.storage.probe.Reset(probeEvery)
}

// tryDisk ends the trouble if the disk takes writes again.
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
	return writable(v.dir, 4096) // for the files of long messages
}

// endStorage stops the probes.
func (v *Vault) endStorage() {
	v.storage.mu.Lock()
	defer v.storage.mu.Unlock()
	if v.storage.probe != nil {
		v.storage.probe.Stop()
	}
}
