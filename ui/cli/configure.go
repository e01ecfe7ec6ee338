package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"memoria/memory/bounds"
	"memoria/memory/manager"
	"memoria/ui/config"
)

func (p *Program) configCommand() *cobra.Command {
	return group("config", "Show where the configuration lies, what it says, and what is wrong with it, and change it",
		p.configPathCommand(), p.configShow(), p.configSet(), p.configUnset(), p.configCheck())
}

// configPlace is what config path --json prints.
type configPlace struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	Data   string `json:"data"` // the folder of the memory
	Log    string `json:"log"`
}

func (p *Program) configPathCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "path", Short: "Print where the configuration file lies", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			config, data, state, _ := p.places()
			out := configPlace{Path: config, Exists: exists(config), Data: data, Log: logIn(state)}
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

func (p *Program) configShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show [KEY]", Short: "Print every setting, its value, and where the value comes from", Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: p.completeSetting,
		Long: `Print every setting, its value, and where the value comes from: a default, a line of
the file, a variable or a flag. The output is a configuration file with the same
settings. With a KEY it is that setting, with what it is for and what it may be. The
key of a model is never shown, only whether its variable is set.`,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := p.settings()
			switch {
			case err != nil:
				return err
			case len(args) > 0:
				return p.showSetting(s, args[0], asJSON)
			}
			all := p.shownSettings(s)
			if asJSON {
				return p.printJSON(struct {
					Path     string         `json:"path"`
					Exists   bool           `json:"exists"`
					Settings []shownSetting `json:"settings"`
				}{s.config, exists(s.config), all})
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
func (p *Program) shownSettings(s settings) []shownSetting {
	source, _ := config.Read(s.config, false)
	var out []shownSetting
	add := func(key string, value any) {
		one := shownSetting{Key: key, Value: value}
		one.From, one.Where = p.origin(s, source, key)
		switch key {
		case "model.api_key_env":
			one.Value, one.Note = p.keyNote(s.cfg.Model.APIKeyEnv)
		case "embedding.api_key_env":
			if one.Value, one.Note = p.keyNote(s.cfg.Embedding.APIKeyEnv); s.cfg.Embedding.BaseURL == "" {
				one.Note = "" // that of [model] is used
			}
		}
		out = append(out, one)
	}
	for _, key := range config.Keys() {
		add(key, config.Plain(bounds.Field(reflect.ValueOf(s.cfg), key)))
	}
	for _, id := range slices.Sorted(maps.Keys(s.cfg.Agents)) {
		a := s.cfg.Agents[id]
		add(toml.Key{"agents", id, manager.AgentName}.String(), a.Name)
		add(toml.Key{"agents", id, manager.AgentPersona}.String(), a.Persona)
		if a.Model != "" {
			add(toml.Key{"agents", id, manager.AgentModel}.String(), a.Model)
		}
		if a.Color != "" {
			add(toml.Key{"agents", id, manager.AgentColor}.String(), a.Color)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.cfg.Model.Prices)) {
		price := s.cfg.Model.Prices[name]
		add(toml.Key{"model", "prices", name, "input"}.String(), price.Input)
		if price.CachedInput != nil {
			add(toml.Key{"model", "prices", name, "cached_input"}.String(), *price.CachedInput)
		}
		add(toml.Key{"model", "prices", name, "output"}.String(), price.Output)
	}
	return out
}

// origin says where a setting's value comes from.
func (p *Program) origin(s settings, source, key string) (from, where string) {
	switch s.from[key] {
	case config.FromFile:
		return "file", fmt.Sprintf("%s:%d", s.config, config.LineOf(source, key))
	case config.FromEnvironment:
		name, value := config.Variable(p.Env, key)
		if value == "" {
			name = baseURLVariable // it stands in for what nobody set
		}
		return "environment", name
	case config.FromFlag:
		return "flag", "--" + flagOf[key]
	case config.FromRun:
		if line := config.LineOf(source, key); line > 0 {
			return "file", fmt.Sprintf("%s:%d", s.config, line)
		}
		return "default", "" // it was taken out of the file behind our back
	}
	return "default", ""
}

// flagOf is the flag that sets a setting.
var flagOf = map[string]string{"agent": "agent", "model.name": "model"}

// keyNote returns what to show of api_key_env.
func (p *Program) keyNote(name string) (shown, note string) {
	switch {
	case name == "":
		return "", "no key is sent"
	case config.Lookup(p.Env, name) == "":
		return name, "this variable is not set"
	}
	return name, "this variable is set"
}
