package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/wording"
	"memoria/prompts"
)

// JournalToolName is the answer tool of a journal summary.
const JournalToolName = "journal"

// Limits of a journal summary.
const (
	maxJournalLine  = 300 // characters
	maxJournalLines = 40
	journalTokens   = 2500
)

// NewJournal makes the request about a part of a day or a month (J4, I6). With an error that
// wraps a *prompts.OverrideError the request is complete.
func NewJournal(set *prompts.Set, kind memory.JournalKind, data prompts.JournalData) (Request, error) {
	name := prompts.DailySummary
	if kind == memory.JournalMonth {
		name = prompts.MonthlySummary
	}
	return newRequest(set, question{
		what: "a summary", prompt: name, tool: prompts.SummaryTool,
		name: JournalToolName, tokens: journalTokens, schema: object(map[string]any{"lines": list(textField)}),
	}, data)
}

// ParseJournal parses an answer. It returns an error for an unknown form.
func ParseJournal(a Answer) ([]string, error) {
	fields, err := a.fields("lines")
	if err != nil {
		return nil, err
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(fields["lines"], &raw); err != nil {
		return nil, fmt.Errorf("the summary has no list of lines: %w", err)
	}
	var out []string
	for _, one := range raw[:min(len(raw), maxJournalLines)] {
		var s string
		if json.Unmarshal(one, &s) != nil {
			continue
		}
		if s = strings.Join(strings.Fields(s), " "); s != "" && utf8.RuneCountInString(s) <= maxJournalLine {
			out = append(out, strings.TrimLeft(s, "-*#> "))
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the summary has no lines")
	}
	return out, nil
}

// JudgeJournal drops the lines of a summary that are not in the messages, or may not be in
// one (P5a): secrets, and sensitive content that was not accepted.
func JudgeJournal(p *policy.Policy, lines []string, said string, accepted ...string) (out []string) {
	for _, line := range lines {
		line = sensitive.HideSecrets(line, said)
		if wording.Shares(strings.ReplaceAll(line, sensitive.Secret, " "), said) >= minShare && p.Speakable(line, accepted...) {
			out = append(out, line)
		}
	}
	return out
}
