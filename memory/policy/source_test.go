package policy

import (
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/policy/wording"
)

// L2, P3: what a model may rest a conclusion on.
func TestSource(t *testing.T) {
	p := New(Default())
	for _, c := range []struct{ said, quote, want string }{
		// The user states it, in words that no rule knows.
		{"Our flat is on the fifth floor without a lift.", "on the fifth floor", ""},
		{"We spend every August in Porto with the kids.", "every august  in porto", ""},
		{"我家楼下新开的面馆归我表哥管", "面馆归我表哥管", ""},
		{"天气不错，我家在五楼没有电梯", "我家在五楼没有电梯", ""},
		{"I moved here yesterday, the boxes are everywhere.", "I moved here yesterday", ""},
		// It is not there, or cut out of a word.
		{"I collect stamps from Chile.", "I collect coins from Chile", WhyNoQuote},
		{"I collect stamps from Chile.", "", WhyNoQuote},
		{"I collect stamps from Chile.", "ollect stamps", WhyNoQuote},
		{"I collect stamps from Chile.", "...", WhyNoQuote},
		{"I restore stamps from Chile.", "stamps", whyShort},
		// It is there and is no statement of the user.
		{"Do I collect stamps from Chile?", "I collect stamps from Chile", whyQuestion},
		{"我家在几楼？我家在五楼吗", "我家在五楼", whyQuestion},
		{"Maybe I collect stamps from Chile one day.", "I collect stamps from Chile", whyHypothesis},
		{"My sister says I collect stamps from Chile.", "I collect stamps from Chile", whyReported},
		{"小王说我家在五楼没有电梯", "我家在五楼没有电梯", whyReported},
		{`He wrote "I collect stamps from Chile" in his letter to us.`, "I collect stamps from Chile", whyReported},
		{"Our motto: `I collect stamps from Chile` ok for us", "I collect stamps from Chile", whyQuoted},
		{"Translate this: I collect stamps from Chile", "I collect stamps from Chile", whyMaterial},
		{"Don't remember this. I collect stamps from Chile.", "I collect stamps from Chile", whyForbidden},
		{"别记这个。我家在五楼没有电梯", "我家在五楼没有电梯", whyForbidden},
		{"I'm so tired today", "I'm so tired", whyMood},
		{"我今天好累啊", "我今天好累啊", whyMood},
		{"I have a question about tides.", "a question about tides", whySmallTalk},
		{"I'd say so too. I see your point there.", "I see your point", whySmallTalk},
		{"我有个问题想问", "我有个问题想问", whyQuestion},
		{"好的谢谢，我明白了", "我明白了", whySmallTalk},
		{"I had noodles for lunch today.", "I had noodles for lunch", whyMoment},
		{"我中午吃了面条，今天在公司", "今天在公司", whyMoment},
		{"Paris is the capital of France.", "Paris is the capital of France", WhyNotUser},
		{"The build takes four minutes there.", "the build takes four minutes", WhyNotUser},
	} {
		got := p.Source(c.said, c.quote)
		if got.Reason != c.want || got.Known {
			t.Errorf("%q in %q: reason %q (known %v), want %q", c.quote, c.said, got.Reason, got.Known, c.want)
		}
		if got.Reason == "" && !strings.EqualFold(strings.Join(strings.Fields(c.quote), " "), c.said[got.Offset:got.Offset+got.Length]) {
			t.Errorf("%q in %q lies at %q", c.quote, c.said, c.said[got.Offset:got.Offset+got.Length])
		}
	}
}

// L2: what the rules read already is known; a quotation cannot leave out the "not".
func TestSourceOfKnownAndDeniedWords(t *testing.T) {
	p := New(Default())
	for said, quote := range map[string]string{
		"I don't like tea at all.": "like tea", "我不喜欢喝茶": "喜欢喝茶", "Remember that the key is under the mat": "under the mat",
	} {
		if got := p.Source(said, quote); !got.Known {
			t.Errorf("%q in %q: %+v", quote, said, got)
		}
	}
	got := p.Source("Our flat has never had a proper lift", "had a proper lift")
	if got.Reason != "" || !got.Negative || !strings.Contains(got.Said, "never") {
		t.Errorf("denied: %+v", got)
	}
	// A story is not kept by rule; a model that points at its one plain statement gets the rule's reading of it.
	story := strings.Repeat("The wind blew over the hills and nobody came. ", 12) + "I like oolong tea."
	if found := p.Extract(story); len(found) != 0 {
		t.Fatalf("the rules took %+v", found)
	}
	if got := p.Source(story, "I like oolong tea"); got.Plain == nil || got.Plain.Key != "preference/oolong-tea" {
		t.Errorf("story: %+v", got)
	}
}

func TestSharesAndOpposes(t *testing.T) {
	for _, c := range []struct {
		content, said string
		atLeast       float64
		below         float64
	}{
		{"Lives on the fifth floor", "our flat is on the fifth floor", 0.5, 1.1},
		{"Spends August in Porto", "we spend every August in porto", 1, 1.1},
		{"Spends August in Lisbon", "we spend every August in Porto", 0, 0.01}, // a name that was not said
		{"Has 3 cats", "we have cats", 0, 0.01},
		{"家在五楼", "我家在五楼没有电梯", 0.5, 1.1},
		{"喜欢乌龙茶", "帮我看看这段代码", 0, 0.01},
		{"the of and", "anything", 0, 0.01},
	} {
		if got := wording.Shares(c.content, c.said); got < c.atLeast || got >= c.below {
			t.Errorf("Shares(%q, %q) = %.2f", c.content, c.said, got)
		}
	}
	for _, c := range []struct {
		statement, content string
		want               bool
	}{
		{"We never fly", "Flies often", true},
		{"We never fly", "Avoids flying", false},
		{"我不坐飞机", "坐飞机", true},
		{"我不坐飞机", "不坐飞机", false},
		{"这个手机很不错", "手机很好", false},
		{"We fly a lot", "Does not fly", true},
	} {
		if got := wording.Opposes(c.statement, c.content); got != c.want {
			t.Errorf("Opposes(%q, %q) = %v", c.statement, c.content, got)
		}
	}
}

// L2: an inference is below the user's word, and its key ends no memory but one that it is plainly about.
func TestInferred(t *testing.T) {
	c := Inferred(Inference{Type: memory.TypePreference, About: "Oolong tea", Content: "Likes oolong tea", Confidence: 1, Importance: 1})
	if c.Key != "preference/oolong-tea" || c.Confidence >= statedConfidence || c.Source != memory.SourceInferred || c.Polarity != Positive {
		t.Errorf("%+v", c)
	}
	cat := Inferred(Inference{Type: memory.TypeFact, About: "pet", Content: "Has a cat"})
	dog := Inferred(Inference{Type: memory.TypeFact, About: "pet", Content: "Has a dog"})
	if cat.Key == dog.Key {
		t.Errorf("both can be true: %s", cat.Key)
	}
	if job := Inferred(Inference{Type: memory.TypeFact, About: "职业", Content: "当老师"}); job.Key != "job" {
		t.Errorf("%+v", job)
	}
}

// P10: words are not put together over what was pasted between them.
func TestSourceOverAHole(t *testing.T) {
	p := New(Default())
	const typed = "Our shed holds              the blue canoe now, and we painted the fence last week"
	if s := p.Source(typed, "Our shed holds the blue canoe now"); s.Reason == "" && !s.Known {
		t.Errorf("accepted: %+v", s)
	}
	if s := p.Source(typed, "we painted the fence last week"); s.Reason != "" {
		t.Errorf("refused: %s", s.Reason)
	}
}

// P4: of one thing several can be true; only what is plainly about it confirms or contradicts.
func TestInferredOfOneThing(t *testing.T) {
	p := New(Default())
	for _, c := range []struct {
		about, first, then string
		want               Upsert
	}{
		{"coffee", "Drinks coffee only before noon", "Takes coffee black", Insert},
		{"food", "Likes spicy food", "Avoids dairy food", Insert},
		{"food", "Likes spicy food", "Prefers vegetarian food", Insert},
		{"meetings", "Likes short meetings", "Dislikes meetings on Fridays", Insert},
		{"咖啡", "喜欢早上喝咖啡", "不喜欢晚上喝咖啡", Insert},
		{"window seat", "Prefers window seats", "Likes a window seat", Update},
		{"coffee", "Likes coffee very much", "Drinks coffee", Update},
		{"咖啡", "很喜欢喝咖啡", "爱喝咖啡", Update},
		{"oolong tea", "Likes oolong tea", "Dislikes oolong tea", Supersede},
		{"咖啡", "喜欢喝咖啡", "讨厌咖啡", Supersede},
	} {
		first := Inferred(Inference{Type: memory.TypePreference, About: c.about, Content: c.first})
		then := Inferred(Inference{Type: memory.TypePreference, About: c.about, Content: c.then})
		it := first.Item()
		it.ID, it.State = "1", memory.StateActive
		known := []memory.Item{it}
		if first.Key != then.Key {
			known = nil // nobody would find it
		}
		if got := p.PlanUpsert(then, known); got.Action != c.want {
			t.Errorf("%q, then %q: %s (%s, %s)", c.first, c.then, got.Action, first.Key, then.Key)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add("I moved to Berlin.\nIt is cold, 我喜欢。", "to berlin")
	f.Add("\xffI \x01 `x` ＡＢ", "AB")
	p := New(Default())
	f.Fuzz(func(t *testing.T, said, quote string) {
		s := p.Source(said, quote)
		if s.Offset < 0 || s.Length < 0 || s.Offset+s.Length > len(said) {
			t.Fatalf("%d+%d of %d", s.Offset, s.Length, len(said))
		}
		if s.Reason == "" && s.Length == 0 {
			t.Fatal("accepted without words")
		}
	})
}
