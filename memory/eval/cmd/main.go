// Command cmd measures retrieval over sets of labelled messages; package eval describes
// the sets and figures.
//
//	go run ./memory/eval/cmd [-layer recall] [-top 5] [-ages 400|own] [-uses]
//	    [-without SWITCH,…] [-out RANKED.jsonl] FOLDER...
//
// The table has a column for equal ages and no uses, and one for -ages and -uses. -out
// writes the answers of the last column.
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
	"slices"
	"strings"

	"memoria/memory/eval"
	"memoria/memory/manager/write"
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

// request is the parsed command line.
type request struct {
	eval.Options
	out     string
	folders []string
}

// run measures the sets in the folders named by args.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	r, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if r.Temp, err = os.MkdirTemp("", "memoria-eval"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.Temp)) }()
	ranked := io.Discard
	if r.out != "" {
		f, err := os.OpenFile(r.out, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		buffered := bufio.NewWriter(f)
		defer func() { err = errors.Join(err, buffered.Flush(), f.Close()) }()
		ranked = buffered
	}
	for _, dir := range r.folders {
		if err := r.measure(ctx, dir, stdout, ranked); err != nil {
			return err
		}
	}
	return nil
}

// parse parses the command line and prints usage errors.
func parse(args []string, stderr io.Writer) (r request, err error) {
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	flags.SetOutput(stderr)
	layer := flags.String("layer", string(eval.LayerRecall), fmt.Sprintf("where to look: one of %q", eval.Layers()))
	ages := flags.String("ages", "", "spread the ages of items over so many `days`, or own for the set's times")
	without := flags.String("without", "", "switch parts of the ranking off, separated by commas: "+strings.Join(switchNames(), ", "))
	minimum := flags.Float64("min-relevance", -1, "measure with this min_relevance `value`")
	flags.BoolVar(&r.Uses, "uses", false, "give items uses and confidences")
	flags.IntVar(&r.Top, "top", 5, "rag_top_n, and how many are listed of each answer")
	flags.IntVar(&r.Sample, "sample", 50, "ask unrelated messages of about this `number` of conversations")
	flags.StringVar(&r.out, "out", "", "write what each message brought to this `file`")
	flags.Usage = func() {
		_, _ = fmt.Fprintln(stderr, "usage: eval [flags] FOLDER...")
		flags.PrintDefaults()
	}
	usage := func(why string) error {
		_, _ = fmt.Fprintln(stderr, why)
		flags.Usage()
		return errUsage
	}
	if err := flags.Parse(args); err != nil {
		return r, err
	}
	if r.Ages, err = eval.ParseAges(*ages); err != nil {
		return r, usage(err.Error())
	}
	off, err := switches(*without)
	if err != nil {
		return r, usage(err.Error())
	}
	r.Layer, r.folders, r.Unrelated = eval.Layer(*layer), flags.Args(), eval.Unrelated()
	switch {
	case !slices.Contains(eval.Layers(), r.Layer):
		return r, usage(fmt.Sprintf("layer %q: one of %q", *layer, eval.Layers()))
	case r.Top < 1 || r.Top > 100:
		return r, usage(fmt.Sprintf("top %d: from 1 to 100", r.Top))
	case len(r.folders) == 0:
		return r, usage("no folder given")
	}
	r.Configure = func(c *write.Config) {
		if *minimum >= 0 {
			c.MinRelevance = *minimum
		}
		for _, f := range off {
			f(c)
		}
	}
	return r, nil
}

// measure prints the table of one set.
func (r request) measure(ctx context.Context, dir string, table, ranked io.Writer) error {
	set, err := eval.Load(dir)
	if err != nil {
		return err
	}
	plain := r.Options
	plain.Ages, plain.Uses = eval.Ages{}, false
	ways := []eval.Options{plain}
	if r.Layer == eval.LayerRecall && (r.Ages != eval.Ages{} || r.Uses) {
		ways = append(ways, r.Options)
	}
	var columns []eval.Column
	for _, o := range ways {
		out, err := eval.Measure(ctx, set, o)
		if err != nil {
			return err
		}
		columns = append(columns, eval.Column{Name: heading(o), Outcome: out})
	}
	if err := eval.Print(table, filepath.Base(dir), columns...); err != nil {
		return err
	}
	return columns[len(columns)-1].WriteRanked(ranked)
}

// heading names a column.
func heading(o eval.Options) string {
	switch {
	case o.Layer != eval.LayerRecall:
		return string(o.Layer)
	case o.Uses:
		return o.Ages.String() + " and uses"
	}
	return o.Ages.String()
}

// parts of the ranking that -without switches off.
var parts = map[string]func(*write.Config){
	"expand":     func(c *write.Config) { c.ExpandQuery = false },
	"neighbours": func(c *write.Config) { c.Archive.Neighbour, c.Archive.Second = 0, 0 },
	"session":    func(c *write.Config) { c.Archive.Session = 0 },
	"roles":      func(c *write.Config) { c.Archive.Mine, c.Archive.Replies = 1, 1 },
	"speakers":   func(c *write.Config) { c.Archive.Speaker, c.Archive.NameWord = 1, 1 },
	"time":       func(c *write.Config) { c.Archive.Time = 1 },
	"passages":   func(c *write.Config) { c.Archive.Passage = 0 },
	"everyday":   func(c *write.Config) { c.Archive.Everyday = 1 },
}

func switchNames() (names []string) {
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// switches parses the value of -without.
func switches(list string) (off []func(*write.Config), err error) {
	for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		f, ok := parts[name]
		if !ok {
			return nil, fmt.Errorf("there is no switch %q; the switches are %s", name, strings.Join(switchNames(), ", "))
		}
		off = append(off, f)
	}
	return off, nil
}
