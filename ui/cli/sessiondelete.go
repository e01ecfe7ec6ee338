package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
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
	withMemories, yes bool
}

// flags adds the flags of a deletion. of is what the memories come from.
func (f *deleting) flags(c *cobra.Command, of string) {
	c.Flags().BoolVar(&f.withMemories, "with-memories", false, "also delete the memories that were made from "+of+" alone")
	yesFlag(c, &f.yes)
}

func sessionDelete(p *Program) *cobra.Command {
	var f deleting
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a session, with or without the memories made from it",
		Long: `Delete a session: its messages and what its turns sent. The memories that were
made from it stay, unless --with-memories is given; then those go that come from
nowhere else. On a terminal it asks which, and can be undone for ten seconds;
with --yes it is at once in no view and in no backup any more.
` + untilReused,
		Example: `  memoria session delete 7K3M9Q2A
  memoria session delete 7K3M9Q2A --with-memories --yes`,
		Args: need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
	}
	f.flags(c, "it")
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		s, err := findSession(ctx, p, o, args[0])
		switch {
		case store.Unreadable(err):
			records, err := c.Memory.Lookup().Records(ctx, c.Agent.ID, s.ID)
			if err != nil {
				return actions.Result{}, err
			}
			s.Messages = len(records)
			p.say("%s  (its title and its times cannot be read)", short(s.ID))
		case err != nil:
			return actions.Result{}, err
		default:
			p.say("%s", words.SessionRow(s, p.Now(), false, "").Columns)
		}
		d, back, err := deleteAsked(ctx, p, o, s.Messages, &f, func() (write.Deletion, error) {
			return c.Memory.DeleteSession(ctx, c.Agent.ID, s.ID, f.withMemories)
		})
		return gone(d, back, sessionDeleted{Session: s.ID, Messages: d.Messages, Memories: d.Items, TakenBack: back}), err
	})
}

// deleteAsked asks what to delete, deletes it, and makes the deletion final, unless the user undoes it.
func deleteAsked(ctx context.Context, p *Program, o *app.App, messages int, f *deleting,
	remove func() (write.Deletion, error)) (d write.Deletion, back bool, err error) {
	if err := askWhat(ctx, p, messages, f); err != nil {
		return d, false, err
	}
	if d, err = remove(); err != nil {
		return d, false, err
	}
	back, err = settleDeletion(ctx, p, o, d, f.yes)
	return d, back, err
}

// gone is what a deletion came to.
func gone(d write.Deletion, back bool, data any) actions.Result {
	if back {
		return actions.Result{Data: data, Notes: []string{"it is back; nothing was deleted"}}
	}
	return actions.Result{Data: data, Notes: []string{"deleted " + extent(d)}}
}

// settleDeletion makes a deletion final, unless the user takes it back.
func settleDeletion(ctx context.Context, p *Program, o *app.App, d write.Deletion, yes bool) (back bool, err error) {
	if !yes {
		if back, err = offerTakeBack(ctx, p, o, d); back || err != nil {
			return back, err
		}
	}
	return false, finishDeletion(ctx, p, o)
}

// extent is what a deletion took, in words.
func extent(d write.Deletion) string {
	return words.Count(d.Messages, "message") + " and " + words.Count(d.Items, "memory")
}

// askWhat asks what is to be deleted, unless the flags say it.
func askWhat(ctx context.Context, p *Program, messages int, f *deleting) error {
	what := "delete " + words.Count(messages, "message")
	switch {
	case f.withMemories:
		return p.confirm(ctx, f.yes, what+" and the memories made from them alone")
	case f.yes || !isTerminal(p.Stdin):
		return p.confirm(ctx, f.yes, what+" (--with-memories: also the memories made from them)")
	}
	_, _ = fmt.Fprintf(p.Stderr, "Delete %s only (m), or also the memories made from them (a)? [m/a/N] ",
		words.Count(messages, "message"))
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
func offerTakeBack(ctx context.Context, p *Program, o *app.App, d write.Deletion) (back bool, err error) {
	return offerBack(ctx, p, extent(d), func() error {
		_, err := o.Memory.UndoDeletion(ctx, o.Agent.ID, d.ID)
		return err
	})
}

func offerBack(ctx context.Context, p *Program, what string, takeBack func() error) (back bool, err error) {
	p.say("deleted %s; Enter undoes that, %d seconds from now it is gone", what, int(write.DeletionUndoTime/time.Second))
	waiting, stop := context.WithTimeout(ctx, write.DeletionUndoTime)
	defer stop()
	if _, err := p.readLine(waiting); err != nil {
		return false, nil
	}
	if err = takeBack(); errors.Is(err, manager.ErrGone) {
		return false, nil
	}
	return err == nil, err
}
