package classify

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Model estimates the class of a text. It is immutable and safe for concurrent use.
type Model struct {
	classes []string
	rows    map[string]int32 // by feature, where its row of weights begins
	weights []float32        // rows with a weight for each class
	lexicon *Lexicon
}

// row returns the weights of a feature in the order of the classes; nil for an unknown feature.
func (m *Model) row(feature string) []float32 {
	at, ok := m.rows[feature]
	if !ok {
		return nil
	}
	return m.weights[at : int(at)+len(m.classes)]
}

// always is a feature of every text; its weights are the frequency of each class.
const always = "#"

// Probabilities returns the probability of each class for a text: multinomial logistic regression over those of its
// [Features] and signs that the model knows, scaled to length one. They add up to 1.
func (m *Model) Probabilities(s string, signs ...string) map[string]float64 {
	p := m.probabilities(append(append(Features(s, m.lexicon), signs...), always))
	out := make(map[string]float64, len(p))
	for i, c := range m.classes {
		out[c] = p[i]
	}
	return out
}

func (m *Model) probabilities(features []string) []float64 {
	p := make([]float64, len(m.classes))
	known := 0
	for _, f := range features {
		if w := m.row(f); w != nil {
			known++
			for i := range p {
				p[i] += float64(w[i])
			}
		}
	}
	softmax(p, known)
	return p
}

// softmax turns sums of the weights of known features into probabilities.
func softmax(p []float64, known int) {
	scale := 1 / math.Sqrt(float64(max(known, 1)))
	top := -1e9
	for i := range p {
		p[i] *= scale
		top = max(top, p[i])
	}
	sum := 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// Parse reads a model written by [Model.Write], with the lexicon of its training. The model shares the text.
func Parse(text string, l *Lexicon) (*Model, error) {
	names := strings.Count("\n"+text, "\n"+classLine)
	if names < 2 {
		return nil, fmt.Errorf("a model needs two classes, this one has %d", names)
	}
	m := &Model{rows: make(map[string]int32, strings.Count(text, "\n")/3), lexicon: l}
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		if name, ok := strings.CutPrefix(line, classLine); ok {
			m.classes = append(m.classes, name)
			continue
		}
		value, feature, ok := strings.Cut(line, " ")
		w, err := strconv.ParseFloat(value, 32)
		if !ok || err != nil || len(m.classes) == 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("line %d: %q is neither a class nor a weight with its feature", n, line)
		}
		at, known := m.rows[feature]
		if !known {
			at = int32(len(m.weights))
			m.rows[feature] = at
			m.weights = append(m.weights, make([]float32, names)...)
		}
		m.weights[int(at)+len(m.classes)-1] = float32(w)
	}
	m.weights = slices.Clip(m.weights)
	return m, nil
}

// classLine begins the line that names a class, above its weights.
const classLine = "class "

// Write writes the model as text: below each class its features with their weights, from the highest to the lowest.
func (m *Model) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i, class := range m.classes {
		fmt.Fprintf(b, "%s%s\n", classLine, class)
		features := slices.SortedFunc(maps.Keys(m.rows), func(x, y string) int {
			return cmp.Or(cmp.Compare(m.row(y)[i], m.row(x)[i]), cmp.Compare(x, y))
		})
		for _, f := range features {
			if v := m.row(f)[i]; v != 0 {
				fmt.Fprintf(b, "%.2f %s\n", v, f)
			}
		}
	}
	return b.Flush()
}
