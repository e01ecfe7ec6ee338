package classify

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Command trains a model of files with examples, or judges one.
type Command struct {
	// Load reads the examples of a file.
	Load    func(path string) ([]Example, error)
	Lexicon *Lexicon
	// None is the class without an alarm.
	None string
}

// Run executes the command. With -o FILE it writes a model of all examples, with -top N it prints the N strongest
// features of each class in it; otherwise it prints how well the examples of each author are classified by a model of
// all others'.
func (c Command) Run(args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("train", flag.ContinueOnError)
	path := flags.String("o", "", "the `file` to write the model to")
	top := flags.Int("top", 0, "how many of the strongest features of each class to print")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var examples []Example
	for _, name := range flags.Args() {
		more, err := c.Load(name)
		if err != nil {
			return err
		}
		if *path == "" && *top == 0 {
			fmt.Fprintf(out, "%s, %d examples\n", name, len(more))
			if err := PrintAlarms(out, CrossValidate(more, c.Lexicon), c.None); err != nil {
				return err
			}
		}
		examples = append(examples, more...)
	}
	switch {
	case *top > 0:
		return Train(examples, c.Lexicon).Strongest(out, *top)
	case *path == "":
		return nil
	}
	f, err := os.Create(*path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return Train(examples, c.Lexicon).Write(f)
}
