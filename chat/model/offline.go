package model

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
)

const (
	offlineName    = "offline"
	maxQuotes      = 5   // as many as rag_top_n's default (R1)
	maxQuoteLength = 500 // characters of one quote
)

// offline answers without a language model.
type offline struct{ now func() time.Time }

// NewOffline returns the client that is used while no language model is configured. It answers a [PurposeReply]
// request in Markdown, in the language of what was asked (Chinese or English): it quotes up to five of req.Quotes with
// their sources. With none it answers a question by saying so, and anything else by saying where plain statements can
// be seen; that this one was kept it does not say, since learning comes after the answer. How to get a model it says
// once, see req.Told. Other purposes are refused with [KindOffline], because rules do that work better (P6). The same
// request always gets the same words. now measures the reply's times.
//
// What it says is the program's own words: callers tell them by Info().Offline and keep them from models, analysis
// and indexes.
func NewOffline(now func() time.Time) Client { return offline{now: now} }

func (offline) Info() Info { return Info{Name: offlineName, Model: offlineName, Offline: true} }

func (o offline) Stream(ctx context.Context, req Request, on func(Event)) (Reply, error) {
	if on == nil {
		on = func(Event) {}
	}
	start := o.now()
	reply := Reply{Model: offlineName}
	if req.Purpose != "" && req.Purpose != PurposeReply {
		return reply, newError(KindOffline, "no language model is configured")
	}
	for i, part := range offlineAnswer(req) {
		if ctx.Err() != nil {
			reply.Took = o.now().Sub(start)
			return reply, cancelled(ctx)
		}
		if i == 0 {
			reply.FirstToken = o.now().Sub(start)
			on(FirstToken{After: reply.FirstToken})
		}
		reply.Text += part
		on(Delta{Text: part})
	}
	reply.FinishReason, reply.Took = FinishStop, o.now().Sub(start)
	return reply, nil
}

// phrases are the offline client's words in one language. They are read in the terminal program, line by line and in
// a pipe, so what they name exists in all three.
type phrases struct{ intro, more, offline, kept, nothing, help string }

var (
	english = phrases{
		intro:   "No language model is connected; this is what your memory holds on it:\n",
		more:    "\n%d more match; `memoria recall` shows them, and in a chat `/recall`.\n",
		offline: "No language model is connected. ",
		kept:    "Plain statements (“My name is …”, “I prefer …”, “Remember that …”) are kept: `memoria memory list` shows them, and in a chat `/memories`.\n",
		nothing: "Your memory holds nothing on this yet.\n",
		help:    "\nTo talk with a model, set `OPENAI_API_KEY`, or start a local server (Ollama, llama.cpp, LM Studio, vLLM), or write `base_url` and `name` under `[model]` in `config.toml`.",
	}
	chinese = phrases{
		intro:   "没有连接语言模型；关于这个问题，你的记忆里有：\n",
		more:    "\n还有 %d 条相符，可用 `memoria recall` 查看，对话中用 `/recall`。\n",
		offline: "没有连接语言模型。",
		kept:    "直接说出的事实和偏好（“我叫……”“我喜欢……”“记住……”）会被记下，可用 `memoria memory list` 查看，对话中用 `/memories`。\n",
		nothing: "你的记忆里还没有相关内容。\n",
		help:    "\n想和模型对话，请设置 `OPENAI_API_KEY`，或启动本机的模型服务（Ollama、llama.cpp、LM Studio、vLLM），或在 `config.toml` 的 `[model]` 中填写 `base_url` 和 `name`。",
	}
)

// offlineAnswer gives the answer in the pieces that are streamed.
func offlineAnswer(req Request) []string {
	asked := cmp.Or(req.Asked, lastUser(req.Messages))
	say := english
	if isChinese(asked) {
		say = chinese
	}
	var quotes []string
	for _, q := range req.Quotes {
		if strings.TrimSpace(q.Text) != "" {
			quotes = append(quotes, quotation(q))
		}
	}
	if len(quotes) == 0 {
		line := say.kept
		if isQuestion(asked) {
			line = say.nothing
		}
		if req.Told {
			return []string{line}
		}
		return []string{say.offline, line, say.help}
	}
	parts := append([]string{say.intro}, quotes[:min(len(quotes), maxQuotes)]...)
	if rest := len(quotes) - maxQuotes; rest > 0 {
		parts = append(parts, fmt.Sprintf(say.more, rest))
	}
	return parts
}

var (
	asksChinese = regexp.MustCompile(`[吗呢嘛][\s。！!.~～]*$|什么|甚么|什麼|啥|谁|誰|哪|怎|几[个岁点号月]|幾|多少|多久|多大|多远|为何|為何|如何|是不是|有没有|能不能|会不会|要不要|对不对|还记得`)
	asksEnglish = regexp.MustCompile(`(?i)^\W*(what|who|whom|whose|which|when|where|why|how|do|does|did|is|are|am|was|were|can|could|will|would|should|have|has|tell me|remind me)\b`)
)

// isQuestion reports whether a message asks for something rather than states it.
func isQuestion(s string) bool {
	return strings.ContainsAny(s, "?？") || asksChinese.MatchString(s) || asksEnglish.MatchString(s)
}

// quotation is a Markdown block quote with its source and date in the last line.
func quotation(q Quote) string {
	var b strings.Builder
	for line := range strings.SplitSeq(shorten(strings.TrimSpace(q.Text), maxQuoteLength), "\n") {
		b.WriteString("\n> " + strings.TrimRight(line, " \r"))
	}
	var from []string
	if s := oneLine(q.Source); s != "" {
		from = append(from, s)
	}
	if !q.When.IsZero() {
		from = append(from, q.When.Format(time.DateOnly))
	}
	if len(from) > 0 {
		b.WriteString("\n>\n> — " + strings.Join(from, " · "))
	}
	return b.String() + "\n"
}

func lastUser(messages []Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == RoleUser {
			return messages[i].Content
		}
	}
	return ""
}

// isChinese reports whether s has at least as many Chinese characters as words in Latin letters: sentences that mix
// both are Chinese ones with foreign names in them.
func isChinese(s string) bool {
	han, words, inWord := 0, 0, false
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			han++
		}
		latin := unicode.Is(unicode.Latin, r)
		if latin && !inWord {
			words++
		}
		inWord = latin || (inWord && (r == '\'' || r == '’'))
	}
	return han > 0 && han >= words
}
