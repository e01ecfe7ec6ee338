package editor

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		env  []string
		want string
	}{
		{nil, ""},
		{[]string{"EDITOR=vi"}, "vi"},
		{[]string{"EDITOR=vi", "VISUAL=code -w"}, "code -w"},
		{[]string{"VISUAL= ", "EDITOR=nano"}, "nano"},
		{[]string{"EDITOR=vi", "EDITOR=ed"}, "ed"},
	} {
		if got := Of(tt.env); got != tt.want {
			t.Errorf("%q: %q", tt.env, got)
		}
	}
}

// U2: without a named editor, one on the PATH is used, the easiest first.
func TestOfFindsAnEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("notepad is always there")
	}
	dir, other := t.TempDir(), t.TempDir()
	env := []string{"PATH=." + string(filepath.ListSeparator) + other + string(filepath.ListSeparator) + dir}
	install := func(name string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		mode os.FileMode
		want string
	}{{"ed", 0o700, ""}, {"vi", 0o600, ""}, {"vim", 0o700, "vim"}, {"nano", 0o700, "nano"}} {
		install(tt.name, tt.mode)
		if got := Of(env); got != tt.want {
			t.Errorf("with %s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := Of(append(env, "EDITOR=ed -p")); got != "ed -p" {
		t.Errorf("a named editor: %q", got)
	}
}

// D4: nothing of an edit stays, whatever an editor leaves beside it.
func TestText(t *testing.T) {
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, folder+"left"), 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := Begin(data, "喝茶")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := text.Command(t.Context(), "sed -i.bak s/喝/泡/").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, err := text.Read(); got != "泡茶" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(text.path(), make([]byte, maxText+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := text.Read(); err == nil {
		t.Error("no bound")
	}
	if err := text.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(data, "*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
