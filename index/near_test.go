package index

import (
	"slices"
	"testing"
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
			got, err := ix.Near(t.Context(), word)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v, want %q", word, got, err, want)
			}
		}
	}
}

func TestNearAfterClose(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Near(t.Context(), "penicillin"); err != ErrClosed {
		t.Errorf("error %v, want %v", err, ErrClosed)
	}
}
