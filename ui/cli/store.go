package cli

import (
	"context"
	"runtime"
	"time"

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
		return actions.Import(ctx, in.Console, i, func(what string) error { return in.agree(ctx, in.on("yes"), what) })
	}
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
