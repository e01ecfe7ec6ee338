package tools

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/memory/retrieve"
	"memoria/prompts"
)

const (
	// MaxArguments is how long the arguments of a call may be, in bytes.
	MaxArguments = 4 << 10
	maxKeyword   = 200 // characters
	maxLine      = 80  // characters of what was searched for, on one line
)

// Args are the arguments of [Search].
type Args struct {
	Keyword string
	When    string // the time as it was written; empty: any
	From    time.Time
	To      time.Time
}

// Parse reads the arguments as a model wrote them. why is empty, or one of the Why
// constants of prompts. What was understood is returned in any case.
func Parse(written string, now time.Time) (args Args, why string) {
	if len(written) > MaxArguments || !IsObject(written) {
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
	if args.Keyword, ok = words(in.Keyword); !ok || utf8.RuneCountInString(args.Keyword) > maxKeyword {
		return Args{}, prompts.WhyArguments
	}
	left, right, two, ok := spanOf(in.TimeRange)
	switch {
	case !ok:
		return args, prompts.WhyTime
	case two:
		args.When = strings.TrimSpace(left + ".." + right)
		args.From, args.To, ok = retrieve.JoinTimes(left, right, now, now.Location())
	case left != "":
		args.When = left
		args.From, args.To, ok = retrieve.ParseTimeRange(left, now, now.Location())
	}
	switch {
	case !ok:
		return args, prompts.WhyTime
	case args.Keyword == "" && args.When == "":
		return args, prompts.WhyArguments
	}
	return args, ""
}

// Words returns the keyword and the time on one line: "pnpm", last March.
func (s Args) Words() string {
	var parts []string
	if s.Keyword != "" {
		parts = append(parts, `"`+shortLine(s.Keyword)+`"`)
	}
	if s.When != "" {
		parts = append(parts, shortLine(s.When))
	}
	return strings.Join(parts, ", ")
}

func shortLine(s string) string {
	if r := []rune(s); len(r) > maxLine {
		return string(r[:maxLine]) + "…"
	}
	return s
}

// IsObject reports whether s is one JSON object in UTF-8.
func IsObject(s string) bool {
	b := bytes.TrimSpace([]byte(s))
	return utf8.ValidString(s) && len(b) > 0 && b[0] == '{' && json.Valid(b)
}

// words reads a string, or a list of strings. Without a value, or with null, it is empty.
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
