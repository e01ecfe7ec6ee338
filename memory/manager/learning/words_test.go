package learning

import "testing"

// U3: the words of data are valid in each language, so that no message finds a mistake in them.
func TestWordsAreValid(t *testing.T) {
	for _, book := range books() {
		if err := book.Check(); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]int{
		"leads": 2, "again": 2, "before": 2, "adds": 2, "date": 1, "weekday": 2, "figure": 2, "name": 1, "numeral": 1,
	} {
		if got := len(inEach(name)); got != want {
			t.Errorf("%s is in %d languages, want %d", name, got, want)
		}
	}
}
