package frame_test

import (
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/frame"
)

// dialogue runs messages through the rules and writes each as "kind:what[framed words]", with a plus when the
// frame stays open and "-" when there is none.
func dialogue(messages ...string) (out []string) {
	var f memory.Frame
	for _, m := range messages {
		pause := time.Minute
		if wait, rest, ok := strings.Cut(m, "|"); ok {
			pause, _ = time.ParseDuration(wait)
			m = rest
		}
		f = frame.Rules{}.Next(f, frame.Message{Typed: m, Pause: pause})
		s := "-"
		if f.Paused() {
			s = f.What + "[" + m[f.Offset:f.Offset+f.Length] + "]"
		}
		if f.Open {
			s += "+"
		}
		out = append(out, s)
	}
	return out
}

// P5b: play lasts until the user ends it, or a pause of passive_timeout.
func TestPlay(t *testing.T) {
	for _, c := range [][2][]string{
		{
			{"Let's play a space game", "I am Zorblax, ruler of Kepler. My wife is called Xena.", "ok stop the game", "My name is Bo"},
			{"game[Let's play a space game]+", "game[I am Zorblax, ruler of Kepler. My wife is called Xena.]+", "-", "-"},
		}, {
			{"我们来玩角色扮演吧", "我是骑士阿尔法，我住在黑森林", "你说谎！", "好了，不玩了。我叫小明", "我住在上海"},
			{"role[我们来玩角色扮演吧]+", "role[我是骑士阿尔法，我住在黑森林]+", "role[你说谎！]+", "-", "-"},
		}, {
			{"我們來玩角色扮演吧", "遊戲結束"}, {"role[我們來玩角色扮演吧]+", "-"},
		}, {
			{"I'm vegan. Let's play a game: I am the king", "I rule all. Back to reality. I'm tired", "I live in Bonn"},
			{"game[Let's play a game: I am the king]+", "game[I rule all. ]", "-"},
		}, {
			{"You are the dungeon master. I am an elf.", "30m|I live in Bonn"}, {"role[You are the dungeon master. I am an elf.]+", "-"},
		}, {
			{"Pretend you are a pirate", "29m59s|I am captain Bo"}, {"role[Pretend you are a pirate]+", "role[I am captain Bo]+"},
		}, {
			{"Hey Luna, can we do some role-play?", "don't stop the game"},
			{"role[can we do some role-play?]+", "role[don't stop the game]+"},
		}, {
			{"Ok, stop the game, let's play chess"}, {"game[let's play chess]+"},
		}, {
			{"Let's play a space game", "Stop the game. Let's play hangman"}, {"game[Let's play a space game]+", "game[Let's play hangman]+"},
		}, {
			{"你来当地下城主", "我是法师，我的妻子叫艾拉", "回到现实吧"}, {"role[你来当地下城主]+", "role[我是法师，我的妻子叫艾拉]+", "-"},
		},
	} {
		if got := dialogue(c[0]...); strings.Join(got, "\n") != strings.Join(c[1], "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c[1], "\n"))
		}
	}
}

// P5b: a task frames its message and further material, at most five messages.
func TestTask(t *testing.T) {
	for _, c := range [][2][]string{
		{
			{"帮我翻译几句话", "我叫李明，我今年八岁", "我住在北京", "我妈妈是医生", "我喜欢足球", "我住在成都"},
			{"translate[帮我翻译几句话]+", "translate[我叫李明，我今年八岁]+", "translate[我住在北京]+", "translate[我妈妈是医生]+", "translate[我喜欢足球]", "-"},
		}, {
			{"Can you proofread my text?", "My name is Rosa and I lives in Porto.", "Thanks! I live in Bonn", "I live in Bonn"},
			{"edit[Can you proofread my text?]+", "edit[My name is Rosa and I lives in Porto.]+", "-", "-"},
		}, {
			{"I'm vegan. Translate \"I am Bo\" to French", "I live in Bonn"},
			{"translate[Translate \"I am Bo\" to French]+", "-"},
		}, {
			{"Please summarise this: my name is Li and I run a shop", "and this one: my name is Wu", "What is a shop?"},
			{"summarise[Please summarise this: my name is Li and I run a shop]+", "summarise[and this one: my name is Wu]+", "-"},
		}, {
			{"Write me a mail to my landlord. I am Bo.", "make it shorter", "I live in Bonn"},
			{"write[Write me a mail to my landlord. I am Bo.]+", "write[]+", "-"},
		}, {
			{"What do you think of this mail?", "Hi all, my name is Zorg. Always answer in French."},
			{"review[What do you think of this mail?]+", "review[Hi all, my name is Zorg. Always answer in French.]+"},
		}, {
			{"Translate the next sentences", "Let's play a space game", "I am Zorblax"},
			{"translate[Translate the next sentences]+", "game[Let's play a space game]+", "game[I am Zorblax]+"},
		}, {
			{"翻譯下面幾句", "對了，我叫小明"}, {"translate[翻譯下面幾句]+", "-"},
		},
	} {
		if got := dialogue(c[0]...); strings.Join(got, "\n") != strings.Join(c[1], "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c[1], "\n"))
		}
	}
}

// P5b: what only has the words of play or of a task opens no frame.
func TestNoFrame(t *testing.T) {
	for _, s := range []string{
		"Let's be honest, I live in Leeds", "I want you to be direct with me", "You are an expert in tax law",
		"Talk to me like a friend", "You can be a bit less formal", "I practise French every morning", "I have a mock exam on Friday",
		"I was the first person in my family to study", "I tattoo for a living", "你是新来的助手吧，我是张伟", "我每天早上练听力",
		"I play the guitar and I live in Bonn", "I like role-playing games", "My son plays chess", "Let's play it safe",
		"Correct, I live in Bonn", "I translate books for a living", "I'm a reviewer at a journal", "Draft beer is my favourite",
		"You are right, I moved", "You're a star", "My boss edits my texts", "Answer in German please", "Reply in German",
		"Summarise what you know about me", "Remember that I write poems", "I have been writing a novel since March",
		"我喜欢角色扮演游戏", "我是做翻译的", "我在学翻译，住在上海", "我儿子喜欢玩游戏", "总结一下你知道的关于我的事", "我写了十年小说",
		"我老婆是小学老师", "我来自成都", "My name is Bo", "我叫小明，今年三十岁", "What do you think about Bonn?", "I act as treasurer of our club",
		"Good review, thanks. I work at Siemens.", "I'm the dungeon master in our group", "You know I live in Porto",
		"I need a new job", "I have a cat called Mia", "I want to learn Spanish", "我想学西班牙语", "我需要换工作", "我想搬到杭州",
		"I'd like to write a novel some day", "I want to write a book about my grandmother", "You'll be an awesome mom", "Then we can play together",
		"You're right and I'm a nurse", "Can you review my code? I'm using Go", "翻译行业交流峰会在上海", "我在翻译公司工作", "我想写一本小说", "我要写一篇论文",
	} {
		if got := dialogue(s); got[0] != "-" {
			t.Errorf("%q: %s", s, got[0])
		}
	}
}

// P5b: an explicit wish is held where it touches who the user is, or is a standing order.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		key  string
		typ  memory.Type
		said string
		want bool
	}{
		{"name", memory.TypeFact, "my name is Zorblax", true},
		{"job/employer", memory.TypeFact, "I work at Kepler", true},
		{"relation/wife/name", memory.TypeRelationship, "my wife is Xena", true},
		{"relation/老婆/name", memory.TypeRelationship, "我老婆叫艾拉", true},
		{"rule/language", memory.TypeRule, "answer in French", true},
		{"note/31d0", memory.TypeFact, "I'm the king of Kepler", true},
		{"note/31d0", memory.TypeFact, "the dentist is on Friday", false},
		{"preference/tea", memory.TypePreference, "I like tea", false},
	} {
		if got := frame.Holds(c.key, c.typ, c.said); got != c.want {
			t.Errorf("%s %q: %v", c.key, c.said, got)
		}
	}
}

// P5b: talk about a play, a correction and a message of several lines open no frame, whatever a model takes them for.
func TestNoFrameOfOwnWords(t *testing.T) {
	for _, s := range []string{
		"in the play I play a nurse called Edith", "I'm playing Edith in the village play", "你是个啥", "你是个机器人吧", "我演过小品里的媒婆",
		"correct: Henrik is also my cousin", "correct my name: Dagny Oyelaran",
		"this is line one about my holiday\nI love cycling\nand my brother in law Lars plays the fiddle",
	} {
		if f := (frame.Rules{}).Next(memory.Frame{}, frame.Message{Typed: s, Plays: 0.9}); f.Kind != "" {
			t.Errorf("%q opens %+v", s, f)
		}
	}
	if f := (frame.Rules{}).Next(memory.Frame{}, frame.Message{Typed: "now you be grumpy", Plays: 0.9}); f.Kind == "" {
		t.Error("what a model takes for a game, and speaks to somebody, opens none")
	}
	if got := dialogue("can you translate bell tower into Norwegian", "my aunt Sigrid is 70"); got[1] != "-" {
		t.Errorf("words translated in the request frame the next message: %q", got)
	}
}

// P5b: whoever asks to go on remembering ends what pauses it.
func TestGoOnRemembering(t *testing.T) {
	for _, s := range []string{
		"carry on remembering please", "I'm not playing a game", "start learning again", "you can start remembering again", "继续记", "恢复学习", "别暂停了", "我没在玩游戏",
	} {
		if got := dialogue("Pretend you are a pirate", s, "I live in Bonn"); got[1] != "-" || got[2] != "-" {
			t.Errorf("%q: %q", s, got)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add("Let's play a game", "I am Zorblax", true)
	f.Add("帮我翻译几句话：", "我叫李明。stop the game\n\xff", false)
	f.Fuzz(func(t *testing.T, first, second string, material bool) {
		one := frame.Rules{}.Next(memory.Frame{}, frame.Message{Typed: first, Material: material})
		for _, c := range []struct {
			f memory.Frame
			s string
		}{{one, first}, {frame.Rules{}.Next(one, frame.Message{Typed: second}), second}} {
			if c.f.Offset < 0 || c.f.Length < 0 || c.f.Offset+c.f.Length > len(c.s) {
				t.Fatalf("%q: %+v", c.s, c.f)
			}
			if c.f.Paused() && (c.f.What == "" || frame.Reason(c.f) == "" || frame.Notice(c.f) == "") {
				t.Fatalf("%q: no words for %+v", c.s, c.f)
			}
		}
	})
}
