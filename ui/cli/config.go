package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/memory/lookup"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/words"
)

// configPlace is what config path --json prints.
type configPlace struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	Data   string `json:"data"` // the folder of the memory
	Log    string `json:"log"`
}

func configPath(_ context.Context, in *input) (actions.Result, error) {
	paths := in.Paths()
	out := configPlace{Path: paths.Config, Exists: exists(paths.Config), Data: paths.Data, Log: paths.Log}
	r := actions.Result{Data: out, Lines: []string{out.Path}}
	if !out.Exists {
		r.Notes = []string{in.Say("config.none")}
	}
	return r, nil
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

	common bool
}

func configShow(_ context.Context, in *input) (r actions.Result, err error) {
	s, err := in.Setup()
	if err != nil {
		return r, err
	}
	if len(in.args) > 0 {
		one, err := config.Find(in.args[0])
		if err != nil {
			return r, app.UsageError(in.lang().Error(err))
		}
		r := in.settingLine(&s.Loaded, one.Key)
		r.Lines = append(in.settingHelp(described(&s.Loaded, one.Key)), r.Lines...)
		return r, nil
	}
	all := shownSettings(&s.Loaded)
	r.Data = struct {
		Path     string         `json:"path"`
		Exists   bool           `json:"exists"`
		Settings []shownSetting `json:"settings"`
	}{s.Path, exists(s.Path), all}
	common := false
	for _, one := range all {
		if head := in.Say("config.common"); one.common != common {
			if common = one.common; !common {
				head = in.Say("config.others")
			}
			r.Lines = append(r.Lines, "# "+head)
		}
		from := cmp.Or(one.Where, in.lang().Translate(one.From))
		if one.Note != "" {
			from += in.Say("sep.comma") + in.lang().Translate(one.Note)
		}
		r.Lines = append(r.Lines, fmt.Sprintf("%-60s # %s", one.Key+" = "+config.Literal(one.Value), oneLine(from)))
	}
	return r, nil
}

// shownSettings lists every setting, the common ones first, the entries of agents and prices last.
func shownSettings(l *config.Loaded) []shownSetting {
	var out []shownSetting
	add := func(key string, value any) {
		from, where := l.Origin(key)
		out = append(out, shownSetting{Key: key, Value: config.Plain(value), From: from.String(), Where: where})
	}
	all := l.Describe(l)
	slices.SortFunc(all, func(a, b config.Setting) int { return strings.Compare(a.Key, b.Key) })
	config.CommonFirst(all)
	for _, s := range all {
		add(s.Key, l.Config.Value(s.Key))
		out[len(out)-1].common = s.Common()
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

func configSet(_ context.Context, in *input) (r actions.Result, err error) {
	one, err := config.Find(in.args[0])
	if err != nil {
		return r, app.UsageError(in.lang().Error(err))
	}
	file := config.Read(config.Source{Path: in.Paths().Config}) // without the environment
	v, err := file.Config.Parse(one.Key, in.args[1])
	if err != nil {
		said := in.lang().Error(err)
		if !strings.HasPrefix(said, one.Key) {
			said = one.Key + ": " + said
		}
		return r, app.UsageError(said)
	}
	return in.rewrite(config.Edit{Key: one.Key, Literal: config.TypedLiteral(v, in.args[1])})
}

func configUnset(_ context.Context, in *input) (r actions.Result, err error) {
	one, err := config.Find(in.args[0])
	if err != nil {
		return r, app.UsageError(in.lang().Error(err))
	}
	return in.rewrite(config.Edit{Key: one.Key})
}

// rewrite makes one edit in the file and tells how the setting is then.
func (in *input) rewrite(e config.Edit) (r actions.Result, err error) {
	if in.Program.Demo {
		return r, wrongUsage("usage.demo")
	}
	made, err := config.Rewrite(in.Paths().Config, in.Env, e)
	var fault *config.Error
	if err != nil && !errors.As(err, &fault) {
		in.remark("problem", err)
		err = errTold
	}
	if err != nil {
		return r, err
	}
	s, err := in.Setup()
	if err != nil {
		return r, err
	}
	for _, note := range append(made.Notes, s.Overridden(e.Key)) {
		if note != "" {
			in.say("%s", in.lang().Translate(note))
		}
	}
	return in.settingLine(&s.Loaded, e.Key), nil
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

// settingLine is a setting as a line of a configuration file.
func (in *input) settingLine(l *config.Loaded, key string) actions.Result {
	one, value := described(l, key), l.Config.Value(key)
	literal := config.Literal(value)
	if one.NamesKey() && one.Value == `""` {
		literal = one.Value
	}
	from := one.From.String()
	return actions.Result{
		Data: fullSetting{
			shownSetting: shownSetting{Key: key, Value: config.Plain(value), From: from, Where: one.Where, Note: one.Note},
			Default:      one.Default, Kind: string(one.Kind), Allowed: one.Allowed, Choices: one.Choices,
			Variable: one.Variable, AtStart: one.AtStart, Help: one.Help,
		},
		Lines: []string{fmt.Sprintf("%s = %s # %s", key, literal, oneLine(cmp.Or(one.Where, in.lang().Translate(from))))},
	}
}

// described returns one setting as it is in l.
func described(l *config.Loaded, key string) config.Setting {
	all := l.Describe(l)
	return all[slices.IndexFunc(all, func(s config.Setting) bool { return s.Key == key })]
}

// helpWidth is how wide a help is printed, in cells.
const helpWidth = 78

// settingHelp says everything about a setting in comments of a configuration file.
func (p *Program) settingHelp(one config.Setting) (out []string) {
	w := p.lang()
	one = w.Setting(one)
	said := []string{one.Help}
	if one.Allowed != "" {
		said = append(said, w.Say("setting.line", w.Say("setting.allowed"), one.Allowed))
	}
	said = append(said, w.Say("setting.line", w.Say("setting.default"), one.Default),
		w.Say("setting.line", w.Say("setting.variable"), one.Variable), w.Say("setting.takes", words.Sentence(one.Effect())))
	if one.Note != "" {
		said = append(said, one.Note)
	}
	for _, l := range said {
		for _, l := range clean.Wrap(clean.Line(l), helpWidth) {
			out = append(out, "# "+l)
		}
	}
	return out
}

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

func configCheck(_ context.Context, in *input) (actions.Result, error) {
	out := checkConfig(in.Program)
	switch {
	case !out.OK:
		r := actions.Result{Data: out, Notes: []string{in.lang().Count(len(out.Faults), "fault")}, Failed: errRefused}
		for _, f := range out.Faults {
			r.Lines = append(r.Lines, in.lang().Error(f.told()))
		}
		return r, nil
	case out.Exists:
		return in.result(out, "config.valid", out.Path), nil
	}
	return in.result(out, "config.defaults", out.Path), nil
}

// tellFaults tells the first thing that is wrong with the configuration, and how
// many more there are; first is the fallback when a second look finds nothing.
func (p *Program) tellFaults(first *config.Error) {
	faults := checkConfig(p).Faults
	if len(faults) > 0 {
		first = faults[0].told()
	}
	p.remark("config.fault", first)
	if more := len(faults) - 1; more > 0 {
		p.remark("config.more-faults", p.lang().Count(more, "more fault"))
		return
	}
	p.remark("config.look-again")
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
