package indexer

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"time"

	"memoria/index"
	"memoria/kv"
	"memoria/memory/guard"
	"memoria/memory/store"
)

const (
	pageSize   = 500 // records or feed entries processed, and reported, together
	readAtOnce = 100 // records read in one transaction of a rebuild
	// unwritten is the number of feed entries of other agents and kinds that may pass
	// before the position is stored, and so of those that a start after a crash reads
	// again.
	unwritten = 5000
)

// Faults that make an index useless, besides damage.
var (
	errAhead = errors.New("the index knows changes that the store does not")
	errLost  = errors.New("an entry of the change feed cannot be read")
)

func spoils(err error) bool {
	return errors.Is(err, kv.ErrTrimmed) || errors.Is(err, index.ErrBroken) || errors.Is(err, errAhead) || errors.Is(err, errLost)
}

func unreadable(err error) bool {
	var bad *kv.RecordError
	return errors.As(err, &bad)
}

func (f *Follower) run(ctx context.Context) {
	defer close(f.done)
	defer func() {
		_ = guard.Do(f.log, "closing an index", func() error { f.finish(); return nil })
		f.shut() // if finish was not reached
	}()
	wake := f.store.DB().Watch(ctx)
	retry := time.NewTimer(retryAfter)
	retry.Stop()
	defer retry.Stop()
	failing := false
	for {
		select {
		case _, ok := <-wake:
			if !ok {
				return
			}
			if failing {
				continue // a full disk is not retried on every commit
			}
		case <-f.kick:
		case <-retry.C:
		}
		err := guard.Do(f.log, "following the change feed", func() error { return f.step(ctx) })
		if ctx.Err() != nil {
			return
		}
		if failing = err != nil; failing {
			f.log.Warn("index cannot be kept up to date", "error", err)
			f.setStatus(Status{State: StateDegraded, Reason: err.Error()})
			f.shut()
			retry.Reset(retryAfter)
		}
	}
}

var errIdle = errors.New("the memory was opened for reading alone")

// step opens or rebuilds the index if needed, catches up with the feed, and makes the
// index available.
func (f *Follower) step(ctx context.Context) error {
	if f.idle {
		return errIdle
	}
	f.mu.Lock()
	spoilt := f.spoilt
	f.spoilt = ""
	f.mu.Unlock()
	var err error
	switch {
	case spoilt != "":
		err = f.rebuild(ctx, spoilt)
	case f.ix == nil:
		err = f.open(ctx)
	}
	if err != nil {
		return err
	}
	if err = f.catchUp(ctx); spoils(err) {
		if err = f.rebuild(ctx, err.Error()); err == nil {
			err = f.catchUp(ctx)
		}
	}
	if err != nil {
		return err
	}
	f.register()
	f.use()
	return nil
}

// use makes the index available to searches, unless it was discarded meanwhile.
func (f *Follower) use() {
	f.mu.Lock()
	changed := f.spoilt == "" && f.status.State != StateReady
	if changed {
		f.ready, f.status = f.ix, Status{State: StateReady}
		f.progressed()
	}
	f.mu.Unlock()
	if changed {
		f.notify()
	}
}

func (f *Follower) options() index.Options {
	id := crc32.ChecksumIEEE([]byte(f.store.DB().ID()))
	// An index of another store is as useless as one with another mapping.
	return index.Options{Dir: f.dir, MappingVersion: id ^ mapping, Logger: f.log}
}

// open opens the index on disk, or rebuilds it.
func (f *Follower) open(ctx context.Context) error {
	ix, err := index.Open(ctx, f.options())
	if errors.Is(err, index.ErrBroken) || errors.Is(err, index.ErrOld) {
		return f.rebuild(ctx, err.Error())
	}
	if err != nil {
		return fmt.Errorf("opening the index: %w", err)
	}
	f.ix = ix
	seq, ok := ix.Sequence()
	if ok {
		if ok, err = f.reaches(seq); err != nil {
			return err
		}
	}
	if !ok {
		return f.rebuild(ctx, "it is missing or incomplete")
	}
	f.adopt(seq)
	return nil
}

// reaches reports whether the feed has all entries after seq.
func (f *Follower) reaches(seq uint64) (ok bool, err error) {
	err = f.store.View(func(tx *store.Tx) error {
		oldest, last, err := tx.KV().FeedBounds()
		ok = seq <= last && seq+1 >= oldest
		return err
	})
	return ok, err
}

// adopt records the contents of the open index.
func (f *Follower) adopt(seq uint64) {
	f.written = seq
	f.mu.Lock()
	f.passed = seq
	f.progressed()
	f.mu.Unlock()
}

// rebuild rebuilds the index from the store. If it fails, the next step restarts it.
func (f *Follower) rebuild(ctx context.Context, reason string) error {
	done := false
	defer func() {
		if !done { // also after a panic: erased data must not stay
			f.mu.Lock()
			f.spoilt = reason
			f.mu.Unlock()
		}
	}()
	f.setStatus(Status{State: StateBuilding, Reason: reason})
	f.log.Info("index is rebuilt", "reason", reason)
	f.shut()
	if err := index.Destroy(f.dir); err != nil {
		return fmt.Errorf("removing the old index: %w", err)
	}
	ix, err := index.Open(ctx, f.options())
	if err != nil {
		return fmt.Errorf("creating the index: %w", err)
	}
	f.ix = ix
	seq, err := f.fill(ctx, reason)
	if err != nil {
		return fmt.Errorf("rebuilding the index: %w", err)
	}
	f.adopt(seq)
	done = true
	return nil
}

// fill writes every record of the agent into an empty index and returns the sequence
// from which to continue the feed.
func (f *Follower) fill(ctx context.Context, reason string) (seq uint64, err error) {
	st := Status{State: StateBuilding, Reason: reason}
	err = f.store.View(func(tx *store.Tx) error {
		if _, seq, err = tx.KV().FeedBounds(); err != nil {
			return err
		}
		st.Total, err = f.src.total(tx, f.agent)
		return err
	})
	if err != nil {
		return 0, err
	}
	var b batch
	written := func() error { return nil } // waits for the batch before b
	defer func() { _ = written() }()
	reported := 0
	for after, seen := "", -1; seen != 0; {
		if err := ctx.Err(); err != nil {
			return 0, context.Cause(ctx)
		}
		var docs []index.Document
		err := f.store.View(func(tx *store.Tx) (err error) {
			docs, after, seen, err = f.src.page(tx, f.agent, after, readAtOnce)
			return err
		})
		if err != nil {
			return 0, err
		}
		b.put(docs...)
		if st.Done += seen; st.Done-reported >= pageSize {
			reported = st.Done
			f.setStatus(st)
		}
		if b.full(rebuildBatch) {
			if err := written(); err != nil {
				return 0, err
			}
			written = f.applyBeside(b.Batch)
			b = batch{}
		}
	}
	if err := written(); err != nil {
		return 0, err
	}
	f.setStatus(st)
	return seq, f.ix.Apply(b.Batch, seq)
}

// applyBeside starts to write a batch of a rebuild and returns a function that waits
// for it. The function may be called repeatedly.
func (f *Follower) applyBeside(b index.Batch) (wait func() error) {
	ix, done := f.ix, make(chan error, 1)
	go func() { done <- ix.Apply(b, 0) }()
	return sync.OnceValue(func() error { return <-done })
}

// catchUp applies the feed entries after the index's position.
func (f *Follower) catchUp(ctx context.Context) error {
	f.mu.Lock()
	from := f.passed
	f.mu.Unlock()
	for more := true; more; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b, to, rest, err := f.collect(from)
		if err != nil {
			return err
		}
		if !b.empty() || to-f.written > unwritten {
			if err := f.ix.Apply(b.Batch, to); err != nil {
				return fmt.Errorf("updating the index: %w", err)
			}
			f.written = to
		}
		from, more = to, rest
		f.mu.Lock()
		if f.passed != to {
			f.passed = to
			f.progressed()
		}
		f.mu.Unlock()
	}
	return nil
}

// collect reads a part of the feed after from and the newest version of each record
// named there. to is the end of the part; more says that the feed continues.
func (f *Follower) collect(from uint64) (b batch, to uint64, more bool, err error) {
	to = from
	err = f.store.View(func(tx *store.Tx) error {
		_, last, err := tx.KV().FeedBounds()
		if err != nil {
			return err
		}
		if from > last {
			return errAhead
		}
		seen := map[string]bool{}
		for c, err := range tx.KV().Changes(from) {
			if err != nil {
				if unreadable(err) || errors.Is(err, kv.ErrDamaged) {
					return fmt.Errorf("%w: %w", errLost, err)
				}
				return err
			}
			to = c.Seq
			if c.Agent == f.agent && c.Kind == f.src.feedKind && !seen[c.ID] {
				seen[c.ID] = true
				if err := f.add(&b, tx, c.ID); err != nil {
					return err
				}
			}
			if to-from >= uint64(feedBatch.documents) || b.full(feedBatch) {
				break
			}
		}
		more = to < last
		return nil
	})
	return b, to, more, err
}

// shut closes the index.
func (f *Follower) shut() {
	if f.ix == nil {
		return
	}
	ix := f.ix
	f.ix = nil
	if err := guard.Do(f.log, "closing an index", ix.Close); err != nil {
		f.log.Warn("index was not closed cleanly", "error", err)
	}
}

// finish stores the position, so that the feed can be trimmed and the next start reads
// little, and closes the index.
func (f *Follower) finish() {
	f.mu.Lock()
	usable, passed := f.ready != nil && f.spoilt == "", f.passed
	f.withdraw(Status{State: StateClosed})
	f.mu.Unlock()
	f.notify()
	if usable && passed > f.written && f.ix.Apply(index.Batch{}, passed) == nil {
		f.written = passed
	}
	f.shut()
	if usable {
		f.mark()
	}
}
