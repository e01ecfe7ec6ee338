package vault

import (
	"context"
	"errors"
	"time"

	"memoria/memory/guard"
)

// What was deleted for good still lies in pages of the store's file that are not in use,
// until those are written over. So they are filled with zeros (D2), some time after a
// deletion and when the memory is closed.
const (
	wipeWait  = 5 * time.Second
	wipeClose = 500 * time.Millisecond // at most, when a program ends
)

// wiping sees to pages that hold what was deleted. mu of the manager guards it.
type wiping struct {
	due   bool
	timer *time.Timer
}

// PlanWipe has the pages that are not in use wiped after a while.
func (v *Vault) PlanWipe() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wiping.due = true
	switch {
	case v.closed:
	case v.wiping.timer == nil:
		v.wiping.timer = time.AfterFunc(wipeWait, v.wipeDue)
	default:
		v.wiping.timer.Reset(wipeWait)
	}
}

// unwiped reports whether words of what was deleted may still lie in the store's file.
func (v *Vault) unwiped() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.wiping.due
}

func (v *Vault) wipeDue() {
	if !v.begin() {
		return
	}
	defer v.tasks.Done()
	if !v.wipe(v.life) && v.life.Err() == nil {
		v.PlanWipe()
	}
}

// wipe reports whether nothing is due any more.
func (v *Vault) wipe(ctx context.Context) bool {
	v.mu.Lock()
	due := v.wiping.due
	v.wiping.due = false // what is deleted from now on makes it due again
	v.mu.Unlock()
	if !due {
		return true
	}
	done := false
	err := guard.Do(v.log, "wiping", func() (err error) {
		done, err = v.store.DB().Wipe(ctx)
		return err
	})
	if err != nil && !errors.Is(err, ctx.Err()) {
		v.log.Warn("pages that are not in use were not wiped", "error", err)
	}
	if !done {
		v.mu.Lock()
		v.wiping.due = true
		v.mu.Unlock()
	}
	return done
}

// wipeAtTheEnd is for the time when nobody else uses the store any more.
func (v *Vault) wipeAtTheEnd() {
	v.mu.Lock()
	if v.wiping.timer != nil {
		v.wiping.timer.Stop()
	}
	v.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), wipeClose)
	defer cancel()
	v.wipe(ctx)
}
