package memory

import "testing"

// D3: of two items that replace each other, each history says which one it is.
func TestChangeWords(t *testing.T) {
	for _, c := range []struct {
		change    Change
		what, why string
	}{
		{Change{Action: ActionSuperseded, Reason: "the user corrected it"}, "replaces an older one", "the user corrected it"},
		{Change{Action: ActionSuperseded, Reason: ReplacedBy("01KG")}, "replaced by a newer one", ""},
		{Change{Action: ActionConfirmed, Reason: "said again"}, "confirmed", "said again"},
	} {
		if what, why := c.change.Words(); what != c.what || why != c.why {
			t.Errorf("%+v: %q, %q", c.change, what, why)
		}
	}
}
