package kv

import (
	"errors"
	"strings"
	"testing"
)

// What a panic says may hold what is stored: an error tells its kind alone.
func TestFaultTellsNoWords(t *testing.T) {
	var nothing []byte
	for want, fault := range map[string]func(){
		"panic of type string":        func() { panic("the user's words") },
		"panic of type *errors.":      func() { panic(errors.New("the user's words")) },
		"index out of range [7]":      func() { _ = nothing[7] },
		"nil pointer dereference":     func() { _ = (*Tx)(nil).now },
		"slice bounds out of range [": func() { _ = nothing[3:][1:] },
	} {
		err := guard("reading", func() error { fault(); return nil })
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "words") {
			t.Errorf("%v has no %q", err, want)
		}
	}
}

// FuzzRecord: whatever bytes lie under a key, they are the record that was
// written there or an error, and what was written is read again.
func FuzzRecord(f *testing.F) {
	f.Add("notes", []byte("key"), uint8(1), []byte("payload"))
	f.Add("", []byte{}, uint8(0), []byte{})
	f.Add("items", []byte{0, 0xFF}, uint8(255), []byte{1, 0, 0, 0, 0, 7})
	f.Fuzz(func(t *testing.T, bucket string, key []byte, version uint8, payload []byte) {
		if v, p, err := openRecord(bucket, key, payload); err == nil {
			if again := appendRecord(nil, bucket, key, v, p); string(again) != string(payload) {
				t.Errorf("%x passes for a record of %q", payload, bucket)
			}
		}
		if version == 0 {
			return
		}
		rec := appendRecord(nil, bucket, key, version, payload)
		v, p, err := openRecord(bucket, key, rec)
		if err != nil || v != version || string(p) != string(payload) {
			t.Errorf("%x reads as version %d, %x, %v", rec, v, p, err)
		}
		if _, _, err := openRecord(bucket+"x", key, rec); err == nil {
			t.Error("it passes in another bucket")
		}
		for i := range rec {
			rec[i] ^= 1 << (i % 8)
			if _, _, err := openRecord(bucket, key, rec); err == nil {
				t.Errorf("a change of byte %d passes", i)
			}
			rec[i] ^= 1 << (i % 8)
		}
	})
}
