package classify

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Example is a text with its class.
type Example struct {
	Text string `json:"text"`
	// Signs are further features of the text.
	Signs  []string `json:"signs,omitempty"`
	Class  string   `json:"class"`
	Writer string   `json:"writer"` // the author
}

// How a model is trained: stochastic gradient descent with a step of its own for each weight (AdaGrad; Duchi, Hazan and
// Singer 2011) on the cross-entropy, with an L2 penalty.
const (
	rounds  = 25
	step    = 0.5
	penalty = 1e-4
	least   = 0.5 // smallest weight
	seldom  = 3   // examples must have a feature
)

// Train makes a model of examples and a lexicon, which may be nil. The same examples make the same model.
func Train(examples []Example, l *Lexicon) *Model {
	weights := map[string][]float64{}
	number := map[string]int{}
	for _, e := range examples {
		number[e.Class] = 0
	}
	classes := slices.Sorted(maps.Keys(number))
	for i, c := range classes {
		number[c] = i
	}
	squares := map[string][]float64{}
	features := make([][]string, len(examples))
	count := map[string]int{}
	for i, e := range examples {
		features[i] = append(append(Features(e.Text, l), e.Signs...), always)
		for _, f := range features[i] {
			if count[f]++; count[f] == seldom {
				weights[f] = make([]float64, len(classes))
				squares[f] = make([]float64, len(classes))
			}
		}
	}
	for i := range features {
		features[i] = slices.DeleteFunc(features[i], func(f string) bool { return weights[f] == nil })
	}
	p := make([]float64, len(classes))
	random := rand.New(rand.NewPCG(1, 2))
	order := random.Perm(len(examples))
	for range rounds {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			clear(p)
			for _, f := range features[i] {
				for c, w := range weights[f] {
					p[c] += w
				}
			}
			softmax(p, len(features[i]))
			p[number[examples[i].Class]]--
			scale := 1 / math.Sqrt(float64(len(features[i])))
			for _, f := range features[i] {
				w, s := weights[f], squares[f]
				for c, miss := range p {
					slope := miss*scale + penalty*w[c]
					s[c] += slope * slope
					w[c] -= step * slope / math.Sqrt(s[c]+1e-6)
				}
			}
		}
	}
	return pruned(classes, weights, l)
}

// pruned returns the model without weights near 0, and without features that have no others.
func pruned(classes []string, weights map[string][]float64, l *Lexicon) *Model {
	kept := map[string][]float64{}
	for f, w := range weights {
		if !slices.ContainsFunc(w, func(v float64) bool { return math.Abs(v) >= least }) {
			continue
		}
		for i, v := range w {
			if math.Abs(v) < least {
				w[i] = 0
			}
		}
		kept[f] = w
	}
	return write(classes, kept, l)
}
