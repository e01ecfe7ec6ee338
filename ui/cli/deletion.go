package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
	"memoria/ui/actions"
	"memoria/ui/words"
)

// sessionDeleted is what session delete --json prints.
type sessionDeleted struct {
	Session  string `json:"session"`
	Messages int    `json:"messages"`
	Memories int    `json:"memories"`
	// Undone is true when the user changed their mind: nothing is gone.
	Undone bool `json:"taken_back"`
}

func sessionDelete(ctx context.Context, in *input) (actions.Result, error) {
	s, err := actions.FindSession(ctx, in.Console, in.args[0])
	switch {
	case store.Unreadable(err):
		records, err := in.Memory.Lookup().Records(ctx, in.Agent.ID, s.ID)
		if err != nil {
			return actions.Result{}, err
		}
		s.Messages = len(records)
		in.remark("session.unreadable", words.ShortID(s.ID))
	case err != nil:
		return actions.Result{}, err
	default:
		in.say("%s", in.lang().SessionRow(s, in.Console.Now(), false, "").Columns)
	}
	d, back, err := in.deleteMessages(ctx, in.Agent.ID, s.Messages, func(memories bool) (write.Deletion, error) {
		return in.Memory.DeleteSession(ctx, in.Agent.ID, s.ID, memories)
	})
	return in.gone(sessionDeleted{Session: s.ID, Messages: d.Messages, Memories: d.Items, Undone: back}, back, in.extent(d)), err
}

// messagesDeleted is what archive delete --json prints.
type messagesDeleted struct {
	IDs      []string `json:"ids"`
	Messages int      `json:"messages"`
	Memories int      `json:"memories"`
	Undone   bool     `json:"taken_back"`
}

func archiveDelete(ctx context.Context, in *input) (actions.Result, error) {
	var ids []string
	for _, name := range in.args { // all of them or none
		r, err := in.Memory.Lookup().FindRecord(ctx, in.Agent.ID, name)
		if err != nil {
			return actions.Result{}, err
		}
		if slices.Contains(ids, r.ID) {
			continue
		}
		ids = append(ids, r.ID)
		s, err := in.Memory.Lookup().Session(ctx, in.Agent.ID, r.SessionID)
		if err != nil {
			return actions.Result{}, err
		}
		in.say("%s", in.lang().MessageRow(recall.ArchiveHit{Record: r, Title: s.Title}, in.Answerer(r), "", in.Console.Now()).Columns)
	}
	d, back, err := in.deleteMessages(ctx, in.Agent.ID, len(ids), func(memories bool) (write.Deletion, error) {
		return in.Memory.DeleteRecords(ctx, in.Agent.ID, memories, ids...)
	})
	return in.gone(messagesDeleted{IDs: ids, Messages: d.Messages, Memories: d.Items, Undone: back}, back, in.extent(d)), err
}

// groupDeleted is what group delete --json prints.
type groupDeleted struct {
	Group    string `json:"group"`
	Messages int    `json:"messages"`
	Memories int    `json:"memories"`
	Undone   bool   `json:"taken_back"`
}

func groupDelete(ctx context.Context, in *input) (actions.Result, error) {
	g, messages, _, err := actions.Group(ctx, in.Console, in.args[0])
	if err != nil {
		return actions.Result{}, err
	}
	in.say("%s  %s", g.ID, oneLine(g.Name))
	d, back, err := in.deleteMessages(ctx, g.ID, messages, func(memories bool) (write.Deletion, error) {
		return in.Memory.DeleteGroup(ctx, g.ID, memories)
	})
	return in.gone(groupDeleted{Group: g.ID, Messages: d.Messages, Memories: d.Items, Undone: back}, back, in.extent(d)), err
}

// agentDeleted is what agent delete --json prints.
type agentDeleted struct {
	Agent    string `json:"agent"`
	Memories int    `json:"memories"`
	Sessions int    `json:"sessions"`
	Messages int    `json:"messages"`
	Undone   bool   `json:"taken_back"`
}

func agentDelete(ctx context.Context, in *input) (actions.Result, error) {
	a, err := actions.FindAgent(ctx, in.Console, in.args[0])
	if err == nil && a.Group {
		err = fmt.Errorf("deleting the agent %s: %w", a.ID, write.ErrGroup)
	}
	if err != nil {
		return actions.Result{}, err
	}
	if a.Empty() && a.CreatedAt.IsZero() {
		return in.result(agentDeleted{Agent: a.ID}, "agent.empty", a.ID), nil
	}
	what := in.Say("agent.with", a.ID, in.lang().AgentHas(a))
	if err := in.confirm(ctx, "really.agent", what); err != nil {
		return actions.Result{}, err
	}
	d, err := in.Memory.DeleteAgent(ctx, a.ID)
	if err != nil {
		return actions.Result{}, err
	}
	back, err := in.settleDeletion(ctx, what, func() error {
		_, err := in.Memory.UndoAgentDeletion(ctx, a.ID, d.ID)
		return err
	})
	data := agentDeleted{Agent: a.ID, Memories: d.Items, Sessions: d.Sessions, Messages: d.Messages, Undone: back}
	return in.gone(data, back, what), err
}

// deleteMessages asks what to delete, deletes it, and makes the deletion final, unless the user undoes it.
func (in *input) deleteMessages(ctx context.Context, agent string, messages int,
	remove func(memories bool) (write.Deletion, error)) (d write.Deletion, back bool, err error) {
	memories, err := in.askWhat(ctx, in.lang().Count(messages, "message"))
	if err == nil {
		d, err = remove(memories)
	}
	if err != nil {
		return d, false, err
	}
	back, err = in.settleDeletion(ctx, in.extent(d), func() error {
		_, err := in.Memory.UndoDeletion(ctx, agent, d.ID)
		return err
	})
	return d, back, err
}

// askWhat asks whether messages are deleted with the memories made from them, unless the flags say it.
func (in *input) askWhat(ctx context.Context, messages string) (memories bool, err error) {
	switch {
	case in.on("with-memories"):
		return true, in.confirm(ctx, "really.messages.memories", messages)
	case in.on("yes") || !isTerminal(in.Stdin):
		return false, in.confirm(ctx, "really.messages", messages)
	}
	_, _ = io.WriteString(in.Stderr, in.Say("really.which", messages)+" ")
	line, err := in.readLine(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "m", "messages", "消息":
		return false, nil
	case "a", "all", "全部":
		return true, nil
	}
	in.remark("nothing.deleted")
	return false, errTold
}

// extent is what a deletion took, in words.
func (in *input) extent(d write.Deletion) string {
	return in.lang().Say("gone.extent", in.lang().Count(d.Messages, "message"), in.lang().Count(d.Items, "memory"))
}

// gone is what a deletion came to.
func (in *input) gone(data any, back bool, what string) actions.Result {
	if back {
		return in.result(data, "gone.back")
	}
	return in.result(data, "gone", what)
}

// settleDeletion makes a deletion final, unless the user undoes it before its time is over.
// The end of the input, or an interrupt, makes it final at once.
func (in *input) settleDeletion(ctx context.Context, what string, undo func() error) (back bool, err error) {
	if !in.on("yes") {
		in.remark("gone.offer", what, int(write.DeletionUndoTime/time.Second))
		waiting, stop := context.WithTimeout(ctx, write.DeletionUndoTime)
		defer stop()
		if _, err := in.readLine(waiting); err == nil {
			if err := undo(); !errors.Is(err, manager.ErrGone) {
				return err == nil, err
			}
		}
	}
	return false, in.finishDeletion(ctx)
}

// forgetTime bounds the wait until what is deleted is removed from every file. The rest is
// done when memoria runs next.
const forgetTime = 2 * time.Minute

// finishDeletion carries a deletion out at once, in all files (D2): it cannot be undone when
// the process has ended. It says what may keep the words.
func (in *input) finishDeletion(ctx context.Context) error {
	// An interrupt while the user could undo it does not undo it.
	if err := in.Memory.Trash().Purge(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	limited, stop := context.WithTimeoutCause(ctx, forgetTime, fmt.Errorf("it takes longer than %s", forgetTime))
	defer stop()
	if err := in.eraseFiles(limited); limited.Err() != nil {
		in.remark("forget.unfinished")
	} else if err != nil {
		return in.tellHolders()
	}
	return nil
}

// tellHolders says which files may still hold what was deleted.
func (in *input) tellHolders() error {
	for _, f := range in.Memory.Vault().Erasing().Failed {
		switch f.Part {
		case vault.PartReplaced:
			old, err := vault.ReplacedIn(in.Memory.Vault().Dir())
			if err != nil {
				return err
			}
			in.remark("backup.replaced", in.lang().Count(len(old), "old damaged copy"))
		case vault.PartBackups:
			in.remark("backup.holds", oneLine(f.Text))
		default:
			in.remark("forget.holds", in.lang().EraseFailure(f))
		}
	}
	return nil
}
