package policy

import "testing"

// P4: what ends about one person ends nothing about another, even if it names both.
func TestEndsNothingOfAnother(t *testing.T) {
	for _, c := range []struct {
		content, about string
		other          bool
	}{
		{"我妈搬到武昌去了 跟我姐住", "姐 武昌", true},
		{"姐在武昌当护士", "姐 武昌", false},
		{"姐姐在武昌当护士", "姐 武昌", false},
		{"Mum moved in with sister in Leeds.", "sister Leeds", true},
		{"My mum moved in with my sister in Leeds.", "sister Leeds", true},
		{"Sister lives in Leeds.", "sister Leeds", false},
		{"12月10号浩然过生日", "浩然", false},
		{"Works in Leeds.", "Leeds", false},
		{"奶奶家的大黄十五了", "大黄", false},
		{"Mum's dog Rex is 15.", "Rex", false},
	} {
		if got := ofAnother(c.content, c.about); got != c.other {
			t.Errorf("%q about %q: %v, want %v", c.content, c.about, got, c.other)
		}
	}
}
