package list

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// rows makes a row of each word; one that begins with - has no key.
func rows(words ...string) (out []Row[string]) {
	for _, w := range words {
		r := Row[string]{Key: w, Lines: []string{"   " + w}, Of: w}
		if strings.HasPrefix(w, "-") {
			r.Key = ""
		}
		out = append(out, r)
	}
	return out
}

func at(l *List[string]) string {
	r, _ := l.Selected()
	return r.Of
}

func TestTheCursorStaysOnItsRow(t *testing.T) {
	l := New[string]()
	if _, ok := l.Selected(); ok || l.Len() != 0 {
		t.Fatal("an empty list has a row")
	}
	l.Set(rows("-head", "a", "b", "-gap", "c"))
	if at(l) != "a" || l.Below() != 3 {
		t.Fatalf("it begins on %q", at(l))
	}
	l.Set(rows("-head", "new", "a"))
	if at(l) != "new" {
		t.Errorf("nobody moved it, and it is on %q", at(l))
	}
	l.Set(rows("-head", "a", "b", "-gap", "c"))
	l.Move(2)
	if at(l) != "c" {
		t.Errorf("two rows on: %q", at(l))
	}
	l.Set(rows("x", "y", "c", "z"))
	if at(l) != "c" {
		t.Errorf("its row moved, and it is on %q", at(l))
	}
	l.Set(rows("x", "y", "z"))
	if at(l) != "z" {
		t.Errorf("its row went, and it is on %q", at(l))
	}
	l.Loose()
	l.Set(rows("x", "y", "z"))
	if at(l) != "x" {
		t.Errorf("let go, it is on %q", at(l))
	}
	l.Hold(true)
	l.Set(rows("new", "x"))
	if at(l) != "x" {
		t.Errorf("held, it is on %q", at(l))
	}
	l.Seek("new")
	l.Seek("nowhere")
	if at(l) != "new" {
		t.Errorf("sought, it is on %q", at(l))
	}
	l.Reset()
	l.Set(rows("a", "b"))
	if at(l) != "a" {
		t.Errorf("after a reset it is on %q", at(l))
	}
	l.Set(rows("-nothing"))
	if _, ok := l.Selected(); ok {
		t.Error("a row without a key is chosen")
	}
}

func TestWhatIsVisible(t *testing.T) {
	l := New[string]()
	l.Set(rows("-head", "a", "b", "c", "d", "-foot"))
	for _, tt := range []struct {
		move int
		want []string
	}{
		{0, []string{"   -head", ">  a", "   b"}},
		{2, []string{"   a", "   b", ">  c"}},
		{9, []string{"   c", ">  d", "   -foot"}},
		{-1, []string{">  c", "   d", "   -foot"}},
		{-9, []string{"   -head", ">  a", "   b"}},
	} {
		l.Move(tt.move)
		if diff := cmp.Diff(tt.want, l.View(3, ">  ")[:3]); diff != "" {
			t.Errorf("moved by %d (-want +got):\n%s", tt.move, diff)
		}
	}
	if got := l.View(0, ">  "); len(got) != 0 || strings.Contains(strings.Join(l.Top(9), ""), ">") {
		t.Errorf("without room %q", got)
	}
}

// Rows without lines are drawn when they are visible, and only then. The row under the cursor
// shows its other lines, painted after its picture.
func TestRowsOnDemand(t *testing.T) {
	l := New[string]()
	var all []Row[string]
	for i := range 10_000 {
		all = append(all, Row[string]{Key: fmt.Sprint(i), Of: fmt.Sprint("row ", i)})
	}
	all[5000].Chosen, all[5000].Lead = []string{"   ██ chosen", "   more"}, 6
	drawn := 0
	l.draw = func(of string) string { drawn++; return "   " + of }
	l.paint = func(line string, lead int) string { return Chosen(theme.New(theme.Dark, true), line, lead, 16) }
	l.Set(all)
	l.Move(5000)
	got := l.View(3, " ▸ ")
	want := []string{"   row 4999", " ▸ ██ \x1b[7mchosen    \x1b[m", "   more"}
	if diff := cmp.Diff(want, got); diff != "" || drawn != 1 {
		t.Errorf("%d rows are drawn: %s", drawn, diff)
	}
	if got := l.Top(2); len(got) != 2 || got[1] != "   row 1" {
		t.Errorf("the top is %q", got)
	}
}

// Whatever is done to a list, its cursor is on a row with a key when there is
// one, and that row is visible.
func TestCursorInSight(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := New[string]()
		word := rapid.SampledFrom([]string{"a", "b", "c", "d", "-", "-x"})
		rt.Repeat(map[string]func(*rapid.T){
			"set":   func(t *rapid.T) { l.Set(rows(rapid.SliceOfNDistinct(word, 0, 6, rapid.ID).Draw(t, "rows")...)) },
			"move":  func(t *rapid.T) { l.Move(rapid.IntRange(-7, 7).Draw(t, "by")) },
			"seek":  func(t *rapid.T) { l.Seek(word.Draw(t, "key")) },
			"hold":  func(t *rapid.T) { l.Hold(rapid.Bool().Draw(t, "on")) },
			"loose": func(*rapid.T) { l.Loose() },
			"": func(t *rapid.T) {
				r, ok := l.Selected()
				if some := strings.ContainsAny(strings.Join(l.Top(9), ""), "abcd"); ok != some || ok && r.Key == "" {
					t.Fatalf("%q, and %v is chosen", l.Top(9), r)
				}
				h := rapid.IntRange(1, 7).Draw(t, "height")
				seen := l.View(h, ">  ")
				if ok && !strings.Contains(strings.Join(seen[:min(h, len(seen))], "\n"), ">  "+r.Key) {
					t.Fatalf("%q does not show %q", seen, r.Key)
				}
			},
		})
	})
}

func TestWords(t *testing.T) {
	plain := lipgloss.NewStyle()
	now := time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ got, want string }{
		{Count(words.Words{}, 1, "memory"), "1 memory"}, {Count(words.Words{}, 2, "memory"), "2 memories"}, {Count(words.Words{}, 1200, "day"), "1\u00a0200 days"},
		{fmt.Sprint(Left(now, now.Add(1500*time.Millisecond)), Left(now, now.Add(-time.Hour))), "2 0"},
		{strings.Join(Wrapped(plain, "one\x1b[2Jtwo three", 10, 2), "|"), "  one␛[2Jt|  wo three"},
		{strings.Join(Hints(plain, 20, "esc back", key.NewBinding(key.WithHelp("a", "accept it"))), "|"), " a\u00a0accept\u00a0it| esc\u00a0back"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
