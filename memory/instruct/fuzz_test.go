package instruct

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// U: whatever is said, reading it ends, and blanks around it change nothing.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"forget that I like tea", "你都记得我什么", "that's wrong, I live in Bonn", "a\x00b", "\u0301", "3.5,", "'", "撤销，刚才记的", "…。", "ｆｏｒｇｅｔ　ｍｅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in, ok := Read(s, nil)
		again, ok2 := Read("  "+s+" \n", nil)
		if utf8.ValidString(s) && len(s) < maxBytes/2 && (ok != ok2 || !reflect.DeepEqual(in, again)) {
			t.Errorf("%q: %+v %v; with blanks around it %+v %v", s, in, ok, again, ok2)
		}
		if ok && !slices.Contains([]Kind{List, Undo, Unrecorded, Forget, Withdraw, Correct}, in.Kind) {
			t.Errorf("%q: kind %q", s, in.Kind)
		}
		for _, words := range []string{in.Object, in.Old, in.New} {
			if !strings.Contains(s, words) {
				t.Errorf("%q: %q is not in it", s, words)
			}
		}
	})
}
