// Command cmd measures the rule-based judge over labelled conversations.
//
//	go run ./chat/judge/cmd -set FOLDER_OR_FILE [-out SCORED.jsonl]
//
// A set is a file of JSON lines, {"dial", "i", "context": [texts], "text",
// "label"}. The context is oldest first; label is 1 if text begins a new topic and
// 0 if it continues the old one. Other fields are ignored. In a folder every
// *.jsonl file is a set. The command prints for each set
//
//	AUC           how often a new topic is judged newer than a continuation; 0.5 is chance
//	best F1       of new topics, over all thresholds, and its precision and recall
//	false split   the share of continuations that would have begun a new session, at 6.0
//	false join    the share of new topics that would have brought the old one back, at 6.0
//
// -out writes one {"dial", "i", "score", "pred"} per line: score is 0 to 1, higher
// for a newer topic, and pred is 1 for a new session.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp), errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUsage = errors.New("wrong usage")

// run measures the sets named by args.
func run(args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("judge", flag.ContinueOnError)
	flags.SetOutput(stderr)
	from := flags.String("set", "", "measure this `file`, or all *.jsonl in this folder")
	out := flags.String("out", "", "write the judgements to this `file`")
	flags.Usage = func() {
		_, _ = fmt.Fprintln(stderr, "usage: judge -set FOLDER_OR_FILE [-out SCORED.jsonl]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *from == "" || flags.NArg() > 0 {
		flags.Usage()
		return errUsage
	}
	files, err := sets(*from)
	if err != nil {
		return err
	}
	scored := io.Discard
	if *out != "" {
		f, openErr := os.OpenFile(*out, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if openErr != nil {
			return openErr
		}
		buffered := bufio.NewWriter(f)
		defer func() { err = errors.Join(err, buffered.Flush(), f.Close()) }()
		scored = buffered
	}
	for _, file := range files {
		cases, err := load(file)
		if err != nil {
			return err
		}
		judged := judgeAll(cases)
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if _, err := fmt.Fprintln(stdout, measure(judged).line(name)); err != nil {
			return err
		}
		if err := write(scored, judged); err != nil {
			return err
		}
	}
	return nil
}

// sets lists the set files at a path.
func sets(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	files, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no *.jsonl in %s", path)
	}
	return files, err
}
