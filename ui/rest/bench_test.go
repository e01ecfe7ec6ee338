package rest

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// manyItems is the number of items of the benchmarks.
const manyItems = 100_000

// bigWorld serves many items. With MEMORIA_BENCH_DIR they are made once and kept there.
func bigWorld(t testing.TB) *world {
	t.Helper()
	kept := os.Getenv("MEMORIA_BENCH_DIR")
	if kept == "" {
		kept = t.TempDir()
	}
	dir := filepath.Join(kept, fmt.Sprintf("rest-%dk", manyItems/1000))
	if _, err := os.Stat(dir); err != nil {
		if err := fill(dir); err != nil {
			t.Fatal(err)
		}
	}
	w := serve(t, dir)
	if err := w.m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	return w
}

func fill(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	ids, random := memory.NewIDs(nil), rand.New(rand.NewPCG(1, 2))
	begin := time.Now().Add(-manyItems * time.Minute)
	const perWrite = 2000
	for done := 0; err == nil && done < manyItems; done += perWrite {
		err = st.Update(func(tx *store.Tx) error {
			for i := done; i < done+perWrite; i++ {
				at := begin.Add(time.Duration(i) * time.Minute)
				state := memory.StateActive
				switch i % 20 {
				case 0:
					state = memory.StateInactive
				case 1:
					state = memory.StateMuted
				}
				it := memory.Item{
					ID: ids.New(at), AgentID: luna, Type: memory.Types()[i%8], Key: fmt.Sprint("note/", i), Content: sentence(random, 8, 25),
					Tags: []string{word(random)}, Confidence: 0.9, Importance: 0.5, Source: memory.SourceUserStated, Origin: memory.OriginUser,
					State: state, CreatedAt: at, UpdatedAt: at, AccessCount: i % 7, Trust: memory.TrustUser, Version: 1,
				}
				if err := tx.PutItem(it, ids.New(at), memory.Change{Action: memory.ActionAdded, Time: at}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if end := st.Close(); err == nil {
		err = end
	}
	return err
}

// everyday are frequent words: each is in a sixth of the items.
var everyday = strings.Fields(`parcel tea garden train coffee budget deadline harbour kitchen library morning project python server
	signal station summer ticket violin weather window winter 包裹 茶 花园 火车 咖啡 预算 厨房 图书馆 早上 项目 服务器 车站 夏天 票 天气 窗户 冬天 部署 猫`)

// word returns one of the everyday words, half of the time, or one of many rare ones.
func word(random *rand.Rand) string {
	if random.IntN(2) == 0 {
		return everyday[random.IntN(len(everyday))]
	}
	syllables := strings.Fields("ba ce di fo gu ha ke li mo nu pa re si to vu za")
	var b strings.Builder
	for rank := 16 + int(20_000*random.Float64()*random.Float64()*random.Float64()); rank > 0; rank /= 16 {
		b.WriteString(syllables[rank%16])
	}
	return b.String()
}

func sentence(random *rand.Rand, least, most int) string {
	words := make([]string, least+random.IntN(most-least+1))
	for i := range words {
		words[i] = word(random)
	}
	return strings.Join(words, " ")
}

// calls are the calls of the benchmarks.
var calls = map[string]func(*rand.Rand) string{
	"list": func(random *rand.Rand) string {
		return fmt.Sprintf("/memory/long-term?limit=50&offset=%d", random.IntN(manyItems/10*9))
	},
	"filtered": func(random *rand.Rand) string {
		return fmt.Sprintf("/items?type=%s&limit=50&offset=%d", memory.Types()[random.IntN(8)], random.IntN(manyItems/10))
	},
	"search": func(random *rand.Rand) string {
		return "/search?q=" + url.QueryEscape(sentence(random, 2, 6)) + "&limit=10"
	},
}

func BenchmarkList(b *testing.B)     { benchmarkCall(b, "list") }
func BenchmarkFiltered(b *testing.B) { benchmarkCall(b, "filtered") }
func BenchmarkSearch(b *testing.B)   { benchmarkCall(b, "search") }

func benchmarkCall(b *testing.B, call string) {
	w := bigWorld(b)
	random := rand.New(rand.NewPCG(3, 4))
	get[any](w, calls[call](random)) // loads what the first call loads
	took := make([]time.Duration, 0, b.N)
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		get[any](w, calls[call](random))
		took = append(took, time.Since(start))
	}
	report(b, took)
}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// TestLoad sends 200 requests a second, for as long as MEMORIA_LOAD says, and reports times
// and memory. The times count from when a request was due, so that a stall shows in all that
// it delays. Every second an item is written meanwhile.
func TestLoad(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("MEMORIA_LOAD"))
	if err != nil {
		t.Skip("MEMORIA_LOAD is not set, to a time such as 3m")
	}
	w := bigWorld(t)
	const perSecond = 200
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	random := rand.New(rand.NewPCG(5, 6))
	kinds := []string{"list", "filtered", "search", "search"}
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	note := func(kind string, due time.Time) {
		mu.Lock()
		defer mu.Unlock()
		took[kind] = append(took[kind], time.Since(due))
	}
	var sent sync.WaitGroup
	get[any](w, "/items")
	before := resident(t)
	var late time.Duration // how late the machine let a request be sent
	start := time.Now()
	for i := 0; ; i++ {
		due := start.Add(time.Duration(i) * time.Second / perSecond)
		if due.Sub(start) > long {
			break
		}
		if i%(30*perSecond) == 0 {
			t.Logf("after %v: %d MB", due.Sub(start), resident(t)>>20)
		}
		time.Sleep(time.Until(due))
		late = max(late, time.Since(due))
		kind := kinds[i%len(kinds)]
		req := w.request("GET", calls[kind](random), "")
		if i%perSecond == 0 { // beside the requests: the disk must not hold up their sender
			item := memory.Item{Content: sentence(random, 8, 25)}
			sent.Go(func() {
				if _, err := w.m.Learning().AddItem(t.Context(), luna, item); err != nil {
					t.Error(err)
				}
				note("write", due)
			})
		}
		sent.Go(func() {
			resp, err := client.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK {
				t.Errorf("status %d", resp.StatusCode)
			}
			note(kind, due)
		})
	}
	sent.Wait()
	t.Logf("sent at most %v late", late.Round(10*time.Microsecond))
	for kind, all := range took {
		slices.Sort(all)
		t.Logf("%-8s %6d calls, P50 %v, P99 %v, longest %v", kind, len(all), all[len(all)/2].Round(10*time.Microsecond),
			all[len(all)*99/100].Round(10*time.Microsecond), all[len(all)-1].Round(10*time.Microsecond))
	}
	t.Logf("resident memory, the client's included: %d MB before, %d MB after", before>>20, resident(t)>>20)
	var work []time.Duration
	for _, k := range kinds {
		work = append(work, took[k][len(took[k])/2])
	}
	alone := machineAlone(work, perSecond, min(long, time.Minute))
	t.Logf("the machine alone, with arithmetic of the same length: P50 %v, P99 %v, longest %v", alone[len(alone)/2].Round(10*time.Microsecond),
		alone[len(alone)*99/100].Round(10*time.Microsecond), alone[len(alone)-1].Round(10*time.Microsecond))
}

// machineAlone keeps the same schedule as TestLoad with arithmetic in place of requests, each as
// long as half of them took, and returns the times, sorted. A virtual machine may be stopped by
// its host; no program has a better tail on it than this.
func machineAlone(work []time.Duration, perSecond int, long time.Duration) []time.Duration {
	const round = 100_000
	spin := func(rounds int) (x int) {
		for i := range rounds * round {
			x += i ^ x
		}
		return x
	}
	begin := time.Now()
	sum := spin(2000)
	each := time.Since(begin) / 2000
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	start := time.Now()
	for i := range int(long.Seconds() * float64(perSecond)) {
		due := start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		time.Sleep(time.Until(due))
		all.Go(func() {
			x := spin(max(1, int(work[i%len(work)]/each)))
			mu.Lock()
			defer mu.Unlock()
			sum += x
			took = append(took, time.Since(due))
		})
	}
	all.Wait()
	slices.Sort(took)
	return took
}

// resident returns the resident memory of this process; 0 if the system does not say.
func resident(t *testing.T) (bytes int64) {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	_, _ = fmt.Sscan(rest, &bytes)
	return bytes << 10
}
