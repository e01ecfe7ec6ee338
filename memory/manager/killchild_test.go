package manager_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/prompts"
)

func init() { children["__kill"] = killChild }

var killAgents = []string{"luna", "sol"}

func openReal(dir string) (*manager.Manager, error) {
	return manager.Open(context.Background(), manager.Options{
		Dir: dir, Config: write.DefaultConfig(), Now: time.Now, LockTimeout: 10 * time.Second,
	})
}

// killChild lives through turns for ever, for several agents at once. What it is
// about to do that takes something away is printed before; everything is printed
// after the call that made it durable has returned.
func killChild(dir string) error {
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	errs := make(chan error)
	var out sync.Mutex
	for i, agent := range killAgents {
		w := &worker{
			m: m, agent: agent, rnd: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), uint64(i))),
			print: func(words ...string) {
				out.Lock()
				defer out.Unlock()
				fmt.Println(strings.Join(words, "\t"))
			},
		}
		go func() {
			for {
				if err := w.turn(context.Background()); err != nil {
					errs <- err
				}
			}
		}()
	}
	return <-errs
}

// worker is one agent's life in the child.
type worker struct {
	m     *manager.Manager
	agent string
	rnd   *rand.Rand
	print func(words ...string)

	session string
	said    []string // messages and turns of the session, in this life
	items   []string // learned in this life
}

func (w *worker) did(what string, words ...string) {
	w.print(append([]string{what, w.agent}, words...)...)
}

func (w *worker) says() string {
	n := w.rnd.IntN(1_000_000)
	switch w.rnd.IntN(14) {
	case 12, 13: // no rule understands this
		return fmt.Sprintf("Our shelf %d is on the fifth floor.", n)
	case 0, 1, 2:
		return fmt.Sprintf("Remember that parcel %d is on shelf %d", n, n%9)
	case 3, 4, 5:
		return fmt.Sprintf("I like blend %d of tea", n)
	case 6:
		return fmt.Sprintf("My name is Bo%d", n)
	case 7:
		return fmt.Sprintf("I like blend %d of tea\n%s", n, strings.Repeat("long ", memory.MaxContent/5))
	}
	return fmt.Sprintf("记住第%d号包裹在书架上", n)
}

func (w *worker) turn(ctx context.Context) error {
	in, err := w.m.KeepIncoming(ctx, w.agent, w.says(), nil, "")
	if err != nil {
		return err
	}
	w.did("incoming", in.ID, fingerprint(in.Content))
	if w.rnd.IntN(15) == 0 {
		w.did("drop?", in.ID)
		if _, err := w.m.DropIncoming(ctx, w.agent, in.ID); err != nil {
			return err
		}
		w.did("dropped", in.ID)
		return nil
	}
	if err := w.answer(ctx, in.ID); err != nil {
		return err
	}
	if w.rnd.IntN(3) > 0 {
		if err := w.learn(ctx); err != nil {
			return err
		}
	}
	return w.tidy(ctx)
}

func (w *worker) answer(ctx context.Context, incoming string) error {
	archive := ""
	if w.rnd.IntN(5) == 0 {
		if w.session != "" && w.rnd.IntN(2) == 0 {
			return w.erase(ctx, incoming)
		}
		w.session, archive, w.said = "", w.session, nil
	}
	turn, err := w.m.BeginTurn(ctx, w.agent, incoming, manager.Place{SessionID: w.session, Archive: archive})
	if err != nil {
		return err
	}
	w.session = turn.Session.ID
	id := turn.Record.TurnID
	w.did("begun", turn.Record.ID, w.session, id)
	w.said = append(w.said, turn.Record.ID, id)
	if w.rnd.IntN(4) > 0 { // else the kill came between, or the job is left to a later Learn
		l, err := w.m.Learning().LearnTurn(ctx, w.agent, id)
		if err != nil {
			return err
		}
		w.learned(l)
	}
	sent, err := w.m.SavePackage(ctx, w.pack(ctx, turn), map[string]string{lookup.TextID("Be kind."): "Be kind."})
	if err != nil {
		return err
	}
	w.did("package", id, sent.Package.Hash)
	reply := memory.Record{
		AgentID: w.agent, SessionID: w.session, TurnID: id, Role: memory.RoleAssistant, Model: "test",
	}
	for range w.rnd.IntN(3) {
		reply.Content += "I see. "
		reply.Status = memory.StatusInterrupted
		if err := w.m.SavePartial(ctx, reply); err != nil {
			return err
		}
		w.did("partial", id, reply.Content)
	}
	if w.rnd.IntN(10) == 0 {
		reply.Content = strings.Repeat("on ", memory.MaxContent/2)
	}
	reply.Status = memory.StatusComplete
	stored, err := w.m.FinishTurn(ctx, reply, true)
	if err != nil {
		return err
	}
	w.did("finished", stored.ID, fingerprint(stored.Content))
	w.said = append(w.said, stored.ID)
	return nil
}

// erase deletes the session with all its messages, takes that back now and then,
// and answers the message in a new one.
func (w *worker) erase(ctx context.Context, incoming string) error {
	w.did("erase?", w.said...)
	d, err := w.m.DeleteSession(ctx, w.agent, w.session, false)
	if err != nil {
		return err
	}
	w.did("erased", w.said...)
	if w.rnd.IntN(3) == 0 {
		w.did("erase?", w.said...) // until it is back, it may be there or not
		if _, err := w.m.UndoDeletion(ctx, w.agent, d.ID); err != nil && !errors.Is(err, manager.ErrGone) {
			return err
		}
	}
	w.session, w.said = "", nil
	return w.answer(ctx, incoming)
}

// pack refers to the message, to a text and to an item.
func (w *worker) pack(ctx context.Context, turn manager.Turn) memory.Package {
	p := memory.Package{AgentID: w.agent, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Blocks: []memory.Block{
		{Layer: memory.LayerPersona, Role: memory.RoleSystem, Parts: []memory.Ref{{Kind: memory.KindText, ID: lookup.TextID("Be kind.")}}},
		{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
	}}
	if len(w.items) == 0 {
		return p
	}
	it, err := w.m.Lookup().Item(ctx, w.agent, w.items[len(w.items)-1])
	if err != nil {
		return p
	}
	p.Used = []memory.Used{{ItemID: it.ID, Version: it.Version, Chosen: true}}
	p.Blocks = append(p.Blocks, memory.Block{Layer: memory.LayerRecall, Role: memory.RoleSystem, Parts: []memory.Ref{
		{Kind: memory.KindItem, ID: it.ID, Version: it.Version},
	}})
	return p
}

func (w *worker) learned(l learning.Learned) {
	for _, c := range l.Changes {
		if c.Item == nil {
			continue
		}
		w.did("learned", c.ItemID, fmt.Sprint(c.Version), l.TurnID)
		if c.Item.Key != "name" { // a name comes back beside a newer one
			w.items = append(w.items, c.ItemID)
		}
	}
}

func (w *worker) learn(ctx context.Context) error {
	if err := w.m.Learning().Learn(ctx, w.agent, w.learned); err != nil {
		return err
	}
	if w.rnd.IntN(3) == 0 {
		return nil // its part of the job waits
	}
	return shelves(ctx, w.m, w.agent, w.learned)
}

// shelves lets a model analyse the pending turns. It understands what no rule does.
func shelves(ctx context.Context, m *manager.Manager, agent string, done func(learning.Learned)) error {
	set, err := prompts.New("")
	if err != nil {
		return err
	}
	model := &completer{answer: func(_ context.Context, req learn.Request) (learn.Answer, error) {
		_, said, ok := strings.Cut(req.Prompt, `The message: "Our `)
		said, _, _ = strings.Cut(said, `."`)
		if !ok {
			return learn.Answer{Arguments: `{"items": []}`}, nil
		}
		return learn.Answer{Arguments: fmt.Sprintf(
			`{"items": [{"type": "fact", "about": "shelf", "content": %q, "quote": %[1]q, "confidence": 0.8, "importance": 0.5}]}`, said)}, nil
	}}
	return m.Learning().Analyse(ctx, agent, learning.Analyst{Model: model, Prompts: set}, done)
}

// tidy edits, deletes, takes back.
func (w *worker) tidy(ctx context.Context) error {
	if w.rnd.IntN(8) == 0 { // from now on the archive's index follows too
		if _, err := w.m.Recall().SearchArchive(ctx, w.agent, recall.ArchiveQuery{Text: "parcel"}); err != nil {
			return err
		}
	}
	switch n := w.rnd.IntN(10); {
	case n == 0:
		it, err := w.m.Learning().AddItem(ctx, w.agent, memory.Item{Content: fmt.Sprintf("Note %d", w.rnd.IntN(1_000_000))})
		if err != nil {
			return err
		}
		w.did("learned", it.ID, fmt.Sprint(it.Version), "")
		w.items = append(w.items, it.ID)
	case n == 1 && len(w.items) > 0:
		it, err := w.m.Learning().EditItem(ctx, w.agent, w.items[w.rnd.IntN(len(w.items))], func(it *memory.Item) {
			it.Content += "!"
			it.State = []memory.State{memory.StateActive, memory.StateMuted, memory.StateHeld}[w.rnd.IntN(3)]
		})
		if err != nil {
			return err
		}
		w.did("learned", it.ID, fmt.Sprint(it.Version), "")
	case n == 5 && w.rnd.IntN(3) == 0:
		return w.keepUp(ctx)
	case n < 5 && len(w.items) > 3:
		k := 1 + w.rnd.IntN(3)
		ids := w.items[:k]
		w.items = w.items[k:]
		w.did("delete?", ids...)
		d, err := w.m.DeleteItems(ctx, w.agent, ids...)
		if err != nil {
			return err
		}
		w.did("deleted", ids...)
		if w.rnd.IntN(3) == 0 {
			return w.takeBack(ctx, d.ID, ids)
		}
	}
	return nil
}

// keepUp maintains the files: a backup, a compacted index, final deletions.
func (w *worker) keepUp(ctx context.Context) (err error) {
	switch w.rnd.IntN(3) {
	case 0:
		_, err = w.m.Vault().Backup(ctx, nil)
	case 1:
		_, _, err = w.m.CompactIndex(ctx, w.agent)
	default:
		err = w.m.Trash().Purge(ctx)
	}
	if err == nil {
		w.did("kept up")
	}
	return err
}

func (w *worker) takeBack(ctx context.Context, deletion string, ids []string) error {
	w.did("delete?", ids...) // until it is back, it may be there or not
	if _, err := w.m.UndoDeletion(ctx, w.agent, deletion); err != nil {
		if errors.Is(err, manager.ErrGone) {
			return nil // a slow machine
		}
		return err
	}
	w.did("back", ids...)
	w.items = append(w.items, ids...)
	return nil
}
