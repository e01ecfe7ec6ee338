package model

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
)

const (
	offlineName    = "offline"
	maxLoose       = 3   // proofs that only share words with the question
	maxQuotes      = 5   // rag_top_n's default (R1)
	maxQuoteLength = 500 // characters of one quote
	maxTitle       = 60  // characters of a session's title
	maxLine        = 120 // characters of a quote and its source in one line
)

// offline answers without a language model.
type offline struct{ now func() time.Time }

// NewOffline returns the client for a program without a configured language model. It answers a [PurposeReply]
// request in Markdown, in Chinese or English like the question, see also req.Chinese. It gives req.Own unchanged, or acknowledges
// what the rules learned (req.Learned). Otherwise it quotes up to five of req.Quotes with their sources, and req.Proofs
// verbatim with speaker, time and place. Proofs alone are the answer when the user asks for them; loosely
// related ones are quoted apart and marked. Without quotes or proofs it says so to a question. To a statement
// that taught nothing it says that, and quotes nothing. It explains only once how to get a model, see req.Told.
//
// Other purposes fail with [KindOffline], because rules do that work better (P6). The same request always gets
// the same words. now measures the reply's times.
//
// The text is the program's own words. Callers recognize it by Info().Offline and keep it from models, analysis
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

// phrases are the offline client's words in one language. They appear in the terminal program, line mode and
// pipes, so they may only name things that exist in all three.
type phrases struct {
	intro, more, offline, nothing, help      string
	kept, unkept, fine                       string
	paused, secret, temporary                string
	proof, archive, unproven, loose, unfound string
	you, note, gone, session                 string
	noted, held, known, replaced, ended      string
	waiting, waitingMany                     string
	journal                                  string
	brief                                    bool // the answer is read in a shell, where ids and paths are of use
}

func english(at Places) phrases {
	return phrases{
		intro:   "From your memory:\n",
		more:    "\n%d more match; " + at.Recall + " shows them.\n",
		offline: "No language model is connected. ",
		kept: "Plain statements (“My name is …”, “I prefer …”, “Remember that …”) are kept: " +
			at.Memories + " shows them.\n",
		unkept: "This is not remembered. If it should be, say “remember that”.\n",
		fine:   "OK.\n",
		paused: "Learning is paused, so nothing from this message is remembered: it looks like a game, a role-play or a text " +
			"to work on, which need a language model. If it is about you, say “carry on remembering”, and say it again.\n",
		secret:    "The message holds a secret, which is not remembered.\n",
		temporary: "This chat is temporary: nothing of it is kept or remembered.\n",
		nothing:   "Your memory holds nothing on this yet.\n",
		help:      "\nHow to connect one: " + at.Models + ".",
		proof:     "This is what was said:\n",
		archive:   "\nIn earlier conversations I find:\n",
		unproven:  "I find nothing in the archive that says so.\n",
		loose:     "\nI find only loosely related messages in earlier conversations:\n",
		unfound:   "Neither your memory nor earlier conversations hold anything on this.\n",
		you:       "you", note: "a memory that was not made from a message", gone: "a memory whose message was deleted",
		session:     "session %s",
		noted:       "Noted.\n\n",
		held:        "It is remembered once you accept it: " + at.Inbox + ".\n\n",
		known:       "I know.\n\n",
		replaced:    "Replaced: %s → %s\n\n",
		ended:       "No longer true: %s\n\n",
		waiting:     "1 memory on this waits for your approval: " + at.Inbox + ".\n",
		waitingMany: "%d memories on this wait for your approval: " + at.Inbox + ".\n",
		journal:     "journal",
	}
}

func chinese(at Places) phrases {
	return phrases{
		intro:   "你的记忆里有：\n",
		more:    "\n还有 %d 条相符，可用 " + at.Recall + " 查看。\n",
		offline: "没有连接语言模型。",
		kept:    "直接说出的事实和偏好（“我叫……”“我喜欢……”“记住……”）会被记下，可用 " + at.Memories + " 查看。\n",
		unkept:  "这句没有记下。要记住它，就说“记下来”。\n",
		fine:    "好的。\n",
		paused: "学习暂停了，这条消息没有记住：它看起来像游戏、角色扮演，或是要处理的文字，这些需要语言模型。" +
			"如果说的是你自己的事，先说“继续记”，再说一遍就会记下。\n",
		secret:    "这条消息里有密码之类的机密，不会被记住。\n",
		temporary: "这是临时会话：什么都不保留，也不会被记住。\n",
		nothing:   "你的记忆里还没有相关内容。\n",
		help:      "\n怎样连接：" + at.Models + "。",
		proof:     "原话如下：\n",
		archive:   "\n在以前的对话里找到：\n",
		unproven:  "档案里没有找到这样的话。\n",
		loose:     "\n在以前的对话里，找到的只是略有关联的内容：\n",
		unfound:   "你的记忆和以前的对话里都没有相关内容。\n",
		you:       "你", note: "一条不是从消息里得来的记忆", gone: "一条记忆，原来的消息已删除", session: "会话 %s",
		noted:       "记下了。\n\n",
		held:        "等你接受以后才会记住：" + at.Inbox + "。\n\n",
		known:       "这个我知道。\n\n",
		replaced:    "已更正：%s → %s\n\n",
		ended:       "不再成立：%s\n\n",
		waiting:     "与此相关的 1 条记忆在等你确认：" + at.Inbox + "。\n",
		waitingMany: "与此相关的 %d 条记忆在等你确认：" + at.Inbox + "。\n",
		journal:     "日记",
	}
}

// offlineAnswer returns the answer in streaming pieces.
func offlineAnswer(req Request) []string {
	if req.Own != "" {
		return []string{req.Own}
	}
	asked := cmp.Or(req.Asked, lastUser(req.Messages))
	at := PlacesFor(req.Brief)
	say := english(at)
	if han, words := count(asked); isChinese(asked) || req.Chinese && han == 0 && words < 2 { // digits and "ok" have no language
		say = chinese(at)
	}
	say.brief = req.Brief
	learned := say.learned(req.Learned)
	if len(learned) > 0 && !isQuestion(asked) {
		if !req.Told && req.Brief { // in a chat, the screen says it before the first message
			learned = append(learned, say.offline+strings.TrimLeft(say.help, "\n"))
		}
		return learned
	}
	if req.tells(asked) {
		req.Waiting = 0
	}
	answer := say.found(req, asked)
	if wait := say.wait(req.Waiting); wait != "" && !slices.Contains(answer, wait) {
		answer = append(answer, "\n", wait)
	}
	return append(learned, answer...)
}

// wait tells of memories that wait for approval; empty for none.
func (say phrases) wait(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return say.waiting
	}
	return fmt.Sprintf(say.waitingMany, n)
}

// found answers from memory and the archive.
func (say phrases) found(req Request, asked string) []string {
	if req.tells(asked) && !req.ProofAsked {
		req.Quotes, req.Proofs, req.Looked = nil, nil, false
	}
	var quotes []string
	better := slices.ContainsFunc(req.Quotes, func(q Quote) bool { return !q.Loose })
	for _, q := range req.Quotes {
		if q.Loose && better {
			continue
		}
		if q.Passage {
			q.Text = statements(q.Text)
		}
		if strings.TrimSpace(q.Text) != "" {
			quotes = append(quotes, say.quotation(q))
		}
	}
	proofs, loose := say.allProven(req.Proofs)
	switch {
	case req.ProofAsked && len(proofs) == 0 && len(loose) > 0:
		return append([]string{strings.TrimLeft(say.loose, "\n")}, loose...)
	case req.ProofAsked && len(proofs) > 0:
		return slices.Concat([]string{say.proof}, proofs, say.under(loose))
	case req.ProofAsked && len(quotes) == 0 && req.Told:
		return []string{say.unproven}
	case req.ProofAsked && len(quotes) == 0:
		return []string{say.offline, say.unproven, say.help}
	case req.ProofAsked:
		return append([]string{say.unproven, "\n", say.intro}, quotes[:min(len(quotes), maxQuotes)]...)
	case len(quotes) == 0 && len(proofs) > 0:
		return slices.Concat([]string{strings.TrimLeft(say.archive, "\n")}, proofs, say.under(loose))
	case len(quotes) == 0 && len(loose) > 0:
		return append([]string{strings.TrimLeft(say.loose, "\n")}, loose...)
	case len(quotes) == 0:
		line := say.kept
		switch {
		case req.Wordless && req.Told:
			line = say.fine
		case req.Told, req.tells(asked):
			line = say.unkept
		}
		if req.Unlearned == UnlearnedTemporary {
			line = say.temporary
		}
		if req.asks(asked) {
			line = say.nothing
		}
		if req.Looked {
			line = say.unfound
		}
		if req.Waiting > 0 {
			line = say.wait(req.Waiting)
		}
		switch req.Unlearned {
		case UnlearnedPaused:
			if req.asks(asked) || req.Waiting > 0 { // a question is answered all the same
				line += say.paused
				break
			}
			line = say.paused
		case UnlearnedSecret:
			line = say.secret
		}
		if req.Told {
			return []string{line}
		}
		return []string{say.offline, line, say.help}
	}
	parts := append([]string{say.intro}, quotes[:min(len(quotes), maxQuotes)]...)
	if !req.Told {
		parts = append([]string{say.offline}, parts...)
	}
	if rest := len(quotes) - maxQuotes; rest > 0 {
		parts = append(parts, fmt.Sprintf(say.more, rest))
	}
	if len(proofs) > 0 {
		parts = append(append(parts, say.archive), proofs...)
	}
	if req.mayTell(asked) {
		parts = append(parts, "\n", say.unkept)
	}
	return append(parts, say.under(loose)...)
}

// mayTell reports whether a message that was taken for the words of a search may have been meant as a statement,
// so that the answer says that it is not kept: 朵朵怕打针.
func (r Request) mayTell(asked string) bool {
	han, words := count(asked)
	return !r.asks(asked) && (han >= 4 || words >= 3)
}

// learned acknowledges what the rules learned from the message. New memories are already reported under the message (U6);
// replaced and ended ones are named here as well (U3).
func (say phrases) learned(changes []memory.Change) (out []string) {
	added, known, held := false, false, false
	for _, c := range changes {
		if c.Item == nil {
			continue
		}
		content := oneLine(c.Item.Content)
		switch {
		case c.Replaced != nil:
			out = append(out, fmt.Sprintf(say.replaced, oneLine(c.Replaced.Content), content))
		case c.Action == memory.ActionHeld, c.Action == memory.ActionConfirmed && c.Item.State == memory.StateHeld:
			held = true
		case c.Action == memory.ActionConfirmed:
			known = true
		case c.Item.State == memory.StateInactive:
			out = append(out, fmt.Sprintf(say.ended, content))
		case c.Action == memory.ActionAdded || c.Action == memory.ActionSuperseded:
			added = true
		}
	}
	switch {
	case len(out) > 0:
	case added:
		out = append(out, say.noted)
	case held:
		out = append(out, say.held)
	case known:
		out = append(out, say.known)
	}
	return out
}

// allProven splits the quotations into those that bear on the question and loosely related ones, of which it keeps
// at most three, and only when there are no others.
func (say phrases) allProven(all []Proof) (proofs, loose []string) {
	for _, p := range all {
		switch {
		case strings.TrimSpace(p.Text) == "":
		case p.Loose:
			loose = append(loose, say.proven(p))
		default:
			proofs = append(proofs, say.proven(p))
		}
	}
	if len(proofs) > 0 { // there is nothing to guess
		return proofs, nil
	}
	return nil, loose[:min(len(loose), maxLoose)]
}

// under formats loosely related quotations with their heading.
func (say phrases) under(loose []string) []string {
	if len(loose) == 0 {
		return nil
	}
	return append([]string{say.loose}, loose...)
}

// proven formats a quotation with its number, speaker, time and session.
func (say phrases) proven(p Proof) string {
	who := oneLine(p.Who)
	switch p.Who {
	case WhoUser:
		who = say.you
	case WhoNote:
		who = say.note
	case WhoGone:
		who = say.gone
	}
	from := []string{fmt.Sprintf("[%d] %s", p.N, who)}
	if !p.When.IsZero() {
		from = append(from, p.When.Format("2006-01-02 15:04"))
	}
	if title := oneLine(p.Title); title != "" && !strings.HasPrefix(oneLine(p.Text), strings.TrimRight(title, "…")) {
		from = append(from, shorten(title, maxTitle))
	}
	if p.Session != "" && say.brief {
		from = append(from, fmt.Sprintf(say.session, p.Session))
	}
	return sourced(p.Text, from)
}

var (
	asksChinese = text.LazyRegexp(`^(请|麻烦)?(告诉我|说说|讲讲|列出|列一下|查一下|查查|找一下|找找|关于)|` +
		`[吗呢嘛啵][\s。！!.~～]*$|[^还没有也都]冇[\s。！!.~～]*$|么事|么样|么名字|几时|几多|(记住|记得|记了|记下|晓得|认得|说过|讲过).*没[得有][\s。！!.~～]*$|[^不没有说都][不没][\s。！!.~～]*$|` +
		`什么|甚么|什麼|啥|谁|誰|哪|怎|几[个岁点号月]|幾|多少|多久|多大|多远|为何|為何|如何|是不是|有没有|能不能|会不会|要不要|对不对|还记得`)
	// What may stand before a question: "so when is it again". An answer agrees in the same order: "so am I".
	asksAfter = text.LazyRegexp(`(?i)^\W*((so|and|ok|okay|well|but|hey|hi|hello|oh|um+|hm+|er|also|then|now|anyway|btw|by the way|` +
		`right|wait|sorry|actually|yeah|yes|no)[\s,.!…–-]+)+((what|who|whom|whose|which|when|where|why|how)('?s|'?d|'?re)?\b|` +
		`(tell|remind|show) me\b|(do|does|did|is|are|was|were|can|could|will|would|should|have|has) (you|we|he|she|it|they|my|the|there) )`)
	asksEnglish = text.LazyRegexp(`(?i)^\W*(what|who|whom|whose|which|when|where|why|how|do|does|did|is|are|am|was|were|can|could|` +
		`will|would|should|have|has|` +
		`whats|whos|wheres|whens|hows|tell me|remind me|show me|give me|list|find|search|look up|` +
		`(do|does|did|is|are|was|were|ca|could|wo|would|should|have|has)n?['’]?t (i|you|we|he|she|it|they|my|the|there))` +
		`([^'’\w]|['’](s|re|m|d)\b|$)`)
)

// Tells reports whether a message tells something: it asks nothing, and is longer than the words of a search. The
// offline client quotes nothing for it, unless it asks for proof.
func Tells(s string) bool {
	han, words := count(s)
	return !isQuestion(s) && (han > 6 || words > 3 || tellsBriefly.MatchString(s))
}

// tellsBriefly matches a short message that tells something, and is no search: 昨晚没睡好, "im knackered".
var tellsBriefly = regexp.MustCompile(`(?i)^(i'?m|im|i|we|so|feeling|slept|just|ugh)\b|\p{Han}(没|了|很|太|真)\p{Han}|\p{Han}{2}了$`)

// asks and tells are what the caller knows of a message, or else what its words say.
func (r Request) asks(asked string) bool { return r.Asks || isQuestion(asked) }

func (r Request) tells(asked string) bool { return !r.Asks && Tells(asked) }

// isQuestion reports whether a message asks something rather than states it.
func isQuestion(s string) bool {
	return strings.ContainsAny(s, "?？") || !weAre.MatchString(s) &&
		(asksChinese().MatchString(s) || asksEnglish().MatchString(s) || asksAfter().MatchString(s))
}

// weAre matches a statement whose first word lacks its apostrophe: "were going to Rome".
var weAre = regexp.MustCompile(`(?i)^\W*were (\w+ing|off|gonna)\b`)

// statements returns the lines of a passage that are no questions: what was asked is no
// answer.
func statements(passage string) string {
	var out []string
	for line := range strings.Lines(passage) {
		if !isQuestion(line) {
			out = append(out, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(out, "\n")
}

// quotation formats a Markdown block quote with where it comes from in the last line.
func (say phrases) quotation(q Quote) string {
	var from []string
	switch file := oneLine(q.Source); {
	case file == "":
	case say.brief || !strings.Contains(file, "/"): // the user's own notes
		from = append(from, file)
	default:
		from = append(from, say.journal)
	}
	if !q.When.IsZero() {
		from = append(from, q.When.Format(time.DateOnly))
	}
	return sourced(q.Text, from)
}

// sourced formats a quote with its source, in one line where both are short.
func sourced(quote string, from []string) string {
	block, source := blockQuote(quote), strings.Join(from, " · ")
	switch {
	case source == "":
		return block + "\n"
	case strings.Count(block, "\n") == 1 && utf8.RuneCountInString(block)+utf8.RuneCountInString(source) <= maxLine:
		return block + " — " + source + "\n"
	}
	return block + "\n>\n> — " + source + "\n"
}

// blockQuote formats s as a Markdown block quote after an empty line.
func blockQuote(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(shorten(strings.TrimSpace(s), maxQuoteLength), "\n") {
		b.WriteString("\n> " + strings.TrimRight(line, " \r"))
	}
	return b.String()
}

func lastUser(messages []Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == RoleUser {
			return messages[i].Content
		}
	}
	return ""
}

// isChinese reports whether s has at least as many Chinese characters as words in Latin letters: mixed
// sentences are Chinese ones with foreign names.
func isChinese(s string) bool {
	han, words := count(s)
	return han > 0 && han >= words
}

// count returns the number of Chinese characters and of words in Latin letters.
func count(s string) (han, words int) {
	inWord := false
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
	return han, words
}
