// Command cmd measures what becomes memory over the sets that package measure describes.
//
//	go run ./chat/measure/cmd -layer statements|instructions|lives|stories [-v] [-analyst] PATH
//
// PATH is the set's folder; with -layer lives, the folder of one life, or of several.
// With -v it names every case that fails, of stories only those that are not held out: do
// not use that while writing rules. With
// -analyst a scripted model that is right reads each turn of a life.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"memoria/chat/measure"
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

// outcome is what a set came to.
type outcome interface {
	Print(io.Writer) error
	Remarks() measure.Details
}

// run measures the set that args name.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.SetOutput(stderr)
	layer := flags.String("layer", "statements", "what to measure: statements, instructions, lives or stories")
	verbose := flags.Bool("v", false, "name every case that fails")
	analyst := flags.Bool("analyst", false, "let a scripted model read each turn of a life")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		_, _ = fmt.Fprintln(stderr, "usage: measure [flags] PATH")
		flags.PrintDefaults()
		return errUsage
	}
	temp, err := os.MkdirTemp("", "memoria-measure")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	out, err := play(ctx, *layer, flags.Arg(0), temp, *analyst)
	if errors.Is(err, errUsage) {
		_, _ = fmt.Fprintln(stderr, err)
	}
	if err != nil {
		return err
	}
	if *verbose {
		if err := out.Remarks().Print(stdout); err != nil {
			return err
		}
	}
	return out.Print(stdout)
}

// play measures one layer.
func play(ctx context.Context, layer, path, temp string, analyst bool) (outcome, error) {
	switch layer {
	case "statements":
		set, err := measure.LoadStatements(path)
		if err != nil {
			return nil, err
		}
		return measure.MeasureStatements(ctx, set, temp)
	case "instructions":
		set, err := measure.LoadInstructions(path)
		if err != nil {
			return nil, err
		}
		return measure.MeasureInstructions(ctx, set, measure.Recognise, temp)
	case "lives":
		lives, err := measure.LoadLives(path)
		if err != nil {
			return nil, err
		}
		return measure.MeasureLives(ctx, lives, analyst, temp)
	case "stories":
		set, err := measure.LoadStories(path)
		if err != nil {
			return nil, err
		}
		return measure.MeasureStories(ctx, set, temp)
	}
	return nil, fmt.Errorf("layer %q: %w", layer, errUsage)
}
