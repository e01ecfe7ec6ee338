package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"memoria/index/text"
)

// R3: a word that no document has is found by those that are spelt almost like it.
func TestNear(t *testing.T) {
	for _, o := range []Options{{InMemory: true}, {Dir: t.TempDir()}} {
		ix := mustOpen(t, o)
		apply(t, ix, 1, Batch{Put: []Document{
			{ID: "a", Words: []string{"allergic", "penicilin", "bernie", "tea", "jogging"}},
			{ID: "b", Words: []string{"penicilin", "accountant", "青霉素过敏"}},
			{ID: "gone", Words: []string{"penicellin"}},
		}})
		apply(t, ix, 2, Batch{Delete: []string{"gone"}})
		for word, want := range map[string][]string{
			"penicillin":  {"penicilin"}, // one letter
			"pencilin":    {"penicilin"}, // two are swapped or missing
			"penicilin":   nil,           // a document has it
			"bernei":      {"bernie"},
			"bernard":     nil,
			"acountants":  {"accountant"}, // two letters of ten
			"teas":        nil,            // too short
			"logging":     nil,            // another first letter
			"青霉素过":        nil,
			"alergic":     {"allergic"},
			"":            nil,
			"allergology": nil,
		} {
			got, err := ix.Near(t.Context(), word, 0)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v, want %q", word, got, err, want)
			}
		}
	}
}

// A word that few documents have may be misspelt there, too.
func TestNearOfRareWord(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a", Words: []string{"kelvingrove"}}, {ID: "b", Words: []string{"kelvingove"}}}})
	for rare, want := range [][]string{nil, {"kelvingrove"}} {
		if got, err := ix.Near(t.Context(), "kelvingove", rare); err != nil || !slices.Equal(got, want) {
			t.Errorf("rare %d: %q, %v, want %q", rare, got, err, want)
		}
	}
}

// The words found are those within the distance, whatever rules others out sooner.
func TestNearIsComplete(t *testing.T) {
	const seed = 20261127
	rng := rand.New(rand.NewPCG(seed, 1))
	word := func() string {
		out := []byte("q")
		for range 4 + rng.IntN(6) {
			out = append(out, "abcde"[rng.IntN(5)])
		}
		return string(out)
	}
	ix := mustOpen(t, Options{InMemory: true})
	words := map[string]bool{}
	var batch Batch
	for i := range 400 {
		w := word()
		words[w] = true
		batch.Put = append(batch.Put, Document{ID: fmt.Sprint(i), Words: []string{w}})
	}
	apply(t, ix, 1, batch)
	for range 300 {
		asked := word()
		most := 1
		if len(asked) >= nearerLength {
			most = 2
		}
		var want []string
		for w := range words {
			if !words[asked] && text.Distance(w, asked) <= most {
				want = append(want, w)
			}
		}
		slices.Sort(want)
		got, err := ix.Near(t.Context(), asked, 0)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("seed %d, %s: %q, %v, want %q", seed, asked, got, err, want)
		}
	}
}

func TestNearAfterClose(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Near(t.Context(), "penicillin", 0); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want %v", err, ErrClosed)
	}
}
