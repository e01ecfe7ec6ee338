package phrase_test

import (
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"memoria/memory/phrase"
)

func TestFind(t *testing.T) {
	l := phrase.Must(phrase.Load(fstest.MapFS{"a": {Data: []byte(`
# a comment
let's/lets play
stop [the] game   # another
what do you think … mail
translat*
把 … 翻成/译成
不 玩 了
game over [now]
`)}}, "a"))
	for _, c := range []struct{ text, want string }{
		{"ok, Let’s play chess", "Let’s play"},
		{"lets play", "lets play"},
		{"outlets play", ""},
		{"stop game", "stop game"},
		{"please STOP  the game!", "STOP  the game"},
		{"stop that game", ""},
		{"What do you think of this mail?", "What do you think of this mail"},
		{"What do you think? A mail", ""},
		{"I was translating", "translating"},
		{"请把下面这句话翻成英文", "把下面这句话翻成"},
		{"我不玩了", "不玩了"},
		{"game over", "game over"},
		{"game over now", "game over now"},
		{"# a comment", ""},
	} {
		lo, hi, ok := l.Find(c.text)
		if got := c.text[lo:hi]; got != c.want || ok != (c.want != "") || l.Has(c.text) != ok {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
	if n := l.Ahead("lets play now"); n != len("lets play") {
		t.Errorf("ahead: %d", n)
	}
	if n := l.Ahead("so lets play now"); n != 0 {
		t.Errorf("not ahead: %d", n)
	}
	if n := (phrase.List{}).Ahead("x"); n != 0 || (phrase.List{}).Has("x") {
		t.Error("the empty list has phrases")
	}
}

func FuzzFold(f *testing.F) {
	f.Add("遊戲結束 and bytes \xff")
	f.Fuzz(func(t *testing.T, s string) {
		if got := phrase.Fold(s); utf8.ValidString(s) && len(got) != len(s) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

// Any phrases compile, and a list finds exactly those that occur in a text.
func FuzzNew(f *testing.F) {
	f.Add("stop [the] game", "please stop the game")
	f.Add("把 … 翻成/译成", "把它译成英文")
	f.Add("\xce", "0")
	f.Add("a* (b/c) ) ] \\Q [", "a")
	f.Fuzz(func(t *testing.T, one, s string) {
		l := phrase.New(one, "plain words")
		if l.Has(s) {
			if lo, hi, ok := l.Find(s); !ok || lo > hi {
				t.Errorf("%q has a phrase at %d to %d, %v", s, lo, hi, ok)
			}
		}
		l.Ahead(s)
		if !l.Has("with Plain  words in it") {
			t.Error("a phrase is not found")
		}
	})
}
