package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"memoria/memory/lookup"
	"memoria/ui/config"
)

func configCommand(p *Program) *cobra.Command {
	return group("config", "Show where the configuration lies, what it says, and what is wrong with it, and change it",
		configPathCommand(p), configShow(p), configSet(p), configUnset(p), configCheck(p))
}

// configPlace is what config path --json prints.
type configPlace struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	Data   string `json:"data"` // the folder of the memory
	Log    string `json:"log"`
}

func configPathCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "path", Short: "Print where the configuration file lies", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			paths := p.Paths()
			out := configPlace{Path: paths.Config, Exists: exists(paths.Config), Data: paths.Data, Log: paths.Log}
			if asJSON {
				return p.printJSON(out)
			}
			p.print(out.Path + "\n")
			if !out.Exists {
				p.say("There is no such file; the defaults hold. 'memoria config show' prints them, ready to be put there.")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the folder of the memory and the log")
	return c
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// shownSetting is a setting in config show --json.
type shownSetting struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"`            // default, file, environment or flag
	Where string `json:"where,omitempty"` // FILE:LINE, the variable, or the flag
	Note  string `json:"note,omitempty"`
}

func configShow(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show [KEY]", Short: "Print every setting, its value, and where the value comes from", Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: p.completeSetting,
		Long: `Print every setting, its value, and where the value comes from: a default, a line of
the file, a variable or a flag. The output is a configuration file with the same
settings. With a KEY it is that setting, with what it is for and what it may be. The
key of a model is never shown, only whether its variable is set.`,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := p.Setup()
			switch {
			case err != nil:
				return err
			case len(args) > 0:
				return showSetting(p, &s.Loaded, args[0], asJSON)
			}
			all := shownSettings(&s.Loaded)
			if asJSON {
				return p.printJSON(struct {
					Path     string         `json:"path"`
					Exists   bool           `json:"exists"`
					Settings []shownSetting `json:"settings"`
				}{s.Path, exists(s.Path), all})
			}
			for _, one := range all {
				from := one.Where
				if from == "" {
					from = one.From
				}
				if one.Note != "" {
					from += "; " + one.Note
				}
				p.print(fmt.Sprintf("%-60s # %s\n", one.Key+" = "+config.Literal(one.Value), oneLine(from)))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// shownSettings lists every setting, the entries of agents and prices last.
func shownSettings(l *config.Loaded) []shownSetting {
	var out []shownSetting
	add := func(key string, value any) {
		from, where := l.Origin(key)
		out = append(out, shownSetting{Key: key, Value: config.Plain(value), From: from.String(), Where: where})
	}
	all := l.Describe(l)
	slices.SortFunc(all, func(a, b config.Setting) int { return strings.Compare(a.Key, b.Key) })
	for _, s := range all {
		add(s.Key, l.Config.Value(s.Key))
		if s.NamesKey() && (s.Key == "model.api_key_env" || l.Config.Embedding.BaseURL != "") {
			out[len(out)-1].Note = s.Note
		}
	}
	for _, id := range slices.Sorted(maps.Keys(l.Config.Agents)) {
		a := l.Config.Agents[id]
		add(toml.Key{"agents", id, lookup.AgentName}.String(), a.Name)
		add(toml.Key{"agents", id, lookup.AgentPersona}.String(), a.Persona)
		if a.Model != "" {
			add(toml.Key{"agents", id, lookup.AgentModel}.String(), a.Model)
		}
		if a.Color != "" {
			add(toml.Key{"agents", id, lookup.AgentColor}.String(), a.Color)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Config.Model.Prices)) {
		price := l.Config.Model.Prices[name]
		add(toml.Key{"model", "prices", name, "input"}.String(), price.Input)
		if price.CachedInput != nil {
			add(toml.Key{"model", "prices", name, "cached_input"}.String(), *price.CachedInput)
		}
		add(toml.Key{"model", "prices", name, "output"}.String(), price.Output)
	}
	return out
}
