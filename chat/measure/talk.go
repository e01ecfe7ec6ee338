package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/prompts"
)

const (
	agent = "luna"
	// pause is the time between two messages that have no times of their own.
	pause = 40 * time.Second
	// patience bounds the wait for an answer: none comes from a network.
	patience = time.Minute
)

// firstDay is when every conversation begins. It is a Monday.
var firstDay = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)

// clock is set by the talk and read by the workers of chat and the manager.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(0, c.at.Load()).UTC() }

// set moves the clock forward, at least by a second.
func (c *clock) set(at time.Time) {
	if next := c.now().Add(time.Second); at.Before(next) {
		at = next
	}
	c.at.Store(at.UnixNano())
}

// talk is a conversation of one user with one agent.
type talk struct {
	dir     string
	clock   *clock
	analyst *analyst // nil: rules alone
	prompts *prompts.Set
	manager *manager.Manager
	chat    *chat.Chat
}

// begin opens a conversation in a new folder below temp. With an analyst, a scripted
// model answers and reads each turn; otherwise the program works offline.
func begin(ctx context.Context, temp string, by *analyst) (*talk, error) {
	dir, err := os.MkdirTemp(temp, "talk")
	if err != nil {
		return nil, err
	}
	t := &talk{dir: dir, clock: &clock{}, analyst: by}
	t.clock.set(firstDay.Add(9 * time.Hour))
	if t.prompts, err = chat.LoadPrompts(""); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := t.open(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return t, nil
}

// open starts the program in the folder.
func (t *talk) open(ctx context.Context) (err error) {
	client := model.Client(whole{model.NewOffline(t.clock.now)})
	cfg := write.DefaultConfig()
	if cfg.Analysis = write.AnalysisRules; t.analyst != nil {
		client, cfg.Analysis = t.analyst, write.AnalysisAuto
	}
	t.manager, err = manager.Open(ctx, manager.Options{Dir: t.dir, Config: cfg, Now: t.clock.now, NoSync: true})
	if err != nil {
		return err
	}
	conversation := chat.DefaultConfig()
	conversation.SmartJudge = chat.JudgeRules
	t.chat, err = chat.New(chat.Options{
		Agent: chat.Agent{ID: agent, Name: "Luna"}, Manager: t.manager, Model: client, Prompts: t.prompts,
		Config: conversation, Context: compose.DefaultConfig(), Now: t.clock.now,
		Brief: true, // the talk itself lets the analyst read each turn, in order
	})
	if err == nil {
		err = t.chat.Start(ctx)
	}
	if err != nil {
		return errors.Join(err, t.manager.Close())
	}
	return nil
}

func (t *talk) close() error { return cmp.Or(t.chat.Close(), t.manager.Close()) }

// restart ends the program and starts it again, with what it does after a start (P8).
func (t *talk) restart(ctx context.Context) error {
	if err := t.close(); err != nil {
		return err
	}
	if err := t.open(ctx); err != nil {
		return err
	}
	_, err := t.manager.Learning().Forget(ctx, agent)
	return err
}

// end closes the conversation and removes its folder.
func (t *talk) end() error { return errors.Join(t.close(), os.RemoveAll(t.dir)) }

// say sends a message and returns the answer once everything is learned from the turn.
func (t *talk) say(ctx context.Context, words string) (memory.Record, error) {
	t.clock.set(t.clock.now().Add(pause))
	if _, err := t.chat.Send(ctx, words, nil); err != nil {
		return memory.Record{}, err
	}
	end, err := t.finished()
	if err != nil {
		return memory.Record{}, err
	}
	if end.Problem != nil {
		return memory.Record{}, fmt.Errorf("no answer: %s: %s", end.Problem.Title, end.Problem.Text)
	}
	t.clock.set(t.clock.now())
	return end.Record, t.learn(ctx)
}

// finished waits for the end of the turn.
func (t *talk) finished() (chat.Finished, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case e, open := <-t.chat.Events():
			if end, is := e.(chat.Finished); is {
				return end, nil
			}
			if !open {
				return chat.Finished{}, errors.New("the conversation ended")
			}
		case <-late.C:
			return chat.Finished{}, errors.New("no turn ended")
		}
	}
}

// learn waits until everything is learned. The conversation's own worker may do part of
// it at the same time; each job is done once.
func (t *talk) learn(ctx context.Context) error {
	if err := t.manager.Learning().Learn(ctx, agent, nil); err != nil {
		return err
	}
	if t.analyst != nil {
		by := learning.Analyst{Model: t.analyst, Prompts: t.prompts}
		if err := t.manager.Learning().Analyse(ctx, agent, by, t.analyst.told); err != nil {
			return err
		}
	}
	return t.manager.Recall().Settle(ctx, agent)
}

// left is what a conversation left in the memory, the oldest first.
type left struct{ active, held []memory.Item }

// left reads the memory.
func (t *talk) left(ctx context.Context) (out left, err error) {
	page, err := t.manager.Lookup().Items(ctx, agent, lookup.ItemFilter{})
	for _, it := range slices.Backward(page.Items) {
		switch {
		case it.State == memory.StateHeld:
			out.held = append(out.held, it)
		case it.Recallable(t.clock.now()):
			out.active = append(out.active, it)
		}
	}
	return out, err
}

// all are the items of both states.
func (l left) all() []memory.Item { return slices.Concat(l.active, l.held) }

func contents(items []memory.Item) (out []string) {
	for _, it := range items {
		out = append(out, it.Content)
	}
	return out
}
