package learning

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"memoria/memory/pattern"
	"memoria/memory/policy"
	"memoria/memory/policy/lang"
)

// secondThought applies a correction within one message, "on Mondays, no wait, Tuesdays", to what the rules read of
// it: the value before the correction never counts. It returns the candidates unchanged if the last words are not a
// value of the same kind as one before them.
func secondThought(message string, found []policy.Candidate) []policy.Candidate {
	m := thinksAgain.Groups(message)
	if m == nil {
		return found
	}
	value := message[m[2]:m[3]]
	for _, kind := range valueKinds() {
		if kind.FindString(value) != value {
			continue
		}
		before := kind.FindAllStringIndex(message[:m[0]], -1)
		if len(before) == 0 {
			continue
		}
		at := before[len(before)-1]
		out := found[:0:0]
		for _, c := range found {
			switch {
			case c.Offset >= m[0] || c.Offset+c.Length > m[2] && c.AsSaid() && c.Offset >= at[1]: // made of the correction
			case c.Offset <= at[0] && at[1] <= c.Offset+c.Length:
				out = append(out, reworded(c, message[at[0]:at[1]], value, message[m[0]:m[1]]))
			default:
				out = append(out, c)
			}
		}
		return out
	}
	return found
}

// reworded returns a candidate with another value in place of one that its words have, and without the correction.
func reworded(c policy.Candidate, old, value, correction string) policy.Candidate {
	instead := func(s string) string {
		if lo, _, ok := lang.FoldedIndex(s, correction); ok {
			s = s[:lo]
		}
		if lo, hi, ok := lang.FoldedIndex(s, old); ok {
			return s[:lo] + value + s[hi:]
		}
		return s
	}
	c.Content = instead(c.Content)
	if st, ok := c.Statement(); ok {
		st.Value, st.When = instead(st.Value), instead(st.When)
		c.Value, _ = json.Marshal(st) // strings always encode
	}
	c.Key = strings.Replace(c.Key, strings.ToLower(old), strings.ToLower(value), 1)
	return c
}

var (
	// thinksAgain is a correction at the end of a message, and the right value.
	thinksAgain = pattern.Lazy(func() string {
		return `(?i)[\s,.;:!，。；：！…—–-]+` + either("again") + `[\s,:;!，。…]+` + either("before") +
			`?([^\s,.;!?，。！？][^,.;!?，。！？]{0,20}?)[\s.!。！]*$`
	})
	// valueKinds are the kinds of values that can take each other's place.
	valueKinds = sync.OnceValue(func() (out []*regexp.Regexp) {
		for _, kind := range []string{"weekday", "figure", "name", "numeral"} {
			for _, e := range inEach(kind) {
				out = append(out, regexp.MustCompile("(?i)"+e))
			}
		}
		return out
	})
)
