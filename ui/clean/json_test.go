package clean

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestJSON(t *testing.T) {
	for r := rune(0x20); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		in, err := json.Marshal("a" + string(r) + "b")
		if err != nil {
			t.Fatal(err)
		}
		out := JSON(string(in))
		var back string
		if err := json.Unmarshal([]byte(out), &back); err != nil || back != "a"+string(r)+"b" {
			t.Fatalf("U+%04X: %s means %q: %v", r, out, back, err)
		}
		shown, n := Text(string(r))
		if plain := n == 0 && shown == string(r); r >= 0x7f && plain != (out == string(in)) && r != 0x2028 && r != 0x2029 {
			t.Fatalf("U+%04X: plain %v, but %s", r, plain, out)
		}
	}
}
