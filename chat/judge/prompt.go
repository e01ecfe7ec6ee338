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

// Sizes of the parts of a message shown to a model, in characters: its beginning has
// the topic, its end the request. Six such messages are about 1,500 tokens.
const (
	headLength = 400
	tailLength = 200
)

// Prompt returns the request to a model: whether now continues before, the session's
// last messages, oldest first. It is in Chinese if the new message or, without words
// there, the last one with words is. Messages are data between two marks (C6). nonce is
// from prompts.NewNonce; the same nonce gives the same bytes.
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

// Idle returns the time between the last message before and now; 0 if either is unknown
// or the clock was set back.
func Idle(before []Message, now Message) time.Duration {
	if len(before) == 0 || now.At.IsZero() || before[len(before)-1].At.IsZero() {
		return 0
	}
	return max(0, now.At.Sub(before[len(before)-1].At))
}

// shown returns a message as shown to a model.
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

// runes returns the first n characters of a text.
func runes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// lastRunes returns the last n characters of a text.
func lastRunes(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// inChinese reports whether to ask in Chinese.
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

// chinese reports whether a text has more Chinese characters than other words; ok is
// false if it has neither.
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

// pauses are the words for durations in one language.
type pauses struct {
	seconds, minutes, hours, days [2]string // singular, plural; %d is the number
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

// Pause returns the length of a pause in English: "3 hours".
func Pause(d time.Duration) string { return englishPause.name(d) }

// name returns a duration in its largest unit, rounded down: more precision does not
// matter to a judgement. Below two hours and two days it uses the smaller unit.
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
