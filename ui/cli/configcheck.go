package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"memoria/ui/config"
)

// checked is what config check --json prints.
type checked struct {
	Path   string  `json:"path"`
	Exists bool    `json:"exists"`
	OK     bool    `json:"ok"`
	Faults []fault `json:"faults"`
}

// fault is one thing that is wrong with the configuration.
type fault struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Setting string `json:"setting,omitempty"` // or the variable
	Text    string `json:"text"`
}

// errRefused ends a command with the exit code of wrong usage; everything was
// told.
var errRefused = errors.New("refused")

func configCheck(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "check", Short: "Say everything that is wrong with the configuration", Args: cobra.NoArgs,
		Long: `Say everything that is wrong with the configuration file and with the variables that
stand in for it: where, what is allowed, and which setting was probably meant.
The exit code is 2 when something is.`,
		RunE: func(*cobra.Command, []string) error {
			out := checkConfig(p)
			switch {
			case asJSON:
				if err := p.printJSON(out); err != nil {
					return err
				}
			case !out.OK:
				for _, f := range out.Faults {
					p.print(f.told().Error() + "\n")
				}
				p.say("%s", many(len(out.Faults), "fault", "faults"))
			case out.Exists:
				p.say("%s: everything in it is valid", out.Path)
			default:
				p.say("%s is not there; the defaults hold", out.Path)
			}
			if !out.OK {
				return errRefused
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// tellFaults tells the first thing that is wrong with the configuration, and how
// many more there are; first stands in where a second look finds nothing.
func (p *Program) tellFaults(first *config.Error) {
	faults := checkConfig(p).Faults
	if len(faults) > 0 {
		first = faults[0].told()
	}
	p.say("memoria: configuration: %s", first)
	if more := len(faults) - 1; more > 0 {
		p.say("%s: 'memoria config check' says all that is wrong.", many(more, "more fault", "more faults"))
		return
	}
	p.say("'memoria config check' looks again.")
}

// told is the fault as an error.
func (f fault) told() *config.Error {
	return &config.Error{File: f.File, Line: f.Line, Key: f.Setting, Text: f.Text}
}

// checkConfig finds everything that is wrong, also what the settings together
// amount to.
func checkConfig(p *Program) checked {
	source := p.Source()
	out := checked{Path: source.Path, Exists: exists(source.Path), Faults: []fault{}}
	faults := config.Read(source).Faults
	if len(faults) == 0 {
		_, err := p.Setup()
		var one *config.Error
		if errors.As(err, &one) {
			faults = append(faults, one)
		} else if err != nil {
			faults = append(faults, &config.Error{Text: err.Error()})
		}
	}
	for _, f := range faults {
		out.Faults = append(out.Faults, fault{File: f.File, Line: f.Line, Setting: f.Key, Text: f.Text})
	}
	out.OK = len(out.Faults) == 0
	return out
}
