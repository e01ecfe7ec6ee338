package kv_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"memoria/kv"
)

// D2: when a wipe is done, nothing of what was deleted is in the file; the rest is as it
// was. While somebody reads who may see an old page, nothing is done.
func TestWipe(t *testing.T) {
	opts := options(storePath(t))
	db := open(t, opts)
	const word = "Quizzacious"
	for n := range 40 {
		update(t, db, func(tx *kv.Tx) error {
			return notes.Put(tx, kv.Key(fmt.Sprintf("k%03d", n)), note{Text: strings.Repeat(word+" ", 1+n*n), N: n})
		})
	}
	for n := range 40 {
		update(t, db, func(tx *kv.Tx) error {
			return notes.Put(tx, kv.Key(fmt.Sprintf("k%03d", n)), note{Text: "another", N: n})
		})
	}
	if n := bytes.Count(read(t, opts.Path), []byte(word)); n < 1000 {
		t.Fatalf("%d copies are there to be wiped", n)
	}
	reading, stop := make(chan bool), make(chan bool)
	var work sync.WaitGroup
	work.Go(func() {
		view(t, db, func(*kv.Tx) error { close(reading); <-stop; return nil })
	})
	<-reading
	if done, err := db.Wipe(t.Context()); done || err != nil {
		t.Errorf("with a reader: %t, %v", done, err)
	}
	close(stop)
	work.Wait()
	if done, err := db.Wipe(t.Context()); !done || err != nil {
		t.Errorf("%t, %v", done, err)
	}
	if n := bytes.Count(read(t, opts.Path), []byte(word)); n > 0 {
		t.Errorf("%d copies are left", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if done, err := db.Wipe(ctx); done || err == nil {
		t.Errorf("after the end: %t, %v", done, err)
	}
}

// Wiping beside readers and a writer takes nothing from them.
func TestWipeBesideOthers(t *testing.T) {
	db := openTemp(t)
	var work sync.WaitGroup
	stop := make(chan bool)
	for range 2 {
		work.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				view(t, db, func(tx *kv.Tx) error {
					for e, err := range notes.Scan(tx, nil) {
						if err != nil {
							return err
						}
						if want := strings.Repeat(fmt.Sprint(e.Value.N, " "), e.Value.N); e.Value.Text != want {
							t.Errorf("%d is %q", e.Value.N, e.Value.Text)
						}
					}
					return nil
				})
			}
		})
	}
	work.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := db.Wipe(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		update(t, db, func(tx *kv.Tx) error {
			for range 5 {
				n := rnd.IntN(300)
				if err := notes.Put(tx, kv.Key(fmt.Sprintf("k%03d", rnd.IntN(60))), note{Text: strings.Repeat(fmt.Sprint(n, " "), n), N: n}); err != nil {
					return err
				}
			}
			return notes.Delete(tx, kv.Key(fmt.Sprintf("k%03d", rnd.IntN(60))))
		})
	}
	close(stop)
	work.Wait()
}
