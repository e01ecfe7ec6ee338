package chat_test

import (
	"slices"
	"testing"
)

// U2: after an order to forget what is known of one of the user's people, "the other one" is forgotten instead.
func TestForgetOtherOne(t *testing.T) {
	for _, reply := range []string{"no the other one, Kate", "no, the other sister", "sorry, i meant Kate"} {
		t.Run(reply, func(t *testing.T) {
			h := offline(t, nil)
			h.tell("my sister Gwen lives in Bangor")
			h.tell("my sister Kate lives in Cardiff")
			h.tell("forget where Gwen lives")
			h.tell(reply)
			h.tell("1")
			got := h.remembered()
			if !slices.Contains(got, "Sister Gwen lives in Bangor.") || slices.Contains(got, "Sister Kate lives in Cardiff.") {
				t.Errorf("got %q", got)
			}
		})
	}
}
