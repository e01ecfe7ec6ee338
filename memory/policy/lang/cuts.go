package lang

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

var (
	separator = Form("separator")
	runOn     = Form("runOn")
	runOnAt   = Form("runOnAt")
)

// Cuts returns the separators in s. In Chinese they include blanks between Han characters, often used as
// stops, and the positions where a statement begins without one.
func Cuts(s string) [][]int {
	out := separator.FindAll(s)
	if !HasHan(s) {
		return out
	}
	out = append(out, Blanks(s)...)
	for _, m := range runOn.FindAll(s) {
		at := runOnAt.Find(s[m[0]:m[1]])
		if at == nil {
			continue
		}
		lo, hi := m[0]+at[0], m[0]+at[0]
		switch {
		case s[lo] != ' ' && lo-afterStop(s[:lo]) <= maxTopic, s[lo] == ' ' && hanBeside(s, lo):
			continue
		case s[lo] == ' ':
			hi++
		}
		out = append(out, []int{lo, hi})
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
}

// Blanks returns the blanks between Han characters, with which people separate Chinese clauses.
func Blanks(s string) (out [][]int) {
	for i := range len(s) {
		if s[i] == ' ' && hanBeside(s, i) {
			out = append(out, []int{i, i + 1})
		}
	}
	return out
}

// hanBeside reports whether the blank s[i] has a Han character on both sides.
func hanBeside(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	return text.Han(before) && text.Han(after)
}

// maxTopic is the maximum length in bytes of a topic before a Chinese statement: 香菜我不吃.
const maxTopic = 12

// afterStop returns the start of the last part of a sentence.
func afterStop(s string) int { return strings.LastIndexAny(s, ",;: ") + 1 }

// HanAround reports whether one of the characters around s[lo:hi] is a Han character.
func HanAround(s string, lo, hi int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:lo])
	after, _ := utf8.DecodeRuneInString(s[hi:])
	return text.Han(before) || text.Han(after)
}
