package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"memoria/chat/model"
	"memoria/memory/journal"
	"memoria/ui/actions"
	"memoria/ui/words"
)

func journalRun(ctx context.Context, in *input) (actions.Result, error) {
	by, offline, err := in.summariser()
	if err != nil {
		return actions.Result{}, err
	}
	if offline != "" && in.on("redo") {
		return actions.Result{}, errors.New(in.Say("journal.no-model", words.Sentence(offline)))
	}
	return actions.WriteJournal(ctx, in.Console, by, journal.Wanted{Now: true, Retry: true, Redo: in.on("redo")})
}

// summariser makes the summaries; offline says why it is not a model.
func (in *input) summariser() (by journal.Summariser, offline string, err error) {
	if in.on("rules") {
		return in.Memory.Journals().JournalRules(), "", nil
	}
	client, offline, err := in.app.Client()
	if err != nil || offline != "" {
		return in.Memory.Journals().JournalRules(), offline, err
	}
	return journal.Model{
		Ask: model.NewCompleter(client), Name: client.Info().Model, Prompts: in.app.Prompts, Policy: in.Memory.Policy(),
	}, "", nil
}

func journalShow(ctx context.Context, in *input) (actions.Result, error) {
	r, err := actions.JournalText(ctx, in.Console, in.args[0])
	if err == nil && len(r.Lines) == 0 {
		err = errors.New(in.Say("journal.no-file", in.args[0]))
	}
	return r, err
}

func journalPath(_ context.Context, in *input) (actions.Result, error) {
	j, err := in.Journal()
	if err == nil {
		err = j.Begin()
	}
	if err != nil {
		return actions.Result{}, err
	}
	_, err = fmt.Fprintln(in.out, filepath.Clean(j.Dir)) // as it is, for a shell
	return actions.Result{}, err
}
