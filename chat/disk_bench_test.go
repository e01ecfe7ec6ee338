package chat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/chat/model/modeltest"
	"memoria/kv"
	"memoria/memory/store"
)

// How much a turn of ordinary chat takes on disk: at most 7 kB of store. 500 turns in sessions of 25, messages of some 80 characters, every third one with a
// memory to find, answers of 400 characters:
//
//	go test ./chat -run xxx -bench Disk -benchtime 1x
func BenchmarkDisk(b *testing.B) {
	for b.Loop() {
		const turns = 500
		h := newHouse(b, nil)
		h.server.Reply = func(r *modeltest.Request) modeltest.Step {
			return modeltest.Step{Text: answerOf(len(r.LastUser()), 400), Deltas: 4}
		}
		for i := range turns {
			if i%25 == 0 {
				h.fresh()
			}
			h.clock.Add(90 * time.Second)
			h.say(ordinary(i))
		}
		h.close()
		file, err := os.Stat(filepath.Join(h.dir, "memoria.db"))
		if err != nil {
			b.Fatal(err)
		}
		db, err := kv.Open(kv.Options{Path: filepath.Join(h.dir, "memoria.db"), Schema: store.Schema, Now: h.clock.Now})
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Probe(); err != nil { // which counts the free pages
			b.Fatal(err)
		}
		s, err := db.Stats()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(file.Size())/turns, "file-B/turn")
		b.ReportMetric(float64(file.Size()-s.FreeBytes)/turns, "used-B/turn")
		slices.SortFunc(s.Buckets, func(x, y kv.BucketStats) int { return int(y.Bytes - x.Bytes) })
		for _, k := range s.Buckets[:9] {
			b.Logf("%-18s %7d records %6.0f", k.Name, k.Records, float64(k.Bytes)/turns)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// ordinary is the i-th message of an ordinary chat.
func ordinary(i int) string {
	things := []string{"the kiln", "my sister's garden", "the second chapter", "that recipe for lentils", "the train to Porto", "the budget sheet", "Rui's birthday"}
	thing := things[i%len(things)]
	switch i % 6 {
	case 0:
		return fmt.Sprintf("Can you help me plan %s for next week? I have about %d hours and not much money.", thing, i%9+2)
	case 1:
		return fmt.Sprintf("I like %s more than I expected, honestly; number %d on my list.", thing, i)
	case 2:
		return "And what about the first of them, would it be cheaper or not?"
	case 3:
		return fmt.Sprintf("Why does %s always take so long, do you think? It was day %d today.", thing, i%30)
	case 4:
		return fmt.Sprintf("I moved shelf %d of my workshop to the other wall last weekend.", i)
	}
	return "Thanks, that helps. Please write it as three short points."
}
