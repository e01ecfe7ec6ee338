package pages_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"memoria/kv/pages"
)

const pageSize = 4096

// grown makes a file by some hundred random transactions and returns it with what it
// holds, by bucket and key.
func grown(t testing.TB, seed uint64, transactions int) ([]byte, map[string]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, PageSize: pageSize})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(seed, seed))
	want := map[string]string{}
	for range transactions {
		err := db.Update(func(tx *bolt.Tx) error {
			for range rnd.IntN(40) {
				name := fmt.Sprint("bucket", rnd.IntN(4))
				b, err := tx.CreateBucketIfNotExists([]byte(name))
				if err != nil {
					return err
				}
				key := fmt.Sprintf("key %03d", rnd.IntN(400))
				if rnd.IntN(3) == 0 {
					delete(want, name+"/"+key)
					err = b.Delete([]byte(key))
				} else {
					size := rnd.IntN(300)
					if rnd.IntN(30) == 0 {
						size = 20000
					}
					value := bytes.Repeat([]byte{byte('a' + rnd.IntN(26))}, size)
					want[name+"/"+key] = string(value)
					err = b.Put([]byte(key), value)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data, want
}

func walk(t testing.TB, data []byte, visit pages.Visit) (*pages.File, *pages.Walk) {
	t.Helper()
	f, err := pages.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Walk(t.Context(), visit)
	if err != nil {
		t.Fatal(err)
	}
	return f, w
}

// K4: of files that bbolt wrote none has a fault, and every record is shown.
func TestWalkHealthy(t *testing.T) {
	for seed := range uint64(30) {
		data, want := grown(t, seed, 5+int(seed)*5)
		f, w := walk(t, data, func(bucket string, key, value []byte) error {
			name := bucket + "/" + string(key)
			if want[name] != string(value) {
				t.Errorf("%s is wrong or shown twice", name)
			}
			delete(want, name)
			return nil
		})
		if len(want) > 0 || w.Total > 0 || w.FreeList != nil || f.Single {
			t.Errorf("seed %d: %d records are missing; %v, %v", seed, len(want), w.Faults, w.FreeList)
		}
		// What is free may still hold what was deleted; nothing else is stray.
		err := f.Strays(t.Context(), w, func(s pages.Stray) error {
			if s.Live {
				return fmt.Errorf("%q was in use", s.Key)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A page that is lost takes its own records along and no other: those of a lost branch are
// found as strays.
func TestLostPages(t *testing.T) {
	data, _ := grown(t, 7, 120)
	lost, recovered := 0, 0
	for at := 2 * pageSize; at < len(data); at += pageSize {
		kind := binary.NativeEndian.Uint16(data[at+8:])
		if kind != 1 && kind != 2 || binary.NativeEndian.Uint64(data[at:]) != uint64(at/pageSize) {
			continue
		}
		whole := map[string]bool{}
		walk(t, data, func(_ string, k, v []byte) error { whole[string(k)+string(v)] = true; return nil })
		damaged := bytes.Clone(data)
		clear(damaged[at : at+pageSize])
		f, w := walk(t, damaged, func(_ string, k, v []byte) error { delete(whole, string(k)+string(v)); return nil })
		missing := len(whole)
		if missing == 0 {
			continue // the page is not in use
		}
		if w.Total == 0 {
			t.Errorf("page %d: nothing is said", at/pageSize)
		}
		err := f.Strays(t.Context(), w, func(s pages.Stray) error {
			if s.Live {
				delete(whole, string(s.Key)+string(s.Value))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if kind == 1 { // its leaves are all there; small buckets lie in the leaf above
			recovered += missing - len(whole)
			lost += len(whole)
		}
	}
	if recovered == 0 || lost > 0 {
		t.Errorf("%d were found again, %d were not", recovered, lost)
	}
}

// K2, K4: a page that says it has fewer elements than it has is told, and hides none.
func TestWalkCountsAnew(t *testing.T) {
	data, want := grown(t, 11, 60)
	f, w := walk(t, data, nil)
	free := map[uint64]bool{}
	ids, err := f.Free()
	if err != nil || len(w.Faults) > 0 {
		t.Fatal(err, w.Faults)
	}
	for _, id := range ids {
		free[id] = true
	}
	hurt := 0
	for id := uint64(2); id < uint64(len(data)/pageSize); id++ {
		at := int(id) * pageSize
		kind, count := binary.NativeEndian.Uint16(data[at+8:]), binary.NativeEndian.Uint16(data[at+10:])
		if free[id] || binary.NativeEndian.Uint64(data[at:]) != id || kind != 1 && kind != 2 || count == 0 {
			continue
		}
		damaged := bytes.Clone(data)
		binary.NativeEndian.PutUint16(damaged[at+10:], count-1-count/3)
		got := map[string]string{}
		_, w := walk(t, damaged, func(bucket string, key, value []byte) error {
			got[bucket+"/"+string(key)] = string(value)
			return nil
		})
		if hurt++; len(w.Faults) == 0 || len(got) != len(want) {
			t.Errorf("page %d of %d elements: %d faults, %d of %d records", id, count, len(w.Faults), len(got), len(want))
		}
	}
	if hurt < 5 {
		t.Errorf("only %d pages", hurt)
	}
}

// Whatever the file holds, walking ends and says so.
func TestWalkDamaged(t *testing.T) {
	healthy, _ := grown(t, 3, 60)
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 3000 {
		data := bytes.Clone(healthy)
		for range 1 + rnd.IntN(8) {
			at := rnd.IntN(len(data)/pageSize) * pageSize
			switch rnd.IntN(3) {
			case 0:
				data[at+rnd.IntN(64)] ^= 1 << rnd.IntN(8)
			case 1:
				data[at+rnd.IntN(pageSize)] = byte(rnd.Uint32())
			default:
				copy(data[at:at+pageSize], data[rnd.IntN(len(data)/pageSize)*pageSize:])
			}
		}
		tryAll(t, data)
	}
}

func tryAll(t *testing.T, data []byte) {
	f, err := pages.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	n := 0
	w, err := f.Walk(context.Background(), func(string, []byte, []byte) error { n++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Strays(context.Background(), w, func(pages.Stray) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	if n > len(data)/16 {
		t.Errorf("%d records in %d bytes", n, len(data))
	}
}

func FuzzWalk(f *testing.F) {
	healthy, _ := grown(f, 3, 8)
	f.Add(healthy, uint32(0), byte(0))
	f.Add(healthy, uint32(4096*3+12), byte(9))
	f.Fuzz(func(t *testing.T, data []byte, at uint32, with byte) {
		if len(data) > 1<<20 {
			return
		}
		data = bytes.Clone(data)
		if int(at) < len(data) {
			data[at] = with
		}
		tryAll(t, data)
	})
}

// The error of the caller and the end of the context end a walk.
func TestWalkEnds(t *testing.T) {
	data, _ := grown(t, 5, 40)
	f, err := pages.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if _, err := f.Walk(t.Context(), func(string, []byte, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := f.Walk(ctx, nil); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// A free list that was dropped is made anew by bbolt, and is right then.
func TestDropFreeList(t *testing.T) {
	data, want := grown(t, 9, 80)
	path := filepath.Join(t.TempDir(), "file.db")
	for at := range len(data) / pageSize {
		if binary.NativeEndian.Uint16(data[at*pageSize+8:]) != 16 {
			continue
		}
		damaged := bytes.Clone(data)
		damaged[at*pageSize+16] ^= 4
		_, w := walk(t, damaged, nil)
		if w.FreeList == nil {
			continue // an older list
		}
		if w.Total > 0 {
			t.Error(w.Faults)
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(pages.DropFreeList(f, int64(len(damaged))), f.Close()); err != nil {
			t.Fatal(err)
		}
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		mended, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		_, w = walk(t, mended, func(string, []byte, []byte) error { n++; return nil })
		if w.Total > 0 || w.FreeList != nil || n != len(want) {
			t.Errorf("%v, %v, %d of %d records", w.Faults, w.FreeList, n, len(want))
		}
		return
	}
	t.Error("no free list")
}
