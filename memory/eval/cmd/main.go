// Command cmd measures retrieval over sets of labelled messages; package eval
// says what a set is and what the figures mean.
//
//	go run ./memory/eval/cmd [-out RANKED.jsonl] [-sample N] FOLDER...
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"memoria/memory/eval"
	"memoria/memory/retrieve"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp), errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUsage = errors.New("wrong usage")

// run measures the sets in the folders that args name.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", "", "write what each message recalls to this `file`")
	sample := flags.Int("sample", 50, "ask unrelated messages of about this `number` of conversations")
	flags.Usage = func() {
		_, _ = fmt.Fprintln(stderr, "usage: eval [-out RANKED.jsonl] [-sample N] FOLDER...")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return errUsage
	}
	temp, err := os.MkdirTemp("", "memoria-eval")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	ranked := io.Discard
	if *out != "" {
		f, openErr := os.OpenFile(*out, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if openErr != nil {
			return openErr
		}
		buffered := bufio.NewWriter(f)
		defer func() { err = errors.Join(err, buffered.Flush(), f.Close()) }()
		ranked = buffered
	}
	for _, dir := range flags.Args() {
		set, err := eval.Load(dir)
		if err != nil {
			return err
		}
		o, err := eval.Measure(ctx, set, eval.Unrelated(), *sample, temp)
		if err != nil {
			return err
		}
		if err := o.Print(stdout, filepath.Base(dir)); err != nil {
			return err
		}
		if err := o.WriteRanked(ranked, retrieve.DefaultConfig().MinRelevance); err != nil {
			return err
		}
	}
	return nil
}
