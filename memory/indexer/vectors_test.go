package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/index/vector"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// embedder makes a vector of a text by its hash.
type embedder struct {
	key    string
	dim    int
	batch  int
	before func(ctx context.Context, texts []string) error // may be nil

	mu    sync.Mutex
	asked []string // texts of items, without the probes
	calls int
}

var errPoison = errors.New("the text is too long")

func (e *embedder) About() indexer.About {
	return indexer.About{Name: e.key, Key: e.key, Endpoint: "test", Local: true, Batch: max(1, e.batch)}
}

func (e *embedder) Embed(ctx context.Context, _ indexer.Purpose, texts []string) ([][]float32, error) {
	e.mu.Lock()
	e.calls++
	for _, t := range texts {
		if !isProbe(t) {
			e.asked = append(e.asked, t)
		}
	}
	before := e.before
	e.mu.Unlock()
	if before != nil {
		if err := before(ctx, texts); err != nil {
			return nil, err
		}
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = e.of(t)
	}
	return out, ctx.Err()
}

// first sets what happens before an answer.
func (e *embedder) first(f func(context.Context, []string) error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.before = f
}

func isProbe(text string) bool {
	return slices.ContainsFunc(retrieve.Probes(), func(p retrieve.Probe) bool { return p.Question == text || p.Memory == text })
}

func (e *embedder) of(text string) []float32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(e.key + text))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, e.dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	_ = vector.Normalise(v)
	return v
}

func (e *embedder) texts() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := slices.Clone(e.asked)
	slices.Sort(out)
	return out
}

func (e *embedder) requests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.calls
}

// vectors starts to keep vectors until the test ends.
func (w *world) vectors(e *embedder, gate *indexer.Gate) *indexer.Vectors {
	if gate == nil {
		gate = &indexer.Gate{}
	}
	v := indexer.OpenVectors(indexer.VectorOptions{
		Store: w.store, Agent: luna, Embedder: e, Gate: gate, Logger: slog.New(slog.DiscardHandler),
		Should: func(it memory.Item) bool { return it.IsActive() },
	})
	w.Cleanup(func() { _ = v.Close() })
	return v
}

func settleVectors(t testing.TB, v *indexer.Vectors) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := v.Settle(ctx); err != nil {
		t.Fatalf("vectors do not settle: %v; %+v", err, v.Status())
	}
}

// want holds the vectors in the index and in the store against the items.
func (w *world) want(v *indexer.Vectors, e *embedder, says map[string]string) {
	w.Helper()
	var ids []string
	for id, text := range says {
		ids = append(ids, id)
		if got, ok := v.Vector(id); !ok || !slices.Equal(got, e.of(text)) {
			w.Errorf("%s has not the vector of %q (any: %v)", id, text, ok)
		}
	}
	slices.Sort(ids)
	if diff := cmp.Diff(ids, v.IDs()); len(ids)+len(v.IDs()) > 0 && diff != "" {
		w.Errorf("items with a vector (-want +got):\n%s", diff)
	}
	stored := map[string]bool{}
	err := w.store.View(func(tx *store.Tx) error {
		for x, err := range tx.Vectors(luna) {
			if err != nil {
				return err
			}
			if stored[x.ItemID] || !slices.Equal(x.Values, e.of(says[x.ItemID])) {
				w.Errorf("the store has a vector too many, or a wrong one, of %s", x.ItemID)
			}
			stored[x.ItemID] = true
		}
		n, err := tx.Count(luna, counter.Vectors)
		if n != len(says) {
			w.Errorf("%d vectors are counted, %d there should be", n, len(says))
		}
		return err
	})
	if err != nil || len(stored) != len(says) {
		w.Errorf("%d vectors are stored, %d there should be: %v", len(stored), len(says), err)
	}
}

func (w *world) putText(id, content string, state memory.State, version int) {
	w.Helper()
	w.update(func(tx *store.Tx) error {
		it := w.item(content)
		it.ID, it.State, it.Version = id, state, version
		return tx.PutItem(it, w.ids.New(time.Now()), memory.Change{Action: memory.ActionEdited})
	})
}

func (w *world) drop(id string) {
	w.Helper()
	w.update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, w.ids.New(time.Now()), nil, []string{id})
		return err
	})
}

// R9, P1: each item that policy lets has a vector, and follows it through edits,
// putting aside and deletion; a restart asks for nothing again.
func TestVectorsFollow(t *testing.T) {
	w := newWorld(t)
	e := &embedder{key: "m", dim: 12, batch: 3}
	says := map[string]string{}
	for i := range 10 {
		id, text := fmt.Sprintf("I%02d", i), fmt.Sprintf("fact number %d", i)
		w.putText(id, text, memory.StateActive, 1)
		says[id] = text
	}
	w.putText("HELD", "not yet", memory.StateHeld, 1)
	v := w.vectors(e, nil)
	settleVectors(t, v)
	w.want(v, e, says)
	if n := len(e.texts()); n != 10 {
		t.Errorf("%d texts were embedded, of 10: %q", n, e.texts())
	}
	w.putText("I03", "another fact", memory.StateActive, 2)
	says["I03"] = "another fact"
	w.putText("I04", "fact number 4", memory.StateInactive, 2)
	delete(says, "I04")
	w.drop("I05")
	delete(says, "I05")
	w.putText("HELD", "now it counts", memory.StateActive, 2)
	says["HELD"] = "now it counts"
	settleVectors(t, v)
	w.want(v, e, says)
	if st := v.Status(); st.State != indexer.StateReady || st.Count != 9 || st.Behind != 0 || st.Model != "m" {
		t.Errorf("status %+v", st)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	before := e.requests()
	w.drop("I06")
	delete(says, "I06")
	v = w.vectors(e, nil)
	settleVectors(t, v)
	w.want(v, e, says)
	if e.requests() != before {
		t.Errorf("a restart makes %d requests", e.requests()-before)
	}
	if scale, ok := v.Scale(); !ok || scale.English.Deviation == 0 || scale.Chinese.Related == 0 {
		t.Errorf("the model's scale is not kept: %+v", scale)
	}
}

// R9: the index can be made anew from the store without asking for anything; with
// all, every vector is asked for again.
func TestVectorsRebuild(t *testing.T) {
	w := newWorld(t)
	e := &embedder{key: "m", dim: 12, batch: 4}
	says := map[string]string{"I1": "one", "I2": "two"}
	for id, text := range says {
		w.putText(id, text, memory.StateActive, 1)
	}
	v := w.vectors(e, nil)
	settleVectors(t, v)
	v.Rebuild(false)
	settleVectors(t, v)
	w.want(v, e, says)
	if n := len(e.texts()); n != 2 {
		t.Errorf("making the index anew embeds %q", e.texts())
	}
	v.Rebuild(true)
	settleVectors(t, v)
	w.want(v, e, says)
	if n := len(e.texts()); n != 4 {
		t.Errorf("asking for all again embeds %q", e.texts())
	}
}

// R9: vectors of another model are of no use: they go, and all are made anew.
func TestVectorsOfAnotherModel(t *testing.T) {
	w := newWorld(t)
	says := map[string]string{}
	for i := range 30 {
		id, text := fmt.Sprintf("I%02d", i), fmt.Sprintf("fact number %d", i)
		w.putText(id, text, memory.StateActive, 1)
		says[id] = text
	}
	old := &embedder{key: "old", dim: 12, batch: 8}
	v := w.vectors(old, nil)
	settleVectors(t, v)
	_ = v.Close()
	now := &embedder{key: "new", dim: 7, batch: 8}
	v = w.vectors(now, nil)
	settleVectors(t, v)
	w.want(v, now, says)
	if len(now.texts()) != 30 {
		t.Errorf("%d items were embedded again, of 30", len(now.texts()))
	}
	if st := v.Status(); st.Model != "new" {
		t.Errorf("status %+v", st)
	}
}

// R9: a model that cannot be asked costs nobody the vectors of the one before.
func TestVectorsOutliveASlip(t *testing.T) {
	w := newWorld(t)
	says := map[string]string{"I1": "one", "I2": "two"}
	for id, text := range says {
		w.putText(id, text, memory.StateActive, 1)
	}
	e := &embedder{key: "m", dim: 12}
	v := w.vectors(e, nil)
	settleVectors(t, v)
	_ = v.Close()
	slip := &embedder{key: "n", dim: 12, before: func(context.Context, []string) error { return indexer.ErrUnavailable }}
	v = w.vectors(slip, nil)
	if err := v.Settle(context.Background()); err == nil {
		t.Error("a model that cannot be asked settles")
	}
	w.putText("I2", "two, changed", memory.StateActive, 2)
	says["I2"] = "two, changed"
	_ = v.Settle(context.Background())
	_ = v.Close()
	before := len(e.texts())
	v = w.vectors(e, nil)
	settleVectors(t, v)
	w.want(v, e, says)
	if n := len(e.texts()) - before; n != 1 {
		t.Errorf("back at the model before, %d texts were embedded, 1 had changed", n)
	}
}

// R9: what was cut off in the middle goes on where it was: nothing is lost, and
// what is stored is not asked for twice.
func TestVectorsAreCutOff(t *testing.T) {
	w := newWorld(t)
	says := map[string]string{}
	for i := range 20 {
		id, text := fmt.Sprintf("I%02d", i), fmt.Sprintf("fact number %d", i)
		w.putText(id, text, memory.StateActive, 1)
		says[id] = text
	}
	e := &embedder{key: "m", dim: 12, batch: 4}
	stuck := make(chan struct{})
	n := 0
	e.before = func(ctx context.Context, texts []string) error {
		if isProbe(texts[0]) {
			return nil
		}
		if n++; n == 3 {
			close(stuck)
			<-ctx.Done()
		}
		return ctx.Err()
	}
	v := w.vectors(e, nil)
	<-stuck
	_ = v.Close()
	again := &embedder{key: "m", dim: 12, batch: 4}
	v = w.vectors(again, nil)
	settleVectors(t, v)
	w.want(v, again, says)
	if len(again.texts()) != 12 {
		t.Errorf("after 8 of 20 were stored, %d were embedded again", len(again.texts()))
	}
}

// D2: an item that is deleted while its vector is being made gets none, and one that
// is changed gets that of its new words.
func TestVectorsOfWhatChanged(t *testing.T) {
	w := newWorld(t)
	w.putText("GONE", "to be deleted", memory.StateActive, 1)
	w.putText("NEW", "old words", memory.StateActive, 1)
	e := &embedder{key: "m", dim: 12, batch: 8}
	begun, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	e.before = func(_ context.Context, texts []string) error {
		if !isProbe(texts[0]) {
			once.Do(func() { close(begun); <-goOn })
		}
		return nil
	}
	v := w.vectors(e, nil)
	<-begun
	w.drop("GONE")
	w.putText("NEW", "new words", memory.StateActive, 2)
	close(goOn)
	settleVectors(t, v)
	w.want(v, e, map[string]string{"NEW": "new words"})
}

// R9: while the gate is held nothing is asked for; holding it ends what is asked
// for, and that is no failure.
func TestVectorsMakeWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.putText("I1", "one", memory.StateActive, 1)
		e := &embedder{key: "m", dim: 12}
		e.before = func(ctx context.Context, _ []string) error {
			select {
			case <-time.After(time.Minute):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		gate := &indexer.Gate{}
		release := gate.Hold()
		v := w.vectors(e, gate)
		time.Sleep(time.Hour)
		if n := e.requests(); n != 0 {
			t.Fatalf("%d requests while the gate was held", n)
		}
		release()
		synctest.Wait()
		if n := e.requests(); n != 1 {
			t.Fatalf("%d requests after it was opened", n)
		}
		release = gate.Hold()
		synctest.Wait()
		if st := v.Status(); st.State == indexer.StateDegraded {
			t.Errorf("making way counts as a failure: %+v", st)
		}
		w.putText("I2", "two", memory.StateActive, 1)
		time.Sleep(time.Hour)
		if n := e.requests(); n != 1 {
			t.Fatalf("%d requests while the gate was held again", n)
		}
		release()
		release() // a second call does nothing
		time.Sleep(3 * time.Hour)
		w.want(v, e, map[string]string{"I1": "one", "I2": "two"})
		_ = v.Close()
		_ = w.store.Close()
	})
}

// R9: a failure is told and tried again after growing pauses.
func TestVectorsWithoutServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.putText("I1", "one", memory.StateActive, 1)
		e := &embedder{key: "m", dim: 12}
		e.before = func(context.Context, []string) error { return fmt.Errorf("%w: no connection", indexer.ErrUnavailable) }
		v := w.vectors(e, nil)
		time.Sleep(time.Minute)
		st := v.Status()
		if st.State != indexer.StateDegraded || !strings.Contains(st.Reason, "no connection") || st.Behind != 1 {
			t.Errorf("status %+v", st)
		}
		if n := e.requests(); n < 3 || n > 6 {
			t.Errorf("%d requests in a minute", n)
		}
		if err := v.Settle(context.Background()); err == nil || !strings.Contains(err.Error(), "no connection") {
			t.Errorf("settling says %v", err)
		}
		e.first(nil)
		time.Sleep(time.Hour)
		w.want(v, e, map[string]string{"I1": "one"})
		if st := v.Status(); st.State != indexer.StateReady || st.Reason != "" {
			t.Errorf("status %+v", st)
		}
		_ = v.Close()
		_ = w.store.Close()
	})
}

// R9: a text that the model refuses does not keep the others from their vectors,
// is not asked for again, and is when a rebuild is asked for.
func TestVectorsOfPoison(t *testing.T) {
	w := newWorld(t)
	says := map[string]string{"I1": "one", "I3": "three"}
	for id, text := range map[string]string{"I1": "one", "I2": "poison", "I3": "three"} {
		w.putText(id, text, memory.StateActive, 1)
	}
	e := &embedder{key: "m", dim: 12, batch: 8}
	e.before = func(_ context.Context, texts []string) error {
		if slices.Contains(texts, "poison") {
			return errPoison
		}
		return nil
	}
	v := w.vectors(e, nil)
	settleVectors(t, v)
	w.want(v, e, says)
	if st := v.Status(); st.Refused != 1 || st.State != indexer.StateReady {
		t.Errorf("status %+v", st)
	}
	_ = v.Close()
	before := e.requests()
	v = w.vectors(e, nil)
	settleVectors(t, v)
	if e.requests() != before {
		t.Errorf("a refused text is asked for again")
	}
	e.first(nil)
	v.Rebuild(false)
	settleVectors(t, v)
	says["I2"] = "poison"
	w.want(v, e, says)
}

// R9: a vector that cannot be read is made again.
func TestDamagedVector(t *testing.T) {
	w := newWorld(t)
	says := map[string]string{"I1": "one", "I2": "two"}
	for id, text := range says {
		w.putText(id, text, memory.StateActive, 1)
	}
	e := &embedder{key: "m", dim: 12, batch: 8}
	v := w.vectors(e, nil)
	settleVectors(t, v)
	_ = v.Close()
	w.update(func(tx *store.Tx) error {
		return kv.NewBucket("vectors", 1, kv.Bytes()).Put(tx.KV(), kv.Key(luna, uint64(1)), []byte{9})
	})
	v = w.vectors(e, nil)
	settleVectors(t, v)
	w.want(v, e, says)
	if n := len(e.texts()); n != 3 {
		t.Errorf("%q were embedded", e.texts())
	}
}

// R3: the vector of a message is asked for once, and after a failure messages do
// without one for a while.
func TestQueryVector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.putText("I1", "one", memory.StateActive, 1)
		e := &embedder{key: "m", dim: 12, batch: 64}
		v := w.vectors(e, nil)
		synctest.Wait()
		ctx := context.Background()
		for range 3 {
			q, err := v.Query(ctx, "one")
			if err != nil {
				t.Fatal(err)
			}
			hits, spread, err := v.Search(q, 5)
			if err != nil || len(hits) != 1 || hits[0].ID != "I1" || hits[0].Cosine < 0.999 || spread.N != 1 {
				t.Errorf("found %v, %+v, %v", hits, spread, err)
			}
		}
		if n := len(e.texts()); n != 2 { // the item and the message
			t.Errorf("%q were embedded", e.texts())
		}
		e.first(func(ctx context.Context, _ []string) error { <-ctx.Done(); return context.Cause(ctx) })
		late, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, err := v.Query(late, "slow"); err == nil || time.Since(start) != 300*time.Millisecond {
			t.Errorf("a slow server gives %v after %v", err, time.Since(start))
		}
		start, before := time.Now(), e.requests()
		if _, err := v.Query(ctx, "the next"); !errors.Is(err, indexer.ErrUnavailable) || time.Since(start) != 0 || e.requests() != before {
			t.Errorf("the next message waits for it too: %v, %v", err, time.Since(start))
		}
		e.first(nil)
		time.Sleep(time.Minute)
		if _, err := v.Query(ctx, "later"); err != nil {
			t.Errorf("it is never asked again: %v", err)
		}
		_ = v.Close()
		_ = w.store.Close()
	})
}
