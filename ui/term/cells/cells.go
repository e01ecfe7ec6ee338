package cells

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ellipsis ends what was cut.
const Ellipsis = "…"

// Width is the number of cells that a styled string takes.
func Width(s string) int { return ansi.StringWidth(s) }

// Fit returns s in exactly w cells: cut with an ellipsis or padded on the right.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := Width(s)
	if n > w {
		s = strings.TrimRight(s, " ") // padding may go without a sign
		s = ansi.Truncate(s, w, Ellipsis)
		n = Width(s) // a wide character may leave one cell
	}
	return s + strings.Repeat(" ", max(0, w-n))
}

// Spread puts left and right at the two ends of w cells. When both do not fit,
// left is cut first; right survives as long as it fits alone.
func Spread(left, right string, w int) string {
	r := Width(right)
	if r == 0 {
		return Fit(left, w)
	}
	if r >= w {
		return Fit(right, w)
	}
	return Fit(left, w-r) + right
}

// Block returns exactly h lines of exactly w cells: cut at the end or filled
// with blank lines.
func Block(lines []string, w, h int) []string {
	out := make([]string, max(0, h))
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", max(0, w))
		}
	}
	return out
}

// Window returns the first of h visible lines of n, with line at among them. It stays the
// previous one when possible.
func Window(n, h, first, at int) int {
	if h <= 0 || n <= h {
		return 0
	}
	if at < first {
		first = at
	}
	if at >= first+h {
		first = at - h + 1
	}
	return min(max(first, 0), n-h)
}

// Number writes n with a space between each three digits: 1 284. The spaces do
// not break.
func Number(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u00a0" + s[i:]
	}
	return sign + s
}
