package sessions

import (
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/app"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// quiet is a root that does nothing.
type quiet struct{ Host }

func (quiet) FocusInput() {}

// S9a: what changes the conversation waits for the change before it.
func TestChangesRunInOrder(t *testing.T) {
	for name, a := range map[string]Action{"delete": {Do: Delete}, "restore": {Do: Restore}, "begin": {Do: Begin}} {
		fx := &pane.Effects{Session: &app.Session{Now: time.Now}, Ctx: t.Context()}
		first := fx.InOrder(func() tea.Msg { return nil })
		second := NewPane(keys.Default(words.Words{}), time.UTC, fx, quiet{}).do(a)
		done := make(chan tea.Msg, 1)
		go func() { done <- second() }() // without a conversation it comes to a fault
		for range 100 {
			runtime.Gosched()
		}
		select {
		case <-done:
			t.Errorf("%s did not wait", name)
			continue
		default:
		}
		first()
		<-done
	}
}
