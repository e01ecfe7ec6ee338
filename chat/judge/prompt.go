package judge

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/prompts"
)

// How much of a message a model sees, in characters: its beginning says what it
// is about, its end what is wanted. Six such messages are about 1,500 tokens.
const (
	headLength = 400
	tailLength = 200
)

// Prompt is what a model is asked: whether now continues before, which is the
// session's last messages, oldest first. It is in Chinese where the new message
// is, or, where that has no words, the last one that has. The messages stand in
// it as data between two marks (C6); nonce is from prompts.NewNonce, and the same
// one gives the same bytes again.
//
// With an error that wraps a *prompts.OverrideError the text is complete.
func Prompt(set *prompts.Set, before []Message, now Message, nonce string) (string, error) {
	name, words := prompts.ContextJudgment, englishPause
	if inChinese(before, now) {
		name, words = prompts.ContextJudgmentChinese, chinesePause
	}
	data := prompts.JudgmentData{Nonce: nonce, New: shown(now)}
	if idle := Idle(before, now); idle > 0 {
		data.Away = words.name(idle)
	}
	for _, m := range before {
		data.Messages = append(data.Messages, shown(m))
	}
	prompt, err := set.Render(name, data)
	if err != nil {
		err = fmt.Errorf("asking for a judgement: %w", err)
	}
	return prompt, err
}

// Idle is the time between the last message before and now; 0 when either is
// unknown or the clock was set back.
func Idle(before []Message, now Message) time.Duration {
	if len(before) == 0 || now.At.IsZero() || before[len(before)-1].At.IsZero() {
		return 0
	}
	return max(0, now.At.Sub(before[len(before)-1].At))
}

// shown is a message as a model sees it.
func shown(m Message) prompts.JudgmentMessage {
	out := prompts.JudgmentMessage{Sender: m.Sender, Text: strings.TrimSpace(m.Text)}
	if out.Sender == "" {
		out.Sender = string(m.Role)
	}
	n := utf8.RuneCountInString(out.Text)
	if n <= headLength+tailLength {
		return out
	}
	out.Text, out.Length = runes(out.Text, headLength)+" … "+lastRunes(out.Text, tailLength), n
	return out
}

// runes is the first n characters of a text.
func runes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// lastRunes is the last n characters of a text.
func lastRunes(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// inChinese reports the language to ask in.
func inChinese(before []Message, now Message) bool {
	if chinese, ok := chinese(now.Text); ok {
		return chinese
	}
	for i := len(before) - 1; i >= 0; i-- {
		if chinese, ok := chinese(before[i].Text); ok {
			return chinese
		}
	}
	return false
}

// chinese reports whether a text has more Chinese characters than other words;
// without either it cannot tell.
func chinese(s string) (yes, ok bool) {
	han, words, inWord := 0, 0, false
	for _, r := range runes(s, headLength) {
		switch {
		case text.Han(r):
			han, inWord = han+1, false
		case unicode.IsLetter(r):
			if !inWord {
				words++
			}
			inWord = true
		default:
			inWord = inWord && r == '\''
		}
	}
	return han > words, han+words > 0
}

// pauses are the words for a time in one language.
type pauses struct {
	seconds, minutes, hours, days [2]string // of one, of several; %d is the number
}

var (
	englishPause = pauses{
		[2]string{"less than a minute", "less than a minute"}, [2]string{"%d minute", "%d minutes"},
		[2]string{"%d hour", "%d hours"}, [2]string{"%d day", "%d days"},
	}
	chinesePause = pauses{
		[2]string{"不到一分钟", "不到一分钟"}, [2]string{"%d 分钟", "%d 分钟"},
		[2]string{"%d 小时", "%d 小时"}, [2]string{"%d 天", "%d 天"},
	}
)

// Pause says in English how long nothing was written: "3 hours".
func Pause(d time.Duration) string { return englishPause.name(d) }

// name says a time in its largest unit, rounded down: what "three hours" hides
// does not matter to a judgement. Below two hours and two days the smaller unit
// is used.
func (p pauses) name(d time.Duration) string {
	form, n := p.days, int(d/(24*time.Hour))
	switch {
	case d < time.Minute:
		return p.seconds[0]
	case d < 2*time.Hour:
		form, n = p.minutes, int(d/time.Minute)
	case d < 48*time.Hour:
		form, n = p.hours, int(d/time.Hour)
	}
	if n == 1 {
		return fmt.Sprintf(form[0], n)
	}
	return fmt.Sprintf(form[1], n)
}
