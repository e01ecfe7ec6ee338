package layout

import (
	"testing"

	"pgregory.net/rapid"
)

func TestModes(t *testing.T) {
	for _, tt := range []struct {
		w, h int
		want Mode
	}{
		{59, 40, TooSmall}, {200, 14, TooSmall}, {0, 0, TooSmall},
		{60, 15, Single}, {99, 40, Single},
		{100, 15, Split}, {300, 100, Split},
	} {
		if got := Compute(Wish{Width: tt.w, Height: tt.h}).Mode; got != tt.want {
			t.Errorf("%d×%d: mode %d, want %d", tt.w, tt.h, got, tt.want)
		}
	}
}

// Rectangles lie on the screen, do not overlap, and together with the rules they
// cover it.
func TestEveryCellHasOneOwner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Wish{
			Width:     rapid.IntRange(MinWidth, 300).Draw(t, "w"),
			Height:    rapid.IntRange(MinHeight, 100).Draw(t, "h"),
			Input:     rapid.IntRange(0, 20).Draw(t, "input"),
			Panel:     rapid.SampledFrom([]int{0, 20, 40, 70}).Draw(t, "panel"),
			PanelOnly: rapid.Bool().Draw(t, "panel only"), PanelShown: rapid.Bool().Draw(t, "panel shown"),
		}
		s := Compute(w)
		for y := range w.Height {
			for x := range w.Width {
				owners := 0
				for _, r := range []Rect{s.Top, s.Transcript, s.Input, s.Panel, s.Bottom} {
					if !r.Empty() && r.Contains(x, y) {
						owners++
					}
				}
				left := s.Mode == Single || x < s.Divider
				switch {
				case y == s.TopRule, y == s.BottomRule, y == s.InputRule && left, x == s.Divider && y > s.TopRule && y < s.BottomRule:
					owners++
				}
				if owners != 1 {
					t.Fatalf("cell %d,%d has %d owners in %+v", x, y, owners, s)
				}
			}
		}
		if !s.Transcript.Empty() && s.Transcript.H < s.Input.H {
			t.Fatalf("the input takes more than the conversation: %+v", s)
		}
		if s.Mode == Split && (s.Panel.W < MinPanel || s.Transcript.W < MinTalk) {
			t.Fatalf("too narrow: %+v", s)
		}
	})
}
