package profile

import (
	"os"
	"strings"
	"testing"

	"memoria/ui/term/keys"
	"memoria/ui/words"
)

// W5: failures are told in words.
func TestFailuresAreTold(t *testing.T) {
	p := &Pane{Model: New(keys.Default(words.Words{}), nil)}
	p.SetSize(56, 20)
	p.edited(1, "", os.ErrPermission)
	if lines, _ := p.View(); !strings.Contains(strings.Join(lines, "\n"), "was not taken") {
		t.Errorf("not told in\n%s", strings.Join(lines, "\n"))
	}
	p.ReadFailed("x")
	if lines, _ := p.View(); !strings.Contains(strings.Join(lines, "\n"), "It cannot be read") {
		t.Errorf("not told in\n%s", strings.Join(lines, "\n"))
	}
}
