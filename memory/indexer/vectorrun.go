package indexer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/index/vector"
	"memoria/memory/guard"
	"memoria/memory/retrieve"
)

// vectorBatch is the result of one background request.
type vectorBatch struct {
	items []embedding
	scale *retrieve.Scale // set when the model was measured
	got   [][]float32
	err   error
}

// run makes all changes to the vectors sequentially. Only requests run concurrently,
// one at a time.
func (v *Vectors) run(ctx context.Context) {
	defer close(v.done)
	defer func() {
		_ = guard.Do(v.log, "closing vectors", func() error { v.finish(); return nil })
	}()
	wake := v.store.DB().Watch(ctx)
	v.retry = time.NewTimer(longPause)
	v.retry.Stop()
	defer v.retry.Stop()
	var free <-chan struct{} // the gate
	for {
		var batch vectorBatch
		answered := false
		select {
		case _, ok := <-wake:
			if !ok {
				return
			}
		case <-v.kick:
		case <-free:
		case <-v.retry.C:
			v.resting = false
		case batch = <-v.results:
			v.results, answered = nil, true
		}
		free = nil
		err := guard.Do(v.log, "keeping vectors", func() (err error) {
			if answered {
				if err := v.take(ctx, batch); err != nil {
					return err
				}
			}
			free, err = v.step(ctx)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			v.fail(err)
		}
	}
}

// fail records a failure and schedules a retry.
func (v *Vectors) fail(err error) {
	v.log.Warn("vectors cannot be kept up to date", "error", loggable(err))
	v.tell(func(st *VectorStatus) { st.State, st.Reason = StateDegraded, reasonOf(err) })
	v.resting = true
	v.retry.Reset(v.pause)
	v.pause = min(2*v.pause, longPause)
}

// loggable returns an error without the server's text, which may quote the user's.
func loggable(err error) string {
	for _, known := range []error{ErrUnavailable, ErrRefused, guard.ErrFault, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return fmt.Sprintf("%T", err)
}

// reasonOf returns why there are no vectors, for display.
func reasonOf(err error) string {
	if said, ok := strings.CutPrefix(err.Error(), ErrUnavailable.Error()+": "); ok {
		return "the embedding model does not answer: " + said
	}
	return err.Error()
}

// step processes events and starts the next request, if one is due. free is the channel
// to wait for before a retry.
func (v *Vectors) step(ctx context.Context) (free <-chan struct{}, err error) {
	v.mu.Lock()
	again := v.again
	v.again = rebuildNone
	v.mu.Unlock()
	if again != rebuildNone {
		v.loaded, v.resting, v.pause = false, false, firstPause
	}
	if !v.loaded {
		if err := v.load(ctx, again); err != nil {
			v.mu.Lock()
			v.again = max(v.again, again)
			v.mu.Unlock()
			return nil, err
		}
	}
	if err := v.follow(ctx); err != nil {
		return nil, err
	}
	if v.resting || v.results != nil {
		v.count()
		return nil, nil
	}
	if len(v.queued) == 0 {
		v.pause = firstPause
		v.count()
		return nil, v.note(unwritten)
	}
	v.count()
	inside, leave, wait := v.gate.enter(ctx)
	if wait != nil {
		return wait, nil
	}
	return nil, v.begin(ctx, inside, leave)
}

// begin starts the next request.
func (v *Vectors) begin(ctx, inside context.Context, leave func()) error {
	results := make(chan vectorBatch, 1)
	if !v.scaled {
		v.results = results
		go func() {
			defer leave()
			results <- v.measure(inside)
		}()
		return nil
	}
	n := max(1, v.about.Batch)
	if v.single > 0 {
		n = 1
		v.single--
	}
	items, err := v.texts(n)
	if err != nil || len(items) == 0 {
		leave()
		if err == nil { // none of the waiting items needs a vector any more
			return v.comeBack()
		}
		return err
	}
	said := make([]string, len(items))
	for i, it := range items {
		said[i] = it.text
	}
	v.results = results
	go func() {
		defer leave()
		b := vectorBatch{items: items}
		b.err = guard.Do(v.log, "asking for vectors", func() (err error) {
			b.got, err = v.ask(inside, said)
			return err
		})
		if errors.Is(context.Cause(inside), ErrHeld) && b.err != nil {
			b.err = ErrHeld
		}
		results <- b
	}()
	return nil
}

// ask requests vectors. If a single text fails, a harmless one determines the cause: if
// it succeeds, the text is refused, otherwise the embedder is at fault.
func (v *Vectors) ask(ctx context.Context, texts []string) ([][]float32, error) {
	got, err := v.by.Embed(ctx, ForItem, texts)
	if err == nil || len(texts) > 1 || ctx.Err() != nil || errors.Is(err, ErrUnavailable) {
		return got, err
	}
	if _, other := v.by.Embed(ctx, ForItem, []string{retrieve.Probes()[0].Memory}); other != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrRefused, err)
}

// comeBack schedules another call of step.
func (v *Vectors) comeBack() error {
	select {
	case v.kick <- struct{}{}:
	default:
	}
	return nil
}

// measure requests the vectors of the probes and computes the model's scale.
func (v *Vectors) measure(ctx context.Context) (b vectorBatch) {
	b.err = guard.Do(v.log, "measuring an embedding model", func() error {
		probes := retrieve.Probes()
		ask := func(purpose Purpose, text func(retrieve.Probe) string) (out [][]float32, err error) {
			for from := 0; from < len(probes); {
				var said []string
				for _, p := range probes[from:min(len(probes), from+max(1, v.about.Batch))] {
					said = append(said, text(p))
				}
				got, err := v.by.Embed(ctx, purpose, said)
				if err == nil && len(got) != len(said) {
					err = ErrUnavailable
				}
				if err != nil {
					return nil, err
				}
				out, from = append(out, got...), from+len(said)
			}
			return out, nil
		}
		questions, err := ask(ForQuery, func(p retrieve.Probe) string { return p.Question })
		if err != nil {
			return err
		}
		memories, err := ask(ForItem, func(p retrieve.Probe) string { return p.Memory })
		if err != nil {
			return err
		}
		for _, x := range slices.Concat(questions, memories) {
			if len(x) != len(questions[0]) {
				return &vector.DimensionError{Got: len(x), Want: len(questions[0])}
			}
		}
		scale := retrieve.MeasureScale(questions, memories)
		b.scale, b.got = &scale, questions[:1]
		return nil
	})
	if errors.Is(context.Cause(ctx), ErrHeld) && b.err != nil {
		b.err = ErrHeld
	}
	return b
}
