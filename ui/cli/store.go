package cli

import (
	"context"
	"errors"
	"runtime"
	"time"

	"memoria/chat/model"
	"memoria/memory/manager/learning"
	"memoria/memory/transfer/foreign"
	"memoria/memory/vault"
	"memoria/ui/actions"
	"memoria/ui/words"
)

func indexRebuild(ctx context.Context, in *input) (actions.Result, error) {
	return actions.RebuildIndexes(ctx, in.Console, in.on("vectors"))
}

// backups is what backup list --json prints.
type backups struct {
	Backups []vault.Backup `json:"backups"`
}

func backupList(_ context.Context, in *input) (r actions.Result, err error) {
	s, err := in.Setup()
	if err != nil {
		return r, err
	}
	all, err := vault.Backups(s.DataDir)
	r = in.result(backups{append([]vault.Backup{}, all...)}, "backup.none")
	for _, b := range all {
		r.Lines = append(r.Lines, in.lang().BackupRow(b, time.Local))
	}
	if len(all) > 0 {
		r.Notes = []string{in.lang().Count(len(all), "backup")}
	}
	return r, err
}

// importing imports the export of another program.
func importing(format foreign.Format) func(context.Context, *input) (actions.Result, error) {
	return func(ctx context.Context, in *input) (actions.Result, error) {
		i := actions.Importing{Format: format, File: in.args[0], Preview: in.on("dry-run"), Propose: !in.NoMemory}
		by, offline, err := in.reader(ctx)
		switch {
		case err != nil:
			return actions.Result{}, err
		case in.on("read") && offline != "":
			return actions.Result{}, errors.New(in.Say("import.read.no-model", words.Sentence(offline)))
		case in.on("read"):
			i.Read = by
		}
		i.Hint = offline == "" && !in.NoMemory
		return actions.Import(ctx, in.Console, i, func(what string) error { return in.agree(ctx, in.on("yes"), what) })
	}
}

// checkImport refuses --read where nobody can answer its question.
func checkImport(ctx context.Context, in *input) error {
	switch {
	case !in.on("read") && in.on("send"):
		return wrongUsage("usage.send")
	case !in.on("read"):
		return nil
	case !in.on("send") && !isTerminal(in.Stdin):
		return wrongUsage("import.read.unasked.yet")
	}
	return mayLearn(ctx, in)
}

// importRead lets the model read what was imported.
func importRead(ctx context.Context, in *input) (actions.Result, error) {
	by, offline, err := in.reader(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	if offline != "" {
		return actions.Result{}, errors.New(in.Say("import.read.no-model", words.Sentence(offline)))
	}
	by.Preview = in.on("dry-run")
	return actions.ReadImported(ctx, in.Console, *by)
}

// reader is the model that may read imported conversations; offline says why there is none.
// Only --send answers its question, and --yes does not.
func (in *input) reader(ctx context.Context) (by *actions.Reader, offline string, err error) {
	client, offline, err := in.app.Client()
	if err != nil || offline != "" {
		return nil, offline, err
	}
	about := client.Info()
	return &actions.Reader{
		By:   learning.Analyst{Model: model.NewCompleter(client), Name: about.Model, Prompts: in.app.Prompts},
		Host: about.Endpoint, Local: in.app.Config.Model.Local(),
		Agree: func(question, would string) (bool, error) {
			switch {
			case in.on("send"):
				return true, nil
			case !isTerminal(in.Stdin):
				return false, wrongUsage("import.read.unasked", would)
			}
			return in.question(ctx, "import.read.asks", question)
		},
	}, "", nil
}

func adopt(ctx context.Context, in *input) (actions.Result, error) {
	s, err := in.Setup()
	if err == nil {
		err = in.agree(ctx, in.on("yes"), in.Say("really.adopt", s.DataDir))
	}
	if err != nil {
		return actions.Result{}, err
	}
	last, err := vault.Adopt(s.DataDir)
	return in.result(nil, "adopted", words.Moment(last, in.Console.Now().Location())), err
}

// built is what version --json prints.
type built struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func version(_ context.Context, in *input) (actions.Result, error) {
	v := built{Version: in.Program.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	return actions.Result{Data: v, Lines: []string{"memoria version " + v.Version, v.Go + " " + v.Platform}}, nil
}
