package manager_test

import (
	"slices"
	"testing"

	"memoria/memory/instruct"
)

// U2: a short order deletes what it names: one memory at once, of several after a question. What names no memory is no order.
func TestShortForget(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		known   []string
		said    string
		left    []string
		asks    int  // so many memories to choose from
		nothing bool // it orders nothing
	}{
		{known: []string{"I have dentist on 2 december at 9am"}, said: "delete the dentist"},
		{known: []string{"I go swimming on tuesdays"}, said: "bin the swimming thing"},
		{known: []string{"I play the accordion"}, said: "erase the accordion please"},
		{known: []string{"I have a violin lesson on 3 december"}, said: "can you scrap the violin lesson"},
		{known: []string{"I have dentist on 2 december"}, said: "get rid of that dentist note"},
		{known: []string{"My brother is called Tom."}, said: "scrap what i said about tom"},
		{known: []string{"my brother Tom lives in york"}, said: "delete tom", left: []string{"Brother Tom lives in york.", "Brother is called Tom."}, asks: 2},
		{known: []string{"I like onions"}, said: "remove the onions", left: []string{"Likes onions."}, asks: 1},
		{known: []string{"I have dentist on 2 december"}, said: "drop the dentist", left: []string{"Dentist 2 december (2 December 2026)."}, asks: 1},
		{known: []string{"我12月2号看牙医"}, said: "把牙医那条删了"},
		{known: []string{"我12月2号看牙医"}, said: "牙医的事删掉"},
		{known: []string{"我12月2号看牙医"}, said: "删掉牙医"},
		{known: []string{"我喜欢喝乌龙茶"}, said: "乌龙茶那个删了吧"},
		{known: []string{"我哥叫阿强", "我哥在昆明开店"}, said: "把我哥删了", left: []string{"哥叫阿强", "哥在昆明开店"}, asks: 2},
		{known: []string{"我喜欢吃香菜"}, said: "把香菜去掉", left: []string{"喜欢吃香菜"}, asks: 1},

		{known: []string{"I work at a bank"}, said: "delete the branch", nothing: true},
		{known: []string{"I like onions"}, said: "delete the last paragraph", nothing: true},
		{known: []string{"I like onions"}, said: "delete the file about onions", nothing: true},
		{known: []string{"I have dentist on 2 december"}, said: "delete the dentist row from the table", nothing: true},
		{known: []string{"I have dentist on 2 december"}, said: "should i delete the dentist?", nothing: true},
		{known: []string{"I have dentist on 2 december"}, said: "I deleted the dentist", nothing: true},
		{known: []string{"I have dentist on 2 december"}, said: "don't delete the dentist", nothing: true},
		{known: []string{"I have dentist on 2 december"}, said: "delete the variable dentist", nothing: true},
		{known: []string{"我12月2号看牙医"}, said: "把这段删了", nothing: true},
		{known: []string{"我12月2号看牙医"}, said: "别删牙医", nothing: true},
		{known: []string{"我12月2号看牙医"}, said: "牙医的微信我删了", nothing: true},
	} {
		t.Run(c.said, func(t *testing.T) {
			m, _ := open(t)
			for _, k := range c.known {
				say(t, m, luna, "", k)
			}
			before := activeContents(t, m)
			if len(before) == 0 {
				t.Fatal("nothing is known")
			}
			turn, _ := say(t, m, luna, "", c.said)
			in, ok, err := m.Learning().Instruction(t.Context(), turn.Record)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			asked := 0
			if ok && in.Kind == instruct.Forget {
				out, is, err := m.ForgetSaid(t.Context(), turn.Record, in, 0)
				if err != nil {
					t.Fatal(err)
				}
				if found = is && len(out.Items) > 0; out.Asks {
					asked = len(out.Items)
				}
			}
			if c.nothing {
				if after := activeContents(t, m); found || !slices.Equal(after, before) {
					t.Errorf("it ordered something: %+v, %q", in, after)
				}
				return
			}
			if got := activeContents(t, m); !found || asked != c.asks || !slices.Equal(got, append([]string{}, c.left...)) {
				t.Errorf("%+v: asks %d, left %q", in, asked, got)
			}
		})
	}
}
