package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Figures say how well a set was answered.
type Figures struct {
	Recall map[int]float64 // R@k, 0–1
	Hit    map[int]float64 // hit@k, 0–1
	// Chosen is the mean number of items among the first five.
	Chosen float64
}

// Ks are the depths that are reported.
func Ks() []int { return []int{1, 5, 10} }

// At computes the figures of what is chosen at a min_relevance.
func (o Outcome) At(minRelevance float64) Figures {
	return o.figures(func(a Answer) []Recalled {
		return slices.DeleteFunc(slices.Clone(a.Chosen), func(r Recalled) bool { return r.Keyword <= minRelevance })
	})
}

// Free computes the figures without any limit.
func (o Outcome) Free() Figures {
	return o.figures(func(a Answer) []Recalled { return a.All })
}

func (o Outcome) figures(list func(Answer) []Recalled) Figures {
	f := Figures{Recall: map[int]float64{}, Hit: map[int]float64{}}
	if len(o.Answers) == 0 {
		return f
	}
	for _, a := range o.Answers {
		got := list(a)
		f.Chosen += float64(min(5, len(got))) / float64(len(o.Answers))
		for _, k := range Ks() {
			n := found(got[:min(k, len(got))], a.Query.Evidence)
			f.Recall[k] += ratio(n, len(a.Query.Evidence)) / float64(len(o.Answers))
			if n > 0 {
				f.Hit[k] += 1 / float64(len(o.Answers))
			}
		}
	}
	return f
}

// found counts the distinct evidence in a list.
func found(got []Recalled, evidence []string) int {
	n := 0
	for i, e := range evidence {
		if slices.Contains(evidence[:i], e) {
			continue
		}
		if slices.ContainsFunc(got, func(r Recalled) bool { return r.ID == e }) {
			n++
		}
	}
	return n
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Steps are the values of min_relevance that a table shows.
func Steps() []float64 { return []float64{0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3} }

// Print writes a set's table: first without limits, then by min_relevance.
func (o Outcome) Print(w io.Writer, name string) error {
	_, err := fmt.Fprintf(w, "%s: %d messages; %d unrelated, %d of other conversations\n%-14s %5s %5s %5s  %5s %5s %5s  %6s  %9s %6s\n",
		name, len(o.Answers), o.Unrelated.Asked, o.Others.Asked,
		"min_relevance", "R@1", "R@5", "R@10", "hit@1", "hit@5", "h@10", "chosen", "unrelated", "others")
	row := func(label string, f Figures, unrelated, others float64) {
		if err != nil {
			return
		}
		_, err = fmt.Fprintf(w, "%-14s %5.1f %5.1f %5.1f  %5.1f %5.1f %5.1f  %6.2f  %8.1f%% %5.1f%%\n", label,
			100*f.Recall[1], 100*f.Recall[5], 100*f.Recall[10], 100*f.Hit[1], 100*f.Hit[5], 100*f.Hit[10],
			f.Chosen, 100*unrelated, 100*others)
	}
	row("no limits", o.Free(), ratio(o.Unrelated.Free, o.Unrelated.Asked), ratio(o.Others.Free, o.Others.Asked))
	for _, s := range Steps() {
		row(fmt.Sprint(s), o.At(s), o.Unrelated.Rate(s), o.Others.Rate(s))
	}
	return err
}

// WriteRanked writes what each message recalls at a min_relevance, a JSON line
// for each: {"conv", "qid", "ranked"}.
func (o Outcome) WriteRanked(w io.Writer, minRelevance float64) error {
	e := json.NewEncoder(w)
	for _, a := range o.Answers {
		ids := []string{}
		for _, r := range a.Chosen {
			if r.Keyword > minRelevance {
				ids = append(ids, r.ID)
			}
		}
		line := struct {
			Conv   string   `json:"conv"`
			ID     string   `json:"qid"`
			Ranked []string `json:"ranked"`
		}{a.Query.Conv, a.Query.ID, ids}
		if err := e.Encode(line); err != nil {
			return fmt.Errorf("writing what was recalled: %w", err)
		}
	}
	return nil
}
