package text

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the test does not depend on the machine's time zones

	"pgregory.net/rapid"
)

// asked is a Wednesday.
var asked = time.Date(2026, 1, 28, 12, 30, 0, 0, time.UTC)

const stampForm = "2006-01-02 15:04"

func stamp(t time.Time) string {
	if t.IsZero() {
		return "open"
	}
	return strings.TrimSuffix(t.Format(stampForm), " 00:00")
}

// A4: a question says in words which time it is about.
func TestDates(t *testing.T) {
	for query, want := range map[string][3]string{
		"yesterday":                          {"", "2026-01-27", "2026-01-28"},
		"pottery today":                      {"pottery", "2026-01-28", "2026-01-29"},
		"the day before yesterday, the kiln": {"the kiln", "2026-01-26", "2026-01-27"},
		"Yesterday's talk":                   {"talk", "2026-01-27", "2026-01-28"},
		"what I said last night about tea":   {"what I said about tea", "2026-01-27 18:00", "2026-01-28 05:00"},
		"this morning":                       {"", "2026-01-28 04:00", "2026-01-28 12:00"},
		"yesterday afternoon":                {"", "2026-01-27 12:00", "2026-01-27 18:00"},
		"on Friday evening":                  {"", "2026-01-23 17:00", "2026-01-24"},
		"pottery last week in Berlin":        {"pottery in Berlin", "2026-01-19", "2026-01-26"},
		"from this week":                     {"", "2026-01-26", "2026-02-02"},
		"the week before last":               {"", "2026-01-12", "2026-01-19"},
		"last weekend":                       {"", "2026-01-24", "2026-01-26"},
		"last month":                         {"", "2025-12-01", "2026-01-01"},
		"in the past month":                  {"", "2025-12-28", "2026-01-29"},
		"past week":                          {"", "2026-01-21", "2026-01-29"},
		"last 3 days tea":                    {"tea", "2026-01-25", "2026-01-29"},
		"in the last two hours":              {"", "2026-01-28 10:30", "2026-01-29"},
		"last few weeks":                     {"", "2025-12-17", "2026-01-29"},
		"two weeks ago":                      {"", "2026-01-12", "2026-01-19"},
		"a couple of days ago":               {"", "2026-01-26", "2026-01-27"},
		"a few days ago":                     {"", "2026-01-22", "2026-01-27"},
		"3 months ago":                       {"", "2025-10-01", "2025-11-01"},
		"a year ago":                         {"", "2025-01-01", "2026-01-01"},
		"an hour ago":                        {"", "2026-01-28 11:00", "2026-01-28 12:00"},
		"last year":                          {"", "2025-01-01", "2026-01-01"},
		"last March":                         {"", "2025-03-01", "2025-04-01"},
		"last January":                       {"", "2025-01-01", "2025-02-01"},
		"this January":                       {"", "2026-01-01", "2026-02-01"},
		"in January":                         {"", "2026-01-01", "2026-02-01"},
		"in march the kiln":                  {"the kiln", "2025-03-01", "2025-04-01"},
		"in May":                             {"", "2025-05-01", "2025-06-01"},
		"in March 2025":                      {"", "2025-03-01", "2025-04-01"},
		"March of last year":                 {"", "2025-03-01", "2025-04-01"},
		"last year in March":                 {"", "2025-03-01", "2025-04-01"},
		"on 3 May":                           {"", "2025-05-03", "2025-05-04"},
		"May 3rd, 2024":                      {"", "2024-05-03", "2024-05-04"},
		"the 3rd of May 2024":                {"", "2024-05-03", "2024-05-04"},
		"on 29 February":                     {"", "2024-02-29", "2024-03-01"},
		"jan 28":                             {"", "2026-01-28", "2026-01-29"},
		"Jan 29":                             {"", "2025-01-29", "2025-01-30"},
		"tea 2026-01-28 ceremony":            {"tea ceremony", "2026-01-28", "2026-01-29"},
		"2026/1/8":                           {"", "2026-01-08", "2026-01-09"},
		"2026.1.8":                           {"", "2026-01-08", "2026-01-09"},
		"2025-11":                            {"", "2025-11-01", "2025-12-01"},
		"in 2024":                            {"", "2024-01-01", "2025-01-01"},
		"on Friday":                          {"", "2026-01-23", "2026-01-24"},
		"on Wednesday":                       {"", "2026-01-28", "2026-01-29"},
		"last Wednesday":                     {"", "2026-01-21", "2026-01-22"},
		"Friday of last week":                {"", "2026-01-23", "2026-01-24"},
		"this Monday":                        {"", "2026-01-26", "2026-01-27"},
		"since March":                        {"", "2025-03-01", "open"},
		"after 3 May tea":                    {"tea", "2025-05-04", "open"},
		"tea before last week":               {"tea", "open", "2026-01-19"},
		"until yesterday":                    {"", "open", "2026-01-28"},
		"from March to May 2024 kiln":        {"kiln", "2024-03-01", "2024-06-01"},
		"from november to january":           {"", "2025-11-01", "2026-02-01"},
		"between 3 May and 5 May":            {"", "2025-05-03", "2025-05-06"},
		"2026-01-01 - 2026-01-03":            {"", "2026-01-01", "2026-01-04"},
		"昨天":                                 {"", "2026-01-27", "2026-01-28"},
		"陶艺课昨天":                              {"陶艺课", "2026-01-27", "2026-01-28"},
		"昨天的陶艺":                              {"陶艺", "2026-01-27", "2026-01-28"},
		"前天":                                 {"", "2026-01-26", "2026-01-27"},
		"大前天":                                {"", "2026-01-25", "2026-01-26"},
		"昨晚说的":                               {"说的", "2026-01-27 17:00", "2026-01-28 05:00"},
		"昨天下午":                               {"", "2026-01-27 12:00", "2026-01-27 18:00"},
		"上周三":                                {"", "2026-01-21", "2026-01-22"},
		"上週三的陶藝":                             {"陶藝", "2026-01-21", "2026-01-22"},
		"上个星期天":                              {"", "2026-01-25", "2026-01-26"},
		"上周":                                 {"", "2026-01-19", "2026-01-26"},
		"上上周五":                               {"", "2026-01-16", "2026-01-17"},
		"本周一":                                {"", "2026-01-26", "2026-01-27"},
		"上周末":                                {"", "2026-01-24", "2026-01-26"},
		"星期五我说了什么":                           {"我说了什么", "2026-01-23", "2026-01-24"},
		"上个月":                                {"", "2025-12-01", "2026-01-01"},
		"上個月5號":                              {"", "2025-12-05", "2025-12-06"},
		"去年三月":                               {"", "2025-03-01", "2025-04-01"},
		"去年":                                 {"", "2025-01-01", "2026-01-01"},
		"前年的十二月":                             {"", "2024-12-01", "2025-01-01"},
		"2025年3月":                            {"", "2025-03-01", "2025-04-01"},
		"二〇二五年三月五日":                          {"", "2025-03-05", "2025-03-06"},
		"2024年":                              {"", "2024-01-01", "2025-01-01"},
		"５月３日":                               {"", "2025-05-03", "2025-05-04"},
		"在十二月":                               {"", "2025-12-01", "2026-01-01"},
		"三天前":                                {"", "2026-01-25", "2026-01-26"},
		"两周以前":                               {"", "2026-01-12", "2026-01-19"},
		"三个月前 部署":                            {"部署", "2025-10-01", "2025-11-01"},
		"半年前":                                {"", "2025-07-01", "2025-08-01"},
		"几天前":                                {"", "2026-01-22", "2026-01-27"},
		"最近三天":                               {"", "2026-01-25", "2026-01-29"},
		"过去两周":                               {"", "2026-01-14", "2026-01-29"},
		"近一个月的账单":                            {"账单", "2025-12-28", "2026-01-29"},
		"去年三月以来":                             {"", "2025-03-01", "open"},
		"5月3日之前":                             {"", "open", "2025-05-03"},
		"从三月到五月的陶艺":                          {"陶艺", "2025-03-01", "2025-06-01"},
		"自从去年":                               {"", "2025-01-01", "open"},
		"去年三月和五月之间":                          {"", "2025-03-01", "2025-06-01"},
		"我们 上周 在 Berlin 说的 pottery": {"我们 在 Berlin 说的 pottery", "2026-01-19", "2026-01-26"},
	} {
		rest, from, to, ok := Dates(query, asked, time.UTC)
		if got := [3]string{rest, stamp(from), stamp(to)}; !ok || got != want {
			t.Errorf("%q: %q %v, want %q", query, got, ok, want)
		}
	}
}

// What only looks like a time stays what it is.
func TestNoDates(t *testing.T) {
	for _, query := range []string{
		"", "may I ask", "march on", "the second week", "friday", "2024", "in 99999", "13月5日", "31 June", "2026-02-30", "2026-13",
		"2026-01-28-deploy.md", "v2026.1.28", "一周三次", "每周三", "三个月", "十三月", "12026-01-28", "99 years ago", "900年前",
		"今", "前", "上", "这", "few", "last", "last of the week", "days ago", "next week", "下周", "一百天前", "三", "week",
	} {
		if rest, from, to, ok := Dates(query, asked, time.UTC); ok || rest != query || !from.IsZero() || !to.IsZero() {
			t.Errorf("%q: %q from %v to %v", query, rest, from, to)
		}
	}
}

// The days are those of the asker's zone, also where a clock changes.
func TestDatesInZones(t *testing.T) {
	shanghai := time.FixedZone("", 8*3600)
	_, from, to, _ := Dates("yesterday", time.Date(2026, 1, 27, 23, 0, 0, 0, time.UTC), shanghai)
	if got := from.Format(time.RFC3339) + to.Format(time.RFC3339); got != "2026-01-27T00:00:00+08:002026-01-28T00:00:00+08:00" {
		t.Error(got)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	_, from, to, _ = Dates("yesterday", time.Date(2026, 3, 30, 9, 0, 0, 0, berlin), berlin)
	if to.Sub(from) != 23*time.Hour {
		t.Errorf("the day when the clock goes forward has %v", to.Sub(from))
	}
}

func checkDates(t interface{ Fatalf(string, ...any) }, query string, now time.Time) {
	rest, from, to, ok := Dates(query, now, time.UTC)
	switch {
	case !ok && (rest != query || !from.IsZero() || !to.IsZero()):
		t.Fatalf("%q: nothing found, and %q %v %v", query, rest, from, to)
	case ok && from.IsZero() && to.IsZero():
		t.Fatalf("%q: open on both sides", query)
	case ok && !from.IsZero() && !to.IsZero() && !from.Before(to):
		t.Fatalf("%q: from %v to %v", query, from, to)
	case ok && len(rest) >= len(query):
		t.Fatalf("%q: nothing was taken out: %q", query, rest)
	}
	at := 0
	for i := range len(rest) { // rest is a subsequence of the query
		for at < len(query) && query[at] != rest[i] {
			at++
		}
		if at++; at > len(query) {
			t.Fatalf("%q is not made of %q", rest, query)
		}
	}
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{"last week", "上周三的陶艺", "from 3 May to 5 May 2024", "㋀3日", "½ year ago", "since\x00march", "\xff昨天", "上上上个月31号之前"} {
		f.Add(s, int64(1769600000))
	}
	f.Fuzz(func(t *testing.T, query string, at int64) { checkDates(t, query, time.Unix(at%(1<<37), 0).UTC()) })
}

// Words of dates in any order neither break it nor give a time that is none.
func TestDatesOfAnyWords(t *testing.T) {
	words := rapid.SampledFrom(strings.Fields(`last this past the of in on since before between and to ago week weeks month year day 3 28 31 2024
		2026-01-28 march may january friday yesterday today morning few couple a 昨天 上 周 三 月 个月 去年 前 最近 两 十 号 日 从 到 之前 以来 的 2025年 半 几 陶艺 tea`))
	gaps := rapid.SampledFrom([]string{" ", "", "  ", "-"})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 9).Draw(t, "words") {
			b.WriteString(words.Draw(t, "word") + gaps.Draw(t, "gap"))
		}
		checkDates(t, b.String(), asked.AddDate(0, 0, rapid.IntRange(-9000, 9000).Draw(t, "days")))
	})
}

func BenchmarkDates(b *testing.B) {
	for b.Loop() {
		Dates("what did I say about the kiln and the glaze last March, 还有陶艺", asked, time.UTC)
	}
}
