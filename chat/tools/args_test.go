package tools

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memoria/prompts"
)

// FuzzSearchArguments throws anything at the parser of the search tool (I2): it
// never panics, what it accepts is bounded and says something, and a span never
// ends before it begins.
func FuzzSearchArguments(f *testing.F) {
	for _, s := range []string{
		`{"keyword": "pnpm", "time_range": "last March"}`, `{"keyword": ["a", "b"], "time_range": {"from": "2026-01", "to": "上周三"}}`,
		`{"keyword": "x", "time_range": "2026-01..2026-02"}`, `{"time_range": "2026-01-01/2026-02-01"}`, `{"keyword": null}`, `{}`, `[]`, ``,
		`{"keyword": "\ud83d", "time_range": ".."}`, `{"keyword": "a"} {"keyword": "b"}`, `{"keyword": 1e999}`, "{\"keyword\": \"\xff\"}",
		`{"time_range": {"from": {}, "to": []}}`, `{"time_range": "9999-12-31T23:59:59Z"}`,
	} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, written string) {
		args, why := Parse(written, now)
		switch {
		case why != "" && why != prompts.WhyArguments && why != prompts.WhyTime:
			t.Errorf("refused by %q", why)
		case why == "" && args.Keyword == "" && args.When == "":
			t.Error("it looks for nothing")
		case why == "" && (args.When != "") != (!args.From.IsZero() || !args.To.IsZero()):
			t.Errorf("%q means %s to %s", args.When, args.From, args.To)
		case why == "" && !args.From.IsZero() && !args.To.IsZero() && !args.From.Before(args.To):
			t.Errorf("%q means %s to %s", args.When, args.From, args.To)
		case utf8.RuneCountInString(args.Keyword) > maxKeyword:
			t.Error("the keyword is too long")
		}
		if line := args.Words(); strings.ContainsAny(line, "\n\r\t") || utf8.RuneCountInString(line) > 2*maxLine+10 {
			t.Errorf("the line is %q", line)
		}
	})
}
