package agents

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/app"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// quiet is a root that only listens.
type quiet struct{ Host }

func (quiet) Say(string)                      {}
func (quiet) Show(*chat.Chat, string) tea.Cmd { return nil }

// A deletion that cannot be taken back while an answer arrives is offered still; one
// that cannot at all is not.
func TestTakeBackAgentLater(t *testing.T) {
	p := NewPane(keys.Default(words.Words{}), time.UTC, &pane.Effects{Session: &app.Session{}}, quiet{})
	p.deleted(Action{ID: "bo"}, result{gone: write.Deletion{ID: "d", Until: noon.Add(time.Hour)}}, nil)
	p.restored("d", result{}, chat.ErrBusy)
	if a := p.UndoDeletion(); a.Deletion != "d" {
		t.Errorf("not offered any more: %+v", a)
	}
	p.restored("d", result{}, manager.ErrGone)
	if a := p.UndoDeletion(); a.Deletion != "" {
		t.Errorf("offered still: %+v", a)
	}
}
