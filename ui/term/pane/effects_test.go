package pane

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/ui/app"
	"memoria/ui/words"
)

// D3: what is read to be shown may end in any order; what was read before a deletion never
// takes the place of what was read after it. What another screen asked for is dropped.
func TestLateLook(t *testing.T) {
	session := &app.Session{Now: time.Now}
	e, other := &Effects{Session: session}, &Effects{Session: session}
	read := func(said string) func() tea.Msg { return func() tea.Msg { return said } }
	before, aside := e.Look("package")(read("deleted")), e.Look("memory")(read("aside"))
	after := e.Look("package")(read("left"))
	for _, tt := range []struct {
		name string
		of   *Effects
		cmd  tea.Cmd
		want tea.Msg
	}{
		{"the newest", e, after, "left"},
		{"one that was overtaken", e, before, nil},
		{"one of another subject", e, aside, "aside"},
		{"one of another screen", other, after, nil},
		{"an effect", e, e.Do(read("done")), "done"},
		{"an effect of another screen", other, e.Do(read("done")), nil},
	} {
		if got := tt.of.Accept(tt.cmd().(Result)); got != tt.want {
			t.Errorf("%s comes to %v, want %v", tt.name, got, tt.want)
		}
	}
	panics := e.Do(func() tea.Msg { panic("fault") })
	if f, ok := e.Accept(panics().(Result)).(Fault); !ok || f.Value != "fault" || len(f.Stack) == 0 {
		t.Errorf("a panic comes to %+v", f)
	}
}

// What a pane says of an error, and of an undo, is in the language of the run.
func TestChinese(t *testing.T) {
	e := &Effects{Session: &app.Session{Words: words.Words{Language: words.Chinese}}}
	if got, want := e.Short(lookup.ErrNotFound), "没有找到：没有找到。"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	undone := learning.Undone{Did: []memory.Change{
		{Action: memory.ActionUndone, Item: &memory.Item{Content: "喜欢茶", State: memory.StateInactive}},
		{Action: memory.ActionRedone, Item: &memory.Item{Content: "喜欢 tea", State: memory.StateActive}},
	}}
	if got, want := e.Undone(undone), "不再记得：喜欢茶 · 重新记得：喜欢 tea"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
