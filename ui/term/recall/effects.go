package recall

import (
	"errors"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
	"memoria/ui/term/shapes"
	"memoria/ui/words"
)

// pageSize is how many memories are loaded at once.
const pageSize = 200

// Host is the root, whose conversation shows what turns taught.
type Host interface {
	pane.Host
	// Relearn takes what a turn did to the memory, in its present state.
	Relearn(turn string, changes []memory.Change)
	// Cited reports whether a memory is among the sources of an answer that is shown.
	Cited(id string) bool
	// Reread shows the conversation as a deletion left it.
	Reread() tea.Cmd
}

// Pane is the memories with their effects.
type Pane struct {
	*Model
	fx     *pane.Effects
	host   Host
	id     pane.ID // which of the two views it is
	reads  int     // reads of the list so far
	limit  int     // of the list
	typing typing
}

// NewPane returns one of the two views of the memories of a screen: [pane.Recall] or
// [pane.All].
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h Host, id pane.ID) *Pane {
	p := &Pane{Model: New(k, loc), fx: fx, host: h, id: id, limit: pageSize}
	p.AskFirst(p.careful)
	p.KeepUndoable(p.Keys.List.Undo, func(d list.Removed) tea.Cmd { return fx.Prolong(fx.Agent, d.ID, d.Title, list.AnswerTime) })
	p.cited = h.Cited
	if p.only = partAll; id == pane.Recall {
		p.only, p.limit = partRecall, newest
	}
	return p
}

// other is the other view of the memories.
func (p *Pane) other() pane.ID {
	if p.id == pane.Recall {
		return pane.All
	}
	return pane.Recall
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	count := ""
	if p.id == pane.All && p.loaded && p.filter == "" && p.day.IsZero() {
		count = cells.Number(listing{p.Model}.present())
	}
	return pane.About{
		Count: count, Command: p.Meant(), Search: p.Searched(),
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
	if p.LifeShown() {
		cmds = append(cmds, p.readLife())
	}
	if run := p.RunID(); run != "" {
		cmds = append(cmds, p.readChanges("generation", "", run, func() ([]memory.Change, error) {
			page, err := p.fx.Memory.Lookup().Changes(p.fx.Ctx, p.fx.Agent, lookup.ChangeFilter{Generation: run})
			return page.Changes, err
		}))
	}
	return tea.Batch(cmds...)
}

// Inactive is the number of memories that are inactive; 0 while only some are listed.
func (p *Pane) Inactive() int { return p.inactive }

// List reads the list of memories. A filter finds inactive ones, too.
func (p *Pane) List() tea.Cmd {
	p.reads++
	read, f, day := p.reads, lookup.ItemFilter{Text: p.FilterText(), All: p.ended || p.filter != "", Limit: p.limit}, p.Day()
	return pane.Then(p.fx.Do, func() (listed, error) {
		if !day.IsZero() {
			page, err := p.itemsOf(day)
			return listed{ItemPage: page}, err
		}
		page, err := p.fx.Memory.Lookup().Items(p.fx.Ctx, p.fx.Agent, f)
		if err != nil || f.Text != "" {
			return listed{ItemPage: page}, err
		}
		other, err := p.fx.Memory.Lookup().Items(p.fx.Ctx, p.fx.Agent, lookup.ItemFilter{All: !f.All, Limit: 1})
		return listed{page, f.All, max(page.Total-other.Total, other.Total-page.Total)}, err
	}, func(l listed, err error) tea.Cmd {
		switch {
		case read != p.reads: // it is read again
		case err != nil:
			p.Failed(p.Words.Say("memories.unreadable", p.fx.Short(err)))
		default:
			p.all, p.inactive = l.all, l.inactive
			p.SetItems(l.Items, l.Total)
		}
		return nil
	})
}

// listed is the list of memories.
type listed struct {
	lookup.ItemPage
	all      bool // it has inactive ones, too
	inactive int  // how many there are; 0 among those with some words, or of a day
}

// itemsOf reads the memories that were learned on a day.
func (p *Pane) itemsOf(day time.Time) (lookup.ItemPage, error) {
	page, err := p.fx.Memory.Lookup().Items(p.fx.Ctx, p.fx.Agent, lookup.ItemFilter{All: true})
	page.Items = slices.DeleteFunc(page.Items, func(it memory.Item) bool {
		return !shapes.Day(it.CreatedAt.In(day.Location())).Equal(day)
	})
	page.Total = len(page.Items)
	return page, err
}

// lifeDays is how far back the calendar goes.
const lifeDays = 10 * 366

// readLife counts what happened on each day.
func (p *Pane) readLife() tea.Cmd {
	now, loc := p.Now, p.Loc
	return pane.Then(p.look("life"), func() (Life, error) {
		h, err := p.fx.Memory.Lookup().Health(p.fx.Ctx, p.fx.Agent, lifeDays)
		if err != nil {
			return Life{}, err
		}
		page, err := p.fx.Memory.Lookup().Items(p.fx.Ctx, p.fx.Agent, lookup.ItemFilter{All: true})
		return NewLife(h.Days, page.Items, now, loc), err
	}, func(l Life, err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
		} else {
			p.SetLife(l)
		}
		return nil
	})
}

// ReadTurn reads again what a turn did.
func (p *Pane) ReadTurn(turn string) tea.Cmd {
	return p.readChanges("turn "+turn, turn, "", func() ([]memory.Change, error) {
		return p.fx.Memory.Lookup().TurnChanges(p.fx.Ctx, p.fx.Agent, turn)
	})
}

// readChanges reads what a turn or a generation did to the memory, in its present state. A
// failure is not told: the list tells it.
func (p *Pane) readChanges(at, turn, generation string, read func() ([]memory.Change, error)) tea.Cmd {
	type known struct {
		changes []memory.Change
		can     map[string]bool
	}
	return pane.Then(p.look(at), func() (k known, err error) {
		if k.changes, err = read(); err == nil {
			k.can, err = p.fx.Memory.Lookup().Undoable(p.fx.Ctx, p.fx.Agent, k.changes)
		}
		return k, err
	}, func(k known, err error) tea.Cmd {
		if err == nil {
			p.setUndoable(k.changes, k.can)
			p.RefreshLearned(turn, generation, k.changes)
			p.host.Relearn(turn, k.changes)
		}
		return nil
	})
}

// look is [pane.Effects.Look] for this view: a read of the other does not overtake it.
func (p *Pane) look(at string) pane.Runner { return p.fx.Look(at + " " + strconv.Itoa(int(p.id))) }

// Filter lets the user filter the list, and begins with words.
func (p *Pane) Filter(words string) tea.Cmd {
	cmd := p.host.Open(p.id)
	p.Search.Set(words)
	return tea.Batch(cmd, p.do(p.filterBy(words, true)), p.do(p.OpenSearch("")))
}

// Calendar opens the calendar.
func (p *Pane) Calendar(string) tea.Cmd { return p.host.Open(p.id, days{}) }

// ListInactive lists the inactive memories with the others, to bring one back.
func (p *Pane) ListInactive(string) tea.Cmd {
	p.ended, p.dated.rows = true, nil
	p.opened.page, p.limit = noPage, pageSize
	return tea.Batch(p.host.Open(p.id), p.do(p.EndSearch()))
}

// Remove asks whether to delete the one memory that has these words, or lists those that
// have them.
func (p *Pane) Remove(words string) tea.Cmd {
	if words == "" {
		return p.Filter("")
	}
	return tea.Batch(p.host.Open(p.id), pane.Then(p.fx.Do, func() (lookup.ItemPage, error) {
		return p.fx.Memory.Lookup().Items(p.fx.Ctx, p.fx.Agent, lookup.ItemFilter{Text: words, Limit: 2})
	}, func(page lookup.ItemPage, err error) tea.Cmd { return p.remove(words, page, err) }))
}

func (p *Pane) remove(words string, page lookup.ItemPage, err error) tea.Cmd {
	switch {
	case err != nil:
		p.Failed(p.fx.Short(err))
	case page.Total == 1:
		p.AskDelete(page.Items[0])
	case page.Total == 0:
		p.host.Say(p.Words.Say("memory.no-match"))
	default:
		cmd := p.Filter(words)
		p.LeaveFilter()
		p.host.Say(p.Words.Say("memories.several"))
		return cmd
	}
	return nil
}

// Write opens the form of a new memory; text is stored as one at once.
func (p *Pane) Write(text string) tea.Cmd {
	cmd := p.host.Open(p.id)
	p.New()
	if text == "" {
		return cmd
	}
	return tea.Batch(cmd, p.do(Action{Do: Add, Draft: Draft{Content: text, Type: memory.TypeFact}}))
}

// Undo undoes the last deletion of this pane.
func (p *Pane) Undo() tea.Cmd { return p.do(p.UndoDeletion()) }

// UndoLast undoes the last change of the memory (P9).
func (p *Pane) UndoLast() tea.Cmd {
	return pane.Then(p.fx.Do, func() (learning.Undone, error) { return p.fx.Memory.Learning().UndoLast(p.fx.Ctx, p.fx.Agent) }, p.undone)
}

// UndoChange undoes a change.
func (p *Pane) UndoChange(id string) tea.Cmd { return p.do(Action{Do: Undo, ID: id}) }

// Messages from one view of the memories to the other.
type (
	// find opens the filter of the list of all memories.
	find struct{}
	// days opens the calendar of all memories.
	days struct{}
	// gone is a deletion, which both offer to undo.
	gone struct {
		list.Removed
		ids []string
	}
	// restored is the id of a deletion that was undone.
	restored string
)

// deleted shows a deletion of this view, in both.
func (p *Pane) deleted(r list.Removed, ids ...string) tea.Cmd {
	p.Deleted(r)
	return tea.Batch(p.host.Send(p.other(), gone{r, ids}), p.host.Reread())
}

// Update implements [pane.Pane]. A memory is opened; of an evidence the words are shown.
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case memory.Item:
		p.Show(Detail{Item: msg})
		return p.read(msg.ID), true
	case memory.Evidence:
		return pane.Then(p.fx.Do, func() (words.Quote, error) { return p.fx.Quote(msg) }, p.source), true
	case gone:
		p.DeletedElsewhere(msg.Removed)
		p.Forgotten(msg.ids...)
		return nil, true
	case restored:
		p.Removed.Drop(string(msg))
		p.Build()
		return nil, true
	case find:
		return p.do(p.OpenSearch("")), true
	case days:
		return p.do(p.OpenLife()), true
	case pane.Forgotten:
		p.Forgotten(msg...)
		return nil, true
	case Answered:
		p.SetAnswered(msg)
		return nil, true
	}
	return pane.Input(p, p.do, msg)
}

// undone tells the result of an undo. The lists follow the memory.
func (p *Pane) undone(u learning.Undone, err error) tea.Cmd {
	said := p.fx.Undone(u)
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		p.Undone("")
		p.host.Say(p.Words.Say("undo.nothing"))
	case err != nil:
		p.Failed(p.fx.Short(err))
	case len(u.Did) == 0:
		p.Undone(p.Words.Say("memories.not-undone", said))
		p.host.Say(p.Words.Say("memories.not-undone", said))
	default:
		p.Undone("")
		p.host.Say(said)
	}
	var ids []string
	for _, c := range u.Did {
		ids = append(ids, c.ItemID)
	}
	return p.host.MemoriesChanged(ids...)
}

// source shows the words of an evidence: in the conversation when they are there, else in
// the pane.
func (p *Pane) source(q words.Quote, err error) tea.Cmd {
	switch {
	case err != nil:
		p.Failed(p.fx.Short(err))
	case q.Gone:
		p.Failed(p.Words.Say("quote.gone", q.Fate(p.Words.Words)))
	case p.host.Point(q.Evidence):
		p.host.Say(p.Words.Say("memories.from-here"))
	default:
		p.ShowSource(q)
		return p.host.Open(p.id)
	}
	return nil
}

func (p *Pane) saved(it memory.Item, err error) tea.Cmd {
	if err != nil {
		p.Failed(p.fx.Short(err))
		return nil
	}
	p.Saved(it)
	return p.read(it.ID)
}

func (p *Pane) do(a Action) tea.Cmd {
	ctx, agent, store := p.fx.Ctx, p.fx.Agent, p.fx.Memory
	switch a.Do {
	case Open:
		return p.read(a.ID)
	case Save:
		return pane.Then(p.fx.Do, func() (memory.Item, error) {
			return store.Learning().EditItem(ctx, agent, a.ID, func(it *memory.Item) {
				it.Content, it.Type, it.Tags = a.Draft.Content, a.Draft.Type, a.Draft.Tags
			})
		}, p.saved)
	case Add:
		it := memory.Item{Content: a.Draft.Content, Type: a.Draft.Type, Tags: a.Draft.Tags}
		return pane.Then(p.fx.Do, func() (memory.Item, error) { return store.Learning().AddItem(ctx, agent, it) }, p.saved)
	case Delete:
		return pane.Then(p.fx.Do, func() (write.Deletion, error) {
			return store.DeleteItems(ctx, agent, a.ID)
		}, func(d write.Deletion, err error) tea.Cmd {
			if err != nil {
				p.Failed(p.fx.Short(err))
			} else {
				return p.deleted(list.Removed{ID: d.ID, Of: a.ID, Title: a.Text, Until: d.Until}, a.ID)
			}
			return nil
		})
	case Match:
		return pane.Then(p.fx.Do, func() (lookup.ItemPage, error) {
			return store.Lookup().Items(ctx, agent, lookup.ItemFilter{Text: a.Text, All: true})
		}, func(page lookup.ItemPage, err error) tea.Cmd {
			if err != nil {
				p.Failed(p.fx.Short(err))
				return nil
			}
			ids := make([]string, 0, len(page.Items))
			for _, it := range page.Items {
				ids = append(ids, it.ID)
			}
			p.AskDeleteAll(a.Text, ids)
			return nil
		})
	case DeleteAll:
		return pane.Then(p.fx.Do, func() (write.Deletion, error) {
			return store.DeleteItems(ctx, agent, a.IDs...)
		}, func(d write.Deletion, err error) tea.Cmd {
			if err != nil {
				p.Failed(p.fx.Short(err))
				return nil
			}
			return p.deleted(list.Removed{ID: d.ID, What: list.Count(p.Words.Words, d.Items, "memory"), Until: d.Until}, a.IDs...)
		})
	case Restore:
		return pane.Then(p.fx.Do, func() (write.Deletion, error) {
			return store.UndoDeletion(ctx, agent, a.ID)
		}, func(_ write.Deletion, err error) tea.Cmd {
			p.Restored(a.ID)
			if err != nil {
				p.Failed(p.fx.Short(err))
			} else {
				p.host.Say(p.Words.Say("undo.restored", a.Text))
			}
			return tea.Batch(p.host.Send(p.other(), restored(a.ID)), p.host.Reread())
		})
	case BringBack:
		back := func() (learning.Undone, error) { return manager.BringBack(p.fx.Ctx, p.fx.Memory, p.fx.Agent, a.ID) }
		return pane.Then(p.fx.Do, back, func(u learning.Undone, err error) tea.Cmd {
			if err == nil && u.ID == "" {
				p.Failed(p.Words.Say("memories.back.late"))
				return nil
			}
			return p.undone(u, err)
		})
	case Undo:
		return pane.Then(p.fx.Do, func() (learning.Undone, error) { return store.Learning().Undo(ctx, agent, a.ID) }, p.undone)
	case UndoTurn:
		return pane.Then(p.fx.Do, func() (learning.Undone, error) { return store.Learning().UndoTurn(ctx, agent, a.ID) }, p.undone)
	case UndoRun:
		return pane.Then(p.fx.Do, func() (learning.Undone, error) { return store.Learning().UndoGeneration(ctx, agent, a.ID) }, p.undone)
	case Source:
		return p.host.Send(p.id, a.Evidence)
	case Browse:
		return p.host.Browse(a.Evidence.SessionID, a.Evidence.RecordID)
	case Copy:
		return p.host.Copy(a.Text)
	case Find:
		return p.host.Open(pane.All, find{})
	case Days:
		return p.host.Open(pane.All, days{})
	case Filter:
		p.limit = pageSize
		return p.List()
	case More:
		p.limit = p.Loaded() + pageSize
		return p.List()
	case File:
		return p.host.Open(pane.Journal, pane.File(a.Text))
	case ReadLife:
		return p.readLife()
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

// read reads everything about one memory.
func (p *Pane) read(id string) tea.Cmd {
	return pane.Then(p.look("memory"), func() (d Detail, err error) {
		if d.Item, err = p.fx.Memory.Lookup().Item(p.fx.Ctx, p.fx.Agent, id); err != nil {
			return d, err
		}
		for _, ev := range d.Item.Evidence {
			q, err := p.fx.Quote(ev)
			if err != nil {
				return d, err
			}
			d.Quotes = append(d.Quotes, q)
		}
		if d.Replaced, d.By, err = p.kin(d.Item); err != nil {
			return d, err
		}
		if d.History, err = p.fx.Memory.Lookup().History(p.fx.Ctx, p.fx.Agent, id); err != nil {
			return d, err
		}
		d.Undoable, err = p.fx.Memory.Lookup().Undoable(p.fx.Ctx, p.fx.Agent, d.History)
		return d, err
	}, func(d Detail, err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
		} else if p.Opened() == id {
			p.setUndoable(d.History, d.Undoable)
			p.Show(d)
		}
		return nil
	})
}

// mostReplaced bounds how far back a story goes.
const mostReplaced = 5

// kin reads the memories that an item replaced, the last one first, and the one that replaced
// it. Deleted ones are left out.
func (p *Pane) kin(it memory.Item) (replaced []memory.Item, by *memory.Item, err error) {
	get := func(id string) (*memory.Item, error) {
		if id == "" {
			return nil, nil
		}
		found, err := p.fx.Memory.Lookup().Item(p.fx.Ctx, p.fx.Agent, id)
		if errors.Is(err, lookup.ErrNotFound) {
			return nil, nil
		}
		return &found, err
	}
	for id := it.Supersedes; len(replaced) < mostReplaced; id = replaced[len(replaced)-1].Supersedes {
		old, err := get(id)
		if err != nil {
			return nil, nil, err
		}
		if old == nil {
			break
		}
		replaced = append(replaced, *old)
	}
	by, err = get(it.SupersededBy)
	return replaced, by, err
}
