package inspect

import (
	"bytes"
	"strings"
	"testing"
)

// TestScan checks that a word is found wherever it is in a file, also across two reads, in
// any case, and that its place is right.
func TestScan(t *testing.T) {
	s := &search{needles: []needle{newNeedle("Stradivarius"), newNeedle("陶艺课")}}
	for _, n := range s.needles {
		for _, form := range n.forms {
			s.longest = max(s.longest, len(form))
		}
	}
	for _, at := range []int{0, 1, step - 13, step - 6, step - 1, step, step + 7, 2*step - 3} {
		for _, word := range []string{"STRADIVARIUS", "stradivarius", "陶艺课"} {
			file := append(append(bytes.Repeat([]byte("x"), at), word...), "xyz"...)
			hits, err := s.scan(t.Context(), bytes.NewReader(file))
			if err != nil || len(hits) == 0 || hits[0].from != int64(at) || hits[0].to != int64(at+len(word)) {
				t.Errorf("%s at %d: %v, %v", word, at, hits, err)
			}
		}
	}
	if hits, err := s.scan(t.Context(), strings.NewReader("stradi varius 陶艺")); err != nil || len(hits) > 0 {
		t.Errorf("found %v, %v", hits, err)
	}
}

// TestHide checks that a report never repeats a word, in any case or as a name of the journal.
func TestHide(t *testing.T) {
	s := &search{needles: []needle{newNeedle("Old Kiln"), newNeedle("陶艺")}}
	for _, name := range []string{"memory/2026-01-28-old-kiln.md", "OLD KILN", "x陶艺y", "old-kiln-old-kiln"} {
		if got := strings.ToLower(s.hide(name)); strings.Contains(got, "kiln") || strings.Contains(got, "陶艺") {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
}
