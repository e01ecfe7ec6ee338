package shapes

import (
	"cmp"
	"math"
	"slices"
)

// None is the index of no part.
const None = -1

// Eighths is the number of steps within a cell.
const Eighths = 8

// Cell is a cell of a [Stack]. The part Left fills it from the left up to Filled eighths, and
// the part Right, or nothing where that is [None], fills the rest.
type Cell struct {
	Left, Right int
	Filled      int // 1 to Eighths
}

// blocks are the characters that fill a cell from the left, by eighths.
var blocks = [Eighths + 1]string{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}

// Block is the character of the part Left.
func (c Cell) Block() string { return blocks[c.Filled] }

// Stack returns a bar of parts, one after the other, as its cells. whole is the sum that would
// fill width cells; a greater sum is cut. Parts that are not above zero take no room.
//
// The length is exact to an eighth of a cell. A cell shows two parts at most: a third one in it
// is left out, and so is the second one in the last cell unless that is full.
func Stack(parts []float64, whole float64, width int) []Cell {
	ends := make([]int, len(parts)) // in eighths
	sum, last := 0.0, 0
	for i, p := range parts {
		sum += positive(p)
		last = max(last, round(sum, whole, width*Eighths))
		ends[i] = last
	}
	if last == 0 {
		return nil
	}
	cells := make([]Cell, 0, (last+Eighths-1)/Eighths)
	for from := 0; from < last; from += Eighths {
		cells = append(cells, cellOf(ends, from, min(from+Eighths, last)))
	}
	return cells
}

// cellOf returns the cell between two eighths, given where the parts end.
func cellOf(ends []int, from, to int) Cell {
	first, most := None, None // the part at the beginning, and the greatest after it
	firstEnd, size, start := from, 0, 0
	for i, end := range ends {
		lo, hi := max(start, from), min(end, to)
		start = end
		switch {
		case hi <= lo:
		case first == None:
			first, firstEnd = i, hi
		case hi-lo > size:
			most, size = i, hi-lo
		}
	}
	switch {
	case most == None:
		return Cell{Left: first, Right: None, Filled: to - from}
	case to-from == Eighths:
		return Cell{Left: first, Right: most, Filled: firstEnd - from}
	case size > firstEnd-from:
		first = most
	}
	return Cell{Left: first, Right: None, Filled: to - from}
}

// Split shares cells among parts: how many each of them takes. whole is the sum that would fill
// width cells; a greater sum is cut. With least, each part above zero has a cell while there
// are enough, even where that is more than its share.
func Split(parts []float64, whole float64, width int, least bool) []int {
	sum, some := 0.0, 0
	for _, p := range parts {
		if p = positive(p); p > 0 {
			some++
			sum += p
		}
	}
	n := round(sum, whole, width)
	if least {
		n = min(max(n, some), max(width, 0))
	}
	return share(parts, sum, n, least)
}

// share distributes n cells in proportion, by largest remainders.
func share(parts []float64, sum float64, n int, least bool) []int {
	out := make([]int, len(parts))
	if sum <= 0 || n <= 0 {
		return out
	}
	type claim struct {
		part int
		size float64
		rest float64
	}
	claims := make([]claim, 0, len(parts))
	for i, p := range parts {
		if p = positive(p); p > 0 {
			claims = append(claims, claim{part: i, size: p})
		}
	}
	if least { // the greatest first, where there is not a cell for each
		slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(b.size, a.size) })
		for i := range claims[:min(n, len(claims))] {
			out[claims[i].part]++
		}
		if n -= len(claims); n <= 0 {
			return out
		}
	}
	left := n
	for i, c := range claims {
		exact := float64(n) * (c.size / sum)
		whole := min(int(exact), left)
		out[c.part] += whole
		left -= whole
		claims[i].rest = exact - float64(whole)
	}
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(b.rest, a.rest), cmp.Compare(b.size, a.size))
	})
	for i := range left {
		out[claims[i%len(claims)].part]++
	}
	return out
}

// round returns the steps of width that a sum takes of a whole: at least one for a sum above
// zero, at most width.
func round(sum, whole float64, width int) int {
	if sum <= 0 || width <= 0 {
		return 0
	}
	if whole <= 0 || sum >= whole {
		return width
	}
	return min(max(int(math.Round(sum/whole*float64(width))), 1), width)
}

// positive is a number that can be drawn: 0 for one that is below zero or no finite number.
func positive(x float64) float64 {
	if x > 0 && !math.IsInf(x, 1) {
		return x
	}
	return 0
}
