package pane

import (
	"errors"

	"memoria/chat"
	"memoria/ui/app"
)

// Short is an error in one sentence, in the language of the run.
func (e *Effects) Short(err error) string {
	var refused app.Refusal
	if errors.As(err, &refused) {
		return e.Words.Error(err)
	}
	p := chat.Explain(err)
	return e.Words.Translate(p.Title) + e.Words.Say("sep.colon") + e.Words.Translate(p.Text)
}
