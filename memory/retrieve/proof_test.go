package retrieve

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"memoria/index/text"
	"memoria/memory"
)

// A2: who asks for proof, in both languages, and what is left to look for.
func TestWhatAsksForProof(t *testing.T) {
	for _, tt := range []struct {
		message, whose, rest string
		back                 bool
	}{
		{"When did I say that I like oolong tea?", WordsMine, "that i like oolong tea?", false},
		{"when did I tell you about the flat", WordsMine, "about the flat", false},
		{"What exactly did I say about Lyon?", WordsMine, "about lyon?", false},
		{"What did I say about the kiln last March?", WordsMine, "about the kiln last march?", false},
		{"Show me where I said that.", WordsMine, "that.", true},
		{"How do you know my name?", WordsAny, "my name?", false},
		{"How do you know that I moved to Lyon?", WordsAny, "i moved to lyon?", false},
		{"How do you know that?", WordsAny, "?", true},
		{"Why did you know that?", WordsAny, "?", true},
		{"why did you know that", WordsAny, "", true},
		{"And how do you know?", WordsAny, "and  ?", true},
		{"Who told you that?!", WordsAny, "?!", true},
		{"Source?", WordsAny, "?", true},
		{"When did I say so?", WordsMine, "so?", true},
		{"What did we talk about last week?", WordsAny, "last week?", false},
		{"What did you recommend for dinner in Rome?", WordsYours, "for dinner in rome?", false},
		{"我什么时候说过我喜欢乌龙茶？", WordsMine, "我喜欢乌龙茶?", false},
		{"我什么时候说过？", WordsMine, "?", true},
		{"我 什麼 時候 說過 喜歡 Python 呢？", WordsMine, "喜欢 python 呢?", false},
		{"你怎么知道我住在里昂？", WordsAny, "我住在里昂?", false},
		{"你怎么知道的？", WordsAny, "?", true},
		{"给我原话", WordsMine, "", true},
		{"关于陶艺课，原话是什么？", WordsMine, "关于陶艺课, ?", false},
		{"我们上周聊了什么？", WordsAny, "我们上周 ?", false},
		{"你推荐过哪家餐厅？", WordsYours, "家餐厅?", false},
		{"我告诉过你我对花生过敏吗？", WordsMine, "我对花生过敏吗?", false},
	} {
		if got := Trigger(tt.message, nil, Triggers()); got != TriggerProof {
			t.Errorf("%q: trigger %q", tt.message, got)
		}
		if got := Wants(tt.message); got != (Wanted{Whose: tt.whose, Rest: tt.rest, Back: tt.back}) {
			t.Errorf("%q: %+v", tt.message, got)
		}
	}
	for _, message := range []string{
		"I told you that I moved.", "我跟你说过我搬家了。", "How do you know if bread is done?", "how would you know when to stop",
		"What did you say?", "Write a proof of the theorem", "Is this open source?", "Where does the light source go?", "Did I tell you to stop? Continue.",
		"My dog barks.", "我喜欢乌龙茶", "怎么知道自己适合什么工作", "你好", "", "原话题太难了", "Thanks, I know that",
	} {
		if got := Trigger(message, nil, []string{TriggerProof}); got != "" {
			t.Errorf("%q: trigger %q", message, got)
		}
	}
}

func recalled(content string, confidence float64) Scored {
	return Scored{Item: memory.Item{Content: content, Confidence: confidence}}
}

// A2: a question about before that recall cannot answer, and each trigger can be
// switched off.
func TestTriggers(t *testing.T) {
	weak := []Scored{recalled("Has a boring neighbour", 0.95)}
	about := []string{
		"What is my dentist called?", "where did I park last time", "我的牙医叫什么", "我上次去了哪家餐厅？", "Do you remember the name of our boat?",
		"你还记得我的生日吗", "What did we eat in Rome?",
	}
	other := []string{
		"What is the capital of France?", "How do I boil an egg?", "Write my essay about cats?", "我该怎么办？", "帮我看看我的代码有什么问题",
		"I like tea. And you?", "今天有点累。我喜欢周末去陶艺课。你呢？", "My dog is called Rex.", "我上次去了里昂。", "Can I use my phone on a plane?", "法国的首都是哪里？", "hello", "",
	}
	for _, message := range about {
		strong := append([]Scored{recalled("Well: "+message, 0.95)}, weak...)
		unsure := []Scored{recalled(message, 0.4), recalled("Has a boring neighbour", 0.5)}
		for _, tt := range []struct {
			chosen []Scored
			on     []string
			want   string
		}{
			{nil, Triggers(), TriggerSparse}, {weak, Triggers(), TriggerSparse}, {strong, Triggers(), ""}, {unsure, Triggers(), TriggerUnsure},
			{nil, []string{TriggerUnsure}, ""}, {weak, nil, ""}, {unsure, []string{TriggerSparse}, ""}, {nil, []string{TriggerProof}, ""},
		} {
			if got := Trigger(message, tt.chosen, tt.on); got != tt.want {
				t.Errorf("%q, %d chosen, %q: %q, want %q", message, len(tt.chosen), tt.on, got, tt.want)
			}
		}
	}
	for _, message := range other {
		for _, chosen := range [][]Scored{nil, weak, {recalled(message, 0.4)}} {
			if got := Trigger(message, chosen, Triggers()); got != "" {
				t.Errorf("%q: %q", message, got)
			}
		}
	}
	for _, message := range []string{"How many books did I read in June?", "六月我一共读了几本书？"} {
		if got := Trigger(message, []Scored{recalled(message, 1)}, Triggers()); got != TriggerSparse {
			t.Errorf("%q, which one memory does not answer: %q", message, got)
		}
	}
	likes := Scored{Item: memory.Item{Type: memory.TypePreference, Content: "Prefers oolong", Confidence: 1}}
	if got := Trigger("What do I like?", []Scored{likes}, Triggers()); got != "" {
		t.Errorf("a preference does not answer what I like: %q", got)
	}
	for _, trigger := range Triggers() {
		if TriggerWords(trigger) == "" {
			t.Errorf("no words for %q", trigger)
		}
	}
}

// A2: questions about the past by tense and person, in both languages, and messages
// that only look like them.
func TestQuestionsAboutThePast(t *testing.T) {
	for message, want := range map[string]string{
		"Which museum did I visit in Oslo?":                 TriggerSparse,
		"How many concerts have I been to since March?":     TriggerSparse,
		"I was hesitating between two bikes. Which ones?":   TriggerSparse,
		"Could you look up what I told you about the roof?": TriggerSparse,
		"Can you remind me what my sister ordered?":         TriggerSparse,
		"I know I mentioned the code of the gate somewhere": TriggerSparse,
		"What was that novel you recommended?":              TriggerProof,
		"What was on the list you made for me?":             TriggerProof,
		"In our previous conversation, which soup was it?":  TriggerProof,
		"Where did Ingrid move to after the fire?":          TriggerMentioned,
		"What does Ingrid's brother do?":                    TriggerMentioned,
		"When did the Roman empire fall?":                   TriggerMentioned,
		"我曾经在哪个城市住过？":                                       TriggerSparse,
		"我一共去过几次苏州？":                                        TriggerSparse,
		"我的护照号，我以前告诉过你":                                     TriggerSparse,
		"找一下我发给你的那条地址消息":                                    TriggerSparse,
		"你给我推荐过哪几本小说？":                                      TriggerProof,
		"你告诉过我哪些省电的办法？":                                     TriggerProof,
		"上次你教我的那个口诀是什么来着":                                   TriggerProof,
		"小吴后来搬到哪儿去了？":                                       TriggerMentioned,
		"罗马是哪一年建成的？":                                        TriggerMentioned,
		"I moved to Lyon last week.":                        "",
		"I finished the novel, what should I read next?":    "",
		"I drove 120 km in 2 hours, how fast was I?":        "",
		"Did you understand my message?":                    "",
		"Translate: \"Where did I put my keys?\"":           "",
		"Write a story about what I did last summer":        "",
		"What is the capital of France?":                    "",
		"Can you tell me what a lighthouse is?":             "",
		"我看完这本书了，接下来看什么？":                                   "",
		"我昨天去爬山了。":                                          "",
		"我跑了3圈，每圈400米，一共多少米？":                               "",
		"把“我昨天去哪儿了”翻译成英文":                                   "",
		"帮我写一段我去过的城市的介绍":                                    "",
		"法国的首都是哪里？":                                         "",
		"忘了跟你说 我闺女叫罗一诺":                                     "",
	} {
		if got := Trigger(message, nil, Triggers()); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
	for message, want := range map[string]string{
		"Which museum did I visit in Oslo?": WordsMine, "What was that novel you recommended?": WordsYours,
		"Where did Ingrid move to?": WordsAny, "你给我推荐过哪几本小说？": WordsYours, "我曾经在哪个城市住过？": WordsMine,
	} {
		if got := Wants(message).Whose; got != want {
			t.Errorf("%q asks for the words of %q, want %q", message, got, want)
		}
	}
}

// Every form of the tables finds itself, and is as text.Fold leaves it.
func TestFormsFindThemselves(t *testing.T) {
	forms, not := proofForms()
	about, advice := pastForms()
	for _, set := range []phrases{forms, not, about, advice} {
		for _, list := range set {
			for _, p := range list {
				said := string(p.runes)
				if !(phrases{p.runes[0]: {p}}).in(said) || text.Fold(said) != said {
					t.Errorf("%q does not find itself", said)
				}
			}
		}
	}
	for _, list := range forms {
		for _, p := range list {
			if p.whose != WordsAny && p.whose != WordsMine && p.whose != WordsYours {
				t.Errorf("%q asks for the words of %q", string(p.runes), p.whose)
			}
			said := string(p.runes) + "?"
			if _, ok := proofIn(said); !ok && !not.in(said) {
				t.Errorf("%q asks for no proof", said)
			}
		}
	}
}

func TestOnlyAsks(t *testing.T) {
	for message, want := range map[string]bool{
		"What tea do I like?": true, "我喜欢什么茶": true, "Do I like tea? And coffee?": true, "": true,
		"I like oolong. What do you like?": false, "我喜欢乌龙茶。你呢？": false, "I like oolong": false,
	} {
		if got := OnlyAsks(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}

// A3: what is quoted is cut around the words, at sentences where that can be.
func TestExcerpt(t *testing.T) {
	filler := strings.Repeat("The weather was fine and we walked on. ", 20)
	chinese := strings.Repeat("天气很好我们继续走着。", 40)
	for _, tt := range []struct{ query, said, want string }{
		{"oolong", "I like oolong tea.", "I like oolong tea."},
		{"oolong", filler + "I like oolong tea. " + filler, "I like oolong tea."},
		{"陶艺课", chinese + "周三的陶艺课取消了。" + chinese, "周三的陶艺课取消了。"},
		{"kiln", strings.Repeat("word ", 400) + "the kiln is cold " + strings.Repeat("more ", 400), "the kiln is cold"},
		{"陶艺", strings.Repeat("很", 900) + "陶艺课" + strings.Repeat("长", 900), "陶艺课"},
		{"nothing", filler, "The weather was fine"},
	} {
		lo, hi := Excerpt(Analyse(tt.query, ""), tt.said, 120)
		got := tt.said[lo:hi]
		if !strings.Contains(got, tt.want) || utf8.RuneCountInString(got) > 120 {
			t.Errorf("%q: %q", tt.query, got)
		}
	}
	said := "Hi! By the way, I prefer oolong tea in the evening. 你呢？"
	at := strings.Index(said, "oolong")
	if lo, hi := Sentence(said, at, at+len("oolong tea"), 120); said[lo:hi] != "By the way, I prefer oolong tea in the evening." {
		t.Errorf("sentence %q", said[lo:hi])
	}
	if lo, hi := Sentence(said, at, at+len("oolong tea"), 10); said[lo:hi] != "oolong tea" {
		t.Errorf("cut sentence %q", said[lo:hi])
	}
}

// Whatever the texts are, an excerpt is whole characters of the text, and never
// longer than asked for.
func TestExcerptLiesInTheText(t *testing.T) {
	piece := rapid.SampledFrom([]string{"部署", "脚本。", "deploy", " ", ". ", "\n", "é", "ﬁ", "\u202e", "!", "？", "很长很长很长", "word word word "})
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "said"), "")
		query := strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "query"), "")
		most := rapid.IntRange(1, 80).Draw(t, "most")
		lo, hi := Excerpt(Analyse(query, ""), said, most)
		a, b := Sentence(said, lo, hi, most)
		for _, part := range [][2]int{{lo, hi}, {a, b}} {
			if part[0] < 0 || part[1] < part[0] || part[1] > len(said) || !utf8.ValidString(said[part[0]:part[1]]) ||
				utf8.RuneCountInString(said[part[0]:part[1]]) > most {
				t.Fatalf("%d:%d of %q", part[0], part[1], said)
			}
		}
	})
}

func FuzzTrigger(f *testing.F) {
	for _, seed := range []string{"How do you know that?", "我什么时候说过 tea?", "给我原话", "\xff?", "when did\ni say"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		w := Wants(message)
		if got := Trigger(message, nil, Triggers()); got == "" && w.Back {
			t.Errorf("%q points back and asks for nothing", message)
		}
		OnlyAsks(message)
	})
}

// BenchmarkTrigger is what a turn pays that looks nothing up.
func BenchmarkTrigger(b *testing.B) {
	messages := []string{"Please review this function and tell me what is wrong with it", "今天天气不错，我们去公园散步吧，然后去吃晚饭"}
	for b.Loop() {
		for _, m := range messages {
			Trigger(m, nil, Triggers())
		}
	}
}
