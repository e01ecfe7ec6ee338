package manager_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// After several unusable answers in a row a model is not asked any more until the next start,
// and the turns wait. Another model is asked at once.
func TestStopsAfterUnusableAnswers(t *testing.T) {
	dir, clock := filepath.Join(t.TempDir(), "data"), newClock()
	auto := func(c *write.Config) { c.Analysis = write.AnalysisAuto }
	m := openAt(t, dir, clock, auto)
	const turns = learn.MaxFailing - 1
	for i := range turns {
		say(t, m, luna, "", fmt.Sprintf("Our depot number %d occupies the fifth floor.", i+2))
	}
	asked := func() lookup.AnalysisStats { return must(m.Lookup().Status(t.Context(), luna))(t).Asked }
	garbage := answering("I would rather talk about the fifth floor")
	var stopped *learn.StoppedError
	if _, err := analyse(t, m, garbage); err == nil || errors.As(err, &stopped) || asked().Failing != turns {
		t.Fatalf("every turn once: %v, %+v", err, asked())
	}
	if _, err := analyse(t, m, garbage); !errors.As(err, &stopped) || stopped.Again || stopped.Answers != learn.MaxFailing {
		t.Errorf("one answer more: %v", err)
	}
	if st := asked(); st.Failing != learn.MaxFailing || st.Waiting != turns-1 {
		t.Errorf("counted %+v", st)
	}
	if _, err := analyse(t, m, garbage); !errors.As(err, &stopped) || !stopped.Again || len(garbage.requests()) != learn.MaxFailing {
		t.Errorf("stopped: %v, %d requests", err, len(garbage.requests()))
	}
	// Another model.
	by := analyst(t, answering(`{"items": []}`))
	by.Name = "another"
	if err := m.Learning().Analyse(t.Context(), luna, by, nil); err != nil || asked().Failing != 0 || asked().Waiting != 0 {
		t.Errorf("another model: %v, %+v", err, asked())
	}
	// The next start.
	say(t, m, luna, "", "Our depot has a green door.")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, clock, auto)
	if _, err := analyse(t, m, garbage); errors.As(err, &stopped) || len(garbage.requests()) != learn.MaxFailing+1 {
		t.Errorf("after a restart: %v, %d requests", err, len(garbage.requests()))
	}
}
