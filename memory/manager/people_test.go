package manager_test

import (
	"slices"
	"testing"
)

// P2, P5c, P9b: a sentence about somebody whom the memory knows by name is remembered as one about them, with
// the user's words as its source. One undo takes it back.
func TestKnownByName(t *testing.T) {
	for _, c := range []struct {
		told []string
		then string
		now  string
	}{
		{[]string{"My flatmate is Piotr, he's a baker."}, "Piotr is vegan", "Flatmate Piotr is vegan."},
		{[]string{"I share the flat with Yuki and Bram."}, "Yuki got a new job in Osaka", "Flatmate Yuki works in Osaka."},
		{[]string{"we have three cats, Miso, Tofu and Ponzu"}, "Ponzu sleeps in the sink", "Cat Ponzu sleeps in the sink."},
		{[]string{"我女儿叫糖糖"}, "糖糖在学钢琴", "女儿糖糖在学钢琴"},
		{[]string{"我同事小王是湖南人"}, "小王调去深圳了", "同事小王调去深圳了"},
	} {
		m, _ := open(t)
		for _, s := range c.told {
			say(t, m, luna, "", s)
		}
		was := activeContents(t, m)
		_, changes := say(t, m, luna, "", c.then)
		if got := activeContents(t, m); !slices.Contains(got, c.now) {
			t.Errorf("%s: %q, want %q", c.then, got, c.now)
			continue
		}
		ev := changes[0].Item.Evidence[0]
		if ev.Offset != 0 || ev.Length != len(c.then) {
			t.Errorf("%s: its source is %+v", c.then, ev)
		}
		if doubtful := must(m.Learning().Review(t.Context(), luna))(t); len(doubtful) > 0 {
			t.Errorf("%s: the rules would not make %q now", c.then, doubtful[0].Content)
		}
		must(m.Learning().UndoLast(t.Context(), luna))(t)
		if got := activeContents(t, m); !slices.Equal(got, was) {
			t.Errorf("%s: undone %q, want %q", c.then, got, was)
		}
	}
}

// P4: a name is no longer known once the memory that named its bearer has ended. Several of one relation have slots of
// their own.
func TestKnownByNameEnds(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{"we have three cats, Miso, Tofu and Ponzu", "Miso is 3", "Tofu is 5", "My flatmate is Piotr.", "Piotr moved out on Sunday."} {
		say(t, m, luna, "", s)
	}
	was := activeContents(t, m)
	for _, want := range []string{"Cat Miso is 3.", "Cat Tofu is 5."} {
		if !slices.Contains(was, want) {
			t.Errorf("%q is not in %q", want, was)
		}
	}
	say(t, m, luna, "", "Piotr is vegan")
	if got := activeContents(t, m); !slices.Equal(got, was) {
		t.Errorf("%q, want %q", got, was)
	}
}

// P4: what is no longer true of one person ends for that person alone; a cancelled visit ends nobody's home.
func TestNoLongerOfOne(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{
		"I live in Leeds with my husband Martin", "my sons are called Tom and Danny", "my sister Carol lives in Whitby", "Martin is a plumber", "Tom is a student",
		"Danny is a student", "Danny works as a baker",
	} {
		say(t, m, luna, "", s)
	}
	for _, c := range []struct{ said, ended string }{
		{"actually Martin's not a plumber any more, he retired in March", "Husband Martin is a plumber."},
		{"Danny no longer works as a baker", "Son Danny works as a baker."},
		{"Danny isn't a student any more", ""},
		{"Whitby's off, Carol has flu, we're going in January instead", ""},
		{"Tom isn't a student any more", "Son Tom is a student."},
	} {
		was := activeContents(t, m)
		say(t, m, luna, "", c.said)
		is := activeContents(t, m)
		for _, content := range was {
			if ended := !slices.Contains(is, content); ended != (content == c.ended) {
				t.Errorf("%s: %q ended is %v", c.said, content, ended)
			}
		}
	}
}
