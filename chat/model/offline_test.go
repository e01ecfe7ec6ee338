package model_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"memoria/chat/model"
)

func offline() model.Client {
	at := time.Date(2026, 9, 7, 10, 0, 0, 0, time.UTC)
	return model.NewOffline(func() time.Time { return at })
}

var quotes = []model.Quote{
	{Text: "uses pnpm, not npm", When: time.Date(2026, 1, 28, 0, 0, 0, 0, time.UTC)},
	{Text: "第一行\n第二行", Source: "memory.md"},
	{Text: "  "},
}

// P6: without a language model the best items are quoted with their sources, and the answer says what it is and what
// would help, in the language of the question.
func TestOfflineQuotes(t *testing.T) {
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"Do I still use pnpm?", []string{"No language model is connected. From your memory:"}},
		{"部署脚本还用 pnpm 吗？", []string{"没有连接语言模型。你的记忆里有"}},
		{"那个 deploy script 呢", []string{"没有连接语言模型"}},
		{"What does 北京 mean in the old address list?", []string{"No language model is connected"}},
	} {
		req := ask(tt.question)
		req.Quotes = quotes
		var rec recorder
		reply, err := offline().Stream(background(t), req, rec.on)
		if err != nil || !reply.Complete() || reply.Text != rec.text() || reply.Model != "offline" {
			t.Fatalf("%+v, %v", reply, err)
		}
		for _, w := range append(tt.want, "> uses pnpm, not npm — 2026-01-28\n", "> 第一行\n> 第二行\n>\n> — memory.md\n") {
			if !strings.Contains(reply.Text, w) {
				t.Errorf("%q is not in %q", w, reply.Text)
			}
		}
	}
}

// P6: what fits much less than the best is not quoted beside it, but alone.
func TestOfflineLooseQuotes(t *testing.T) {
	req := ask("What is my dog called?")
	req.Quotes = []model.Quote{{Text: "the dog is called Bruno"}, {Text: "has two cats", Loose: true}}
	for _, want := range []string{"Bruno", "two cats"} {
		reply, err := offline().Stream(background(t), req, nil)
		if err != nil || !strings.Contains(reply.Text, want) || strings.Contains(reply.Text, "Bruno") && strings.Contains(reply.Text, "cats") {
			t.Errorf("%q, %v; want only %q", reply.Text, err, want)
		}
		req.Quotes = req.Quotes[1:]
	}
}

// P6: with nothing to quote the answer is one line, in the language of the message; what is stated is not called
// kept, and how to get a model is said once.
func TestOfflineWithNothingToQuote(t *testing.T) {
	const kept, nothing, keptZH, nothingZH = "Plain statements", "Your memory holds nothing on this yet.", "会被记下", "还没有相关内容"
	const unkept, unkeptZH = "This is not remembered.", "没有记下"
	for message, want := range map[string]string{
		"My name is Bo": unkept, "hello": kept, "🙂": kept, "": kept, "don't worry": kept, "I know what I want.": unkept,
		"The boiler broke yesterday, £900 to fix.": unkept, "昨天锅炉坏了，修好花了九百块。": unkeptZH,
		"我喜欢晚上喝乌龙茶": unkeptZH, "你好": keptZH, "记住每周五部署。": unkeptZH,
		"What is my name?": nothing, "where do i live": nothing, "Tell me about Oslo": nothing, "show me what you have on Oslo": nothing, "whats my name": nothing, "说说我妈妈的事情吧": nothingZH,
		"you like tea?": nothing,
		"我叫什么":          nothingZH, "你知道我住哪儿吗": nothingZH, "我喜欢喝茶？": nothingZH, "我几岁了": nothingZH, "我晕车不": nothingZH, "我跟老郝领证没": nothingZH,
	} {
		req := ask(message)
		first, err := offline().Stream(background(t), req, nil)
		if err != nil || !strings.Contains(first.Text, want) || !strings.Contains(first.Text, "`/model`") ||
			!strings.HasPrefix(first.Text, "No language model is connected. ") && !strings.HasPrefix(first.Text, "没有连接语言模型。") {
			t.Errorf("%q: %+v, %v", message, first, err)
		}
		req.Told = true
		later, err := offline().Stream(background(t), req, nil)
		want = strings.NewReplacer(keptZH, unkeptZH, kept, unkept).Replace(want) // how it is kept is explained once
		if err != nil || !strings.Contains(later.Text, want) || strings.Count(later.Text, "\n") != 1 || strings.Contains(later.Text, "`/model`") {
			t.Errorf("%q, later: %+v, %v", message, later, err)
		}
		if strings.Contains(first.Text, "Recall panel") || strings.Contains(first.Text, "面板") {
			t.Errorf("%q: a panel is not everywhere: %s", message, first.Text)
		}
	}
}

// P6: a statement that taught nothing is not answered with memories that share its words, a thank-you with nothing but "OK".
func TestOfflineStatements(t *testing.T) {
	said := func(message string, wordless bool) string {
		req := ask(message)
		req.Quotes, req.Told, req.Wordless = quotes, true, wordless
		if wordless {
			req.Quotes = nil
		}
		reply, err := offline().Stream(background(t), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		return reply.Text
	}
	for message, want := range map[string]string{
		"The boiler broke yesterday, £900 to fix.": "This is not remembered.", "昨天锅炉坏了，修好花了九百块。": "没有记下",
		"What did the boiler cost?": "pnpm", "boiler": "pnpm", "锅炉": "pnpm",
		"so what did the boiler cost again": "pnpm", "and what about the boiler": "pnpm", "ok whats the boiler cost again": "pnpm",
		"oh and did my boiler break again": "pnpm", "那锅炉的价钱我们到底记下没得": "pnpm",
		"well the boiler broke again, it cost a bomb": "This is not remembered.", "so the boiler is what we need": "This is not remembered.",
	} {
		if got := said(message, false); !strings.Contains(got, want) || want != "pnpm" && strings.Contains(got, "pnpm") {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
	for message, want := range map[string]string{"thanks": "OK.\n", "谢谢": "好的。\n"} {
		if got := said(message, true); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

// U5: where nothing is kept, a statement is not called kept; a question is answered as ever.
func TestOfflineTemporary(t *testing.T) {
	for message, want := range map[string]string{
		"My name is Bo": "This chat is temporary", "我喜欢晚上喝乌龙茶": "这是临时会话",
		"What is my name?": "Your memory holds nothing on this yet.", "我叫什么": "还没有相关内容",
	} {
		req := ask(message)
		req.Unlearned = model.UnlearnedTemporary
		reply, err := offline().Stream(background(t), req, nil)
		kept := strings.Contains(reply.Text, "Plain statements") || strings.Contains(reply.Text, "会被记下")
		if err != nil || kept || !strings.Contains(reply.Text, want) {
			t.Errorf("%q: %q, %v", message, reply.Text, err)
		}
	}
}

func TestOfflineIsShort(t *testing.T) {
	req := ask("everything?")
	for i := range 40 {
		req.Quotes = append(req.Quotes, model.Quote{Text: strings.Repeat("好", 5000), Source: fmt.Sprintf("s%d", i)})
	}
	reply, err := offline().Stream(background(t), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(reply.Text)); n > 3500 {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(reply.Text, "35 more match") {
		t.Errorf("text is %q", reply.Text)
	}
}

// P6, S4: judging and analysis are never answered with words that could be taken for a model's.
func TestOfflineDoesNotJudge(t *testing.T) {
	for _, purpose := range []string{model.PurposeJudge, model.PurposeAnalysis} {
		req := ask("?")
		req.Purpose = purpose
		reply, err := offline().Stream(background(t), req, nil)
		mustFail(t, err, model.KindOffline)
		if reply.Text != "" || reply.Complete() {
			t.Errorf("reply is %+v", reply)
		}
	}
	if i := offline().Info(); !i.Offline || i.Endpoint != "" {
		t.Errorf("info is %+v", i)
	}
}

func TestOfflineCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background(t))
	req := ask("?")
	req.Quotes = quotes
	reply, err := offline().Stream(ctx, req, func(model.Event) { cancel() })
	mustFail(t, err, model.KindCancelled)
	if reply.Complete() {
		t.Errorf("reply is %+v", reply)
	}
}

// A2: quotes that do not bear on the question are not presented as what was said, and
// a look into the archive that finds nothing says so.
func TestOfflineTellsLooseProofs(t *testing.T) {
	var proofs, sure []model.Proof
	for i, said := range []string{"one", "two", "three", "four"} {
		proofs = append(proofs, model.Proof{N: i + 1, Text: said, Loose: true})
		sure = append(sure, model.Proof{N: i + 1, Text: said, Loose: i > 1})
	}
	for _, tt := range []struct {
		req       model.Request
		want, not string
	}{
		{model.Request{Asked: "When did I mention zebras?", Proofs: proofs, ProofAsked: true}, "only loosely related", "what was said"},
		{model.Request{Asked: "Where did I see zebras?", Proofs: proofs}, "only loosely related", "I find:"},
		{model.Request{Asked: "我什么时候提过斑马？", Proofs: proofs, ProofAsked: true}, "找到的只是略有关联的内容", "原话如下"},
		{model.Request{Asked: "我在哪看过斑马？", Proofs: proofs}, "找到的只是略有关联的内容", "找到：\n"},
		{model.Request{Asked: "When did I mention zebras?", Proofs: sure, ProofAsked: true}, "what was said:\n\n> one", "loosely related messages in earlier conversations:\n\n> one"},
		{model.Request{Asked: "Where did I see zebras?", Looked: true}, "nor earlier conversations hold anything", "Your memory holds"},
		{model.Request{Asked: "我在哪看过斑马？", Looked: true, Told: true}, "以前的对话里都没有", "还没有"},
	} {
		reply, err := offline().Stream(t.Context(), tt.req, nil)
		if err != nil || !strings.Contains(reply.Text, tt.want) || strings.Contains(reply.Text, tt.not) {
			t.Errorf("%q: %v\n%s", tt.req.Asked, err, reply.Text)
		}
		if len(tt.req.Proofs) > 0 && tt.req.Proofs[0].Loose && strings.Contains(reply.Text, "four") {
			t.Errorf("%q quotes too many:\n%s", tt.req.Asked, reply.Text)
		}
	}
}

// A question that the journal noted is no answer to the next one; a passage of questions alone
// is left out.
func TestOfflineQuotesNoQuestions(t *testing.T) {
	req := ask("where do I live?")
	req.Quotes = []model.Quote{
		{Text: "Lives in Seattle.", Source: "fact"},
		{Text: "where do I live?\nwhere did I live before", Source: "memory/2026-11-26.md", Passage: true},
		{Text: "我住哪里\n我搬到了徐汇。", Source: "memory/2026-11-25.md", Passage: true},
	}
	reply, err := offline().Stream(background(t), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"Lives in Seattle": true, "> where": false, "2026-11-26": false, "我住哪里": false, "我搬到了徐汇": true} {
		if strings.Contains(reply.Text, text) != want {
			t.Errorf("%q in %q: %v, want %v", text, reply.Text, !want, want)
		}
	}
}

// P6, P5a: an answer says that something about the question waits for approval, instead of that there is nothing.
func TestOfflineWaiting(t *testing.T) {
	for message, want := range map[string]string{
		"How much do I owe?": "1 memory on this waits for your approval", "我欠多少钱？": "1 条记忆在等你确认",
	} {
		req := ask(message)
		req.Told, req.Looked, req.Waiting = true, true, 1
		alone, err := offline().Stream(background(t), req, nil)
		if err != nil || !strings.HasPrefix(strings.TrimPrefix(alone.Text, "与此相关的 "), want) {
			t.Errorf("%q: %q, %v", message, alone.Text, err)
		}
		req.Quotes = quotes
		beside, err := offline().Stream(background(t), req, nil)
		if err != nil || !strings.Contains(beside.Text, want) || !strings.Contains(beside.Text, "pnpm") {
			t.Errorf("%q: %q, %v", message, beside.Text, err)
		}
	}
	req := ask("I owe nobody anything.")
	req.Told, req.Waiting = true, 2
	if reply, err := offline().Stream(background(t), req, nil); err != nil || strings.Contains(reply.Text, "wait") {
		t.Errorf("a statement: %q, %v", reply.Text, err)
	}
}
