package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"memoria/memory/vault"
	"memoria/memory/vault/inspect"
	"memoria/ui/actions"
	"memoria/ui/app"
)

// maxWords bounds the words that forget --verify looks for.
const maxWords = 1000

func checkForget(_ context.Context, in *input) error {
	if in.on("json") && !in.on("verify") && !in.on("now") {
		return wrongUsage("usage.some", in.cmd.Name(), "verify, --now")
	}
	return nil
}

// forget finishes what was deleted, looks for words in every file, or prints its help. It
// makes no memory where there is none.
func forget(ctx context.Context, in *input) (r actions.Result, err error) {
	do := in.forgetVerify
	switch {
	case in.on("now"):
		do = in.forgetNow
	case !in.on("verify"):
		return r, in.cmd.Help()
	}
	s, err := in.Setup()
	if err != nil {
		return r, err
	}
	if !vault.Exists(s.DataDir) {
		return do(ctx, s)
	}
	err = in.Program.with(ctx, func(o *app.App) error {
		in.app, in.Console = o, in.Program.console(o)
		r, err = do(ctx, o.Setup)
		return err
	})
	return r, err
}

// erased is what forget --now --json prints.
type erased struct {
	OK     bool                 `json:"ok"`
	Failed []vault.EraseFailure `json:"failed"`
}

func (in *input) forgetNow(ctx context.Context, _ app.Setup) (actions.Result, error) {
	if in.app == nil {
		return actions.Result{Data: erased{OK: true, Failed: []vault.EraseFailure{}}, Lines: []string{in.Say("forget.done")}}, nil
	}
	err := in.Memory.Trash().PurgeExpired(ctx)
	if err == nil {
		err = in.eraseFiles(ctx)
	}
	if ctx.Err() != nil {
		return actions.Result{}, context.Cause(ctx)
	}
	state := in.Memory.Vault().Erasing()
	data := erased{OK: err == nil && !state.Pending(), Failed: append([]vault.EraseFailure{}, state.Failed...)}
	if data.OK {
		return actions.Result{Data: data, Lines: []string{in.Say("forget.done")}}, nil
	}
	if len(state.Failed) == 0 {
		return actions.Result{}, err
	}
	r := actions.Result{Data: data, Failed: errTold}
	for _, f := range state.Failed {
		r.Lines = append(r.Lines, in.lang().EraseFailure(f))
	}
	return r, nil
}

// eraseFiles removes what was deleted from all files, and tells how far it is when it takes
// long.
func (in *input) eraseFiles(ctx context.Context) error {
	return actions.Watched(func() error { return in.Memory.Trash().Erase(ctx) }, func() {
		if e := in.Memory.Vault().Erasing(); e.Part != "" {
			in.remark("forget.progress", e.Part, e.Done, e.Total)
		}
	})
}

// verified is what forget --verify --json prints.
type verified struct {
	Verified bool            `json:"verified"`
	Words    int             `json:"words"`
	Files    int             `json:"files"`
	Found    []inspect.Place `json:"found"`
}

// forgetVerify looks for the words of standard input in every file. What is deleted for
// good is removed first.
func (in *input) forgetVerify(ctx context.Context, s app.Setup) (actions.Result, error) {
	looked, err := in.wordsToVerify(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	o := inspect.Options{Dir: s.DataDir, Others: []string{s.LogPath, s.Path}, Words: looked}
	if in.app != nil {
		o.Store = in.Memory.Vault().Store()
		if err := in.Memory.Trash().PurgeExpired(ctx); err != nil {
			return actions.Result{}, err
		}
		if err := in.eraseFiles(ctx); err != nil && ctx.Err() != nil {
			return actions.Result{}, context.Cause(ctx)
		}
	}
	var report inspect.Report
	var done, total atomic.Int64
	o.Progress = func(n, of int) {
		done.Store(int64(n))
		total.Store(int64(of))
	}
	err = actions.Watched(func() (err error) {
		report, err = inspect.Search(ctx, o)
		return err
	}, func() { in.remark("forget.looking", done.Load(), total.Load()) })
	if err != nil {
		return actions.Result{}, err
	}
	data := verified{
		Verified: len(report.Found) == 0, Words: len(looked), Files: report.Files, Found: append([]inspect.Place{}, report.Found...),
	}
	if data.Verified {
		said := in.Say("forget.nothing", in.lang().Count(len(looked), "word"), in.lang().Count(report.Files, "file"))
		return actions.Result{Data: data, Lines: []string{said}}, nil
	}
	r := actions.Result{Data: data, Failed: errTold}
	in.remark("forget.places")
	for _, p := range report.Found {
		r.Lines = append(r.Lines, in.lang().Held(p.File, p.Part, p.Agent, p.ID))
	}
	found := in.Say("forget.found", in.lang().Count(len(report.Found), "place"), in.lang().Count(report.Files, "file"))
	r.Notes = []string{found, in.Say("forget.how")}
	return r, nil
}

// wordsToVerify reads the words and phrases to look for: the lines of standard input.
func (in *input) wordsToVerify(ctx context.Context) (out []string, err error) {
	if isTerminal(in.Stdin) {
		in.remark("forget.which")
	}
	b, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in.Stdin, maxStdin+1)) })
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(b), "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	switch {
	case len(out) == 0:
		return nil, wrongUsage("usage.words")
	case len(b) > maxStdin || len(out) > maxWords:
		return nil, wrongUsage("usage.words.many", maxWords)
	}
	return out, nil
}
