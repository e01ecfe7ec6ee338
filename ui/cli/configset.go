package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory/bounds"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/setting"
)

func (p *Program) configSet() *cobra.Command {
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
			key, err := config.Find(args[0])
			if err != nil {
				return usageError{err.Error()}
			}
			path, _, _, _ := p.places()
			v, err := config.Value(p.fileOrDefault(path), key, args[1])
			if err != nil {
				return usageError{keyed(key, err)}
			}
			return p.putInFile(path, config.Edit{Key: key, Literal: config.TypedLiteral(v, args[1])}, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the setting as JSON")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return wrongUsage("%s; a VALUE that begins with - stands behind --: %s KEY -- -1", err, c.CommandPath())
	})
	return c
}

func (p *Program) configUnset() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "unset KEY", Short: "Take a setting out of the configuration file",
		Long: `Take a setting out of the configuration file, so that its default counts, or a
variable. Everything else in the file stays as it is; its comments too.`,
		Example: `  memoria config unset memory.rag_top_n`,
		Args:    need("a KEY", 1), ValidArgsFunction: p.completeSetting,
		RunE: func(_ *cobra.Command, args []string) error {
			key, err := config.Find(args[0])
			if err != nil {
				return usageError{err.Error()}
			}
			path, _, _, _ := p.places()
			return p.putInFile(path, config.Edit{Key: key}, asJSON)
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

// fileOrDefault is what the file says, where it can be read.
func (p *Program) fileOrDefault(path string) config.Config {
	source, _ := config.Read(path, false)
	return config.Parse(path, source, nil, config.MaxFaults).Config
}

// putInFile makes one edit in the file and tells how the setting is then.
func (p *Program) putInFile(path string, e config.Edit, asJSON bool) error {
	if p.demo.on {
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
	s, err := p.settings()
	if err != nil {
		return err
	}
	for _, note := range leftBehindNote([]config.Edit{e}, made) {
		p.say("%s", note)
	}
	if note := p.outweighed(e.Key); note != "" {
		p.say("%s", note)
	}
	i, _ := p.info(s, e.Key)
	if asJSON {
		return p.printJSON(inFull(i, s))
	}
	p.print(settingLine(i, s))
	return nil
}

// info is one setting.
func (p *Program) info(s settings, key string) (setting.Info, bool) {
	source, _ := config.Read(s.config, false)
	all := p.infos(s, nil, source)
	i := slices.IndexFunc(all, func(i setting.Info) bool { return i.Key == key })
	if i < 0 {
		return setting.Info{}, false
	}
	return all[i], true
}

// literalIn is a setting's value as in TOML; a key that stands in the place of its
// variable's name is not shown.
func literalIn(s settings, i setting.Info) string {
	v := bounds.Field(reflect.ValueOf(s.cfg), i.Key)
	if config.NamesKey(i.Key) && i.Value == `""` {
		return i.Value
	}
	return config.LiteralOf(v)
}

func settingLine(i setting.Info, s settings) string {
	from := i.Where
	if from == "" {
		from = i.From
	}
	return fmt.Sprintf("%s = %s # %s\n", i.Key, literalIn(s, i), oneLine(from))
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

func inFull(i setting.Info, s settings) fullSetting {
	out := fullSetting{
		shownSetting: shownSetting{Key: i.Key, Value: config.Plain(bounds.Field(reflect.ValueOf(s.cfg), i.Key)), From: i.From, Where: i.Where, Note: i.Note},
		Default:      i.Default, Kind: string(i.Kind), Allowed: i.Allowed, Choices: i.Choices, Variable: i.Variable, AtStart: i.AtStart, Help: i.Help,
	}
	if config.NamesKey(i.Key) {
		out.Value = strings.Trim(i.Value, `"`)
	}
	return out
}

// showSetting prints everything about one setting, as a part of a configuration
// file.
func (p *Program) showSetting(s settings, word string, asJSON bool) error {
	key, err := config.Find(word)
	if err != nil {
		return usageError{err.Error()}
	}
	i, _ := p.info(s, key)
	if asJSON {
		return p.printJSON(inFull(i, s))
	}
	lines := []string{i.Help, "default: " + i.Default, "variable: " + i.Variable, "takes effect " + i.Effect()}
	if i.Allowed != "" {
		lines = slices.Insert(lines, 1, "allowed: "+i.Allowed)
	}
	if i.Note != "" {
		lines = append(lines, i.Note)
	}
	for _, line := range lines {
		for _, l := range clean.Wrap(clean.Line(line), helpWidth) {
			p.print("# " + l + "\n")
		}
	}
	p.print(settingLine(i, s))
	return nil
}

// helpWidth is how wide a help is printed, in cells.
const helpWidth = 78

// completeSetting offers the settings, and for one of them what it may be.
func (p *Program) completeSetting(c *cobra.Command, args []string, begun string) (out []string, _ cobra.ShellCompDirective) {
	help := setting.ParseHelp(p.Example)
	switch {
	case len(args) == 0:
		for _, key := range p.orderedKeys() {
			if name := key[strings.LastIndexByte(key, '.')+1:]; strings.HasPrefix(key, begun) || strings.HasPrefix(name, begun) {
				out = append(out, offerOf(key, help.Of(key)))
			}
		}
	case len(args) == 1 && c.Name() == "set":
		key, err := config.Find(args[0])
		if err != nil {
			break
		}
		switch v := bounds.Field(reflect.ValueOf(config.Default()), key); {
		case v.Kind() == reflect.Bool:
			out = []string{"true", "false"}
		default:
			out = config.Allowed()[key].Choices
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
