package retrieve

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"

	"memoria/index/text"
)

// Pairs of a question and a memory that answers it, none of which has anything to
// do with another's; lines that begin with # are comments.
//
//go:embed data/probes.txt
var probeTable string

// Probe is a question with the memory that answers it.
type Probe struct{ Question, Memory string }

// Chinese reports whether the pair is Chinese; it is English otherwise.
func (p Probe) Chinese() bool { return chinese(p.Question) }

func chinese(s string) bool { return strings.ContainsFunc(s, text.Han) }

// Probes are what an embedding model is measured with.
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

// Scale says what the cosines of an embedding model mean, which every model means
// differently: with one, texts without any relation have 0.1, with another 0.8. It
// was measured with [Probes], for each language apart, because a model may know
// only one.
type Scale struct {
	English Gauge `json:"english"`
	Chinese Gauge `json:"chinese"`
}

// Gauge is the scale of one language.
type Gauge struct {
	// Mean is that of the cosines of questions with memories that have nothing to do
	// with them, Deviation how far those of one question usually lie from their own
	// mean.
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
	// Related is the mean cosine of questions with the memories that answer them.
	Related float64 `json:"related"`
	// Separation is how often a question is nearer to its answer than to the answer
	// of another one, 0–1; 0.5 is chance.
	Separation float64 `json:"separation"`
	// Centre is the mean of the memories' vectors.
	Centre []float32 `json:"centre"`
}

const (
	// usable is the separation from which a model's cosines are listened to. The
	// probes are easy: a model made for this comes to 0.99.
	usable = 0.95
	// strays is how many of the messages that have nothing to do with any memory may
	// recall something for their meaning alone; R5 allows 5 % in all, and words take some.
	strays = 0.02
	// ownBackground is the number of vectors from which a message's cosines with all
	// of them tell what is usual for it.
	ownBackground = 50
)

// MeasureScale makes a scale of the vectors of the probes' questions and memories,
// each of length 1, all of one dimension, in the order of [Probes].
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

// For is the gauge for a message's language.
func (s Scale) For(message string) Gauge {
	if chinese(message) {
		return s.Chinese
	}
	return s.English
}

// Usable reports whether the model tells related from unrelated texts of the
// language.
func (g Gauge) Usable() bool { return g.Separation >= usable && g.Related > g.Mean+g.Deviation }

// Useless says in words what is wrong with a gauge that is not Usable.
func (g Gauge) Useless(message string) string {
	language := "English"
	if chinese(message) {
		language = "Chinese"
	}
	return fmt.Sprintf("the embedding model does not tell what belongs together in %s (%.0f %% of the test right, %.0f %% are needed), so only words are compared",
		language, 100*g.Separation, 100*usable)
}

// Background is how the cosines of one message lie.
type Background struct {
	// N, Mean and Deviation are those of its cosines with all vectors there are.
	N               int
	Mean, Deviation float64
	// Shift is how much nearer the message is to memories that it has nothing to do
	// with than messages usually are: some texts, short ones above all, are near to
	// everything.
	Shift float64
}

// Background completes what a search tells of a message's cosines by how near the
// message is to the memories of the probes.
func (g Gauge) Background(message []float32, n int, mean, deviation float64) Background {
	return Background{N: n, Mean: mean, Deviation: deviation, Shift: max(0, dot(message, g.Centre)-g.Mean)}
}

// Meaning brings a cosine to 0–1: 0 up to one deviation above what is usual between
// the message and unrelated texts, 1 from what is usual between a question and its
// answer.
func (g Gauge) Meaning(cosine float64, b Background) float64 {
	low, high := g.Mean+g.Deviation+b.Shift, min(1, g.Related+b.Shift)
	if !(high > low) {
		return 0
	}
	return min(1, max(0, (cosine-low)/(high-low)))
}

// Near is the cosine above which a memory is so near in meaning that this alone is a
// reason to recall it. Among many memories some are near by chance: the floor rises
// with their number, so that of the messages without relation one in fifty passes
// it, as far as their cosines are distributed normally; about what, the probes say
// and, from 50 memories on, also the message's own cosines, whichever asks for
// more. It is never below the middle between unrelated and related.
func (g Gauge) Near(b Background) float64 {
	z := math.Sqrt2 * math.Erfinv(1-2*strays/float64(max(b.N, 1)))
	floor := b.Shift + max(g.Mean+z*g.Deviation, (g.Mean+g.Related)/2)
	if b.N >= ownBackground {
		floor = max(floor, b.Mean+z*b.Deviation)
	}
	return floor
}

// Combine joins a keyword score and a meaning, both 0–1, to one relevance (R3): the
// share of what is missing to a full match that the meaning, at its weight, fills
// up. That is adding, but for what would exceed 1; a meaning of 0 leaves the keyword
// score as it is.
//
// Adding scores beats joining ranks, since ranks forget how much better the first
// is than the second (Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid
// Retrieval, 2023); it needs both on one scale, which [Gauge.Meaning] gives.
func Combine(keyword, meaning, weight float64) float64 {
	return keyword + (1-keyword)*weight*meaning
}
