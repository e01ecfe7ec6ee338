package profile

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/manager"
	"memoria/ui/term/keys"
)

// W5: failures are told in words.
func TestFailuresAreTold(t *testing.T) {
	p := &Pane{Model: New(keys.Default(), nil)}
	p.SetSize(56, 20)
	for _, tt := range []struct {
		msg  tea.Msg
		want string
	}{
		{editedMsg{err: os.ErrPermission}, "was not taken"},
		{readMsg{err: manager.ErrInvalid}, "It cannot be read"},
	} {
		p.Update(tt.msg)
		if lines, _ := p.View(); !strings.Contains(strings.Join(lines, "\n"), tt.want) {
			t.Errorf("no %q in\n%s", tt.want, strings.Join(lines, "\n"))
		}
	}
}
