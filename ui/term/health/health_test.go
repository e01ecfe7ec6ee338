package health

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

var noon = panetest.Noon

func days(n int) (out []Day) {
	for i := range n {
		d := Day{Date: noon.AddDate(0, 0, i-n+1), Messages: (i * 7) % 43, Learned: (i * 3) % 7}
		if i%9 == 0 {
			d.Forgotten = 1
		}
		out = append(out, d)
	}
	return out
}

func report() Report {
	return Report{
		At: noon, Agent: "luna", Memories: 1214, Held: 3, Messages: 20418, Sessions: 96, Jobs: 2,
		Days: days(30),
		Indexes: []Index{
			{Name: "items index", State: Ready, Bytes: 2_340_000},
			{Name: "archive index", State: "building", Done: 5200, Total: 20418, Behind: 17, Bytes: 48_000_000, Reason: "the index was made by an older version"},
			{Name: "item heads in memory", State: "loading", Done: 800, Total: 1214},
		},
		StoreBytes: 61_440_000, FreeBytes: 4_096_000,
		Backups: Backups{Count: 5, Newest: noon.Add(-31 * time.Hour), Next: noon.Add(17 * time.Hour)},
		Model:   "gpt-4.1-mini", Endpoint: "https://api.example.com/v1", TokensIn: 41284, TokensOut: 9120, Cost: "$0.0312",
		DataDir: "/home/小明/.local/share/memoria/a/rather/long/path/that/does/not/fit", LogFile: "/home/小明/.local/state/memoria/memoria.log",
	}
}

func newPane(w, h int) *Model { return spoken(config.LanguageEnglish, w, h) }

func spoken(l config.Language, w, h int) *Model {
	m := New(keys.Default(words.In(l)), time.UTC)
	m.SetNow(noon)
	m.SetSize(w, h)
	return m
}

func filled(w, h int) *Model { return fill(newPane(w, h)) }

func fill(m *Model) *Model {
	m.Show(report())
	m.SetFocus(true)
	return m
}

var press = panetest.Press[Action]

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

func TestViews(t *testing.T) {
	trouble := report()
	trouble.Trouble = []string{"The disk is full: nothing can be written until there is room."}
	trouble.Backups = Backups{Off: true, Failed: "no space left"}
	trouble.Days = days(3)
	trouble.Unwiped = true
	learning := report()
	learning.Days = nil
	learning.Learning = Learning{
		Waiting: 2, Answered: 120, Unusable: 7, Learned: 31, Refused: 402, TokensIn: 98_000, TokensOut: 4100, SessionIn: 1200, SessionOut: 80,
	}
	panetest.Views(t, panetest.Sizes(60), filled, map[string]func(m *Model){
		"learning": func(m *Model) { m.Show(learning); press(m, "end") },
		"counting": func(m *Model) { m.there = false; m.Build() },
		"filled":   func(*Model) {},
		"end":      func(m *Model) { press(m, "end") },
		"digits":   func(m *Model) { m.SetStyles(theme.New(theme.None, true)); press(m, "pgdn") },
		"trouble":  func(m *Model) { m.Show(trouble); m.Failed("The backup did not work: no space left.") },
		"working":  func(m *Model) { press(m, "r") },
		"new":      func(m *Model) { m.Show(Report{FreeBytes: -1, Days: []Day{{Date: noon}}}) },
	})

}

// The pane in Chinese: the whole report, and its rare lines.
func TestChinese(t *testing.T) {
	seldom := report()
	seldom.Backups, seldom.Days, seldom.Unwiped = Backups{Off: true, Failed: "no space left"}, nil, true
	seldom.Model, seldom.Endpoint, seldom.Indexes = "", "", seldom.Indexes[:1]
	seldom.Learning = Learning{Waiting: 2, Answered: 120, Unusable: 7, Failing: 9, Learned: 31, Refused: 402, TokensIn: 98_000, TokensOut: 4100}
	chinese := func(w, h int) *Model { return fill(spoken(config.LanguageChinese, w, h)) }
	panetest.Views(t, [][2]int{{40, 58}, {60, 50}}, chinese, map[string]func(m *Model){
		"filled": func(*Model) {},
		"seldom": func(m *Model) { m.Show(seldom); press(m, "b") },
	})
	panetest.Views(t, [][2]int{{40, 10}}, chinese, map[string]func(m *Model){"short": func(*Model) {}})
}

func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		key  string
		want Do
	}{{"r", Rebuild}, {"c", Compact}, {"b", Backup}, {"esc", Leave}, {"y", Copy}, {"down", Nothing}} {
		if a := press(filled(56, 35), tt.key); a.Do != tt.want {
			t.Errorf("%s gave %+v", tt.key, a)
		}
	}
	if _, handled := filled(56, 35).Key(panetest.Key("z")); handled {
		t.Error("z is said to mean something")
	}
}

// One thing at a time, and its end is told.
func TestOneThingAtATime(t *testing.T) {
	m := filled(56, 35)
	press(m, "b")
	if a := press(m, "r"); a.Do != Nothing {
		t.Errorf("began %+v during a backup", a)
	}
	panetest.Shows(t, view(t, m), "making a backup …")
	m.Done("Backed up: 5 of 7 kept.")
	panetest.Shows(t, view(t, m), "Backed up")
	panetest.Lacks(t, view(t, m), "making")
	if a := press(m, "r"); a.Do != Rebuild {
		t.Errorf("got %+v", a)
	}
	m.Failed("The disk is full.")
	panetest.Shows(t, view(t, m), "The disk is full.")
}

// Scrolling reaches every line and ends at both ends.
func TestScroll(t *testing.T) {
	m := filled(60, 10)
	seen := map[string]bool{}
	for range len(m.lines) {
		for _, l := range strings.Split(view(t, m), "\n") {
			seen[strings.TrimSpace(l)] = true
		}
		press(m, "down")
	}
	for _, l := range m.lines {
		if !seen[strings.TrimSpace(l)] {
			t.Errorf("%q is never seen", l)
		}
	}
	last := view(t, m)
	press(m, "down", "pgdn", "end")
	if diff := cmp.Diff(last, view(t, m)); diff != "" {
		t.Error(diff)
	}
	press(m, "home")
	if got := view(t, m); !strings.HasPrefix(got, " health of luna") {
		t.Errorf("home leads to:\n%s", got)
	}
}

// What is on screen is what is copied, clean and unstyled.
func TestText(t *testing.T) {
	m := filled(36, 20)
	m.SetStyles(theme.New(theme.Dark, true))
	text := press(m, "y").Text
	for _, want := range []string{"stored memories       1\u00a0214", "archive index         building, 5\u00a0200 of 20\u00a0418 (25 %), 17 changes behind", "/home/小明/.local/state/memoria/memoria.log", "█"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("styled")
	}
	if a := press(newPane(36, 20), "y"); a.Do != Nothing {
		t.Errorf("copies before there is anything: %+v", a)
	}
}

func TestBars(t *testing.T) {
	s := func(v ...int) series { return series{values: v, dates: make([]time.Time, len(v))} }
	for _, tt := range []struct {
		s     series
		w     int
		ascii bool
		want  string
	}{
		{s(0, 1, 2, 3, 4, 5, 6, 7, 8), 10, false, " ▁▂▃▄▅▆▇█"},
		{s(0, 1, 1000), 3, false, " ▁█"},
		{s(1, 2), 5, false, "▄▄██"},
		{s(0, 1, 9), 3, true, ".19"},
		{s(0, 1, 50, 100), 4, true, ".159"},
		{s(0, 1, 50, 100), 8, true, ".. 1 5 9"},
		{s(0, 0), 2, false, "  "},
		{s(-3, 2), 2, false, " █"},
		{s(), 10, false, ""},
	} {
		if got := tt.s.bars(tt.w, tt.ascii); got != tt.want {
			t.Errorf("%v in %d: %q, want %q", tt.s.values, tt.w, got, tt.want)
		}
	}
}

// Anything at all is seen, more is never lower, the most is the top.
func TestStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 1<<40).Draw(t, "most")
		a := rapid.IntRange(1, most).Draw(t, "a")
		b := rapid.IntRange(a, most).Draw(t, "b")
		n := rapid.SampledFrom([]int{8, 9}).Draw(t, "n")
		if lo, hi := step(a, most, n), step(b, most, n); lo < 1 || lo > hi || hi > n || step(most, most, n) != n {
			t.Fatalf("steps %d and %d of %d", lo, hi, n)
		}
	})
}

// What others wrote cannot reach the terminal as it is.
func TestEverythingIsCleaned(t *testing.T) {
	evil := panetest.Hostile
	r := report()
	r.Agent, r.Model, r.Endpoint, r.Cost, r.DataDir, r.LogFile = evil, evil, evil, evil, evil, evil
	r.Trouble = []string{evil}
	r.Indexes = []Index{{Name: evil, State: evil, Reason: evil}}
	r.Backups.Failed = evil
	m := filled(56, 80)
	m.Show(r)
	panetest.Cleans(t, func() string { return view(t, m) },
		func() {},
		func() { m.Done(evil) },
		func() { m.Failed(evil) },
		func() { m.ReadFailed(evil) },
		func() {
			if strings.ContainsAny(m.Text(), "\x1b\x07\u202e\u009b\U000e0041") {
				t.Error("the copy is not clean")
			}
		},
	)
}

func TestFillsItsPlace(t *testing.T) {
	words, big := panetest.Texts, rapid.IntRange(0, 1<<40)
	filled := func(t *rapid.T) *Model {
		m := newPane(0, 0)
		m.Show(Report{
			Agent: words.Draw(t, "agent"), Memories: big.Draw(t, "n"), Held: big.Draw(t, "held"), Jobs: big.Draw(t, "jobs"),
			Days: days(rapid.IntRange(0, 200).Draw(t, "days")), Model: words.Draw(t, "model"), DataDir: words.Draw(t, "dir"),
			Indexes:    []Index{{Name: words.Draw(t, "name"), State: words.Draw(t, "state"), Behind: uint64(big.Draw(t, "behind")), Total: 3}},
			StoreBytes: int64(big.Draw(t, "bytes")), FreeBytes: int64(big.Draw(t, "free")),
		})
		return m
	}
	panetest.Fills(t, "r c b", filled, func(*rapid.T, *Model, Action) {})
}
