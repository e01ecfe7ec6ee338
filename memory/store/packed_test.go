package store_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/codec"
)

// sample is a message with everything that a record can have.
func sample(id, words string) memory.Record {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return memory.Record{
		ID: id, AgentID: "luna", SessionID: "S1", TurnID: "T" + id, Role: memory.RoleAssistant, Content: words, Timestamp: at,
		Tags: []string{"a"}, Collected: true, Status: memory.StatusComplete, Model: "m", FinishReason: "stop",
		Usage: &memory.Usage{PromptTokens: 3}, Reasoning: &memory.Reasoning{Text: "let me think", Took: time.Second},
		Spans: []memory.Span{{Kind: memory.SpanPiped, Length: 2}}, Metadata: memory.RecordMetadata{Error: "x"},
	}
}

// A store of layout 2, whose messages and packages are JSON, is brought up to date: each is
// read as it was, and takes less room. The words of messages stay as they are, so that whoever
// looks for a deleted word in the file would find it.
func TestMigrationPacks(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "m.db"), filepath.Join(dir, "before.db")
	db, err := kv.Open(kv.Options{Path: path, Now: clock(), Schema: 2, Buckets: store.BucketNames()})
	if err != nil {
		t.Fatal(err)
	}
	records := kv.NewBucket("records", 1, kv.JSON[memory.Record]())
	packages := kv.NewBucket("packages", 1, kv.JSON[memory.Package]())
	bytesOf := func(db *kv.DB, name string) (n int64) {
		s, err := db.Stats()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range s.Buckets {
			if b.Name == name {
				n = b.Bytes
			}
		}
		return n
	}
	want := sample("R1", "the words 北京 of it")
	pkg := memory.Package{AgentID: "luna", SessionID: "S1", TurnID: "T1", Model: "m", Hash: "h", Turn: 3, Keywords: []string{"kiln"}}
	for range 20 {
		pkg.Blocks = append(pkg.Blocks, memory.Block{Layer: memory.LayerWindow, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: "R1"}}, Tokens: 4})
		pkg.Used = append(pkg.Used, memory.Used{ItemID: "I1", Version: 1, Score: 0.25, Why: "its words match"})
	}
	err = db.Update(func(tx *kv.Tx) error {
		if err := packages.Put(tx, kv.Key("luna", "S1", "T1"), pkg); err != nil {
			return err
		}
		if err := kv.NewBucket("turn_sessions", 1, kv.Bytes()).Put(tx, kv.Key("luna", "T1"), []byte("S1")); err != nil {
			return err
		}
		return records.Put(tx, kv.Key("luna", "S1", uint64(1)), want)
	})
	if err != nil {
		t.Fatal(err)
	}
	before := bytesOf(db, "packages")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Path: path, Now: clock(), MigrationCopy: func(uint64) string { return copied }, Program: "v9"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if after := bytesOf(s.DB(), "packages"); after*3 > before {
		t.Errorf("the package took %d bytes and takes %d", before, after)
	}
	err = s.View(func(tx *store.Tx) error {
		said, err := tx.SessionRecords("luna", "S1")
		if diff := cmp.Diff([]memory.Record{want}, said); diff != "" {
			t.Error(diff)
		}
		if err != nil {
			return err
		}
		got, err := tx.Package("luna", "T1")
		if diff := cmp.Diff(pkg, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(copied); err != nil {
		t.Errorf("no copy: %v", err)
	}
	file, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(file, []byte(want.Content)) || !bytes.Contains(file, []byte(want.Reasoning.Text)) {
		t.Errorf("its words are not in the file as they are: %v", err)
	}
}

// Whatever a message is, it is read as it was written.
func TestRecordsAreReadAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		want := sample(strings.Repeat("R", 1+r.IntN(30)), strings.Repeat("字 word ", r.IntN(400)))
		if r.IntN(2) == 0 {
			want.Reasoning = nil
		}
		if r.IntN(2) == 0 {
			want.Metadata, want.Tags, want.Usage, want.Spans = memory.RecordMetadata{}, nil, nil, nil
		}
		b, err := codec.Record.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.Record.Decode(1, b)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
	}
}

// FuzzRecord reads any bytes as a message: it answers an error, and what it can read it
// writes and reads again as the same.
func FuzzRecord(f *testing.F) {
	for _, r := range []memory.Record{sample("R1", "words"), {}} {
		b, err := codec.Record.Encode(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"id":"R1","content":"old"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := codec.Record.Decode(1, data)
		if err != nil {
			return
		}
		b, err := codec.Record.Encode(r)
		if err != nil {
			t.Skip(err) // a time that JSON reads and does not write
		}
		again, err := codec.Record.Decode(1, b)
		if err != nil || again.Content != r.Content || again.ID != r.ID {
			t.Errorf("%+v became %+v: %v", r, again, err)
		}
	})
}

// A dictionary is part of the layout: with another one, nothing that was written before is read.
// Whoever needs a new one gives it a mark of its own and keeps these.
func TestDictionariesStay(t *testing.T) {
	for name, d := range map[string][2]string{
		"records":  {codec.RecordNames, "ce28d54530a8903c"},
		"packages": {codec.PackageNames, "1d0704acaf6f093b"},
	} {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(d[0])))[:16]; got != d[1] {
			t.Errorf("the dictionary of %s is another one: %s", name, got)
		}
	}
}
