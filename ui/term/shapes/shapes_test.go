package shapes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

// draw is a bar as text: letters name parts that fill a cell, blocks end it.
func draw(cells []Cell) string {
	var b strings.Builder
	for _, c := range cells {
		switch {
		case c.Filled == Eighths:
			b.WriteString(string(rune('a' + c.Left)))
		case c.Right == None:
			b.WriteString(c.Block())
		default:
			fmt.Fprintf(&b, "[%c%d%c]", 'a'+c.Left, c.Filled, 'a'+c.Right)
		}
	}
	return b.String()
}

func TestBars(t *testing.T) {
	var b strings.Builder
	for _, tt := range []struct {
		parts []float64
		whole float64
		width int
	}{
		{[]float64{.36, 0, .12, .05, .14}, .8, 9},
		{[]float64{.36, 0, .12, .05, .14}, .8, 20},
		{[]float64{.2, .2, .1, 0, .14}, .8, 9},
		{[]float64{.01, .01, .01, .01, .01}, .8, 9},
		{[]float64{0, 0, 0}, .8, 9},
		{[]float64{1, 1, 1}, 1, 9},
		{[]float64{.001}, 1, 4},
		{[]float64{math.NaN(), -1, math.Inf(1), .5}, 1, 8},
		{[]float64{.5, .5}, 1, 0},
	} {
		fmt.Fprintf(&b, "%v of %v in %d\n", tt.parts, tt.whole, tt.width)
		fmt.Fprintf(&b, "  stack %s\n", draw(Stack(tt.parts, tt.whole, tt.width)))
		fmt.Fprintf(&b, "  split %v, least %v\n", Split(tt.parts, tt.whole, tt.width, false), Split(tt.parts, tt.whole, tt.width, true))
	}
	golden.RequireEqual(t, b.String())
}

func TestCalendar(t *testing.T) {
	var b strings.Builder
	weeks := Grid(time.Date(2026, 3, 31, 15, 0, 0, 0, time.UTC), 10)
	for d := range 7 {
		for _, w := range weeks {
			if w[d].IsZero() {
				b.WriteString("  ·  ")
				continue
			}
			b.WriteString(w[d].Format("0102 "))
		}
		b.WriteString("\n")
	}
	fmt.Fprintln(&b, Months(weeks, 2))
	golden.RequireEqual(t, b.String())
}

var numbers = rapid.SliceOfN(rapid.Float64Range(-0.1, 1), 0, 8)

// The length of a bar follows from the sum, exactly, and no cell is outside of the width.
func TestStackLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, width := numbers.Draw(t, "parts"), rapid.IntRange(0, 40).Draw(t, "width")
		whole := rapid.Float64Range(0, 4).Draw(t, "whole")
		cells := Stack(parts, whole, width)
		if len(cells) > width {
			t.Fatalf("%d cells of %d", len(cells), width)
		}
		sum, filled := 0.0, 0
		for _, p := range parts {
			sum += max(p, 0)
		}
		for i, c := range cells {
			n := c.Filled
			if c.Right != None {
				n = Eighths
			}
			if n < Eighths && i < len(cells)-1 || c.Filled < 1 || c.Filled > Eighths {
				t.Fatalf("cell %d of %v: %+v", i, cells, c)
			}
			if parts[c.Left] <= 0 || c.Right != None && parts[c.Right] <= 0 {
				t.Fatalf("a part of nothing is drawn: %+v", c)
			}
			filled += n
		}
		if want := round(sum, whole, width*Eighths); filled != want {
			t.Fatalf("%d eighths, want %d", filled, want)
		}
	})
}

// A greater sum never has a shorter bar.
func TestStackMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		width := rapid.IntRange(1, 30).Draw(t, "width")
		length := func(parts []float64) (sum float64, n int) {
			for _, p := range parts {
				sum += max(p, 0)
			}
			for _, c := range Stack(parts, 2, width) {
				if n += c.Filled; c.Right != None {
					n += Eighths - c.Filled
				}
			}
			return sum, n
		}
		sumA, lenA := length(a)
		sumB, lenB := length(b)
		if sumA > sumB && lenA < lenB {
			t.Fatalf("%v has %d, %v has %d", sumA, lenA, sumB, lenB)
		}
	})
}

// The shares add up to the length, a greater part never has fewer cells, and with least none
// is invisible where there is room.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, width := numbers.Draw(t, "parts"), rapid.IntRange(0, 40).Draw(t, "width")
		whole, least := rapid.Float64Range(0, 4).Draw(t, "whole"), rapid.Bool().Draw(t, "least")
		got := Split(parts, whole, width, least)
		sum, total, some := 0.0, 0, 0
		for i, p := range parts {
			if p = max(p, 0); p > 0 {
				some++
			}
			sum += p
			total += got[i]
			if got[i] < 0 || p == 0 && got[i] > 0 {
				t.Fatalf("%v: part %d has %d", parts, i, got[i])
			}
			if least && p > 0 && got[i] == 0 && width >= len(parts) {
				t.Fatalf("part %d of %v is invisible: %v", i, parts, got)
			}
			for j, q := range parts {
				if p > q && got[i] < got[j] {
					t.Fatalf("part %d has less than part %d: %v of %v", i, j, got, parts)
				}
			}
		}
		want := round(sum, whole, width)
		if least {
			want = min(max(want, some), width)
		}
		if total != want {
			t.Fatalf("%d cells, want %d", total, want)
		}
	})
}

func TestLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(0, 500).Draw(t, "most")
		a, b := rapid.IntRange(-1, 500).Draw(t, "a"), rapid.IntRange(-1, 500).Draw(t, "b")
		if l := Level(a, most); l < 0 || l > Levels || (l == 0) != (a <= 0) {
			t.Fatalf("level %d of %d of %d", l, a, most)
		}
		if a < b && Level(a, most) > Level(b, most) {
			t.Fatalf("%d is darker than %d of %d", a, b, most)
		}
	})
}

// Each day up to the last is in the grid once, also where the clocks change.
func TestGrid(t *testing.T) {
	berlin := time.FixedZone("berlin", 3600)
	if loc, err := time.LoadLocation("Europe/Berlin"); err == nil {
		berlin = loc
	}
	rapid.Check(t, func(t *rapid.T) {
		last := time.Date(2020, 1, 1, 13, 0, 0, 0, berlin).AddDate(0, 0, rapid.IntRange(0, 4000).Draw(t, "day"))
		n := rapid.IntRange(1, 60).Draw(t, "weeks")
		weeks := Grid(last, n)
		var days []time.Time
		for _, w := range weeks {
			for _, d := range w {
				if !d.IsZero() {
					days = append(days, d)
				}
			}
		}
		if len(weeks) != n || days[0].Weekday() != time.Monday || !days[len(days)-1].Equal(Day(last)) {
			t.Fatalf("%d weeks, %v to %v", len(weeks), days[0], days[len(days)-1])
		}
		for i, d := range days {
			if Between(days[0], d) != i {
				t.Fatalf("day %d is %v", i, d)
			}
		}
		labels := Months(weeks, 3)
		if len(labels) == 0 || !slices.IsSortedFunc(labels, func(a, b Label) int { return a.Column - b.Column }) {
			t.Fatalf("labels %v", labels)
		}
	})
}
