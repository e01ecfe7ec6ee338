package retrieve

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"

	"memoria/index/text"
)

// Pairs of a question and a memory that answers it, unrelated to all other pairs; lines
// that begin with # are comments.
//
//go:embed data/probes.txt
var probeTable string

// Probe is a question with the memory that answers it.
type Probe struct{ Question, Memory string }

// Chinese reports whether the pair is Chinese; it is English otherwise.
func (p Probe) Chinese() bool { return chinese(p.Question) }

func chinese(s string) bool { return strings.ContainsFunc(s, text.Han) }

// Probes returns the pairs for measuring an embedding model.
var Probes = sync.OnceValue(func() []Probe {
	var out []Probe
	for line := range strings.Lines(probeTable) {
		question, memory, ok := strings.Cut(line, "|")
		if ok && !strings.HasPrefix(line, "#") {
			out = append(out, Probe{strings.TrimSpace(question), strings.TrimSpace(memory)})
		}
	}
	return out
})

// Scale calibrates the cosines of an embedding model: unrelated texts have 0.1 with one
// model, 0.8 with another. It is measured with [Probes], for each language separately,
// since a model may know only one.
type Scale struct {
	English Gauge `json:"english"`
	Chinese Gauge `json:"chinese"`
}

// Gauge is the scale of one language.
type Gauge struct {
	// Mean is the mean cosine of questions with unrelated memories. Deviation is the
	// usual deviation of one question's cosines from their own mean.
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
	// Related is the mean cosine of questions with the memories that answer them.
	Related float64 `json:"related"`
	// Separation is how often a question is nearer to its answer than to another's,
	// 0–1; 0.5 is chance.
	Separation float64 `json:"separation"`
	// Centre is the mean of the memories' vectors.
	Centre []float32 `json:"centre"`
}

const (
	// usable is the minimum separation of a usable model. The probes are easy: a model
	// made for this reaches 0.99.
	usable = 0.95
	// strays is the share of unrelated messages that may recall something by meaning
	// alone. R5 allows 5 % in all, and words need a part.
	strays = 0.02
	// ownBackground is the number of vectors from which a message's cosines with all of
	// the vectors determine its usual cosine.
	ownBackground = 50
)

// MeasureScale computes a scale from the vectors of the probes' questions and memories,
// each of length 1 and of one dimension, in the order of [Probes].
func MeasureScale(questions, memories [][]float32) Scale {
	return Scale{English: measureGauge(false, questions, memories), Chinese: measureGauge(true, questions, memories)}
}

func measureGauge(inChinese bool, questions, memories [][]float32) (g Gauge) {
	var of []int
	for i, p := range Probes() {
		if p.Chinese() == inChinese {
			of = append(of, i)
		}
	}
	g.Centre = make([]float32, len(memories[0]))
	for _, i := range of {
		for d, x := range memories[i] {
			g.Centre[d] += x / float32(len(of))
		}
	}
	cosine := func(i, j int) float64 { return dot(questions[i], memories[j]) }
	var sum, squares, n, nearer float64
	for _, i := range of {
		own, mean := cosine(i, i), 0.0
		g.Related += own / float64(len(of))
		others := make([]float64, 0, len(of))
		for _, j := range of {
			if i == j {
				continue
			}
			c := cosine(i, j)
			others = append(others, c)
			mean += c / float64(len(of)-1)
			switch {
			case own > c:
				nearer++
			case own == c:
				nearer += 0.5
			}
		}
		for _, c := range others {
			sum, squares, n = sum+c, squares+(c-mean)*(c-mean), n+1
		}
	}
	if n > 0 {
		g.Mean, g.Separation, g.Deviation = sum/n, nearer/n, math.Sqrt(squares/n)
	}
	return g
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a[:min(len(a), len(b))] {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// For returns the gauge for a message's language.
func (s Scale) For(message string) Gauge {
	if chinese(message) {
		return s.Chinese
	}
	return s.English
}

// Usable reports whether the model separates related from unrelated texts in the
// language.
func (g Gauge) Usable() bool { return g.Separation >= usable && g.Related > g.Mean+g.Deviation }

// Useless describes the fault of a gauge that is not Usable.
func (g Gauge) Useless(message string) string {
	language := "English"
	if chinese(message) {
		language = "Chinese"
	}
	return fmt.Sprintf("the embedding model does not tell what belongs together in %s "+
		"(%.0f %% of the test right, %.0f %% are needed), so only words are compared",
		language, 100*g.Separation, 100*usable)
}

// Background describes the distribution of one message's cosines.
type Background struct {
	// N, Mean and Deviation describe its cosines with all vectors.
	N               int
	Mean, Deviation float64
	// Shift is how much nearer the message is to unrelated memories than messages
	// usually are: some texts, mostly short ones, are near to everything.
	Shift float64
}

// Background combines the statistics of a search with the message's nearness to the
// probes' memories.
func (g Gauge) Background(message []float32, n int, mean, deviation float64) Background {
	return Background{N: n, Mean: mean, Deviation: deviation, Shift: max(0, dot(message, g.Centre)-g.Mean)}
}

// Meaning maps a cosine to 0–1: 0 up to one deviation above the message's mean cosine
// with unrelated texts, 1 from the mean cosine of a question and its answer.
func (g Gauge) Meaning(cosine float64, b Background) float64 {
	low, high := g.Mean+g.Deviation+b.Shift, min(1, g.Related+b.Shift)
	if !(high > low) {
		return 0
	}
	return min(1, max(0, (cosine-low)/(high-low)))
}

// Near returns the cosine above which a memory is recalled for its meaning alone. Among
// many memories some are near by chance: the threshold rises with their number, so that
// one in fifty unrelated messages passes, assuming a normal distribution. Its
// parameters come from the probes and, from 50 memories on, also from the message's own
// cosines, whichever demand more. It is never below the middle between unrelated and
// related.
func (g Gauge) Near(b Background) float64 {
	z := math.Sqrt2 * math.Erfinv(1-2*strays/float64(max(b.N, 1)))
	floor := b.Shift + max(g.Mean+z*g.Deviation, (g.Mean+g.Related)/2)
	if b.N >= ownBackground {
		floor = max(floor, b.Mean+z*b.Deviation)
	}
	return floor
}

// Combine joins a keyword score and a meaning, both 0–1, to one relevance (R3): the
// weighted meaning fills a share of the gap between the keyword score and 1. This is
// addition, limited to 1; a meaning of 0 leaves the keyword score unchanged.
//
// Adding scores is better than fusing ranks, which ignore the size of differences
// (Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, 2023). It
// needs both on one scale, which [Gauge.Meaning] provides.
func Combine(keyword, meaning, weight float64) float64 {
	return keyword + (1-keyword)*weight*meaning
}
