package cells

import "testing"

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		s    string
		w    int
		want string
	}{
		{"abc", 5, "abc  "}, {"abcdef", 4, "abc…"}, {"部署脚本", 5, "部署…"}, {"部署脚本", 6, "部署… "},
		{"abc   ", 4, "abc "}, {"", 2, "  "}, {"x", 0, ""}, {"\x1b[1mabcd\x1b[m", 3, "\x1b[1mab…\x1b[m"},
	} {
		if got := Fit(tt.s, tt.w); got != tt.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tt.s, tt.w, got, tt.want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		left, right string
		w           int
		want        string
	}{
		{"a", "b", 4, "a  b"}, {"abcdef", "xy", 6, "abc…xy"}, {"abc", "", 4, "abc "}, {"abc", "uvwxyz", 4, "uvw…"},
	} {
		if got := Spread(tt.left, tt.right, tt.w); got != tt.want {
			t.Errorf("Spread(%q, %q, %d) = %q, want %q", tt.left, tt.right, tt.w, got, tt.want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, tt := range []struct{ n, h, first, at, want int }{
		{5, 10, 3, 4, 0}, {20, 5, 0, 4, 0}, {20, 5, 0, 5, 1}, {20, 5, 10, 8, 8}, {20, 5, 18, 19, 15}, {20, 0, 3, 3, 0},
	} {
		if got := Window(tt.n, tt.h, tt.first, tt.at); got != tt.want {
			t.Errorf("Window(%d, %d, %d, %d) = %d, want %d", tt.n, tt.h, tt.first, tt.at, got, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1284: "1\u00a0284", -1234567: "-1\u00a0234\u00a0567"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}
