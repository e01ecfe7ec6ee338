package recall

import (
	"errors"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/part"
	"memoria/ui/words"
)

// pageSize is how many memories are loaded at once.
const pageSize = 200

// Host is the root, whose conversation shows what turns taught.
type Host interface {
	pane.Host
	// Relearn takes what a turn did to the memory, in its present state.
	Relearn(turn string, changes []memory.Change)
}

// Pane is the memories with their effects.
type Pane struct {
	*Model
	fx     *pane.Effects
	host   Host
	reads  int // reads of the list so far
	limit  int // of the list
	lookup lookup
}

// NewPane returns the memories of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h Host) *Pane {
	return &Pane{Model: New(k, loc), fx: fx, host: h, limit: pageSize}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Title: "Recall", Careful: p.keys.List.Careful(), Hints: []key.Binding{p.keys.Panel.Parts[pane.Context], p.keys.Global.NextPane},
		Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(), Counting: p.Counting(),
	}
}

// Load implements [pane.Pane]. [Pane.Refresh] keeps the pane up to date when it is hidden, too.
func (p *Pane) Load() tea.Cmd { return nil }

// Refresh reads again all that is shown: the memory has changed.
func (p *Pane) Refresh() tea.Cmd {
	cmds := []tea.Cmd{p.List(), p.lookUp()}
	if id := p.Opened(); id != "" {
		cmds = append(cmds, p.read(id))
	}
	if turn := p.LearnedTurn(); turn != "" {
		cmds = append(cmds, p.ReadTurn(turn))
	}
	if run := p.RunID(); run != "" {
		cmds = append(cmds, p.fx.Look("generation", func() tea.Msg {
			page, err := p.fx.Memory.Changes(p.fx.Ctx, p.fx.Agent, manager.ChangeFilter{Generation: run})
			if err != nil {
				return nil
			}
			return learnedMsg{generation: run, changes: page.Changes}
		}))
	}
	return tea.Batch(cmds...)
}

// List reads the list of memories.
func (p *Pane) List() tea.Cmd {
	p.reads++
	read, f := p.reads, manager.ItemFilter{Text: p.FilterText(), All: true, Limit: p.limit}
	return p.fx.Do(func() tea.Msg {
		page, err := p.fx.Memory.Items(p.fx.Ctx, p.fx.Agent, f)
		return listedMsg{read: read, page: page, now: p.fx.Now(), err: err}
	})
}

// ReadTurn reads again what a turn did. A failure is not told: the list tells it.
func (p *Pane) ReadTurn(turn string) tea.Cmd {
	return p.fx.Look("turn", func() tea.Msg {
		changes, err := p.fx.Memory.TurnChanges(p.fx.Ctx, p.fx.Agent, turn)
		if err != nil {
			return nil
		}
		return learnedMsg{turn: turn, changes: changes}
	})
}

// Filter lets the user filter the list, and begins with words.
func (p *Pane) Filter(words string) tea.Cmd {
	cmd := p.host.Open(pane.Recall)
	p.OpenFilter()
	if words == "" {
		return cmd
	}
	return tea.Batch(cmd, p.do(p.Paste(tea.PasteMsg{Content: words})))
}

// Remove asks whether to delete the one memory that has these words, or lists those that
// have them.
func (p *Pane) Remove(words string) tea.Cmd {
	if words == "" {
		return p.Filter("")
	}
	return tea.Batch(p.host.Open(pane.Recall), p.fx.Do(func() tea.Msg {
		page, err := p.fx.Memory.Items(p.fx.Ctx, p.fx.Agent, manager.ItemFilter{Text: words, Limit: 2})
		return matchingMsg{words: words, page: page, err: err}
	}))
}

// Write opens the form of a new memory; text is stored as one at once.
func (p *Pane) Write(text string) tea.Cmd {
	cmd := p.host.Open(pane.Recall)
	p.New()
	if text == "" {
		return cmd
	}
	return tea.Batch(cmd, p.do(Action{Do: Add, Draft: Draft{Content: text, Type: memory.TypeFact}}))
}

// Undo undoes the last deletion of this pane.
func (p *Pane) Undo() tea.Cmd { return p.do(p.TakeBack()) }

// UndoLast undoes the last change of the memory (P9).
func (p *Pane) UndoLast() tea.Cmd {
	return p.undo(func() (manager.Undone, error) { return p.fx.Memory.UndoLast(p.fx.Ctx, p.fx.Agent) })
}

// UndoChange undoes a change.
func (p *Pane) UndoChange(id string) tea.Cmd { return p.do(Action{Do: Undo, ID: id}) }

func (p *Pane) undo(f func() (manager.Undone, error)) tea.Cmd {
	return p.fx.Do(func() tea.Msg {
		u, err := f()
		return undoneMsg{undone: u, err: err}
	})
}

type (
	listedMsg struct {
		read int
		page manager.ItemPage
		now  time.Time
		err  error
	}
	detailMsg struct {
		id     string
		detail Detail
		err    error
	}
	savedMsg struct {
		item memory.Item
		err  error
	}
	deletedMsg struct {
		removed part.Removed
		now     time.Time
		err     error
	}
	restoredMsg struct {
		id, text string
		err      error
	}
	undoneMsg struct {
		undone manager.Undone
		err    error
	}
	// learnedMsg is what a turn or a generation did to the memory, in its present state.
	learnedMsg struct {
		turn, generation string
		changes          []memory.Change
	}
	sourceMsg struct {
		quote words.Quote
		err   error
	}
	matchingMsg struct {
		words string
		page  manager.ItemPage
		err   error
	}
)

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case memory.Item:
		p.Show(Detail{Item: msg})
		return p.read(msg.ID), true
	case memory.Evidence:
		return p.fx.Do(func() tea.Msg {
			q, err := p.fx.Quote(msg)
			return sourceMsg{quote: q, err: err}
		}), true
	case pane.Forgotten:
		p.Forgotten(msg...)
	case dueMsg:
		p.lookup.waits = false
		return p.lookUp(), true
	case previewMsg:
		return p.onPreview(msg), true
	case listedMsg:
		switch {
		case msg.read != p.reads:
		case msg.err != nil:
			p.Failed("The memories cannot be read. " + pane.Short(msg.err))
		default:
			p.host.SetNow(msg.now)
			p.SetItems(msg.page.Items, msg.page.Total)
		}
	case detailMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
		} else if p.Opened() == msg.id {
			p.Show(msg.detail)
		}
	case savedMsg:
		if msg.err == nil {
			p.Saved(msg.item)
			return p.read(msg.item.ID), true
		}
		p.Failed(pane.Short(msg.err))
	case deletedMsg:
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.Deleted(msg.removed)
		p.host.SetNow(msg.now)
	case restoredMsg:
		p.TakenBack(msg.id)
		if msg.err != nil {
			p.Failed(pane.Short(msg.err))
			break
		}
		p.host.Say("taken back: " + msg.text)
	case undoneMsg:
		return p.onUndone(msg), true
	case learnedMsg:
		p.RefreshLearned(msg.turn, msg.generation, msg.changes)
		p.host.Relearn(msg.turn, msg.changes)
	case sourceMsg:
		return p.onSource(msg), true
	case matchingMsg:
		return p.onMatching(msg), true
	default:
		return pane.Input(p, p.do, msg)
	}
	return nil, true
}

// onUndone tells the result of an undo. The lists follow the memory.
func (p *Pane) onUndone(msg undoneMsg) tea.Cmd {
	said := strings.Join(msg.undone.Lines(), " · ")
	switch {
	case errors.Is(msg.err, manager.ErrNotFound):
		p.Undone("")
		p.host.Say("there is nothing to take back")
	case msg.err != nil:
		p.Failed(pane.Short(msg.err))
	case len(msg.undone.Did) == 0:
		p.Undone("Nothing was undone: " + said)
		p.host.Say("nothing was undone: " + said)
	default:
		p.Undone("")
		p.host.Say(said)
	}
	var ids []string
	for _, c := range msg.undone.Did {
		ids = append(ids, c.ItemID)
	}
	return p.host.MemoriesChanged(ids...)
}

// onSource shows the words of an evidence: in the conversation when they are there, else in
// the pane.
func (p *Pane) onSource(msg sourceMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		p.Failed(pane.Short(msg.err))
	case msg.quote.Gone:
		p.Failed("The message it came from was deleted.")
	case p.host.Point(msg.quote.Evidence):
		p.host.Say("it comes from this message")
	default:
		p.ShowSource(msg.quote)
		return p.host.Open(pane.Recall)
	}
	return nil
}

func (p *Pane) onMatching(msg matchingMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		p.Failed(pane.Short(msg.err))
	case msg.page.Total == 1:
		p.AskDelete(msg.page.Items[0])
	case msg.page.Total == 0:
		p.host.Say("no memory has these words")
	default:
		cmd := p.Filter(msg.words)
		p.LeaveFilter()
		p.host.Say("several memories have these words; choose one, d deletes it")
		return cmd
	}
	return nil
}

func (p *Pane) do(a Action) tea.Cmd {
	ctx, agent, store := p.fx.Ctx, p.fx.Agent, p.fx.Memory
	switch a.Do {
	case Open:
		return p.read(a.ID)
	case Save:
		return p.fx.Do(func() tea.Msg {
			it, err := store.EditItem(ctx, agent, a.ID, func(it *memory.Item) {
				it.Content, it.Type, it.Tags = a.Draft.Content, a.Draft.Type, a.Draft.Tags
			})
			return savedMsg{item: it, err: err}
		})
	case Add:
		return p.fx.Do(func() tea.Msg {
			it, err := store.AddItem(ctx, agent, memory.Item{Content: a.Draft.Content, Type: a.Draft.Type, Tags: a.Draft.Tags})
			return savedMsg{item: it, err: err}
		})
	case Delete:
		return p.fx.Do(func() tea.Msg {
			d, err := store.DeleteItems(ctx, agent, a.ID)
			return deletedMsg{removed: part.Removed{ID: d.ID, Of: a.ID, Title: a.Text, Until: d.Until}, now: p.fx.Now(), err: err}
		})
	case TakeBack:
		return p.fx.Do(func() tea.Msg {
			_, err := store.UndoDeletion(ctx, agent, a.ID)
			return restoredMsg{id: a.ID, text: a.Text, err: err}
		})
	case Undo:
		return p.undo(func() (manager.Undone, error) { return store.Undo(ctx, agent, a.ID) })
	case UndoTurn:
		return p.undo(func() (manager.Undone, error) { return store.UndoTurn(ctx, agent, a.ID) })
	case UndoRun:
		return p.undo(func() (manager.Undone, error) { return store.UndoGeneration(ctx, agent, a.ID) })
	case Source:
		return p.host.Send(pane.Recall, a.Evidence)
	case Browse:
		return p.host.Browse(a.Evidence.SessionID, a.Evidence.RecordID)
	case Copy:
		return p.host.Copy(a.Text)
	case Filter:
		p.limit = pageSize
		return p.List()
	case More:
		p.limit = p.Loaded() + pageSize
		return p.List()
	case File:
		return p.host.Open(pane.Journal, pane.File(a.Text))
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

// read reads everything about one memory.
func (p *Pane) read(id string) tea.Cmd {
	return p.fx.Look("memory", func() tea.Msg {
		it, err := p.fx.Memory.Item(p.fx.Ctx, p.fx.Agent, id)
		if err != nil {
			return detailMsg{id: id, err: err}
		}
		d := Detail{Item: it}
		for _, ev := range it.Evidence {
			q, err := p.fx.Quote(ev)
			if err != nil {
				return detailMsg{id: id, err: err}
			}
			d.Quotes = append(d.Quotes, q)
		}
		d.History, err = p.fx.Memory.History(p.fx.Ctx, p.fx.Agent, id)
		return detailMsg{id: id, detail: d, err: err}
	})
}
