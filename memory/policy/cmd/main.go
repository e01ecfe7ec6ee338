// Command cmd trains the models of messages and of their pieces, or without -o prints their accuracy for
// authors unknown to them.
//
//	go run ./memory/policy/cmd [-o memory/policy/data/messages.txt] memory/policy/testdata/messages.*.jsonl
//	go run ./memory/policy/cmd -pieces [-o memory/policy/data/pieces.txt] memory/policy/testdata/pieces.*.jsonl
package main

import (
	"fmt"
	"os"

	"memoria/memory/classify"
	"memoria/memory/policy"
)

func main() {
	args := os.Args[1:]
	c := classify.Command{Load: policy.ReadExamples, Lexicon: policy.Lexicon(), None: policy.Telling}
	if len(args) > 0 && args[0] == "-pieces" {
		c.Load, c.None, args = classify.ReadExamples, policy.Nothing, args[1:]
	}
	if err := c.Run(args, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
