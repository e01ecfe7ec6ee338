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

// P4, P9a: times of day that are written otherwise are the same.
func TestSameClock(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"10am", "10:00", true}, {"3pm", "15:00", true}, {"3pm", "3:00", true}, {"10am", "10pm", false}, {"10am", "22:00", false}, {"10:00", "10:30", false},
		{"三点", "3点", true}, {"三点", "15:00", true}, {"下午三点", "15:00", true}, {"上午三点", "15:00", false}, {"三点半", "15:30", true}, {"三点", "三点半", false},
		{"十二点", "12:00", true}, {"6.30pm", "18:30", true}, {"9am", "10am", false},
	} {
		if got := SameClock(c.a, c.b); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
