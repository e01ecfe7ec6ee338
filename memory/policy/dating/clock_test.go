package dating

import "testing"

// P9a: the time of day that a plan names.
func TestClock(t *testing.T) {
	for s, want := range map[string]string{
		"Dentist on Friday (4 December 2026) at 3pm.": "3pm", "Vet friday 14:30": "14:30", "at 10 am": "10am",
		"下午3点开会": "下午3点", "周五三点半体检": "三点半", "Dentist on Friday": "", "Rent is 850 a month": "", "有一点累": "一点",
	} {
		if got := Clock(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
