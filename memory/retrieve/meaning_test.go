package retrieve

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unit makes a vector of length 1 of parts with weights.
func unit(parts ...[]float32) []float32 {
	v := make([]float32, len(parts[0]))
	sum := 0.0
	for _, p := range parts {
		for i, x := range p {
			v[i] += x
		}
	}
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func noise(r *rand.Rand, weight float32) []float32 {
	v := make([]float32, 64)
	for i := range v {
		v[i] = weight * float32(r.NormFloat64()) / 8
	}
	return v
}

// model makes vectors of the probes as a model would whose vectors have so much in
// common, and in which so much is the subject.
func model(r *rand.Rand, common, subject float32) (questions, memories [][]float32) {
	all := noise(r, common)
	for range Probes() {
		s := noise(r, subject)
		questions = append(questions, unit(all, s, noise(r, 0.5)))
		memories = append(memories, unit(all, s, noise(r, 0.5)))
	}
	return questions, memories
}

// The probes are pairs of both languages, each of its own subject.
func TestProbes(t *testing.T) {
	n := map[bool]int{}
	seen := map[string]bool{}
	for _, p := range Probes() {
		n[p.Chinese()]++
		if p.Question == "" || p.Memory == "" || seen[p.Question] || seen[p.Memory] || p.Chinese() != chinese(p.Memory) {
			t.Errorf("pair %+v", p)
		}
		seen[p.Question], seen[p.Memory] = true, true
	}
	if n[true] != 20 || n[false] != 20 {
		t.Errorf("pairs by language: %v", n)
	}
}

// R3: what a cosine means is found out for each model: one whose vectors are all
// alike gets the same scale of meaning as one whose are not, and one that tells
// nothing apart is not used.
func TestScale(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, common := range []float32{0, 1, 4} {
		s := MeasureScale(model(r, common, 1))
		for _, g := range []Gauge{s.English, s.Chinese} {
			if !g.Usable() || g.Separation < 0.99 {
				t.Fatalf("common part %v: %+v is not usable", common, g)
			}
			b := Background{N: 100, Mean: g.Mean, Deviation: g.Deviation}
			if m := g.Meaning(g.Mean, b); m != 0 {
				t.Errorf("common part %v: the usual cosine means %v", common, m)
			}
			if m := g.Meaning(g.Related, b); m < 0.999 {
				t.Errorf("common part %v: the cosine of an answer means %v", common, m)
			}
			if near := g.Near(b); near <= g.Mean || near < (g.Mean+g.Related)/2 {
				t.Errorf("common part %v: near is %v, between %v and %v", common, near, g.Mean, g.Related)
			}
		}
	}
	if g := MeasureScale(model(r, 1, 0)).English; g.Usable() || !strings.Contains(g.Useless("tea"), "English") || !strings.Contains(g.Useless("茶"), "Chinese") {
		t.Errorf("a model without meaning is usable: %+v", g)
	}
}

// R5: of messages that have nothing to do with any memory, few are near one by
// chance, however many memories there are and however alike all vectors of the model
// are.
func TestNearByChance(t *testing.T) {
	for _, n := range []int{5, 50, 1000} {
		for _, common := range []float32{0, 3} {
			r := rand.New(rand.NewPCG(uint64(n), 9))
			all := noise(r, common)
			questions, memories := make([][]float32, 0, 40), make([][]float32, 0, 40)
			for range Probes() {
				s := noise(r, 1)
				questions, memories = append(questions, unit(all, s, noise(r, 0.5))), append(memories, unit(all, s, noise(r, 0.5)))
			}
			g := MeasureScale(questions, memories).English
			var stored, subjects [][]float32
			for range n {
				s := noise(r, 1)
				subjects, stored = append(subjects, s), append(stored, unit(all, s, noise(r, 0.5)))
			}
			strays, found := 0, 0
			const asked = 200
			for i := range asked {
				if anyNear(g, unit(all, noise(r, 1), noise(r, 0.5)), stored) {
					strays++
				}
				if anyNear(g, unit(all, subjects[i%n], noise(r, 0.5)), stored) {
					found++
				}
			}
			t.Logf("%d memories, common part %v: %d of %d strays, %d of %d related found", n, common, strays, asked, found, asked)
			if strays > asked/20 || found < asked*9/10 {
				t.Errorf("%d memories, common part %v: %d of %d strays, %d of %d found", n, common, strays, asked, found, asked)
			}
		}
	}
}

func anyNear(g Gauge, q []float32, stored [][]float32) bool {
	sum, squares, best := 0.0, 0.0, -1.0
	for _, v := range stored {
		c := dot(q, v)
		sum, squares, best = sum+c, squares+c*c, max(best, c)
	}
	n := float64(len(stored))
	mean := sum / n
	return best > g.Near(g.Background(q, len(stored), mean, math.Sqrt(max(0, squares/n-mean*mean))))
}

// R5: a message that is near to everything is near to nothing.
func TestHub(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := noise(r, 1)
	questions, memories := make([][]float32, 0, 40), make([][]float32, 0, 40)
	for range Probes() {
		s := noise(r, 1)
		questions, memories = append(questions, unit(all, s)), append(memories, unit(all, s))
	}
	g := MeasureScale(questions, memories).English
	stored := [][]float32{unit(all, noise(r, 1)), unit(all, noise(r, 1)), unit(all, noise(r, 1))}
	hub := unit(all, noise(r, 0.1))
	for _, v := range stored {
		b := g.Background(hub, 3, 0, 0)
		if c := dot(hub, v); c > g.Near(b) || g.Meaning(c, b) > 0.5 {
			t.Errorf("a message of nothing but what all have in common is near: %v > %v, meaning %v", c, g.Near(b), g.Meaning(c, b))
		}
	}
}

// R3: keyword score and meaning combine into one relevance of 0–1 that neither
// lowers, and without a meaning it is the keyword score to the bit.
func TestCombine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, m, w := rapid.Float64Range(0, 1).Draw(t, "keyword"), rapid.Float64Range(0, 1).Draw(t, "meaning"), rapid.Float64Range(0, 1).Draw(t, "weight")
		got := Combine(k, m, w)
		if got < k || got < w*m-1e-12 || got > 1+1e-12 {
			t.Fatalf("%v and %v at %v give %v", k, m, w, got)
		}
		if Combine(k, 0, w) != k || Combine(k, m, 0) != k {
			t.Fatalf("no meaning changes %v", k)
		}
		if more := Combine(k, min(1, m+0.1), w); more < got {
			t.Fatalf("more meaning is less: %v, %v", got, more)
		}
	})
}

// R3, R8: the parts of a score show words and meaning apart; what only the meaning
// finds must be near, and needs no word.
func TestRankByMeaning(t *testing.T) {
	q := Analyse("a strong brew", "")
	found := Found{Weight: 0.5, Distinctive: true, Candidates: []Candidate{
		{Head: fresh("words"), Relevance: 0.4, Distinctive: true, Own: true},
		{Head: fresh("both"), Relevance: 0.4, Meaning: 0.8, Distinctive: true, Own: true},
		{Head: fresh("near"), Meaning: 0.9, Near: true},
		{Head: fresh("not near"), Meaning: 0.3},
	}}
	got := map[string]Ranked{}
	for _, r := range Rank(q, found, DefaultConfig(), now) {
		got[r.ID] = r
	}
	if !got["words"].Chosen || !got["both"].Chosen || !got["near"].Chosen || got["not near"].Chosen {
		t.Errorf("chosen: %+v", got)
	}
	if got["both"].Score <= got["words"].Score || got["both"].Parts.VectorScore != 0.8 || got["both"].Parts.KeywordScore != 1 {
		t.Errorf("words and meaning: %+v, words: %+v", got["both"], got["words"])
	}
	if c := got["both"].Contribution; math.Abs(c.KeywordScore+c.VectorScore-0.4) > 1e-12 || math.Abs(c.KeywordScore-0.4*0.4/Combine(0.4, 0.8, 0.5)) > 1e-12 {
		t.Errorf("contribution %+v", c)
	}
	if !strings.Contains(got["not near"].Why, "meaning is not near enough") || !strings.Contains(got["near"].Why, "meaning is near") {
		t.Errorf("reasons: %q, %q", got["not near"].Why, got["near"].Why)
	}
	// Everyday words alone are no reason, and stay none beside an item that is near.
	found = Found{Weight: 0.5, Candidates: []Candidate{
		{Head: fresh("everyday"), Relevance: 0.1}, {Head: fresh("near"), Meaning: 0.9, Near: true},
	}}
	for _, r := range Rank(q, found, DefaultConfig(), now) {
		if r.Chosen != (r.ID == "near") {
			t.Errorf("%s: chosen %v, %s", r.ID, r.Chosen, r.Why)
		}
	}
}

// R10: with diversify something else takes the place of what says nearly the same;
// the best stays the best, and off nothing changes.
func TestDiversify(t *testing.T) {
	q := Analyse("tea", "")
	found := Found{Distinctive: true, Candidates: []Candidate{
		{Head: fresh("tea 1"), Relevance: 0.9, Own: true, Distinctive: true}, {Head: fresh("tea 2"), Relevance: 0.88, Own: true, Distinctive: true},
		{Head: fresh("tea 3"), Relevance: 0.86, Own: true, Distinctive: true}, {Head: fresh("cups"), Relevance: 0.6, Own: true, Distinctive: true},
		{Head: fresh("faint"), Relevance: 0},
	}}
	cfg := DefaultConfig()
	cfg.TopN = 2
	like := func(a, b string) float64 {
		if a[:3] == b[:3] {
			return 0.95
		}
		return 0.1
	}
	ranked := Rank(q, found, cfg, now)
	ids := func(list []Ranked) (out []string) {
		for _, r := range list {
			if r.Chosen {
				out = append(out, r.ID)
			}
		}
		return out
	}
	if got := ids(Diversify(ranked, cfg, like)); !slices.Equal(got, []string{"tea 1", "tea 2"}) {
		t.Errorf("off: %q", got)
	}
	cfg.Diversify = 0.3
	again := Diversify(ranked, cfg, like)
	if got := ids(again); !slices.Equal(got, []string{"tea 1", "cups"}) {
		t.Errorf("on: %q", got)
	}
	if len(again) != len(ranked) {
		t.Errorf("%d of %d are left", len(again), len(ranked))
	}
	for _, r := range again {
		if r.ID == "tea 2" && !strings.Contains(r.Why, "too much like") || r.ID == "cups" && !strings.Contains(r.Why, "unlike") {
			t.Errorf("%s: %s", r.ID, r.Why)
		}
		if r.ID == "faint" && r.Chosen {
			t.Error("what must not be sent is chosen for being different")
		}
	}
	if Alike("likes green tea", "green tea is liked") < 0.5 || Alike("喜欢喝绿茶", "爱喝绿茶") < 0.3 || Alike("likes tea", "plays chess") != 0 {
		t.Errorf("alike: %v, %v, %v", Alike("likes green tea", "green tea is liked"), Alike("喜欢喝绿茶", "爱喝绿茶"), Alike("likes tea", "plays chess"))
	}
}

// R10: re-ranking prefers the text in which the message's words stand together.
func TestCloseness(t *testing.T) {
	for _, c := range []struct{ message, nearer, farther string }{
		{"green tea", "likes green tea", "green walls, and in the morning much black tea"},
		{"tea green", "tea, green", "green tea"},
		{"部署脚本怎么写", "写部署脚本用 pnpm", "部署完成了，另外那个脚本改天再说"},
	} {
		q := Analyse(c.message, "")
		if near, far := Closeness(q, c.nearer), Closeness(q, c.farther); near <= far || near > 1 || far < 0 {
			t.Errorf("%q: %v in %q, %v in %q", c.message, near, c.nearer, far, c.farther)
		}
	}
	if got := Closeness(Analyse("tea", ""), "tea"); got != 0 {
		t.Errorf("one word stands close to itself: %v", got)
	}
	if got := Rerank(0.5, 1); got <= 0.5 || got >= 1 || Rerank(0.5, 0) != 0.5 {
		t.Errorf("re-ranked: %v", got)
	}
}

// R10: expansion finds what stands for a word, in the other language too; a greeting
// has none.
func TestExpand(t *testing.T) {
	for message, want := range map[string]string{
		"what is my occupation?": "job", "do I have pets?": "猫", "我的宠物叫什么": "dog", "我的乐器": "piano",
	} {
		e := Expand(Analyse(message, ""))
		if !slices.Contains(e.Terms, want) {
			t.Errorf("%q: %q", message, e.Terms)
		}
	}
	if own, other := Expand(Analyse("what is my occupation?", "")), Expand(Analyse("What is the occupation?", "")); len(own.Distinctive) == 0 || len(other.Distinctive) > 0 {
		t.Errorf("distinctive about the writer %q, else %q", own.Distinctive, other.Distinctive)
	}
	if e := Expand(Analyse("hello there", "")); len(e.Terms)+len(e.Grams) > 0 {
		t.Errorf("a greeting is expanded: %+v", e)
	}
}
