package manager_test

import "testing"

// U3, P4: what was told of one of the user's people moves to the other, who is then named or "the other".
func TestOtherOne(t *testing.T) {
	noRace(t)
	sisters := []string{"my sister Gwen lives in Bangor", "my sister Kate lives in Cardiff"}
	names := []string{"Sister is called Gwen.", "Sister is called Kate."}
	for _, c := range []struct {
		name       string
		said, want []string
	}{
		{"named", []string{"Gwen's moved to Leeds", "no sorry, Kate"}, []string{"Sister Gwen lives in Bangor.", "Sister Kate lives in Leeds."}},
		{"the other", []string{"Gwen's moved to Leeds", "no the other sister"}, []string{"Sister Gwen lives in Bangor.", "Sister Kate lives in Leeds."}},
		{"of the relation", []string{"my sister's moved to Leeds", "no, the other one"}, []string{"Sister Gwen lives in Bangor.", "Sister Kate lives in Leeds."}},
		{"lower case", []string{"gwen's moved to leeds", "i meant kate"}, []string{"Sister Gwen lives in Bangor.", "Sister Kate lives in leeds."}},
		{"not her", []string{"Kate's moved to Leeds", "no not her, the other one"}, []string{"Sister Gwen lives in Leeds.", "Sister Kate lives in Cardiff."}},
		{"nobody of that name", []string{"Gwen's moved to Leeds", "no sorry, Zoe"}, []string{"Sister Gwen lives in Leeds.", "Sister Kate lives in Cardiff."}},
		{"no correction", []string{"Gwen's moved to Leeds", "the other sister is jealous"}, []string{"Sister Gwen lives in Leeds.", "Sister Kate lives in Cardiff."}},
		{"a question", []string{"Gwen's moved to Leeds", "or was it the other sister?"}, []string{"Sister Gwen lives in Leeds.", "Sister Kate lives in Cardiff."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			leaves(t, append(append([]string{}, sisters...), c.said...), append(c.want, names...))
		})
	}
}

// U3: with two others nobody is meant.
func TestOtherOfThree(t *testing.T) {
	noRace(t)
	leaves(t, []string{
		"my sister Gwen lives in Bangor", "my sister Kate lives in Cardiff", "my sister Nell lives in Hull", "Gwen's moved to Leeds", "no, the other one",
	}, []string{
		"Sister Gwen lives in Leeds.", "Sister Kate lives in Cardiff.", "Sister Nell lives in Hull.", "Sister is called Gwen.",
		"Sister is called Kate.", "Sister is called Nell.",
	})
}
