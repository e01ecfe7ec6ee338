package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkFirstSearch runs `memoria archive search --json` over an archive made
// once by the real store, each time in a new process, so that every search is the
// first one after a start. With "cold" the data is not in the page cache, as after
// a start of the computer; that works on Linux only. It gives:
//
//	p50-ms, worst-ms  from the start of the process to its end
//	found             the number of messages found, which must be the same in
//	                  every run
//	degraded          the share of searches that say they were degraded
//
// The limits: under 600 ms at 200,000 messages, under 1,500 ms at a million, none
// degraded.
//
//	MEMORIA_BENCH_DIR=/var/tmp/memoria-bench go test -run xxx -bench FirstSearch -benchtime 20x .
//
// MEMORIA_BENCH_DIR is that of [BenchmarkFirstFrame].
func BenchmarkFirstSearch(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "memoria")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, size := range []benchSize{{10_000, 200_000}, {0, 1_000_000}} {
		data := ""
		for _, words := range []string{"parcel", "garden 包裹 kahadi", "部署 winter budget harbour"} {
			for _, cache := range []string{"warm", "cold"} {
				b.Run(fmt.Sprintf("%s/%s/%s", size, words, cache), func(b *testing.B) {
					if data == "" {
						data = size.data(b)
					}
					benchmarkFirstSearch(b, binary, data, words, cache == "cold")
				})
			}
		}
	}
}

func benchmarkFirstSearch(b *testing.B, binary, data, words string, cold bool) {
	var took []float64
	total, degraded := -1, 0.0
	for b.Loop() {
		if cold {
			evict(b, data)
		}
		cmd := exec.Command(binary, "--data-dir", data, "archive", "search", "--json", words)
		cmd.Dir = b.TempDir()
		cmd.Env = []string{"HOME=" + cmd.Dir, "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
		began := time.Now()
		out, err := cmd.Output()
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		if err != nil {
			b.Fatal(err)
		}
		var found struct {
			Total    int    `json:"total"`
			Degraded string `json:"degraded"`
		}
		if err := json.Unmarshal(out, &found); err != nil {
			b.Fatal(err)
		}
		if total >= 0 && found.Total != total {
			b.Errorf("%d messages found, %d before", found.Total, total)
		}
		total = found.Total
		if found.Degraded != "" {
			degraded++
		}
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took[len(took)/2], "p50-ms")
	b.ReportMetric(took[len(took)-1], "worst-ms")
	b.ReportMetric(float64(total), "found")
	b.ReportMetric(degraded/float64(len(took)), "degraded")
}
