package main_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/ui/config"
)

// benchSize is how much a memory holds.
type benchSize struct{ items, records int }

func (s benchSize) String() string { return fmt.Sprintf("%dk+%dk", s.items/1000, s.records/1000) }

// data gives the folder of a memory of this size, made when it is not there.
func (s benchSize) data(b *testing.B) string {
	b.Helper()
	kept := os.Getenv("MEMORIA_BENCH_DIR")
	if kept == "" {
		kept = b.TempDir()
	}
	dir := filepath.Join(kept, s.String())
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	making := dir + ".making"
	if err := os.RemoveAll(making); err != nil {
		b.Fatal(err)
	}
	if err := os.MkdirAll(making, 0o700); err != nil {
		b.Fatal(err)
	}
	if err := s.fill(making); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(making, dir); err != nil {
		b.Fatal(err)
	}
	return dir
}

// perWrite is how many records one transaction takes: a memory that was filled
// over years has the same content, but one fsync for each.
const perWrite = 2000

// fill writes items and sessions of 40 messages, the last of them yesterday,
// and has the manager build both indexes.
func (s benchSize) fill(dir string) error {
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	f := filling{ids: memory.NewIDs(nil), rng: rand.New(rand.NewPCG(1, 2)), now: time.Now().Add(-24 * time.Hour)}
	for done := 0; err == nil && done < s.items; done += perWrite {
		err = st.Update(func(tx *store.Tx) error { return f.items(tx, done, min(done+perWrite, s.items), s.items) })
	}
	for done := 0; err == nil && done < s.records; done += perWrite {
		err = st.Update(func(tx *store.Tx) error { return f.sessions(tx, done, min(done+perWrite, s.records), s.records) })
	}
	if end := st.Close(); err != nil || end != nil {
		return fmt.Errorf("filling: %w, %w", err, end)
	}
	m, err := manager.Open(context.Background(), manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: time.Now})
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err = m.Recall().RetrieveArchive(ctx, config.DefaultAgent, recall.ArchiveQuery{Text: "parcel"}); err == nil { // opens its index
		err = m.Recall().Settle(ctx, config.DefaultAgent)
	}
	if end := m.Close(); err == nil {
		err = end
	}
	return err
}

// filling makes what is filled in.
type filling struct {
	ids *memory.IDs
	rng *rand.Rand
	now time.Time
}

// age is the time of the i-th of n, one minute apart.
func (f filling) age(i, n int) time.Time { return f.now.Add(-time.Duration(n-i) * time.Minute) }

func (f filling) items(tx *store.Tx, from, to, n int) error {
	for i := from; i < to; i++ {
		at := f.age(i, n)
		it := memory.Item{
			ID: f.ids.New(at), AgentID: config.DefaultAgent, Type: memory.Types()[i%8], Key: fmt.Sprint("note/", i),
			Content: f.sentence(8, 25), Tags: []string{f.word()}, Confidence: 0.9, Importance: 0.5,
			Source: memory.SourceUserStated, Origin: memory.OriginUser, State: memory.StateActive,
			CreatedAt: at, UpdatedAt: at, AccessCount: i % 7, Trust: memory.TrustUser, Version: 1,
		}
		if err := tx.PutItem(it, f.ids.New(at), memory.Change{Action: memory.ActionAdded, Time: at}); err != nil {
			return err
		}
	}
	return nil
}

const perSession = 40

func (f filling) sessions(tx *store.Tx, from, to, n int) error {
	for first := from; first < to; first += perSession {
		at := f.age(first, n)
		s := memory.Session{
			ID: f.ids.New(at), AgentID: config.DefaultAgent, State: memory.SessionArchived, Title: f.sentence(3, 6),
			CreatedAt: at, Turns: perSession / 2, Messages: perSession,
		}
		turn := ""
		for i := range perSession {
			at := f.age(first+i, n)
			r := memory.Record{
				ID: f.ids.New(at), AgentID: s.AgentID, SessionID: s.ID, TurnID: turn, ParentID: s.LastRecordID,
				Role: memory.RoleAssistant, Content: f.sentence(20, 120), Timestamp: at, Status: memory.StatusComplete, Model: "some-model",
			}
			if i%2 == 0 {
				turn = f.ids.New(at)
				r.TurnID, r.Role, r.Content, r.Model = turn, memory.RoleUser, f.sentence(5, 30), ""
			}
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
			s.LastRecordID, s.LastMessageAt, s.ArchivedAt = r.ID, at, at
		}
		if first+perSession >= n {
			s.State, s.ArchivedAt = memory.SessionActive, time.Time{}
		}
		if err := tx.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}

// everyday are the words that the sentences' frequent ones stand for.
var everyday = strings.Fields(`parcel tea garden train coffee budget deadline harbour kitchen library morning
	project python server signal station summer ticket violin weather window winter 包裹 茶 花园 火车 咖啡 预算 厨房
	图书馆 早上 项目 服务器 车站 夏天 票 天气 窗户 冬天 部署 猫`)

// word is one of the everyday words, half of the time, or one of many rare ones.
func (f filling) word() string {
	if f.rng.IntN(2) == 0 {
		return everyday[f.rng.IntN(len(everyday))]
	}
	syllables := strings.Fields("ba ce di fo gu ha ke li mo nu pa re si to vu za")
	rank := int(20_000 * f.rng.Float64() * f.rng.Float64() * f.rng.Float64())
	var b strings.Builder
	for rank += 16; rank > 0; rank /= 16 {
		b.WriteString(syllables[rank%16])
	}
	return b.String()
}

func (f filling) sentence(least, most int) string {
	words := make([]string, least+f.rng.IntN(most-least+1))
	for i := range words {
		words[i] = f.word()
	}
	return strings.Join(words, " ")
}
