package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/openai/openai-go/v3"

	"memoria/index/text"
	"memoria/memory"
)

// maxText bounds the text of one answer, in bytes (K8).
const maxText = 4 << 20

// assembly joins the chunks of one answer. The library's accumulator silently refuses a chunk whose id differs
// from the first one's, but some gateways give each chunk a new id. One HTTP answer is one answer, so assembly
// ignores the id and loses nothing.
type assembly struct {
	text     strings.Builder
	pondered strings.Builder // the model's reasoning
	came     bool            // the last chunk carried part of the answer
	calls    []*callAssembly
	finish   string
	model    string
	usage    memory.Usage
	joiner   joiner
	mask     masker // for the text
	muse     masker // for the reasoning in fields of its own
	thoughts thoughts
	prose    prose
	emit     func(Event)
}

// add takes one chunk. Only the first choice counts, because the request asks for one.
func (a *assembly) add(chunk openai.ChatCompletionChunk) *Error {
	if chunk.Model != "" {
		a.model = chunk.Model
	}
	if chunk.JSON.Usage.Valid() {
		a.setUsage(chunk.Usage)
	}
	a.came = false
	for i := range chunk.Choices {
		choice := &chunk.Choices[i]
		if choice.Index != 0 {
			continue
		}
		if a.finish != "" { // the answer has ended
			continue
		}
		for _, field := range []string{"reasoning_content", "reasoning"} {
			var thought string
			if f, ok := choice.Delta.JSON.ExtraFields[field]; ok && json.Unmarshal([]byte(f.Raw()), &thought) == nil && thought != "" {
				a.think(a.muse(strings.ToValidUTF8(thought, "\uFFFD"), false))
				break
			}
		}
		a.addText(a.joiner.add(choice.Delta.JSON.Content.Raw(), choice.Delta.Content))
		a.addText(choice.Delta.Refusal)
		if a.text.Len() > maxText {
			return newError(KindTooLarge, fmt.Sprintf("the answer is over %d bytes", maxText))
		}
		a.came = a.came || choice.FinishReason != "" || len(choice.Delta.ToolCalls) > 0
		for j := range choice.Delta.ToolCalls {
			if err := a.addCall(choice.Delta.ToolCalls[j]); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	return nil
}

func (a *assembly) addText(s string) {
	a.came = a.came || s != ""
	a.part(a.thoughts.add(a.mask(s, false)))
}

// part passes on the reasoning, then the text.
func (a *assembly) part(p piece) {
	if p.back {
		p.thought = a.text.String() + a.prose.held.String() + p.thought
		a.text.Reset()
		a.prose = prose{offered: a.prose.offered}
		a.emit(Reconsidered{})
	}
	a.think(p.thought)
	a.say(a.prose.add(p.text))
}

func (a *assembly) think(s string) {
	if s == "" {
		return
	}
	a.came = true
	a.pondered.WriteString(s[:min(len(s), maxReasoning-a.pondered.Len())])
	a.emit(Reasoning{Text: s})
}

func (a *assembly) say(s string) {
	if s == "" {
		return
	}
	a.text.WriteString(s)
	a.emit(Delta{Text: s})
}

func (a *assembly) setUsage(u openai.CompletionUsage) {
	a.usage = memory.Usage{
		PromptTokens:     int(max(u.PromptTokens, 0)),
		CompletionTokens: int(max(u.CompletionTokens, 0)),
		TotalTokens:      int(max(u.TotalTokens, u.PromptTokens+u.CompletionTokens, 0)),
		CachedTokens:     int(max(min(u.PromptTokensDetails.CachedTokens, u.PromptTokens), 0)),
	}
}

// reply returns the answer so far and flushes an incomplete character. Text that was held back becomes a call
// when the answer is complete, and text otherwise.
func (a *assembly) reply() Reply {
	a.think(a.muse("", true))
	a.addText(a.joiner.flush())
	a.part(a.thoughts.add(a.mask("", true)))
	a.part(a.thoughts.end())
	calls, rest := a.prose.end(a.finish != "")
	a.say(rest)
	for i, c := range calls {
		a.emit(ToolCallDelta{Index: len(a.calls) + i, Name: c.Name, Arguments: c.Arguments})
	}
	return Reply{
		Text: a.text.String(), Reasoning: strings.TrimSpace(a.pondered.String()), FinishReason: a.finish, Usage: a.usage, Model: a.model,
		ToolCalls: append(a.toolCalls(), calls...),
	}
}

// joiner reassembles characters that a server cut between two chunks: raw UTF-8 bytes, or the two \u escapes of
// one character beyond U+FFFF.
type joiner struct {
	bytes string // the incomplete character at the end of the last piece, at most 3 bytes
	half  string // an escaped high surrogate at the end of the last piece
}

var highSurrogate = text.LazyRegexp(`(?i)^"(?:.*[^\\])?(?:\\\\)*(\\ud[89ab][0-9a-f]{2})"$`)

// add takes a JSON string literal and the library's decoding, and returns the text that is ready.
func (j *joiner) add(raw, decoded string) string {
	cut := ""
	if len(raw) >= 8 && raw[len(raw)-7] == '\\' {
		if m := highSurrogate().FindStringSubmatch(raw); m != nil {
			cut = m[1]
		}
	}
	if cut != "" || (j.half != "" && len(raw) >= 2) {
		var s string
		if json.Unmarshal([]byte(`"`+j.half+raw[1:len(raw)-1-len(cut)]+`"`), &s) == nil {
			decoded = s
		}
		j.half = cut
	}
	s := j.bytes + decoded
	n := incompleteTail(s)
	j.bytes = s[len(s)-n:]
	return strings.ToValidUTF8(s[:len(s)-n], "\uFFFD")
}

// flush returns an incomplete character as a replacement character.
func (j *joiner) flush() string {
	if j.bytes == "" && j.half == "" {
		return ""
	}
	*j = joiner{}
	return "\uFFFD"
}

// incompleteTail counts the bytes at the end of s that may begin a character.
func incompleteTail(s string) int {
	for n := 1; n <= 3 && n <= len(s); n++ {
		c := s[len(s)-n]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRuneInString(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
