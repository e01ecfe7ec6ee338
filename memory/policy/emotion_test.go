package policy_test

import (
	"testing"

	"memoria/memory/policy"
)

// W3: how the user says that he feels right now, and what only looks like it.
func TestEmotion(t *testing.T) {
	for language, cases := range map[string]map[string]string{
		"en": {
			"I'm so tired today":                             "tired",
			"i am exhausted":                                 "tired",
			"Ugh, I've been really sleepy all day.":          "tired",
			"So tired today...":                              "tired",
			"I'm so happy!":                                  "happy",
			"I'm really glad to hear that":                   "happy",
			"Yay, I am super excited, I got the job!":        "happy",
			"I feel great today":                             "happy",
			"That makes me so happy":                         "happy",
			"I feel sad":                                     "sad",
			"I'm a bit lonely these days":                    "sad",
			"I can't stop crying":                            "sad",
			"I'm worried about my exam, can you help me?":    "anxious",
			"Honestly, I'm kind of nervous":                  "anxious",
			"I’m stressed out because of the deadline":       "anxious",
			"I'm so angry at my landlord":                    "angry",
			"I am sick and tired of this bug":                "angry",
			"This is making me really frustrated":            "angry",
			"Thank you so much, that fixed it":               "grateful",
			"I really appreciate your patience":              "grateful",
			"I'm grateful for your help":                     "grateful",
			"I'm not angry, I'm sad":                         "sad",
			"I'm tired but so happy":                         "happy",
			"I was worried. Now I'm so happy":                "happy",
			"I'm so happy she said yes":                      "happy",
			"I'm not tired":                                  "",
			"I'm no longer angry":                            "",
			"Am I tired?":                                    "",
			"I'm tired, right?":                              "",
			"Why am I so tired":                              "",
			"he is angry":                                    "",
			"My boss is furious and my sister is sad":        "",
			"She said I'm angry":                             "",
			`He wrote "I'm so tired"`:                        "",
			"I'm so tired, he said":                          "",
			"If I'm tired, I go to bed":                      "",
			"When I'm sad I listen to jazz":                  "",
			"I'm happy when it rains":                        "",
			"I wish I was happy":                             "",
			"I was angry yesterday":                          "",
			"I'm happy to help":                              "",
			"I'm happy with tabs":                            "",
			"I'm anxious to see it":                          "",
			"Translate into French: I'm so tired":            "",
			"Thanks a lot for nothing":                       "",
			"Happy birthday!":                                "",
			"thanks":                                         "",
			"Write a poem: I'm so sad":                       "",
			"> I'm so angry\nwhat do you make of this mail?": "",
			"You are angry":                                  "",
			"What is the capital of France?":                 "",
			"":                                               "",
		},
		"zh": {
			"我今天很累":      "tired",
			"好累啊":        "tired",
			"今天加班累死了":    "tired",
			"我困了":        "tired",
			"上了一天班，累瘫了":  "tired",
			"太开心了！":      "happy",
			"我好高興":       "happy",
			"今天心情很好":     "happy",
			"你让我很开心":     "happy",
			"终于考完了，超级开心": "happy",
			"我很难过":       "sad",
			"我不开心":       "sad",
			"唉，心情不好":     "sad",
			"我想哭":        "sad",
			"我很担心明天的面试":  "anxious",
			"我好焦虑，怎么办？":  "anxious",
			"最近压力好大":     "anxious",
			"有点紧张":       "anxious",
			"气死我了":       "angry",
			"我真的很生气":     "angry",
			"烦死了":        "angry",
			"谢谢你帮了大忙":    "grateful",
			"太感谢你了":      "grateful",
			"非常感谢":       "grateful",
			"多亏了你，我过了":   "grateful",
			"我不累，就是有点难过": "sad",
			"我不累":        "",
			"我没有生气":      "",
			"我不是很开心":     "",
			"我现在不累了":     "",
			"你累吗？":       "",
			"我是不是太累了":    "",
			"他很生气":       "",
			"我朋友很开心":     "",
			"小明很难过":      "",
			"她说她很累":      "",
			"他说：“我很累”":   "",
			"如果我很累就早点睡":  "",
			"我累的时候会听歌":   "",
			"我开心的时候唱歌":   "",
			"我以前很焦虑":     "",
			"我昨天很累":      "",
			"很高兴认识你":     "",
			"翻译一下：我很累":   "",
			"别生气":        "",
			"不要太累了":      "",
			"我累计跑了一百公里":  "",
			"谢谢":         "",
			"我觉得小明很开心":   "",
			"这是一个开心的故事":  "",
			"天气真好":       "",
		},
	} {
		for said, want := range cases {
			if got := policy.Emotion(said); got != want {
				t.Errorf("%s: Emotion(%q) = %q, want %q", language, said, got, want)
			}
		}
	}
}

func BenchmarkEmotion(b *testing.B) {
	for b.Loop() {
		policy.Emotion("I moved to Rome last year, and I am so tired today. 我今天真的很累，不过太开心了。")
	}
}
