package chat

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/memory/retrieve"
	"memoria/prompts"
)

// Bounds of what a model may call.
const (
	maxArguments = 4 << 10 // bytes that go back to it; longer arguments are refused
	maxWritten   = 500     // bytes that are kept of arguments that cannot be used
	maxKeyword   = 200     // characters
	maxCallID    = 128     // bytes
)

// searchArgs are the arguments of search_memories (I2).
type searchArgs struct {
	keyword string
	when    string // the time as it was written; empty: any
	from    time.Time
	to      time.Time
}

// parseSearch reads the arguments as a model wrote them. why is empty, or one of
// the Why constants of prompts. What was understood is returned in any case.
func parseSearch(written string, now time.Time) (args searchArgs, why string) {
	if len(written) > maxArguments || !isObject(written) {
		return args, prompts.WhyArguments
	}
	var in struct {
		Keyword   json.RawMessage `json:"keyword"`
		TimeRange json.RawMessage `json:"time_range"`
	}
	if json.Unmarshal([]byte(written), &in) != nil {
		return args, prompts.WhyArguments
	}
	var ok bool
	if args.keyword, ok = words(in.Keyword); !ok || utf8.RuneCountInString(args.keyword) > maxKeyword {
		return searchArgs{}, prompts.WhyArguments
	}
	left, right, two, ok := spanOf(in.TimeRange)
	switch {
	case !ok:
		return args, prompts.WhyTime
	case two:
		args.when = strings.TrimSpace(left + ".." + right)
		args.from, args.to, ok = retrieve.JoinTimes(left, right, now, now.Location())
	case left != "":
		args.when = left
		args.from, args.to, ok = retrieve.ParseTimeRange(left, now, now.Location())
	}
	switch {
	case !ok:
		return args, prompts.WhyTime
	case args.keyword == "" && args.when == "":
		return args, prompts.WhyArguments
	}
	return args, ""
}

// isObject reports whether s is one JSON object, and UTF-8.
func isObject(s string) bool {
	b := bytes.TrimSpace([]byte(s))
	return utf8.ValidString(s) && len(b) > 0 && b[0] == '{' && json.Valid(b)
}

// words reads a string, or a list of strings; nothing and null are no words.
func words(raw json.RawMessage) (string, bool) {
	if isNull(raw) {
		return "", true
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		list = make([]string, 1)
		if json.Unmarshal(raw, &list[0]) != nil {
			return "", false
		}
	}
	return strings.Join(strings.Fields(strings.Join(list, " ")), " "), true
}

// spanOf reads a time: a string, or an object with from and to, one of which may be
// missing.
func spanOf(raw json.RawMessage) (left, right string, two, ok bool) {
	if isNull(raw) {
		return "", "", false, true
	}
	if json.Unmarshal(raw, &left) == nil {
		return strings.Join(strings.Fields(left), " "), "", false, true
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(raw, &in) != nil {
		return "", "", false, false
	}
	left, ok = words(in["from"])
	right, ok2 := words(in["to"])
	return left, right, left+right != "", ok && ok2
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
