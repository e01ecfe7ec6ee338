package offrecord

import (
	"strings"

	"memoria/index/text"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// Forms of offrecord.txt: requests to keep nothing of a message (U5).
var (
	offClause   = lang.Form("offClause")
	offEnd      = lang.Form("offEnd")
	offDropped  = lang.Form("offDropped")
	offBefore   = lang.Form("offBefore")
	offSplit    = lang.Form("offSplit")
	offReported = lang.FormEach("offReported")
	ownReport   = lang.Form("ownReport")
	offPause    = pattern.Regexp(`\s*[,;:()—–\-]+(?:\s+|$)|[,;:()—–]`)
)

// Asks reports whether a clause of a sentence, prepared by package policy, asks to keep nothing of the message.
func Asks(s string) bool {
	parts := pieces(s)
	if offBefore.Match(s) {
		return true
	}
	if offReported[0].Match(s) && !ownReport.Match(s) || offReported[1].Match(s) {
		// not "my boss said, don't keep that", but "my boss said that he leaves, don't keep that"
		for i := range parts {
			if isOff(parts[i]) && (i == 0 || !reportEnds(parts[i-1])) && (i > 0 || len(parts) < 2 || !reportEnds(parts[1])) {
				return true
			}
		}
		return false
	}
	for _, part := range append(parts, s) {
		if isOff(part) || offEnd.Match(part) {
			return true
		}
		for _, p := range offSplit.Split(part) {
			if isOff(p) {
				return true
			}
		}
	}
	return false
}

// pieces returns the clauses of a sentence, between its pauses and, beside Chinese characters, its blanks.
func pieces(s string) (out []string) {
	for _, part := range offPause.Split(s) {
		if out = append(out, part); strings.ContainsFunc(part, text.Han) {
			out = append(out[:len(out)-1], strings.Fields(part)...)
		}
	}
	return out
}

// reportEnds reports whether a clause ends with the words that report the next one.
func reportEnds(clause string) bool {
	for _, p := range offReported {
		if m := p.FindAll(clause); len(m) > 0 && strings.Trim(clause[m[len(m)-1][1]:], " 了过的") == "" {
			return true
		}
	}
	return false
}

func isOff(clause string) bool { return offClause.Match(strings.Trim(clause, " !.~…🤫")) }

// Drops reports whether a sentence only drops a matter, as in "never mind".
func Drops(s string) bool { return offDropped.Match(s) }
