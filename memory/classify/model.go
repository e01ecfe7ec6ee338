package classify

import (
	"bufio"
	"cmp"
	"errors"
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
	rows    string // the text of the model without its first line
	lexicon *Lexicon
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
		weights := m.find(f)
		if weights == "" {
			continue
		}
		known++
		for i := range p {
			w, rest, _ := strings.Cut(weights, " ")
			if v, err := strconv.ParseFloat(w, 32); err == nil {
				p[i] += v
			}
			weights = rest
		}
	}
	softmax(p, known)
	return p
}

// find returns the weights of a feature as they are written, by a binary search in the text; "" for an unknown feature.
func (m *Model) find(feature string) string {
	for low, high := 0, len(m.rows); low < high; {
		middle := low + (high-low)/2
		begin := low + strings.LastIndexByte(m.rows[low:middle], '\n') + 1
		line, _, _ := strings.Cut(m.rows[begin:high], "\n")
		name, weights, _ := strings.Cut(line, "\t")
		switch strings.Compare(name, feature) {
		case 0:
			return weights
		case -1:
			low = min(begin+len(line)+1, high)
		default:
			high = begin
		}
	}
	return ""
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

// Parse returns a model written by [Model.Write], with the lexicon of its training. It shares the text and reads only
// its first line, so that a program starts at once; [Model.Check] reads the whole.
func Parse(text string, l *Lexicon) (*Model, error) {
	first, rows, _ := strings.Cut(text, "\n")
	names, ok := strings.CutPrefix(first, classLine)
	m := &Model{classes: strings.Fields(names), rows: rows, lexicon: l}
	if !ok || len(m.classes) < 2 {
		return nil, fmt.Errorf("the first line is %.80q, want %q and at least two classes", first, classLine)
	}
	return m, nil
}

// Check returns an error if a line of the model is none that [Model.Write] writes.
func (m *Model) Check() error {
	before := ""
	for line := range strings.Lines(m.rows) {
		feature, weights, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || feature <= before {
			return fmt.Errorf("%q is no feature with weights, or stands before %q", line, before)
		}
		if n := strings.Count(weights, " ") + 1; n != len(m.classes) {
			return fmt.Errorf("feature %q has %d weights, want %d", feature, n, len(m.classes))
		}
		for w := range strings.SplitSeq(weights, " ") {
			if v, err := strconv.ParseFloat(w, 32); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("feature %q: %q is no weight", feature, w)
			}
		}
		before = feature
	}
	if before == "" {
		return errors.New("a model without features")
	}
	return nil
}

// classLine begins the line that names the classes.
const classLine = "classes "

// Write writes the model as text: a line with its classes, then a line for each feature, in order of their bytes, with
// the weights for the classes.
func (m *Model) Write(w io.Writer) error {
	_, err := io.WriteString(w, classLine+strings.Join(m.classes, " ")+"\n"+m.rows)
	return err
}

// write returns the model of some weights in the form of [Model.Write].
func write(classes []string, weights map[string][]float64, l *Lexicon) *Model {
	var b strings.Builder
	for _, f := range slices.Sorted(maps.Keys(weights)) {
		b.WriteString(f)
		for i, v := range weights[f] {
			b.WriteByte("\t "[min(i, 1)])
			if v == 0 {
				b.WriteByte('0')
				continue
			}
			b.WriteString(strconv.FormatFloat(v, 'f', 2, 64))
		}
		b.WriteByte('\n')
	}
	return &Model{classes: classes, rows: b.String(), lexicon: l}
}

// Strongest prints the n features with the highest weights for each class, from the highest to the lowest: they
// explain the results of the model.
func (m *Model) Strongest(w io.Writer, n int) error {
	type row struct {
		feature string
		weights []string
	}
	var all []row
	for line := range strings.Lines(m.rows) {
		feature, weights, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, row{feature, strings.Fields(weights)})
	}
	b := bufio.NewWriter(w)
	for i, class := range m.classes {
		weight := func(r row) float64 {
			v, _ := strconv.ParseFloat(r.weights[i], 64) // zero for a broken line, which Check reports
			return v
		}
		slices.SortStableFunc(all, func(x, y row) int { return cmp.Compare(weight(y), weight(x)) })
		fmt.Fprintf(b, "%s\n", class)
		for _, r := range all[:min(n, len(all))] {
			fmt.Fprintf(b, "  %s %s\n", r.weights[i], r.feature)
		}
	}
	return b.Flush()
}
