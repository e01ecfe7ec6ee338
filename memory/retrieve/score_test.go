package retrieve

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

func fresh(id string) memory.Head {
	return memory.Head{ID: id, Type: memory.TypeFact, State: memory.StateActive, Confidence: 0.5, CreatedAt: now}
}

func with(h memory.Head, change func(*memory.Head)) memory.Head {
	change(&h)
	return h
}

// only ranks a candidate beside one that matches in full, so that its keyword score
// is its relevance.
func only(t fataler, q Query, c Candidate) Ranked {
	t.Helper()
	full := Candidate{Head: fresh("full"), Relevance: 1}
	got := Rank(q, Found{Candidates: []Candidate{c, full}, Distinctive: true}, DefaultConfig(), now)
	i := slices.IndexFunc(got, func(r Ranked) bool { return r.ID == c.Head.ID })
	if i < 0 {
		t.Fatalf("not ranked: %+v", c)
	}
	return got[i]
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// R3a, R5: the keyword score is relative to the best candidate, by the message's own
// words; without any, by the topic's.
func TestKeywordScoreIsRelative(t *testing.T) {
	scores := func(q Query, all ...Candidate) map[string]float64 {
		out := map[string]float64{}
		for _, r := range Rank(q, Found{Candidates: all, Distinctive: true}, DefaultConfig(), now) {
			out[r.ID] = r.Parts.KeywordScore
			if r.Parts.Relevance > r.Parts.KeywordScore {
				t.Errorf("%s: relevance %v, keyword score %v", r.ID, r.Parts.Relevance, r.Parts.KeywordScore)
			}
		}
		return out
	}
	q := Query{TopicAlone: true}
	a, b := Candidate{Head: fresh("a"), Relevance: 0.2}, Candidate{Head: fresh("b"), Relevance: 0.05}
	if got := scores(q, a, b); got["a"] != 1 || got["b"] != 0.25 {
		t.Errorf("%v", got)
	}
	topic := Candidate{Head: fresh("t"), Relevance: 0.5, Topic: 0.5, OnTopic: true}
	if got := scores(q, a, b, topic); got["a"] != 1 || got["t"] != 1 {
		t.Errorf("the topic's words count in the divisor: %v", got)
	}
	weak := topic
	weak.Head, weak.Relevance, weak.Topic = fresh("w"), 0.1, 0.1
	if got := scores(q, topic, weak); got["t"] != 1 || got["w"] != 0.2 {
		t.Errorf("without any match of the message: %v", got)
	}
}

// R5: the sum orders the ⌈1.5·N⌉ most relevant alone; nothing that fits much worse
// comes in for being new, used and sure.
func TestSumOrdersTheMostRelevant(t *testing.T) {
	old := func(id string, relevance float64) Candidate {
		return Candidate{Relevance: relevance, Head: with(fresh(id), func(h *memory.Head) { h.CreatedAt, h.Confidence = now.Add(-300*day), 0.5 })}
	}
	bright := func(id string, relevance float64) Candidate {
		return Candidate{Relevance: relevance, Head: with(fresh(id), func(h *memory.Head) { h.AccessCount, h.Confidence = 100, 1 })}
	}
	cfg := DefaultConfig()
	cfg.TopN = 2 // three may be reordered
	got := Rank(Query{}, Found{Distinctive: true, Candidates: []Candidate{old("a", 0.50), old("b", 0.48), bright("c", 0.46), bright("d", 0.44)}}, cfg, now)
	if got[0].ID != "c" || got[1].ID != "a" || got[2].Chosen || got[3].Chosen {
		t.Errorf("%s %s chosen, %+v", got[0].ID, got[1].ID, got[2])
	}
}

// R5: a question about one's own preferences has a footing in every preference, and
// they need not reach the minimum; a statement brings them only beside a match.
func TestPreferencesAsked(t *testing.T) {
	tea := Candidate{Head: with(fresh("tea"), func(h *memory.Head) { h.Type = memory.TypePreference })}
	fact := Candidate{Head: fresh("fact")}
	for message, want := range map[string]bool{
		"我喜欢什么编程语言？": true, "what tea do I like?": true, "Which of them is my favourite?": false, "what is my favourite colour": true,
		"我最喜欢哪个城市": true, "我喜不喜欢辣的": true, "do I like olives?": true, "I like tea. What about you?": false, "我喜欢喝茶": false,
		"what do you like": false, "你喜欢什么": false,
	} {
		q := Analyse(message, "")
		got := Rank(q, Found{Candidates: []Candidate{tea, fact}}, DefaultConfig(), now)
		if q.AsksPreference != want && message != "Which of them is my favourite?" || got[0].Chosen != q.AsksPreference || got[1].Chosen {
			t.Errorf("%q: asks %v, chosen %v", message, q.AsksPreference, got[0].Chosen)
		}
	}
}

// R5: "what tea do I like" brings no other preference beside the tea.
func TestPreferenceThatAnswers(t *testing.T) {
	preference := func(id string, relevance float64, own bool) Candidate {
		return Candidate{Relevance: relevance, Own: own, Distinctive: own, Head: with(fresh(id), func(h *memory.Head) { h.Type = memory.TypePreference })}
	}
	q := Analyse("What tea do I like?", "")
	got := Rank(q, Found{Distinctive: true, Candidates: []Candidate{preference("tea", 0.4, true), preference("code", 0, false)}}, DefaultConfig(), now)
	if got[0].ID != "tea" || !got[0].Chosen || got[1].Chosen {
		t.Errorf("%+v", got)
	}
}

// R12: what was learned or confirmed in the time that the message names counts more;
// with no other keyword the time alone selects, newest first.
func TestTimeNamed(t *testing.T) {
	at := func(id string, days int) Candidate {
		return Candidate{Relevance: 0.2, Own: true, Head: with(fresh(id), func(h *memory.Head) { h.CreatedAt = now.Add(-time.Duration(days) * day) })}
	}
	q := AnalyseAt("did I buy glaze last week?", "", now) // now is a Sunday
	if q.When.All() || q.TimeOnly {
		t.Fatalf("%+v", q.When)
	}
	got := Rank(q, Found{Distinctive: true, Candidates: []Candidate{at("new", 1), at("then", 10)}}, DefaultConfig(), now)
	if got[0].ID != "then" || got[0].Parts.KeywordScore != 1 || got[1].Parts.KeywordScore != 1/timeBoost {
		t.Errorf("%+v", got)
	}
	q = AnalyseAt("上周我们聊了什么", "", now)
	if !q.TimeOnly || q.Empty() {
		t.Fatalf("%+v", q)
	}
	got = Rank(q, Found{Candidates: []Candidate{at("new", 1), at("early", 12), at("late", 9), at("old", 40)}}, DefaultConfig(), now)
	if len(got) != 2 || got[0].ID != "late" || got[1].ID != "early" || !got[0].Chosen || !got[1].Chosen {
		t.Errorf("%+v", got)
	}
}

// R3a: words of a date leave Σ idf, and say nothing about what a message is about.
func TestDatesAreNotCounted(t *testing.T) {
	q := AnalyseAt("what did I plant on 3 June?", "", now)
	if !slices.Contains(q.Uncounted, "june") || !slices.Contains(q.Terms, "june") || strings.Join(q.Distinctive, " ") != "plant" {
		t.Errorf("uncounted %q, distinctive %q", q.Uncounted, q.Distinctive)
	}
	if len(Analyse("你好", "").Terms) != 0 || len(Analyse("do you remember what I told you last time", "").Terms) != 0 {
		t.Error("greetings and the words of the request are counted")
	}
}

// R5: a number with a unit is distinctive, a count is not.
func TestMeasures(t *testing.T) {
	for message, want := range map[string]string{
		"谁今年45岁": "45", "who is 45 years old?": "45", "I weigh 72 kg": "72", "the $45 one": "45", "我每月房租3000元": "3000",
		"give me 3 tips": "", "in 10 minutes": "", "写5个句子": "",
	} {
		found := false
		for _, d := range Analyse(message, "").Distinctive {
			found = found || d == want
			if want == "" && d[0] >= '0' && d[0] <= '9' {
				t.Errorf("%q: %q is distinctive", message, d)
			}
		}
		if want != "" && !found {
			t.Errorf("%q: %q is not distinctive: %q", message, want, Analyse(message, "").Distinctive)
		}
	}
}

// R5, R6: the formula, worked out by hand.
func TestScore(t *testing.T) {
	preference := func(h *memory.Head) { h.Type = memory.TypePreference }
	for _, c := range []struct {
		name  string
		q     Query
		c     Candidate
		want  float64
		parts memory.Parts
	}{
		{
			"fresh fact, half a match: .4·.5 + .2 + .15 + 0 + .15·.5",
			Query{}, Candidate{Head: fresh("a"), Relevance: 0.5}, 0.625,
			memory.Parts{KeywordScore: 0.5, CategoryBoost: 1, RecencyScore: 1, Confidence: 0.5, TopicBoost: 1},
		},
		{
			"a week old, used 9 times, sure: .4 + .2 + .075 + .1·ln10/ln101 + .15",
			Query{}, Candidate{Relevance: 1, Head: with(fresh("a"), func(h *memory.Head) {
				h.CreatedAt, h.AccessCount, h.Confidence = now.Add(-7*day), 9, 1
			})}, 0.8748921986,
			memory.Parts{KeywordScore: 1, CategoryBoost: 1, RecencyScore: 0.5, FrequencyScore: 0.4989219858, Confidence: 1, TopicBoost: 1},
		},
		{
			"a preference, one is voiced: .4·.5 + .2·1.5 + .15 + .075",
			Query{Preference: true}, Candidate{Head: with(fresh("a"), preference), Relevance: 0.5}, 0.725,
			memory.Parts{KeywordScore: 0.5, CategoryBoost: 1.5, RecencyScore: 1, Confidence: 0.5, TopicBoost: 1},
		},
		{
			"a preference, none is voiced",
			Query{}, Candidate{Head: with(fresh("a"), preference), Relevance: 0.5}, 0.625,
			memory.Parts{KeywordScore: 0.5, CategoryBoost: 1, RecencyScore: 1, Confidence: 0.5, TopicBoost: 1},
		},
		{
			"a fact, a preference is voiced",
			Query{Preference: true}, Candidate{Head: fresh("a"), Relevance: 0.5}, 0.625,
			memory.Parts{KeywordScore: 0.5, CategoryBoost: 1, RecencyScore: 1, Confidence: 0.5, TopicBoost: 1},
		},
		{
			"everything at its best is not clamped: (.4 + .3 + .15 + .1 + .15)·1.3",
			Query{Preference: true}, Candidate{Relevance: 1, OnTopic: true, Head: with(fresh("a"), func(h *memory.Head) {
				h.Type, h.AccessCount, h.Confidence = memory.TypePreference, 1000, 1
			})}, 1.43,
			memory.Parts{KeywordScore: 1, CategoryBoost: 1.5, RecencyScore: 1, FrequencyScore: 1, Confidence: 1, TopicBoost: 1.3},
		},
		{
			"nothing speaks for it but that it is there: .2 + .15·2^(−10)",
			Query{}, Candidate{Head: with(fresh("a"), func(h *memory.Head) { h.CreatedAt, h.Confidence = now.Add(-70*day), 0 })}, 0.200146484,
			memory.Parts{CategoryBoost: 1, RecencyScore: 1. / 1024, TopicBoost: 1},
		},
	} {
		got := only(t, c.q, c.c)
		if math.Abs(got.Score-c.want) > 1e-9 {
			t.Errorf("%s: score %.10f, want %.10f", c.name, got.Score, c.want)
		}
		if !near(got.Parts, c.parts) {
			t.Errorf("%s: parts %+v, want %+v", c.name, got.Parts, c.parts)
		}
		k := got.Contribution // R8: the parts add up
		if sum := (k.KeywordScore + k.CategoryBoost + k.RecencyScore + k.FrequencyScore + k.Confidence) * k.TopicBoost; math.Abs(sum-got.Score) > 1e-12 {
			t.Errorf("%s: contributions add up to %v, score %v", c.name, sum, got.Score)
		}
	}
}

func near(a, b memory.Parts) bool {
	x, y := list(a), list(b)
	for i := range x {
		if math.Abs(x[i]-y[i]) > 1e-9 {
			return false
		}
	}
	return true
}

func list(p memory.Parts) []float64 {
	return []float64{p.KeywordScore, p.CategoryBoost, p.RecencyScore, p.FrequencyScore, p.Confidence, p.TopicBoost}
}

// R5: recency halves every 7 days from the latest of created, accessed and
// confirmed; the future counts as the present.
func TestRecency(t *testing.T) {
	for ago, want := range map[time.Duration]float64{
		0: 1, 7 * day: 0.5, 14 * day: 0.25, 84 * time.Hour: math.Sqrt2 / 2, -day: 1, -1000 * day: 1,
	} {
		if got := Recency(now.Add(-ago), now); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v ago: %v, want %v", ago, got, want)
		}
	}
	if got := Recency(time.Time{}, now); got > 1e-12 {
		t.Errorf("never touched: %v", got)
	}
	for name, touch := range map[string]func(*memory.Head){
		"created":   func(h *memory.Head) { h.CreatedAt = now.Add(-7 * day) },
		"accessed":  func(h *memory.Head) { h.LastAccessed = now.Add(-7 * day) },
		"confirmed": func(h *memory.Head) { h.LastConfirmedAt = now.Add(-7 * day) },
	} {
		h := with(fresh("a"), func(h *memory.Head) { h.CreatedAt = now.Add(-70 * day); touch(h) })
		if got := only(t, Query{}, Candidate{Head: h, Relevance: 1}).Parts.RecencyScore; math.Abs(got-0.5) > 1e-12 {
			t.Errorf("%s a week ago: %v, want 0.5", name, got)
		}
	}
}

// R5: min(1, ln(1 + n) / ln 101).
func TestFrequency(t *testing.T) {
	for n, want := range map[int]float64{-1: 0, 0: 0, 1: 0.1501904832, 9: 0.4989219858, 100: 1, 1000: 1} {
		if got := Frequency(n); math.Abs(got-want) > 1e-9 {
			t.Errorf("Frequency(%d) = %.10f, want %v", n, got, want)
		}
	}
}

// R7: what is inactive, held, muted, not yet or no longer valid is not even
// mentioned.
func TestRankLeavesOut(t *testing.T) {
	for name, change := range map[string]func(*memory.Head){
		"inactive":  func(h *memory.Head) { h.State = memory.StateInactive },
		"held":      func(h *memory.Head) { h.State = memory.StateHeld },
		"muted":     func(h *memory.Head) { h.State = memory.StateMuted },
		"expired":   func(h *memory.Head) { h.ValidTo = now },
		"not yet":   func(h *memory.Head) { h.ValidFrom = now.Add(1) },
		"long over": func(h *memory.Head) { h.ValidTo = now.Add(-day) },
	} {
		c := Candidate{Head: with(fresh("a"), change), Relevance: 1}
		if got := Rank(Query{}, Found{Candidates: []Candidate{c}, Distinctive: true}, DefaultConfig(), now); len(got) != 0 {
			t.Errorf("%s: ranked %+v", name, got)
		}
	}
	valid := with(fresh("a"), func(h *memory.Head) { h.ValidFrom, h.ValidTo = now, now.Add(1) })
	if !only(t, Query{}, Candidate{Head: valid, Relevance: 1}).Chosen {
		t.Error("an item within its validity was not chosen")
	}
	if got := Rank(Query{}, Found{}, DefaultConfig(), now); len(got) != 0 {
		t.Errorf("nothing found: %+v", got)
	}
}

// R1, R8: the reasons for being left out, and what comes first.
func TestReasons(t *testing.T) {
	hash := func(h uint64, k float64) func(string) Candidate {
		return func(id string) Candidate {
			return Candidate{Relevance: k, Head: with(fresh(id), func(x *memory.Head) { x.ContentHash = h })}
		}
	}
	cfg := DefaultConfig()
	cfg.TopN, cfg.MinRelevance = 2, 0.1
	got := Rank(Query{}, Found{Distinctive: true, Candidates: []Candidate{
		hash(1, 0.9)("a"), hash(1, 0.8)("b"), hash(0, 0.7)("c"), hash(0, 0.6)("d"), hash(2, 0.1)("e"), hash(3, 0.2)("f"),
	}}, cfg, now)
	want := []string{"a:", "c:", "b:duplicate", "d:no room", "f:no room", "e:below the minimum"}
	for i, w := range want {
		id, reason, _ := strings.Cut(w, ":")
		if got[i].ID != id || got[i].Chosen != (reason == "") || !strings.HasPrefix(got[i].Why, reason) || got[i].Why == "" {
			t.Errorf("place %d: %s chosen=%v %q, want %s", i, got[i].ID, got[i].Chosen, got[i].Why, w)
		}
	}
	cfg.TopN = 4 // R1: the next retrieval takes the new number
	if got := Rank(Query{}, Found{Distinctive: true, Candidates: []Candidate{hash(1, 0.9)("a"), hash(2, 0.8)("b"), hash(3, 0.7)("c")}}, cfg, now); !got[2].Chosen {
		t.Errorf("third of four places: %+v", got[2])
	}
}

// R5: where the memory holds no distinctive word, only a good match counts;
// with such footing weaker ones come along.
func TestFooting(t *testing.T) {
	for _, c := range []struct {
		distinctive bool
		best        float64
		want        int
	}{{false, footing, 0}, {false, footing + 0.01, 2}, {true, 0.02, 2}, {true, 0, 0}} {
		got := Rank(Query{}, Found{Distinctive: c.distinctive, Candidates: []Candidate{
			{Head: fresh("a"), Relevance: c.best}, {Head: fresh("b"), Relevance: c.best / 2},
		}}, DefaultConfig(), now)
		n := 0
		for _, r := range got {
			if r.Chosen {
				n++
			} else if !strings.HasPrefix(r.Why, "below the minimum") {
				t.Errorf("%+v: %q", c, r.Why)
			}
		}
		if n != c.want {
			t.Errorf("distinctive %v, best %v: %d chosen, want %d", c.distinctive, c.best, n, c.want)
		}
	}
}

func TestWhy(t *testing.T) {
	h := with(fresh("a"), func(h *memory.Head) { h.Type = memory.TypePreference })
	got := only(t, Query{Preference: true}, Candidate{Head: h, Relevance: 0.9, OnTopic: true})
	if want := "its words match, recent, sure, a preference, and you voice one, about the current topic"; got.Why != want {
		t.Errorf("why %q, want %q", got.Why, want)
	}
}

var heads = rapid.Custom(func(t *rapid.T) memory.Head {
	return memory.Head{
		ID:   fmt.Sprintf("%02d", rapid.IntRange(0, 99).Draw(t, "id")),
		Type: rapid.SampledFrom(memory.Types()).Draw(t, "type"), State: memory.StateActive,
		Confidence:  rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "confidence"),
		CreatedAt:   now.Add(-time.Duration(rapid.IntRange(-1, 30).Draw(t, "days")) * day),
		AccessCount: rapid.IntRange(0, 200).Draw(t, "accesses"),
		ContentHash: uint64(rapid.IntRange(0, 4).Draw(t, "hash")),
	}
})

var candidates = rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Candidate {
	return Candidate{
		Head: heads.Draw(t, "head"), Relevance: rapid.SampledFrom([]float64{0, 0.001, 0.1, 0.5, 1}).Draw(t, "keyword"),
		OnTopic: rapid.Bool().Draw(t, "topic"),
	}
}), 0, 12, func(c Candidate) string { return c.Head.ID })

// R1, R5, R8: what holds of every ranking.
func TestRankProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		found := Found{Candidates: candidates.Draw(t, "candidates"), Distinctive: rapid.Bool().Draw(t, "distinctive")}
		cfg := DefaultConfig()
		cfg.TopN = rapid.IntRange(0, 6).Draw(t, "top")
		q := Query{Preference: rapid.Bool().Draw(t, "preference")}
		got := Rank(q, found, cfg, now)
		if len(got) != len(found.Candidates) {
			t.Fatalf("%d of %d ranked", len(got), len(found.Candidates))
		}
		chosen := 0
		for i, r := range got {
			if r.Chosen {
				chosen++
			}
			if r.Why == "" || r.Chosen && r.Parts.Relevance <= cfg.MinRelevance && !r.preference {
				t.Fatalf("%+v", r)
			}
			if i > 0 && got[i-1].Chosen == r.Chosen && (got[i-1].Score < r.Score || got[i-1].Score == r.Score && got[i-1].ID < r.ID) {
				t.Fatalf("%+v stands before %+v", got[i-1], r)
			}
			if i > 0 && r.Chosen && !got[i-1].Chosen {
				t.Fatal("a chosen one after one that is not")
			}
		}
		if chosen > cfg.TopN {
			t.Fatalf("%d chosen, %d allowed", chosen, cfg.TopN)
		}
		shuffled := rapid.Permutation(found.Candidates).Draw(t, "order")
		if again := Rank(q, Found{Candidates: shuffled, Distinctive: found.Distinctive}, cfg, now); !slices.Equal(got, again) {
			t.Fatal("the order of the candidates matters")
		}
	})
}

// R5, R6: more of anything never lowers a score.
func TestScoreIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := Candidate{Head: heads.Draw(t, "head"), Relevance: rapid.Float64Range(0, 1).Draw(t, "keyword")}
		high := low
		high.Relevance = rapid.Float64Range(low.Relevance, 1).Draw(t, "more")
		high.Head.Confidence = rapid.Float64Range(low.Head.Confidence, 1).Draw(t, "surer")
		high.Head.AccessCount += rapid.IntRange(0, 50).Draw(t, "uses")
		high.Head.LastAccessed = now.Add(-time.Duration(rapid.IntRange(0, 900).Draw(t, "hours")) * time.Hour)
		high.OnTopic = rapid.Bool().Draw(t, "topic")
		s := scorer{w: DefaultConfig().Weights, divisor: 1, now: now}
		if a, b := s.score(low), s.score(high); b.Score < a.Score-1e-12 {
			t.Fatalf("%v fell to %v", a.Score, b.Score)
		}
	})
}

func TestValidate(t *testing.T) {
	if err := DefaultConfig().Validate(); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for name, change := range map[string]func(*Config){
		"rag_top_n":          func(c *Config) { c.TopN = -1 },
		"min_relevance":      func(c *Config) { c.MinRelevance = nan },
		"weights.keyword":    func(c *Config) { c.Weights.Keyword = 1.1 },
		"weights.category":   func(c *Config) { c.Weights.Category = -1 },
		"weights.recency":    func(c *Config) { c.Weights.Recency = nan },
		"weights.frequency":  func(c *Config) { c.Weights.Frequency = 2 },
		"weights.confidence": func(c *Config) { c.Weights.Confidence = 2 },
	} {
		c := DefaultConfig()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
