package instruct_test

import (
	"testing"

	"memoria/memory/instruct"
)

// U: what is said to the program about the memory, and orders nothing.
func TestReadAside(t *testing.T) {
	t.Parallel()
	for kind, said := range map[instruct.Aside][]string{
		instruct.AsksTrash: {"what have I deleted?", "show me the trash", "看看删了啥", "回收站里有啥", "打开回收站", "what did I ask you to forget", "忘掉的还能找回来不", "我都删过什么", "你帮我看看我都删过什么", "what can I still restore?"},
		instruct.AsksInbox: {"show me the inbox", "what is in my inbox?", "what's in my inbox", "待确认的有哪些", "给我看看收件箱", "open the inbox please", "what is waiting for my approval"},
		instruct.AsksDate:  {"what's the date today", "今儿几号", "今天几号", "what day is it", "what day is it tomorrow", "今天星期几", "what's today's date?", "what is the date"},
		instruct.NeverMind: {"never mind", "scrap that", "forget it", "算了", "ok never mind then", "当我没说"},
		instruct.Standing: {
			"don't store anything from now on", "别记录 下面说的都不算数", "以后我说的吃的都别记", "turn off memory", "接下来我说的都别记", "please don't remember anything I say from now on", "stop learning", "下面说的别记", "nothing about my health please", "别记我的健康",
		},
		instruct.Resumes:     {"carry on remembering please", "继续记", "恢复学习", "别暂停了", "ok you can start remembering again"},
		instruct.AsksPaused:  {"why is learning paused", "为什么暂停学习", "why aren't you remembering anything", "咋不记了"},
		instruct.AsksAbility: {"can you forget things?", "would you forget my name if I asked", "what happens if I tell you to forget my mum", "你能忘记事情吗"},
		instruct.AsksHelp:    {"help", "help me", "what can you do?", "how does this work", "how do I use this?", "who are you", "what can I say", "帮助", "你能干啥", "你是谁", "怎么用", "这软件咋用"},
		instruct.Greets:      {"hi", "good morning", "Hello there!", "hey, how are you?", "你好", "早", "在吗", "晚上好"},
		instruct.Thanks:      {"thanks", "thank you so much", "cheers mate", "谢谢", "多谢了"},
		instruct.Leaves:      {"bye", "good night", "see you tomorrow", "再见", "晚安", "我先睡了"},
	} {
		for _, s := range said {
			if got, _ := instruct.ReadAside(s, nil); got != kind {
				t.Errorf("%q is %q, want %q", s, got, kind)
			}
			if in, ok := instruct.Read(s, nil); ok && in.Kind != instruct.Unrecorded && in.Kind != instruct.List {
				t.Errorf("%q is also read as %+v", s, in)
			}
		}
	}
	for _, s := range []string{
		"forget that I like tea", "what is in my bag", "the trash is full", "what day is the dentist", "几号去北京", "我算了一下账", "I deleted my account", "回收站在哪条路", "以后我要早起", "don't store this",
		"what date is my birthday", "我生日几号", "stop", "继续", "keep it", "明天有什么安排", "I never mind the rain", "别记错了", "what did I tell you", "下面一条是我的", "我什么都没删", "今天别记了吧这件事",
		"what do I do for a living", "how do I use a pressure cooker", "what can I eat", "who are you talking about", "help my mum with her taxes", "你是谁的朋友", "我走了三公里", "morning shift today",
		"hi I'm Anna", "what should I try in Lisbon", "thanks to my sister I got the job", "早上好困", "晚安故事讲一个", "how are you sure my mum is 81", "谢谢你的老师叫什么", "nothing about my day was good",
		"nothing on my back", "nothing on my calendar today", "no notes on my desk", "what do I do today", "what should I do today?", "我能做什么", "me", "just me", "Me",
	} {
		if got, _ := instruct.ReadAside(s, nil); got != "" {
			t.Errorf("%q is %q", s, got)
		}
	}
	if _, days := instruct.ReadAside("what day is it tomorrow", nil); days != 1 {
		t.Errorf("tomorrow is %d days away", days)
	}
}
