// Command cmd trains the model of instructions. Without -o it prints the model's accuracy on writers outside its
// training data.
//
//	go run ./memory/instruct/cmd [-o memory/instruct/data/model.txt] memory/instruct/testdata/wordings.*.jsonl
package main

import (
	"fmt"
	"os"

	"memoria/memory/classify"
	"memoria/memory/instruct"
)

func main() {
	c := classify.Command{Load: instruct.ReadExamples, Lexicon: instruct.Lexicon(), None: instruct.NoInstruction}
	if err := c.Run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
