package measure

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestReadStories(t *testing.T) {
	file := filepath.Join(t.TempDir(), "en.txt")
	read := func(said string) ([]Story, error) {
		if err := os.WriteFile(file, []byte(said), 0o600); err != nil {
			t.Fatal(err)
		}
		return readStories(file)
	}
	got, err := read("# a comment\n\n== moved\n> I live in Bonn.\n. 12d\n+ bonn\n==* held\n? where do I live => bonn\n")
	if err != nil || len(got) != 2 || got[0].HeldOut || !got[1].HeldOut || got[0].Name != "moved" {
		t.Fatal(got, err)
	}
	if s := got[0].Steps; len(s) != 3 || s[0].Text != "I live in Bonn." || s[1].Wait != 12*24*time.Hour || s[2].Want != "bonn" || s[2].Line != 6 {
		t.Errorf("%+v", s)
	}
	if s := got[1].Steps; len(s) != 1 || s[0].Text != "where do I live" || s[0].Want != "bonn" {
		t.Errorf("%+v", s)
	}
	for _, bad := range []string{"+ bonn", "== a\n? where", "== a\n. soon", "== a\n~ b"} {
		if _, err := read(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestMatches(t *testing.T) {
	for want, is := range map[string]bool{
		"bonn": true, "BONN lives|works": true, "bonn !works": true, "in_bonn": true, "bonn_in": false, "bonn !lives": false,
		"cologne|bonn": true, "cologne": false, "!cologne|bonn": false,
	} {
		if matches("Lives in Bonn.", want) != is {
			t.Errorf("%q: want %v", want, is)
		}
	}
}
