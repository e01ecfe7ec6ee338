package kv_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"memoria/kv"
)

// benchText makes a record of about 0.9 KB, as a recall item is.
var benchText = strings.Repeat("memory ", 128)

// benchNotes are stored as bytes: encoding is the caller's.
var benchNotes = kv.NewBucket("notes", 1, kv.Bytes())

func benchStore(b *testing.B, n int) *kv.DB {
	b.Helper()
	db := openTemp(b)
	fillNotes(b, db, n, benchText)
	return db
}

func BenchmarkPut(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			db := benchStore(b, n)
			i := 0
			for b.Loop() {
				update(b, db, func(tx *kv.Tx) error {
					i++
					return benchNotes.Put(tx, benchKey(i*7919%n), []byte(benchText))
				})
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			db := benchStore(b, n)
			i := 0
			for b.Loop() {
				view(b, db, func(tx *kv.Tx) error {
					i++
					_, err := benchNotes.Get(tx, benchKey(i*7919%n))
					return err
				})
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			db := benchStore(b, n)
			for b.Loop() {
				view(b, db, func(tx *kv.Tx) error {
					for _, err := range benchNotes.Scan(tx, nil) {
						if err != nil {
							return err
						}
					}
					return nil
				})
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	db := benchStore(b, 100_000)
	for b.Loop() {
		if err := db.Check(context.Background(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	opts := options(storePath(b))
	db := open(b, opts)
	fillNotes(b, db, 100_000, benchText)
	mustClose(b, db)
	for b.Loop() {
		db, err := kv.Open(opts)
		if err != nil {
			b.Fatal(err)
		}
		mustClose(b, db)
	}
}

// BenchmarkCheckFile is what a start after a crash waits for, beside the start
// of a process.
func BenchmarkCheckFile(b *testing.B) {
	for _, n := range []int{10_000, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := storePath(b)
			db, err := kv.Open(options(path))
			if err != nil {
				b.Fatal(err)
			}
			fillNotes(b, db, n, benchText)
			mustClose(b, db)
			for b.Loop() {
				info, err := kv.CheckFile(context.Background(), path, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(info.Bytes)/1e6, "MB")
			}
		})
	}
}
