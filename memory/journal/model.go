package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/policy"
	"memoria/prompts"
)

// Sizes of one request. A longer period is read in parts, whose results are joined; a long
// message is cut.
const (
	partChars = 12000
	saidChars = 1500
	heldChars = 400 // of a reply
	mostParts = 40
)

// Model summarises with a language model. Statements that are not in the messages, or are
// sensitive and not accepted, are dropped.
type Model struct {
	Ask     learn.Completer
	Name    string // as written in the file
	Prompts *prompts.Set
	Policy  *policy.Policy
}

// Summarise implements [Summariser].
func (m Model) Summarise(ctx context.Context, of Material) (Summary, error) {
	out := Summary{By: m.Name}
	parts := inParts(of)
	for i, part := range parts {
		data := prompts.JournalData{Date: of.Date, Part: i + 1, Parts: len(parts), Messages: part}
		req, err := learn.NewJournal(m.Prompts, of.Kind, data)
		if override := (*prompts.OverrideError)(nil); err != nil && !errors.As(err, &override) {
			return Summary{}, err
		}
		answer, err := m.Ask.Complete(ctx, req)
		if err != nil {
			return Summary{}, fmt.Errorf("asking for the summary of %s: %w", of.Date, err)
		}
		lines, err := learn.ParseJournal(answer)
		if err != nil {
			return Summary{}, fmt.Errorf("the summary of %s: %w", of.Date, err)
		}
		var said strings.Builder
		for _, one := range part {
			said.WriteString(one.Text + "\n")
		}
		for _, line := range learn.JudgeJournal(m.Policy, lines, said.String(), of.Accepted...) {
			out.Lines = append(out.Lines, Line{Text: line})
		}
	}
	if len(out.Lines) == 0 {
		return Summary{}, fmt.Errorf("the summary of %s has nothing that its messages say", of.Date)
	}
	return out, nil
}

// inParts cuts messages into requests. If there are too many, it drops the replies, then
// repeatedly the shorter half of the rest, until they fit.
func inParts(m Material) (parts [][]prompts.JournalMessage) {
	answers, shortest := true, 0
	for {
		parts = nil
		room := 0
		for _, t := range m.Talks {
			for _, s := range t.Said {
				if s.Role == memory.RoleAssistant && !answers || len(s.Text) < max(shortest, 1) {
					continue
				}
				most := saidChars
				if s.Role == memory.RoleAssistant {
					most = heldChars
				}
				text := cutTo(s.Text, most)
				if room -= len([]rune(text)); room < 0 {
					parts, room = append(parts, nil), partChars-len([]rune(text))
				}
				last := len(parts) - 1
				parts[last] = append(parts[last], prompts.JournalMessage{Who: s.Who, Text: text})
			}
		}
		if len(parts) <= mostParts {
			return parts
		}
		if answers {
			answers = false
			continue
		}
		shortest = max(2*shortest, 20)
	}
}

func cutTo(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + memory.TruncationMark
}
