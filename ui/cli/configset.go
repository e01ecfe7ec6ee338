package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/config"
)

func configSet(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "set KEY VALUE", Short: "Give a setting a value in the configuration file",
		Long: `Give a setting a value in the configuration file. Everything else in the file stays
as it is, with its comments; a file that is not there is made. KEY is a dotted name
or the clear end of one. Lists are separated by commas. A memoria that is running
goes on as it began; its panel changes settings while it runs.`,
		Example: `  memoria config set memory.rag_top_n 8
  memoria config set passive_timeout 1h
  memoria config set context.order persona,window,recall`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return wrongUsage("%s needs a KEY and a VALUE", c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: p.completeSetting,
		RunE: func(_ *cobra.Command, args []string) error {
			one, err := config.Find(args[0])
			if err != nil {
				return app.UsageError(err.Error())
			}
			file := config.Read(config.Source{Path: p.Paths().Config}) // without the environment
			v, err := file.Config.Parse(one.Key, args[1])
			if err != nil {
				return app.UsageError(keyed(one.Key, err))
			}
			return putInFile(p, file.Path, config.Edit{Key: one.Key, Literal: config.TypedLiteral(v, args[1])}, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the setting as JSON")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return wrongUsage("%s; a VALUE that begins with - stands behind --: %s KEY -- -1", err, c.CommandPath())
	})
	return c
}

func configUnset(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "unset KEY", Short: "Take a setting out of the configuration file",
		Long: `Take a setting out of the configuration file, so that its default counts, or a
variable. Everything else in the file stays as it is; its comments too.`,
		Example: `  memoria config unset memory.rag_top_n`,
		Args:    need("a KEY", 1), ValidArgsFunction: p.completeSetting,
		RunE: func(_ *cobra.Command, args []string) error {
			one, err := config.Find(args[0])
			if err != nil {
				return app.UsageError(err.Error())
			}
			return putInFile(p, p.Paths().Config, config.Edit{Key: one.Key}, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the setting as JSON")
	return c
}

// keyed begins what is wrong with a value with its setting.
func keyed(key string, err error) string {
	if strings.HasPrefix(err.Error(), key) {
		return err.Error()
	}
	return key + ": " + err.Error()
}

// putInFile makes one edit in the file and tells how the setting is then.
func putInFile(p *Program, path string, e config.Edit, asJSON bool) error {
	if p.Demo {
		return wrongUsage("--demo writes nothing; leave it out to change your configuration")
	}
	made, err := config.Rewrite(path, p.Env, e)
	var fault *config.Error
	switch {
	case errors.As(err, &fault):
		return err
	case err != nil:
		p.say("memoria: %s", err)
		return errTold
	}
	s, err := p.Setup()
	if err != nil {
		return err
	}
	for _, note := range made.Notes {
		p.say("%s", note)
	}
	if note := s.Overridden(e.Key); note != "" {
		p.say("%s", note)
	}
	return printSetting(p, &s.Loaded, e.Key, asJSON)
}

// printSetting prints a setting as a line of a configuration file.
func printSetting(p *Program, l *config.Loaded, key string, asJSON bool) error {
	one := described(l, key)
	if asJSON {
		return p.printJSON(inFull(one, l))
	}
	from := one.Where
	if from == "" {
		from = one.From.String()
	}
	literal := config.Literal(l.Config.Value(key))
	if one.NamesKey() && one.Value == `""` {
		literal = one.Value
	}
	p.print(fmt.Sprintf("%s = %s # %s\n", key, literal, oneLine(from)))
	return nil
}

// described returns one setting as it is in l.
func described(l *config.Loaded, key string) config.Setting {
	all := l.Describe(l)
	return all[slices.IndexFunc(all, func(s config.Setting) bool { return s.Key == key })]
}

// fullSetting is what config show KEY --json prints.
type fullSetting struct {
	shownSetting
	Default  string   `json:"default"`
	Kind     string   `json:"kind"`
	Allowed  string   `json:"allowed,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Variable string   `json:"variable"`
	AtStart  bool     `json:"at_start"` // a change counts from the next start of the screen on
	Help     string   `json:"help,omitempty"`
}

func inFull(one config.Setting, l *config.Loaded) fullSetting {
	return fullSetting{
		shownSetting: shownSetting{
			Key: one.Key, Value: config.Plain(l.Config.Value(one.Key)), From: one.From.String(), Where: one.Where, Note: one.Note,
		},
		Default: one.Default, Kind: string(one.Kind), Allowed: one.Allowed, Choices: one.Choices,
		Variable: one.Variable, AtStart: one.AtStart, Help: one.Help,
	}
}

// showSetting prints everything about one setting, as a part of a configuration file.
func showSetting(p *Program, l *config.Loaded, word string, asJSON bool) error {
	found, err := config.Find(word)
	if err != nil {
		return app.UsageError(err.Error())
	}
	if asJSON {
		return printSetting(p, l, found.Key, true)
	}
	one := described(l, found.Key)
	lines := []string{one.Help, "default: " + one.Default, "variable: " + one.Variable, "takes effect " + one.Effect()}
	if one.Allowed != "" {
		lines = slices.Insert(lines, 1, "allowed: "+one.Allowed)
	}
	if one.Note != "" {
		lines = append(lines, one.Note)
	}
	for _, line := range lines {
		for _, l := range clean.Wrap(clean.Line(line), helpWidth) {
			p.print("# " + l + "\n")
		}
	}
	return printSetting(p, l, found.Key, false)
}

// helpWidth is how wide a help is printed, in cells.
const helpWidth = 78

// completeSetting offers the settings, and for one of them what it may be.
func (p *Program) completeSetting(c *cobra.Command, args []string, begun string) (out []string, _ cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		for _, one := range config.Settings() {
			if strings.HasPrefix(one.Key, begun) || strings.HasPrefix(one.Name(), begun) {
				out = append(out, offerOf(one.Key, one.Help))
			}
		}
	case len(args) == 1 && c.Name() == "set":
		one, err := config.Find(args[0])
		if err != nil {
			break
		}
		if out = one.Choices; one.Kind == config.Switch {
			out = []string{"true", "false"}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
