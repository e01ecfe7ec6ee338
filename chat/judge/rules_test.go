package judge_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/chat/judge"
	"memoria/memory"
)

// talk makes a conversation whose last message is the assistant's.
func talk(texts ...string) []judge.Message {
	var out []judge.Message
	for i, s := range texts {
		role := memory.RoleAssistant
		if (len(texts)-i)%2 == 0 {
			role = memory.RoleUser
		}
		out = append(out, judge.Message{Role: role, Text: s})
	}
	return out
}

func user(s string) judge.Message { return judge.Message{Role: memory.RoleUser, Text: s} }

var (
	scriptEnglish = talk("Write a Python script that renames my photos", "Here is one: rename.py goes through the folder and calls os.rename for each file.")
	scriptChinese = talk("帮我写一个 Python 脚本，批量重命名照片", "好的，脚本如下：rename.py 遍历文件夹，对每个文件调用 os.rename。")
	tripEnglish   = talk("I'm flying to Osaka on Friday", "Have a nice trip! How many nights will you stay?")
	tripChinese   = talk("我下周五飞大阪", "旅途愉快！你打算住几晚？")
)

// S3: each kind of sign, in both languages.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		sign    string
		before  []judge.Message
		now     string
		revives bool
	}{
		{"goes on outright", scriptEnglish, "Continue, please", true},
		{"goes on outright", scriptEnglish, "what else does it do?", true},
		{"goes on outright", scriptChinese, "继续", true},
		{"goes on outright", scriptChinese, "刚才那个脚本再加上日期", true},
		{"says that it turns", scriptEnglish, "By the way, who won the match?", false},
		{"says that it turns", scriptEnglish, "New topic: my photos of Rome", false},
		{"says that it turns", scriptChinese, "换个话题，推荐一部电影", false},
		{"says that it turns", scriptChinese, "另外问一下，电脑蓝屏怎么办", false},
		{"greets", scriptEnglish, "Hello!", false},
		{"greets", scriptEnglish, "Good morning", false},
		{"greets", scriptChinese, "你好", false},
		{"greets", scriptChinese, "早上好，在吗", false},
		{"thanks and no more", scriptEnglish, "thanks", false},
		{"thanks and no more", scriptChinese, "谢谢", false},
		{"thanks for something", scriptEnglish, "Thanks, that worked!", true},
		{"thanks for something", scriptChinese, "谢谢，成功了", true},
		{"asks for a change", scriptEnglish, "Make it faster", true},
		{"asks for a change", scriptEnglish, "Add the date to the file name", true},
		{"asks for a change", scriptChinese, "把日期也加进文件名", true},
		{"asks for something else", scriptEnglish, "Write a poem about the sea", false},
		{"asks for something else", scriptEnglish, "Translate this: see you on Monday", false},
		{"asks for something else", scriptChinese, "写一首关于大海的诗", false},
		{"asks for something else", scriptChinese, "请把这句话翻译成英文：祝你一路顺风", false},
		{"points back", scriptEnglish, "it stops after ten files", true},
		{"points back", tripEnglish, "What should I eat there?", true},
		{"points back", tripChinese, "那边冷不冷", true},
		{"names again", scriptEnglish, "How do I run rename.py from another folder?", true},
		{"names again", scriptChinese, "rename.py 在哪个目录运行？", true},
		{"names again", tripChinese, "大阪的酒店贵吗", true},
		{"a piece of a sentence", scriptEnglish, "and for Windows?", true},
		{"a piece of a sentence", scriptEnglish, "why?", true},
		{"a piece of a sentence", scriptChinese, "那 Windows 呢？", true},
		{"a piece of a sentence", scriptChinese, "为什么？", true},
		{"answers", tripEnglish, "Three, I think", true},
		{"answers", tripEnglish, "Two nights, then Kyoto", true},
		{"answers", tripChinese, "三晚", true},
		{"answers", tripChinese, "住四晚，然后去京都", true},
		{"does not answer", tripEnglish, "How do vaccines work?", false},
		{"does not answer", tripEnglish, "Explain quantum entanglement to me", false},
		{"does not answer", tripChinese, "帮我改一下简历", false},
		{"does not answer", tripChinese, "什么是区块链", false},
		{"the same field", talk("我家猫三天没吃东西了", "尽快带它去看兽医。"), "狗也会这样吗", true},
		{"nothing in common", scriptEnglish, "my knee hurts when I run", false},
		{"nothing in common", scriptEnglish, "Lovely weather today", false},
		{"nothing in common", scriptChinese, "今天天气不错", false},
		{"nothing in common", scriptChinese, "我家猫不吃东西", false},
		{"the other language", scriptEnglish, "那 rename.py 能处理视频吗？", true},
		{"the other language", scriptChinese, "Does that script keep the old names?", true},
		{"the other language", scriptEnglish, "晚饭吃什么好？", false},
	} {
		if s := judge.Rules(c.before, user(c.now)); s.Revives() != c.revives {
			t.Errorf("%s: %q has %+v, %.1f", c.sign, c.now, s, s.Total())
		}
	}
}

// S3: the three numbers say different things.
func TestRulesTellTheNumbersApart(t *testing.T) {
	topic := judge.Rules(scriptEnglish, user("By the way, how are photos printed?"))
	if topic.TopicRelevance <= topic.IntentContinuity {
		t.Errorf("the same topic with another intent: %+v", topic)
	}
	intent := judge.Rules(tripEnglish, user("yes, only one"))
	if intent.IntentContinuity <= intent.TopicRelevance {
		t.Errorf("an answer in other words: %+v", intent)
	}
	with, without := judge.Rules(tripEnglish, user("Is it expensive?")), judge.Rules(tripEnglish, user("Is food expensive?"))
	if with.EntityReference <= without.EntityReference {
		t.Errorf("pointing back %+v, not %+v", with, without)
	}
}

// S3: greetings are no topic yet, so what comes next belongs to them.
func TestRulesAfterAGreeting(t *testing.T) {
	const now = "my knee hurts when I run"
	after := judge.Likeness(talk("hi", "Hello! Nice to hear from you."), user(now))
	if other := judge.Likeness(scriptEnglish, user(now)); after <= other {
		t.Errorf("after a greeting %.2f, after another topic %.2f", after, other)
	}
}

// S3: to an offer of help only yes and no are answers.
func TestRulesKnowAnOffer(t *testing.T) {
	offer := talk("Is my essay good?", "It is. Would you like me to shorten the essay?")
	if s := judge.Rules(offer, user("yes please")); !s.Revives() {
		t.Errorf("yes: %+v", s)
	}
	if s := judge.Rules(offer, user("my bike chain keeps falling off")); s.Revives() {
		t.Errorf("another matter: %+v", s)
	}
}

// S3: time alone decides nothing, and never makes a continuation likelier.
func TestRulesAndTime(t *testing.T) {
	before := talk("Write a Python script that renames my photos", "Here is one.")
	before[1].At = noon
	last := 2.0
	for _, idle := range []time.Duration{-time.Hour, 0, 30 * time.Minute, 2 * time.Hour, 24 * time.Hour, 1000 * time.Hour} {
		now := judge.Message{Role: memory.RoleUser, Text: "Does that script keep the old names?", At: noon.Add(idle)}
		l := judge.Likeness(before, now)
		if l > last {
			t.Errorf("after %v: %.3f, before it was %.3f", idle, l, last)
		}
		if last = l; !judge.Rules(before, now).Revives() {
			t.Errorf("after %v the script is another one", idle)
		}
	}
}

// S9: a member's name is no subject: calling somebody says nothing of the matter.
func TestRulesInAGroup(t *testing.T) {
	before := talk("Which wine goes with fish?", "A dry white one.")
	before[1].Sender = "Luna"
	named, plain := judge.Rules(before, user("@Luna how do vaccines work?")), judge.Rules(before, user("how do vaccines work?"))
	if named.Revives() || named.TopicRelevance > plain.TopicRelevance {
		t.Errorf("named %+v, not named %+v", named, plain)
	}
}

func TestRulesOfNothing(t *testing.T) {
	for _, c := range []struct {
		before []judge.Message
		now    string
	}{{nil, "continue"}, {scriptEnglish, ""}, {scriptEnglish, " \n\t"}, {nil, ""}} {
		if s := judge.Rules(c.before, user(c.now)); s.Revives() {
			t.Errorf("%q: %+v", c.now, s)
		}
	}
}

// Whatever was written, the numbers are legal, the same again, and what was
// rounded.
func TestRulesProperties(t *testing.T) {
	some := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"what about it?", "你知道《红楼梦》吗？", "by the way", "thanks", "继续", "yes: 3.14", "《", "？？？", "\xff\xfe", "@a/b_c.go:12",
	}))
	rapid.Check(t, func(t *rapid.T) {
		before := talk(rapid.SliceOfN(some, 0, 6).Draw(t, "before")...)
		now := user(strings.Join(rapid.SliceOfN(some, 0, 3).Draw(t, "now"), ", "))
		check(t, before, now)
	})
}

func check(t interface {
	Errorf(string, ...any)
}, before []judge.Message, now judge.Message,
) {
	s := judge.Rules(before, now)
	for _, n := range []int{s.TopicRelevance, s.IntentContinuity, s.EntityReference} {
		if n < 0 || n > 10 {
			t.Errorf("%+v", s)
		}
	}
	if again := judge.Rules(before, now); again != s {
		t.Errorf("%+v, then %+v", s, again)
	}
	if l := 10 * judge.Likeness(before, now); l < 0 || l > 10 || s.Total()-l > 0.51 || l-s.Total() > 0.51 {
		t.Errorf("%+v is %.2f, before rounding %.2f", s, s.Total(), l)
	}
}

// Texts longer than a person types are read in part.
func TestRulesOfHostileTexts(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("a", 1<<20), strings.Repeat("中", 1<<20), strings.Repeat("it ", 1<<19), strings.Repeat("?", 1<<20),
		strings.Repeat("那", 1<<19), strings.Repeat("《", 1<<19), strings.Repeat("\xff", 1<<20), strings.Repeat("what about ", 1<<17),
		strings.Repeat(", ", 1<<19), strings.Repeat("e\u0301\u0327", 1<<18),
	} {
		check(t, talk(s, s, s, s, s, s), user(s))
	}
}

func FuzzRules(f *testing.F) {
	f.Add("Write a script", "Here it is: `a.py`", "make it shorter")
	f.Add("我下周五飞大阪", "住几晚？", "三晚，那边冷吗")
	f.Fuzz(func(t *testing.T, a, b, now string) { check(t, talk(a, b), user(now)) })
}
