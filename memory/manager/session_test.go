package manager_test

import (
	"strings"
	"testing"
)

func TestSessions(t *testing.T) {
	m, _ := open(t)
	a, _ := say(t, m, luna, "", "first session about\nthe weather")
	b, _ := say(t, m, luna, "", "第二个会话")
	say(t, m, luna, a.Session.ID, "back again")
	list, total, err := m.Lookup().Sessions(t.Context(), luna, 10, 0)
	if err != nil || total != 2 {
		t.Fatalf("total %d, %v", total, err)
	}
	if list[0].ID != a.Session.ID || list[1].ID != b.Session.ID || list[0].Turns != 2 || list[0].Messages != 4 {
		t.Errorf("%+v", list)
	}
	if list[0].Title != "first session about" {
		t.Errorf("title %q", list[0].Title)
	}
	if s := must(m.Lookup().Session(t.Context(), luna, strings.ToLower(b.Session.ID[18:])))(t); s.ID != b.Session.ID {
		t.Errorf("found by its end: %+v", s)
	}
}
