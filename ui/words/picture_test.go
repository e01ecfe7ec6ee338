package words

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
)

// The longer bar has the higher score: the parts differ from the score by a constant.

var screen Pictures

func TestScoreShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := func(name string) (total, shape float64) {
			part := func(n string, most float64) float64 { return rapid.Float64Range(0, most).Draw(t, name+n) }
			raw := memory.Parts{
				CategoryBoost: rapid.SampledFrom([]float64{1, 1.5}).Draw(t, name+"kind"),
				TopicBoost:    rapid.SampledFrom([]float64{1, 1.3}).Draw(t, name+"topic"),
			}
			c := memory.Parts{
				KeywordScore: part("words", .4), VectorScore: part("meaning", .2), RecencyScore: part("recent", .15),
				FrequencyScore: part("used", .1), Confidence: part("sure", .15), CategoryBoost: .2 * raw.CategoryBoost,
			}
			total = (c.KeywordScore + c.VectorScore + c.RecencyScore + c.FrequencyScore + c.Confidence + c.CategoryBoost) * raw.TopicBoost
			for _, x := range ScoreShape(c, raw) {
				shape += x
			}
			return total, shape
		}
		a, shapeA := score("a")
		b, shapeB := score("b")
		if math.Abs(a-shapeA-(b-shapeB)) > 1e-9 {
			t.Fatalf("scores %v and %v have shapes of %v and %v", a, b, shapeA, shapeB)
		}
	})
	if len(screen.ScoreNames()) != len(ScoreShape(memory.Parts{}, memory.Parts{})) {
		t.Error("not every part has a name")
	}
}

func TestBecause(t *testing.T) {
	it := memory.Item{Content: "Uses pnpm, not npm. 部署在 Fly"}
	for _, tt := range []struct {
		c, raw memory.Parts
		why    string
		want   string
	}{
		{c: memory.Parts{KeywordScore: .4, RecencyScore: .12}, raw: memory.Parts{RecencyScore: .8}, want: "because of the words PNPM, 部署, recent"},
		{c: memory.Parts{KeywordScore: .1, VectorScore: .3}, raw: memory.Parts{TopicBoost: 1.3}, want: "because of its meaning, the words PNPM, 部署, the current topic"},
		{c: memory.Parts{FrequencyScore: .1}, raw: memory.Parts{FrequencyScore: .9, CategoryBoost: 1.5}, want: "because of frequent use, a preference"},
		{why: "you asked for a list\x1b[2J", want: "you asked for a list␛[2J"},
	} {
		if got := screen.Because(it, tt.c, tt.raw, []string{"PNPM", "pnpm", "部署", "kiln"}, tt.why); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if got := screen.Because(it, memory.Parts{KeywordScore: .4}, memory.Parts{}, []string{"kiln"}, ""); got != "because of matching words" {
		t.Error(got)
	}
}

func TestBudgetSentence(t *testing.T) {
	p := memory.Package{Tokens: 1284, Limit: 8192, Blocks: []memory.Block{
		{Layer: memory.LayerPersona, Tokens: 359}, {Layer: memory.LayerWindow, Tokens: 400}, {Layer: memory.LayerWindow, Tokens: 412, Note: "cut"},
		{Layer: memory.LayerMessage, Tokens: 17},
	}, Dropped: []memory.Dropped{{}}}
	if got, want := screen.budget(p), "16% of the context: conversation so far 812, instructions 359, your message 17; left out: 1, cut: 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := screen.budget(memory.Package{}); got != "" {
		t.Error(got)
	}
	if got := screen.Share(3, 8192); got != "under 1%" {
		t.Error(got)
	}
}

func TestDayName(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.UTC)
	tokyo := time.FixedZone("tokyo", 9*3600)
	for _, tt := range []struct {
		at   time.Time
		loc  *time.Location
		want string
	}{
		{now, time.UTC, "Today"}, {now.Add(-time.Hour), time.UTC, "Yesterday"}, {now.Add(-time.Hour), tokyo, "Today"},
		{now.AddDate(0, 0, -2), time.UTC, "27 February"}, {now.AddDate(-1, 0, 11), time.UTC, "12 March 2025"}, {time.Time{}, time.UTC, "some day"},
	} {
		if got := screen.DayName(now, tt.at, tt.loc); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.at, got, tt.want)
		}
	}
	if screen.Month(time.March) != "Mar" || strings.Join(screen.Weekdays(), " ") != "Mon Tue Wed Thu Fri Sat Sun" {
		t.Error(screen.Month(time.March), screen.Weekdays())
	}
}
