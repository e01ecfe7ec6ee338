package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"memoria/ui/term/cells"
)

// BenchmarkFirstFrame starts the real program in a terminal of 140×40 over a
// memory made once by the real store and indexes, and gives in milliseconds and
// megabytes:
//
//	frame-ms   from the start of the process to the whole first frame: top line,
//	           panel and bottom line; the median, and the slowest as worst-ms
//	list-ms    until the panel has the list of memories, and shows their number
//	recall-ms  from a typed word to what it would recall, in the panel; the
//	           program waits 120 ms of it for the next key
//	rss-MB     resident memory after that (on Linux)
//
// The lines it is held against: 10,000 items and an archive of 200,000 messages
// under 200 ms, within 20 % of the same with an empty archive; 100,000 items under
// 300 ms; 10,000 items in less than 100 MB.
//
//	MEMORIA_BENCH_DIR=/var/tmp/memoria-bench go test -run xxx -bench FirstFrame -benchtime 20x .
//
// MEMORIA_BENCH_DIR keeps what was made (some minutes' work, 2 GB) for the next
// run; without it a temporary folder is used.
func BenchmarkFirstFrame(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "memoria")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, size := range []benchSize{{0, 0}, {10_000, 0}, {10_000, 200_000}, {100_000, 0}, {100_000, 200_000}} {
		b.Run(size.String(), func(b *testing.B) {
			data := size.data(b)
			var frames, lists, recalls, resident []float64
			for b.Loop() {
				p := startOnPty(b, binary, data)
				frames = append(frames, p.until(topLine, panel, bottomLine))
				if size.items > 0 {
					lists = append(lists, p.until(cells.Number(size.items)))
					p.keys("parcel")
					recalls = append(recalls, p.until("would recall · "))
				}
				if mb, ok := p.resident(); ok {
					resident = append(resident, mb)
				}
				p.quit()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(frames), "frame-ms")
			b.ReportMetric(slices.Max(frames), "worst-ms")
			for unit, values := range map[string][]float64{"list-ms": lists, "recall-ms": recalls, "rss-MB": resident} {
				if len(values) > 0 {
					b.ReportMetric(median(values), unit)
				}
			}
		})
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// What the first frame has in its three parts; each is written in one piece.
const (
	topLine    = " memoria"
	panel      = "[Memory]"
	bottomLine = " panel · "
)

// onPty is the program in a terminal of its own.
type onPty struct {
	b     *testing.B
	cmd   *exec.Cmd
	tty   *os.File
	began time.Time // of the process, or of the last keys
	said  []byte    // since then
	read  chan []byte
}

// stuck is how long the program may take for anything.
const stuck = 20 * time.Second

func startOnPty(b *testing.B, binary, data string) *onPty {
	b.Helper()
	p := &onPty{b: b, cmd: exec.Command(binary, "--data-dir", data), read: make(chan []byte, 1024)}
	p.cmd.Dir = b.TempDir()
	p.cmd.Env = []string{"HOME=" + p.cmd.Dir, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	p.began = time.Now()
	var err error
	if p.tty, err = pty.StartWithSize(p.cmd, &pty.Winsize{Cols: 140, Rows: 40}); err != nil {
		if errors.Is(err, pty.ErrUnsupported) {
			b.Skip("no pseudo-terminals here")
		}
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.tty.Close() })
	go func() {
		defer close(p.read)
		for {
			piece := make([]byte, 32<<10)
			n, err := p.tty.Read(piece)
			if err != nil {
				return
			}
			p.read <- piece[:n]
		}
	}()
	return p
}

// until waits until the program has written all of the texts and gives the
// milliseconds since it, or the last keys, began.
func (p *onPty) until(texts ...string) float64 {
	p.b.Helper()
	timeout := time.After(stuck)
	for {
		if !slices.ContainsFunc(texts, func(t string) bool { return !bytes.Contains(p.said, []byte(t)) }) {
			return float64(time.Since(p.began).Microseconds()) / 1000
		}
		select {
		case piece, ok := <-p.read:
			if !ok {
				p.b.Fatalf("the program ended: %q", p.said)
			}
			p.said = append(p.said, piece...)
		case <-timeout:
			p.b.Fatalf("%q did not come: %q", texts, p.said[max(0, len(p.said)-8000):])
		}
	}
}

// keys types text.
func (p *onPty) keys(text string) {
	p.said, p.began = nil, time.Now()
	if _, err := p.tty.WriteString(text); err != nil {
		p.b.Fatal(err)
	}
}

// quit empties the input, leaves the program and waits for its end.
func (p *onPty) quit() {
	p.b.Helper()
	p.keys("\x03\x04") // ctrl+c, ctrl+d
	timeout := time.After(stuck)
	for open := true; open; {
		select {
		case _, open = <-p.read:
		case <-timeout:
			p.b.Fatal("the program did not end")
		}
	}
	if err := p.cmd.Wait(); err != nil {
		p.b.Fatalf("the program ended with %v", err)
	}
	_ = p.tty.Close()
}

// resident gives the megabytes that the program has in memory, where the
// system tells.
func (p *onPty) resident() (mb float64, ok bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if kb, is := strings.CutPrefix(line, "VmRSS:"); is {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(kb), " kB"))
			return float64(n) / 1000, err == nil
		}
	}
	return 0, false
}
