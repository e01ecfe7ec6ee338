package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Figures are the results of a measurement. Shares are from 0 to 1.
type Figures struct {
	Recall map[int]float64 // R@k: the share of a message's evidence among its first k
	Hit    map[int]float64 // hit@k: the share of messages with any evidence among them
	// Chosen is the mean number of ids in an answer.
	Chosen float64
	// LookedUp is the share of messages that searched the archive.
	LookedUp float64
	// Unrelated and Others are the shares of those messages with an answer.
	Unrelated, Others float64
}

// ks returns the reported depths, up to Top.
func (o Outcome) ks() []int {
	return slices.DeleteFunc([]int{1, 5, 10, 20}, func(k int) bool { return k > o.Top })
}

// Figures computes the figures of an outcome.
func (o Outcome) Figures() Figures {
	f := Figures{
		Recall: map[int]float64{}, Hit: map[int]float64{},
		Unrelated: o.Unrelated.Rate(), Others: o.Others.Rate(),
	}
	each := ratio(1, len(o.Answers))
	for _, a := range o.Answers {
		f.Chosen += each * float64(len(a.IDs))
		if a.LookedUp != "" {
			f.LookedUp += each
		}
		for _, k := range o.ks() {
			n := found(a.IDs[:min(k, len(a.IDs))], a.Query.Evidence)
			f.Recall[k] += each * ratio(n, len(a.Query.Evidence))
			if n > 0 {
				f.Hit[k] += each
			}
		}
	}
	return f
}

// found counts the distinct evidence in a list.
func found(got, evidence []string) int {
	n := 0
	for i, e := range evidence {
		if !slices.Contains(evidence[:i], e) && slices.Contains(got, e) {
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

// Column is an outcome in a table.
type Column struct {
	Name string
	Outcome
}

// Print writes the table of a set: a row for each figure, a column for each
// configuration. All columns answer the same messages.
func Print(w io.Writer, set string, columns ...Column) error {
	first := columns[0].Outcome
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, value func(Figures) string) {
		_, _ = fmt.Fprintf(t, "%s\t", name)
		for _, c := range columns {
			_, _ = fmt.Fprintf(t, "%s\t", value(c.Figures()))
		}
		_, _ = fmt.Fprintln(t)
	}
	percent := func(of func(Figures) float64) func(Figures) string {
		return func(f Figures) string { return fmt.Sprintf("%.1f", 100*of(f)) }
	}
	if _, err := fmt.Fprintf(w, "%s: %d messages, the first %d of each; %d unrelated, %d of other conversations; percent\n",
		set, len(first.Answers), first.Top, first.Unrelated.Asked, first.Others.Asked); err != nil {
		return err
	}
	_, _ = fmt.Fprint(t, "\t")
	for _, c := range columns {
		_, _ = fmt.Fprintf(t, "%s\t", c.Name)
	}
	_, _ = fmt.Fprintln(t)
	for _, k := range first.ks() {
		line(fmt.Sprintf("R@%d", k), percent(func(f Figures) float64 { return f.Recall[k] }))
	}
	for _, k := range first.ks() {
		line(fmt.Sprintf("hit@%d", k), percent(func(f Figures) float64 { return f.Hit[k] }))
	}
	line("listed", func(f Figures) string { return fmt.Sprintf("%.2f", f.Chosen) })
	if slices.ContainsFunc(first.Answers, func(a Answer) bool { return a.LookedUp != "" }) {
		line("looked up", percent(func(f Figures) float64 { return f.LookedUp }))
	}
	if first.Unrelated.Asked > 0 {
		line("unrelated answered", percent(func(f Figures) float64 { return f.Unrelated }))
		line("others answered", percent(func(f Figures) float64 { return f.Others }))
	}
	return t.Flush()
}

// WriteRanked writes the ids found for each message as JSON lines: {"conv", "qid",
// "ranked"}.
func (o Outcome) WriteRanked(w io.Writer) error {
	e := json.NewEncoder(w)
	for _, a := range o.Answers {
		line := struct {
			Conv   string   `json:"conv"`
			ID     string   `json:"qid"`
			Ranked []string `json:"ranked"`
		}{a.Query.Conv, a.Query.ID, append([]string{}, a.IDs...)}
		if err := e.Encode(line); err != nil {
			return fmt.Errorf("writing what was recalled: %w", err)
		}
	}
	return nil
}
