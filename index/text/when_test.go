package text

import (
	"testing"
	"time"
)

// P9a: relative times are resolved against the moment at which they were said.
func TestResolve(t *testing.T) {
	said := time.Date(2026, time.November, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	for _, c := range []struct {
		words string
		ahead bool
		want  string
	}{
		{"going to Rome next month", true, "2026-12"},
		{"on friday", true, "2026-11-20"},
		{"on friday", false, "2026-11-13"},
		{"on wednesday", true, "2026-11-25"},
		{"in two years", true, "2028"},
		{"in three weeks", true, "2026-12-07/2026-12-13"},
		{"tomorrow", false, "2026-11-19"},
		{"last week", false, "2026-11-09/2026-11-15"},
		{"by March", true, "2027-03-31"},
		{"in March", false, "2026-03"},
		{"before June 2027", true, "2027-05-31"},
		{"next summer", true, "2027-06-01/2027-08-31"},
		{"on 3 May", true, "2027-05-03"},
		{"next friday", true, "2026-11-27"},
		{"in 2027", true, "2027"},
		{"下个月", true, "2026-12"},
		{"下周三", true, "2026-11-25"},
		{"去年", false, "2025"},
		{"明年三月", true, "2027-03"},
		{"三天后", true, "2026-11-21"},
		{"周五", true, "2026-11-20"},
		{"年底之前", true, "2026-12"},
		{"后天", true, "2026-11-20"},
		{"at the weekend", true, "2026-11-21/2026-11-22"},
		{"周末有空吗", true, "2026-11-21/2026-11-22"},
		{"plans for december", true, "2026-12"},
		{"on the 14th at noon", true, "2026-12-14"},
		{"on the 20th", true, "2026-11-20"},
		{"the first of next month", true, "2026-12-01"},
		{"the 3rd of next month", true, "2026-12-03"},
		{"20号下午跟房东验房", true, "2026-11-20"},
		{"改成5号了", true, "2026-12-05"},
		{"31号出发", true, "2026-12-31"},
		{"五一回老家", true, "2027-05-01"},
		{"国庆节", true, "2027-10-01"},
		{"三周后的周一", true, "2026-12-07"},
	} {
		w, ok := Resolve(c.words, said, time.UTC, c.ahead)
		if got := w.ISO(); !ok || got != c.want {
			t.Errorf("%q: %s, want %s", c.words, got, c.want)
		}
	}
	for _, words := range []string{"tea", "march on", "every day", "以后", "每周五", "说明天气", "13号线", "每周末", "on the 5th floor"} {
		if w, ok := Resolve(words, said, time.UTC, true); ok {
			t.Errorf("%q: %v", words, w)
		}
	}
	if w, _ := Resolve("next month", said, time.UTC, true); w.String() != "December 2026" || w.Chinese() != "2026年12月" {
		t.Errorf("%s, %s", w, w.Chinese())
	}
}
