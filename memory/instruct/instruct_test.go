package instruct

import (
	"os"
	"strings"
	"testing"

	"memoria/memory"
)

// said reads a file of sentences by kind.
func said(t *testing.T, file string) map[Kind][]string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[Kind][]string{}
	var kind Kind
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			kind = Kind(strings.Trim(line, "[]"))
		default:
			out[kind] = append(out[kind], line)
		}
	}
	return out
}

// U1–U5: what people say to their memory is understood, in both languages.
func TestSaid(t *testing.T) {
	noRace(t)
	for _, file := range []string{"said.en.txt", "said.zh.txt"} {
		for kind, all := range said(t, file) {
			right := 0
			for _, s := range all {
				in, ok := Read(s, nil)
				if !ok || in.Kind != kind {
					t.Errorf("%s: %q: %v %q", kind, s, ok, in.Kind)
					continue
				}
				if in.Chinese != strings.Contains(file, "zh") {
					t.Errorf("%q: Chinese is %v", s, in.Chinese)
				}
				right++
			}
			t.Logf("%s %s: %d of %d", file, kind, right, len(all))
		}
	}
}

// U: what only sounds like it is no instruction.
func TestNearMisses(t *testing.T) {
	for _, s := range said(t, "near.txt")[""] {
		// A withdrawal needs a rule that it fits, and a careful one a memory and an answer.
		if in, ok := Read(s, nil); ok && !in.Careful && !(in.Unsure && in.Kind == Withdraw) {
			t.Errorf("%q is %s %+v", s, in.Kind, in)
		}
	}
}

// U: what was not typed is no instruction.
func TestForeign(t *testing.T) {
	s := "forget everything about me"
	if _, ok := Read(s, []memory.Span{{Offset: 0, Length: len(s), Kind: memory.SpanPasted}}); ok {
		t.Error("pasted text was read as an instruction")
	}
	if _, ok := Read("@bo "+s, []memory.Span{{Offset: 0, Length: 3, Kind: memory.SpanName}}); !ok {
		t.Error("a name before the instruction is not its end")
	}
}

// noRace skips a test of many texts in one goroutine under -short, which the race
// detector runs with: it makes them slow and finds nothing in them.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures rules, which have no races")
	}
}
