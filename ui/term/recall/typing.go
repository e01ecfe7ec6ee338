package recall

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/ui/term/pane"
)

// previewBytes is how much of the input is looked up during typing.
const previewBytes = 8 << 10

// typing previews the text in the input. One runs at a time: a slow one, as during
// the building of the index, ends for the newer text.
type typing struct {
	typed memory.Record // the input
	text  string        // of the last lookup
	id    int           // of the last lookup
	waits bool          // a timer runs
	end   context.CancelFunc
}

// recalled is the result of a lookup.
type recalled struct {
	retrieve.Result
	passages []journal.Hit
}

// Type looks up what a message would recall, a moment after the text has changed. The timer
// runs on during typing, so that the preview is never older than it promises.
func (p *Pane) Type(r memory.Record) tea.Cmd {
	v := &p.typing
	v.typed = r
	p.SetTyping(r.Content != "")
	if r.Content == "" {
		v.id++ // a running lookup is stale
		v.text = ""
		if v.end != nil {
			v.end()
		}
		return nil
	}
	return p.wait()
}

func (p *Pane) wait() tea.Cmd {
	v := &p.typing
	if v.waits || v.typed.Content == v.text {
		return nil
	}
	v.waits = true
	return p.fx.After(pane.TypingPause, func() tea.Cmd {
		v.waits = false
		return p.lookUp()
	})
}

func (p *Pane) lookUp() tea.Cmd {
	v := &p.typing
	if v.typed.Content == "" || p.fx.Chat.Forgetful() {
		return nil
	}
	v.id++
	v.text = v.typed.Content
	if v.end != nil {
		v.end()
	}
	ctx, end := context.WithCancel(p.fx.Ctx)
	v.end = end
	id := v.id
	q := recall.Query{Text: pane.Head(v.typed.Asked(), previewBytes), SessionID: p.host.Session().ID, Typing: true}
	return pane.Then(p.fx.Do, func() (r recalled, err error) {
		if r.Result, err = p.fx.Memory.Recall().Retrieve(ctx, p.fx.Agent, q); err != nil {
			return r, err
		}
		passages, err := p.fx.Chat.PreviewJournal(ctx, q.Text, r.Chosen)
		for _, found := range passages {
			r.passages = append(r.passages, found.Hit)
		}
		return r, err
	}, func(r recalled, err error) tea.Cmd { return p.recalled(id, r, err) })
}

func (p *Pane) recalled(id int, r recalled, err error) tea.Cmd {
	if id != p.typing.id {
		return nil
	}
	if err == nil {
		p.SetPreview(r.Result, r.passages...)
	}
	p.host.Tell(err)
	return p.wait()
}
