package classify

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Judged is an example with the result of a model that has seen no sentence of its author.
type Judged struct {
	Example
	Probabilities map[string]float64
}

// CrossValidate judges the examples of each author by a model of all others' examples. Figures for known authors are
// too good.
func CrossValidate(examples []Example, l *Lexicon) (out []Judged) {
	writers := map[string]bool{}
	for _, e := range examples {
		writers[e.Writer] = true
	}
	if len(writers) < 2 {
		return nil
	}
	for _, w := range slices.Sorted(maps.Keys(writers)) {
		own := func(e Example) bool { return e.Writer == w }
		m := Train(slices.DeleteFunc(slices.Clone(examples), own), l)
		for _, e := range examples {
			if own(e) {
				out = append(out, Judged{e, m.Probabilities(e.Text, e.Signs...)})
			}
		}
	}
	return out
}

// Best returns the most probable class except some.
func Best(probabilities map[string]float64, not ...string) (class string) {
	for _, c := range slices.Sorted(maps.Keys(probabilities)) {
		if !slices.Contains(not, c) && (class == "" || probabilities[c] > probabilities[class]) {
			class = c
		}
	}
	return class
}

// PrintAlarms prints, from the strictest bound on, how many examples of classes other than none are classified rightly or
// as another class, and how many of none are false alarms.
func PrintAlarms(w io.Writer, all []Judged, none string) error {
	all = slices.SortedFunc(slices.Values(all), func(a, b Judged) int {
		return cmp.Compare(a.Probabilities[none], b.Probabilities[none])
	})
	total := 0
	for _, j := range all {
		if j.Class != none {
			total++
		}
	}
	right, mistaken, alarms, next := 0, 0, 0, 1
	for _, j := range all {
		switch {
		case j.Class == none:
			if alarms++; alarms < next {
				continue
			}
			next *= 2
			_, err := fmt.Fprintf(w, "above %.2f: %5.1f %% right, %4.1f %% mistaken, %d of %d alarms\n", 1-j.Probabilities[none],
				100*float64(right)/float64(total), 100*float64(mistaken)/float64(total), alarms, len(all)-total)
			if err != nil {
				return err
			}
		case Best(j.Probabilities, none) == j.Class:
			right++
		default:
			mistaken++
		}
	}
	return nil
}
