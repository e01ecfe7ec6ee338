package cli

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"memoria/chat"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// Whatever a text holds, as JSON it has no character that a terminal would obey
// or hide, and it reads back as it was.
func TestEscapeHiddenKeepsTheMeaning(t *testing.T) {
	hostile := rapid.SampledFrom([]rune("\x00\x07\x1b\x7f\u0085\u009b\u200b\u202e\u2066\ufeff\u00ad\U000E0041\U000E01EF茶é😀<&>\"\\\n"))
	text := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(hostile).Draw(t, "runes")) }))
	rapid.Check(t, func(t *rapid.T) {
		want := strings.ToValidUTF8(text.Draw(t, "text"), "\uFFFD")
		var out strings.Builder
		p := &Program{out: &sink{w: &out}}
		if err := p.printJSON(map[string]string{"a": want}); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String() {
			if shown, n := clean.Text(string(r)); n > 0 || shown != string(r) {
				t.Fatalf("%U in %q", r, out.String())
			}
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
			t.Fatal(err)
		}
		if got["a"] != want {
			t.Fatalf("%q became %q", want, got["a"])
		}
	})
}

func TestJSONIsReadable(t *testing.T) {
	var out strings.Builder
	p := &Program{out: &sink{w: &out}}
	if err := p.printJSON("绿茶 <b> & 😀"); err != nil || out.String() != "\"绿茶 <b> & 😀\"\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// Whatever is printed or said is clean.
func TestPrintedTextIsClean(t *testing.T) {
	const hostile = "evil \x1b]52;c;AAAA\x07\x9b31m\u009b31m\u202e\u200b\r\nend"
	var out, errs strings.Builder
	p := &Program{out: &sink{w: &out}, Stderr: &errs}
	p.print(hostile)
	p.say("%s", hostile)
	for _, got := range []string{out.String(), errs.String()} {
		if again, _ := clean.Text(got); again != got || strings.ContainsAny(got, "\x1b\x07\r") {
			t.Errorf("%q", got)
		}
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// Output that cannot be written is a failure, told unless the reader has enough.
func TestOutputThatCannotBeWritten(t *testing.T) {
	for err, told := range map[error]bool{syscall.EPIPE: false, syscall.ENOSPC: true, errors.New("broken"): true} {
		for _, args := range [][]string{{"memory", "list", "--json"}, {"ask", "hello"}, {"ask", "--json", "hello"}, {"--help"}} {
			p, _, errs := newHome(t).program(args...)
			p.Stdout = broken{err}
			code := p.Run(t.Context())
			if code != ExitFailed || strings.Contains(errs.String(), "cannot be written") != told {
				t.Errorf("%v, %q: code %d, %q", err, args, code, errs)
			}
		}
	}
}

func TestSinkStopsAfterAnError(t *testing.T) {
	r, w := io.Pipe()
	_ = r.Close()
	s := &sink{w: w}
	for range 2 {
		if n, err := s.Write([]byte("x")); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
			t.Error(n, err)
		}
	}
}

// The types that help and completion name are those there are.
func TestTypeNames(t *testing.T) {
	if names := strings.Split(words.MemoryTypes(), ", "); len(names) != 8 || slices.Contains(names, "") {
		t.Error(names)
	}
}

// However an answer is cut into deltas, it is printed as if it came whole.
func TestAnswerIsPrintedAsIfItCameWhole(t *testing.T) {
	parts := rapid.SampledFrom([]string{"a", " ", "\r", "\n", "\r\n", "\u0301", "茶", "🇨", "👍🏽", "\u200d", "\x1b[31m",
		"\u202e", "한", "\u1100\u1161\u11a8", "\xe4\xb8"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 1, 12).Draw(t, "parts"), "")
		var out strings.Builder
		o := &printer{p: &Program{out: &sink{w: &out}}}
		for rest := text; rest != ""; {
			n := min(rapid.IntRange(1, 5).Draw(t, "length"), len(rest))
			o.event(chat.Delta{Text: rest[:n]})
			rest = rest[n:]
		}
		o.write(o.text.End())
		o.finish(chat.Finished{})
		want, _ := clean.Text(text)
		if want != "" && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		if out.String() != want {
			t.Fatalf("%q came out as %q, want %q", text, out.String(), want)
		}
	})
}
