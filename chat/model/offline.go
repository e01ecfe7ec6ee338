package model

import (
	"cmp"
	"context"
	"fmt"
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
// request in Markdown, in the language of what was asked (Chinese or English): it says what it is and quotes up to five
// of req.Quotes with their sources; with none, it says how to get a model. Other purposes are refused with [KindOffline],
// because rules do that work better (P6). The same request always gets the same words. now measures the reply's times.
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

// phrases are the offline client's words in one language.
type phrases struct{ intro, more, nothing, help string }

var (
	english = phrases{
		intro:   "No language model is connected; this is what your memory holds on it:\n",
		more:    "\n%d more match; the Recall panel shows them all.\n",
		nothing: "No language model is connected. I answer by quoting your memory, and it holds nothing on this yet.\n\nWhat you state plainly (“My name is …”, “I prefer …”, “Remember that …”) is kept: the Recall panel and `memoria memory list` show it.\n",
		help:    "\nTo talk with a model, set `OPENAI_API_KEY`, or start a local server (Ollama, llama.cpp, LM Studio, vLLM), or write `base_url` and `name` under `[model]` in `config.toml`.",
	}
	chinese = phrases{
		intro:   "没有连接语言模型；关于这个问题，你的记忆里有：\n",
		more:    "\n还有 %d 条相符，可在 Recall 面板中查看。\n",
		nothing: "没有连接语言模型。我只能引用你的记忆来回答，而其中还没有相关内容。\n\n直接说出的事实和偏好（“我叫……”“我喜欢……”“记住……”）会被记下，可在 Recall 面板或用 `memoria memory list` 查看。\n",
		help:    "\n想和模型对话，请设置 `OPENAI_API_KEY`，或启动本机的模型服务（Ollama、llama.cpp、LM Studio、vLLM），或在 `config.toml` 的 `[model]` 中填写 `base_url` 和 `name`。",
	}
)

// offlineAnswer gives the answer in the pieces that are streamed.
func offlineAnswer(req Request) []string {
	say := english
	if isChinese(cmp.Or(req.Asked, lastUser(req.Messages))) {
		say = chinese
	}
	var quotes []string
	for _, q := range req.Quotes {
		if strings.TrimSpace(q.Text) != "" {
			quotes = append(quotes, quotation(q))
		}
	}
	if len(quotes) == 0 {
		return []string{say.nothing, say.help}
	}
	parts := append([]string{say.intro}, quotes[:min(len(quotes), maxQuotes)]...)
	if rest := len(quotes) - maxQuotes; rest > 0 {
		parts = append(parts, fmt.Sprintf(say.more, rest))
	}
	return parts
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
