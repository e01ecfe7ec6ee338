package quoted

import (
	"strings"

	"memoria/memory/pattern"
)

// fences takes blocks between rows of three equal marks. A block without an end reaches to the end of the
// message if its mark begins or ends a line.
func (f *finder) fences() {
	for _, mark := range []string{"```", `"""`, "'''", "~~~"} {
		for at := 0; ; {
			i := strings.Index(f.s[at:], mark)
			if i < 0 {
				break
			}
			lo := at + i
			inner := lo + run(f.s[lo:], mark[0])
			j := strings.Index(f.s[inner:], mark)
			switch {
			case j >= 0:
				hi := inner + j
				hi += run(f.s[hi:], mark[0])
				f.take(lo, hi)
				at = hi
			case f.atEdge(lo, inner):
				f.take(lo, len(f.s))
				at = len(f.s)
			default:
				at = inner
			}
		}
	}
}

// run returns the number of c at the beginning of s.
func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// atEdge reports whether s[lo:hi] begins or ends a line.
func (f *finder) atEdge(lo, hi int) bool {
	before := f.s[strings.LastIndexByte(f.s[:lo], '\n')+1 : lo]
	after, _, _ := strings.Cut(f.s[hi:], "\n")
	return strings.TrimSpace(before) == "" || strings.TrimSpace(after) == ""
}

var (
	tag     = pattern.Regexp(`<(/?)([\pL_][\pL\pN_:.-]*)(?:\s[^<>]*)?(/?)>`)
	bracket = pattern.Regexp(`\[(/?)([\pL_][\pL\pN_]*)()\]`)
)

// tags takes text between a tag and its end, tags included.
func (f *finder) tags() {
	for k, kind := range []pattern.Pattern{tag, bracket} {
		all := kind.Regexp().FindAllStringSubmatchIndex(f.s, -1)
		s, isTag := f.s, k == 0
		name := func(m []int) string { return strings.ToLower(s[m[4]:m[5]]) }
		for i := 0; i < len(all); i++ {
			m := all[i]
			ends, empty := m[2] < m[3], m[6] < m[7]
			if ends || empty || formatting()[name(m)] {
				continue
			}
			if j := closing(all, i, name); j > 0 {
				f.take(m[0], all[j][1])
				i = j
			} else if isTag && f.opensLine(m[0], m[1]) {
				f.take(m[0], len(f.s))
				break
			}
		}
	}
}

// closing returns the tag that ends tag i, or -1.
func closing(all [][]int, i int, name func([]int) string) int {
	depth := 0
	for j := i; j < len(all); j++ {
		m := all[j]
		switch {
		case name(m) != name(all[i]) || m[6] < m[7]:
		case m[2] == m[3]:
			depth++
		default:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}

// opensLine reports whether s[lo:hi] is a whole line that text follows.
func (f *finder) opensLine(lo, hi int) bool {
	before := f.s[strings.LastIndexByte(f.s[:lo], '\n')+1 : lo]
	line, rest, _ := strings.Cut(f.s[hi:], "\n")
	return strings.TrimSpace(before) == "" && strings.TrimSpace(line) == "" && strings.TrimSpace(rest) != ""
}

// quoteLines takes the lines that begin with ">".
func (f *finder) quoteLines() {
	for _, l := range linesOf(f.s) {
		s := strings.TrimLeft(f.s[l.lo:l.hi], " \t\u3000")
		if strings.HasPrefix(s, ">") || strings.HasPrefix(s, "＞") {
			f.take(l.lo, l.hi)
		}
	}
}
