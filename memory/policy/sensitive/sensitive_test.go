package sensitive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory/policy"
)

// sentence is one line of testdata: the class that it belongs to, empty for none.
type sentence struct{ class, text string }

func readSentences(t *testing.T, name string) (out []sentence) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		class, text, ok := strings.Cut(line, " | ")
		if !ok {
			t.Fatalf("%s: want class | sentence, got %q", name, line)
		}
		out = append(out, sentence{strings.TrimPrefix(class, "-"), text})
	}
	return out
}

// P5a: what the program takes for sensitive, measured on sentences that were written before the table.
//
//	go test ./memory/policy/sensitive -run Sentences -v
func TestSentences(t *testing.T) {
	for _, name := range []string{"en.txt", "zh.txt"} {
		t.Run(name, func(t *testing.T) {
			right, wrong, missed := 0, 0, 0
			for _, s := range readSentences(t, name) {
				got := len(policy.PII(s.text)) > 0
				switch {
				case got && s.class != "":
					right++
				case got:
					wrong++
					t.Logf("not sensitive: %s", s.text)
				case s.class != "":
					missed++
					t.Logf("missed %s: %s", s.class, s.text)
				}
			}
			fmt.Printf("%s: precision %.3f recall %.3f (%d right, %d wrong, %d missed)\n", name,
				float64(right)/float64(max(right+wrong, 1)), float64(right)/float64(max(right+missed, 1)), right, wrong, missed)
		})
	}
}
