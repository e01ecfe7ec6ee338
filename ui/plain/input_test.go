package plain

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Lines that come together are one entry and count as pasted; what a person
// types is a line each.
func TestListenTellsAPasteFromTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		entries := listen(t.Context(), in, together)
		go func() {
			for _, typed := range []string{"typed\n", "pasted\n\n\tmore\r\n", "typed too\n", "\n", "no end"} {
				_, _ = io.WriteString(out, typed)
				time.Sleep(2 * together)
			}
			_ = out.Close()
		}()
		for _, want := range []entry{
			{text: "typed"}, {text: "pasted\n\n\tmore", pasted: true}, {text: "typed too"}, {text: ""},
			{text: "no end"}, {err: io.EOF},
		} {
			if got := <-entries; got.text != want.text || got.pasted != want.pasted || !errors.Is(got.err, want.err) {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
	})
}

// The end that comes right behind a paste is not lost; without a gap every line
// is one.
func TestListenToTheEnd(t *testing.T) {
	for gap, want := range map[time.Duration][]string{together: {"a\nb", "EOF"}, 0: {"a", "b", "EOF"}} {
		synctest.Test(t, func(t *testing.T) {
			entries := listen(t.Context(), strings.NewReader("a\nb"), gap)
			for _, w := range want {
				e := <-entries
				if e.err != nil {
					e.text = e.err.Error()
				}
				if e.text != w {
					t.Fatalf("gap %s: got %+v, want %q", gap, e, w)
				}
			}
		})
	}
}

// Lines that were there together are one entry, however slow this program is: here
// there is no time between lines at all.
func TestListenHoldsTogetherWhatCameTogether(t *testing.T) {
	in, out := io.Pipe()
	entries := listen(t.Context(), in, 1)
	for range 50 {
		go func() { _, _ = io.WriteString(out, "a\nb\nc\n") }()
		if e := <-entries; e.text != "a\nb\nc" || !e.pasted {
			t.Fatalf("%+v", e)
		}
	}
	_ = out.Close()
	if e := <-entries; !errors.Is(e.err, io.EOF) {
		t.Errorf("%+v", e)
	}
}

// A message of 1 MB is taken; what is beyond all measure is refused, and what
// follows is read.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("茶", maxEntry/3+1)
	r := bufio.NewReader(strings.NewReader(strings.Repeat("a", 1<<20) + "\n" + long + "\nnext\xff\n"))
	if e := readLine(r); len(e.text) != 1<<20 || e.err != nil {
		t.Errorf("1 MB: %d bytes, %v", len(e.text), e.err)
	}
	if e := readLine(r); !errors.Is(e.err, errLong) || e.text != "" {
		t.Errorf("too long: %d bytes, %v", len(e.text), e.err)
	}
	if e := readLine(r); e.text != "next\uFFFD" || e.err != nil {
		t.Errorf("after it: %+v", e)
	}
	lines := bytes.Repeat([]byte("line\n"), 10_000)
	synctest.Test(t, func(t *testing.T) {
		e := <-listen(t.Context(), bytes.NewReader(lines), together)
		if !e.pasted || len(e.text) != len(lines)-1 {
			t.Errorf("10,000 lines: %d bytes, pasted %v, %v", len(e.text), e.pasted, e.err)
		}
	})
}

func TestContinues(t *testing.T) {
	for _, tt := range []struct {
		line string
		want bool
	}{{"", false}, {"a", false}, {`a\`, true}, {`a\\`, false}, {`a\\\`, true}, {`\`, true}, {`a\ `, false}} {
		line, want := tt.line, tt.want
		if got := continues(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
