package vault

import (
	"context"
	"errors"
	"time"

	"memoria/memory/guard"
)

// Free pages of the store's file hold destroyed data until they are reused. They are filled
// with zeros (D2) some time after a deletion, and by Close.
const (
	wipeWait  = 5 * time.Second
	wipePause = 100 * time.Millisecond // between two attempts of WipeNow
	wipeClose = 500 * time.Millisecond // the limit for Close
)

// wiping holds the state of the erasing of free pages. v.mu guards it.
type wiping struct {
	due   bool
	timer *time.Timer
}

// PlanWipe schedules the erasing of free pages. The caller has destroyed data.
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

// WipeNow erases the free pages now. It waits for transactions that may still read them.
func (v *Vault) WipeNow(ctx context.Context) error {
	if !v.begin() {
		return errClosed
	}
	defer v.tasks.Done()
	v.mu.Lock()
	v.wiping.due = true
	v.mu.Unlock()
	for {
		done, err := v.wipe(ctx)
		if done || err != nil {
			return err
		}
		select {
		case <-time.After(wipePause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// unwiped reports whether free pages may hold destroyed data.
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
	if done, _ := v.wipe(v.life); !done && v.life.Err() == nil {
		v.PlanWipe()
	}
}

// wipe erases the free pages if that is due, and reports whether it is done. It is not while
// a transaction may read them, which is no error.
func (v *Vault) wipe(ctx context.Context) (done bool, err error) {
	v.mu.Lock()
	due := v.wiping.due
	v.wiping.due = false // a later deletion makes it due again
	v.mu.Unlock()
	if !due {
		return true, nil
	}
	err = guard.Do(v.log, "wiping", func() (err error) {
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
	return done, err
}

// wipeAtTheEnd erases the free pages when no other call uses the store.
func (v *Vault) wipeAtTheEnd() {
	v.mu.Lock()
	if v.wiping.timer != nil {
		v.wiping.timer.Stop()
	}
	v.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), wipeClose)
	defer cancel()
	_, _ = v.wipe(ctx)
}
