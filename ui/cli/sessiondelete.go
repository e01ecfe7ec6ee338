package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"memoria/ui/app"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory/manager"
	"memoria/memory/store"
)

// sessionDeleted is what session delete --json prints.
type sessionDeleted struct {
	Session  string `json:"session"`
	Messages int    `json:"messages"`
	Memories int    `json:"memories"`
	// TakenBack is true when the user changed their mind: nothing is gone.
	TakenBack bool `json:"taken_back"`
}

// untilReused ends the help of what deletes.
const untilReused = `The bytes stay in free pages of the memory's file until these are used again.`

// deleting says how a session is to be deleted.
type deleting struct {
	withMemories, yes, json bool
}

func sessionDelete(p *Program) *cobra.Command {
	var f deleting
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a session, with or without the memories made from it",
		Long: `Delete a session: its messages and what its turns sent. The memories that were
made from it stay, unless --with-memories is given; then those go that come from
nowhere else. On a terminal it asks which, and can be taken back for ten seconds;
with --yes it is at once in no view and in no backup any more.
` + untilReused,
		Example: `  memoria session delete 7K3M9Q2A
  memoria session delete 7K3M9Q2A --with-memories --yes`,
		Args: need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error { return deleteSession(c.Context(), p, o, args[0], f) })
		},
	}
	c.Flags().BoolVar(&f.withMemories, "with-memories", false, "also delete the memories that were made from it alone")
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func deleteSession(ctx context.Context, p *Program, o *app.App, id string, f deleting) error {
	s, err := findSession(ctx, p, o, id)
	switch {
	case store.Unreadable(err):
		records, err := o.Memory.Records(ctx, o.Agent.ID, s.ID)
		if err != nil {
			return err
		}
		s.Messages = len(records)
		p.say("%s  (its title and its times cannot be read)", short(s.ID))
	case err != nil:
		return err
	default:
		p.say("%s", sessionLine(s))
	}
	if err := askWhat(ctx, p, s.Messages, &f); err != nil {
		return err
	}
	d, err := o.Memory.DeleteSession(ctx, o.Agent.ID, s.ID, f.withMemories)
	if err != nil {
		return err
	}
	back, err := settleDeletion(ctx, p, o, d, f.yes)
	if err != nil {
		return err
	}
	if f.json {
		return p.printJSON(sessionDeleted{Session: s.ID, Messages: d.Messages, Memories: d.Items, TakenBack: back})
	}
	sayDeleted(p, d, back)
	return nil
}

// settleDeletion makes a deletion final, unless the user takes it back.
func settleDeletion(ctx context.Context, p *Program, o *app.App, d manager.Deletion, yes bool) (back bool, err error) {
	if !yes {
		if back, err = offerTakeBack(ctx, p, o, d); back || err != nil {
			return back, err
		}
	}
	return false, finishDeletion(ctx, p, o)
}

func sayDeleted(p *Program, d manager.Deletion, back bool) {
	if back {
		p.say("it is back; nothing was deleted")
		return
	}
	p.say("deleted %s", extent(d))
}

// extent is what a deletion took, in words.
func extent(d manager.Deletion) string {
	return many(d.Messages, "message", "messages") + " and " + many(d.Items, "memory", "memories")
}

// askWhat asks what is to be deleted, unless the flags say it.
func askWhat(ctx context.Context, p *Program, messages int, f *deleting) error {
	what := "delete " + many(messages, "message", "messages")
	switch {
	case f.withMemories:
		return p.confirm(ctx, f.yes, what+" and the memories made from them alone")
	case f.yes || !isTerminal(p.Stdin):
		return p.confirm(ctx, f.yes, what+" (--with-memories: also the memories made from them)")
	}
	_, _ = fmt.Fprintf(p.Stderr, "Delete %s only (m), or also the memories made from them (a)? [m/a/N] ",
		many(messages, "message", "messages"))
	line, err := p.readLine(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "m", "messages", "消息":
		return nil
	case "a", "all", "全部":
		f.withMemories = true
		return nil
	}
	p.say("nothing was deleted")
	return errTold
}

// offerTakeBack lets the user take a deletion back until its time is over. The
// end of the input, or an interrupt, means that nobody will.
func offerTakeBack(ctx context.Context, p *Program, o *app.App, d manager.Deletion) (back bool, err error) {
	return offerBack(ctx, p, extent(d), func() error {
		_, err := o.Memory.UndoDeletion(ctx, o.Agent.ID, d.ID)
		return err
	})
}

func offerBack(ctx context.Context, p *Program, what string, takeBack func() error) (back bool, err error) {
	p.say("deleted %s; Enter takes it back, %d seconds from now it is gone", what, int(manager.DeletionUndoTime/time.Second))
	waiting, stop := context.WithTimeout(ctx, manager.DeletionUndoTime)
	defer stop()
	if _, err := p.readLine(waiting); err != nil {
		return false, nil
	}
	if err = takeBack(); errors.Is(err, manager.ErrGone) {
		return false, nil
	}
	return err == nil, err
}
