package policy_test

import (
	"strings"
	"testing"

	"memoria/memory/policy"
	"memoria/memory/policy/subject"
)

// knownPeople are those whom these memories name.
func knownPeople() (people []subject.Person) {
	for _, content := range []string{
		"Flatmate is called Piotr.", "I share the flat with Yuki and Bram.", "we have three cats, Miso, Tofu and Ponzu",
		"Boyfriend Callum is a chef.", "Greg, my colleague, loves puns.", "Dog is called Biscuit.",
		"Sister is called Rose.", "Brother is called Will.", "Cousin is called Taylor.", "Marek is my stepson.",
		"My boss Harry hates long emails.", "Cat is called Pepper.", "My niece Mila is 7.", "Aunt is called May.",
		"女儿叫糖糖", "我同事小王特别能聊", "猫叫小米", "狗叫平安", "发小阿健10月结婚", "我对象叫乔乔",
	} {
		people = append(people, subject.People(content)...)
	}
	return subject.Together(people)
}

// of returns what the rules remember of a known person in a message.
func of(message string) string {
	var out []string
	plain := newPolicy().Teaches(message)
	for _, c := range newPolicy().Teaches(message, knownPeople()...) {
		same := func() bool {
			for _, p := range plain {
				if p.Key == c.Key && p.Content == c.Content {
					return true
				}
			}
			return false
		}
		if !c.OnlyEnds() && c.Doubt == "" && !same() {
			out = append(out, c.Content)
		}
	}
	return strings.Join(out, " | ")
}

// P2, P5c: a sentence about somebody whom the memory knows by name is about the user's people.
func TestKnownByName(t *testing.T) {
	for message, want := range map[string]string{
		"Piotr is vegan":                             "Flatmate Piotr is vegan.",
		"Yuki got a new job in Osaka":                "Flatmate Yuki works in Osaka.",
		"Ponzu sleeps in the sink":                   "Cat Ponzu sleeps in the sink.",
		"Bram is a chef":                             "Flatmate Bram is a chef.",
		"Callum's allergic to walnuts":               "Boyfriend Callum's allergic to walnuts.",
		"by the way, Mila lives in Ghent now":        "Niece Mila lives in Ghent.",
		"Rose hates coriander":                       "Sister Rose hates coriander.",
		"Biscuit is scared of fireworks":             "Dog Biscuit is scared of fireworks.",
		"Piotr moved out on Sunday.":                 "Flatmate Piotr moved out.",
		"小王调去深圳了":                                    "同事小王调去深圳了",
		"糖糖最喜欢恐龙":                                    "女儿糖糖最喜欢恐龙",
		"对了，乔乔对花生过敏":                                 "对象乔乔对花生过敏",
		"平安怕打雷":                                      "狗平安怕打雷",
		"I bought a kettle. Marek is learning chess": "Stepson Marek is learning chess.",
	} {
		if got := of(message); got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}

// P3: names of public figures, in fiction, in quotations, and words that a name shares are not the user's people.
func TestNotKnownByName(t *testing.T) {
	for _, message := range []string{
		// fiction
		"In my novel, Piotr is vegan", "chapter 3: Mila lives in a tower", "Callum is the villain, Piotr is the main character",
		"In the sims Yuki got a new job in Osaka", "Marek is a wizard in our D&D campaign", "Greg loves puns, he's a character in the show",
		// public figures
		"Taylor Swift is on tour again", "Taylor's new album is great", "Harry and Meghan moved to California", "Harry is the new prime minister",
		"Greg James has a new radio show", "Callum Turner got engaged to Dua Lipa",
		// quotations and reports
		`She wrote "Piotr is vegan and lives in Gdansk" on the board`, "> Piotr is vegan", "Piotr: I'm vegan\nYuki: me too", "They say Piotr is vegan",
		"Translate into German: Mila lives in Ghent",
		// words
		"Rose wine gives people a headache", "Rose is a nice colour for a wall", "Will need more time on this", "Will it rain tomorrow?",
		"May is usually warm here", "Pepper is too hot for soup", "Biscuit recipes with oats please", "rose prices are up",
		"ponzu is a citrus sauce",
		// others of that name, and nothing that is so
		"Is Piotr vegan?", "If Piotr is vegan we need tofu", "The new Piotr is vegan", "Piotr might be vegan", "Piotr from accounting is vegan",
		"小米发布了新手机", "小米粥怎么煮", "平安夜快乐", "平安到家了", "小王子喜欢玫瑰", "小说里糖糖最喜欢恐龙", "“小王调去深圳了”是什么梗",
		"糖糖最近官宣结婚了，热搜第一", "翻译：小王调去深圳了", "乔乔对花生过敏吗", "如果小王调去深圳就好了",
	} {
		if got := of(message); got != "" {
			t.Errorf("%s: %q", message, got)
		}
	}
}

// P5a: a sensitive statement about a person known by name waits for approval, as one about "my flatmate" does.
func TestKnownByNameSensitive(t *testing.T) {
	for _, message := range []string{"Piotr has diabetes", "Mila is pregnant"} {
		found := newPolicy().Teaches(message, knownPeople()...)
		if len(found) == 0 {
			t.Errorf("%s: nothing", message)
		}
		for _, c := range found {
			if c.Risk != policy.RiskPII {
				t.Errorf("%s: %q has the risk %v", message, c.Content, c.Risk)
			}
		}
	}
}

// P2: a name in a clause about something else is learned, too; not one of fiction, a day or of several.
func TestNamesInPassing(t *testing.T) {
	for message, want := range map[string]string{
		"I moved to Porto last spring with my husband Rui.":  "Husband is called Rui.",
		"I'm meeting my sister Anna for coffee on Sunday":    "Sister is called Anna.",
		"In my novel I live with my sister Anna.":            "",
		"I told my mum Monday is fine":                       "",
		"I went out with my friends Anna and Ben":            "",
		"Maybe I should ask my brother Tom?":                 "",
		"If I stay with my brother Tom, the rent is shared.": "",
		"I visited my aunt in Rome":                          "",
	} {
		got := ""
		for _, c := range new(policy.Policy).Teaches(message) {
			if strings.HasPrefix(c.Key, "relation/") && strings.HasSuffix(c.Key, "/name") && c.Doubt == "" {
				got = c.Content
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
