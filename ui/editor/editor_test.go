package editor

import (
	"os"
	"path/filepath"
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
