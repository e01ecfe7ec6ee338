package model

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A key that a server repeats, in however many pieces, is masked, and nothing else is lost.
func TestKeyIsMasked(t *testing.T) {
	const key = "sk-proj-abcabcabd1234567890"
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, text := range []string{
		"Your key is " + key + ".", key + key, "sk-proj-abcabcabcabd1234567890", "no key", "ends with sk-proj-abc", key,
		"sk-proj-sk-proj-abcabcabd1234567890!",
	} {
		want := strings.ReplaceAll(text, key, "[key]")
		for range 200 {
			mask, rest, got := newMaskers(key)(), text, ""
			for rest != "" {
				n := 1 + rnd.IntN(len(rest))
				piece := mask(rest[:n], false)
				if strings.Contains(got+piece, key) {
					t.Fatalf("%q was passed on", piece)
				}
				got, rest = got+piece, rest[n:]
			}
			if got += mask("", true); got != want {
				t.Fatalf("%q became %q", text, got)
			}
		}
	}
	if mask := newMaskers("ollama")(); mask("ollama is a server", false) != "ollama is a server" {
		t.Error("a short key is a word")
	}
}

func TestNamesVariable(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "key", "my_key_of_2026", "ANTHROPIC_KEY2", "OPENAI_API_KEY_NUMBER_2024_OF_MINE"} {
		if !NamesVariable(name) {
			t.Errorf("%s is refused", name)
		}
	}
	for _, key := range []string{"sk-proj-abc", "sk_ABCDEF1234567890abcdefXYZ", "AIzaSyD4abcdefghijklmnop1234567890", "a b", "A=B", "gsk_aB3dE5gH7jK9mN1pQ"} {
		if NamesVariable(key) {
			t.Errorf("%s passes", key)
		}
	}
}
