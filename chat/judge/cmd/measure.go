package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"memoria/chat/judge"
	"memoria/memory"
)

// considered is the number of messages given to the judge (S3).
const considered = 6

// labelled is one line of a set.
type labelled struct {
	Dial    string   `json:"dial"`
	I       int      `json:"i"`
	Context []string `json:"context"`
	Text    string   `json:"text"`
	Label   int      `json:"label"`
}

// judged is a line with its judgement.
type judged struct {
	labelled
	newness float64
	revives bool
}

// load reads a set.
func load(file string) (out []labelled, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		if l.Label != 0 && l.Label != 1 {
			return nil, fmt.Errorf("%s, line %d: label %d is neither 0 nor 1", file, n, l.Label)
		}
		out = append(out, l)
	}
	return out, lines.Err()
}

// judgeAll judges every line as the program would: the last messages, with
// alternating speakers, and a new one of the user.
func judgeAll(all []labelled) []judged {
	out := make([]judged, 0, len(all))
	for _, l := range all {
		context := l.Context[max(0, len(l.Context)-considered):]
		before := make([]judge.Message, len(context))
		for i, s := range context {
			role := memory.RoleUser
			if (len(context)-i)%2 == 1 {
				role = memory.RoleAssistant
			}
			before[i] = judge.Message{Role: role, Text: s}
		}
		now := judge.Message{Role: memory.RoleUser, Text: l.Text}
		out = append(out, judged{l, 1 - judge.Likeness(before, now), judge.Rules(before, now).Revives()})
	}
	return out
}

// figures are the measurements of one set.
type figures struct {
	n, shifts             int
	auc                   float64
	f1, precision, recall float64 // at the best threshold
	split, join           float64 // at 6.0
}

func measure(all []judged) figures {
	f := figures{n: len(all)}
	splits, joins := 0, 0
	for _, j := range all {
		f.shifts += j.Label
		switch {
		case j.Label == 1 && j.revives:
			joins++
		case j.Label == 0 && !j.revives:
			splits++
		}
	}
	f.split, f.join = share(splits, f.n-f.shifts), share(joins, f.shifts)
	all = slices.SortedFunc(slices.Values(all), func(a, b judged) int { return cmp.Compare(b.newness, a.newness) })
	// Newest first: each shift beats the continuations that come after it, and half of those beside it.
	beaten, hits := 0.0, 0
	for i := 0; i < len(all); {
		shifts, k := 0, i
		for ; k < len(all) && all[k].newness == all[i].newness; k++ {
			shifts += all[k].Label
		}
		others, seen := k-i-shifts, i-hits
		beaten += float64(shifts) * (float64(f.n-f.shifts-seen-others) + float64(others)/2)
		hits += shifts
		p, r := share(hits, k), share(hits, f.shifts)
		if f1 := 2 * p * r / max(p+r, 1e-9); f1 > f.f1 {
			f.f1, f.precision, f.recall = f1, p, r
		}
		i = k
	}
	if pairs := f.shifts * (f.n - f.shifts); pairs > 0 {
		f.auc = beaten / float64(pairs)
	}
	return f
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func (f figures) line(name string) string {
	return fmt.Sprintf("%s: %d messages, %d new topics; AUC %.3f; best F1 %.3f (precision %.3f, recall %.3f); "+
		"at %.1f false split %.3f, false join %.3f",
		name, f.n, f.shifts, f.auc, f.f1, f.precision, f.recall, judge.Threshold, f.split, f.join)
}

// write writes the judgements, in the order of the set.
func write(w io.Writer, all []judged) error {
	e := json.NewEncoder(w)
	for _, j := range all {
		pred := 1
		if j.revives {
			pred = 0
		}
		line := struct {
			Dial  string  `json:"dial"`
			I     int     `json:"i"`
			Score float64 `json:"score"`
			Pred  int     `json:"pred"`
		}{j.Dial, j.I, j.newness, pred}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
