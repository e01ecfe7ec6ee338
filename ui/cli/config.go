package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/ui/term"
)

// Config is the whole configuration file (I5).
type Config struct {
	// Agent is the agent that is talked to when none is named.
	Agent     string                 `toml:"agent"`
	Model     model.Config           `toml:"model"`
	Chat      chat.Config            `toml:"chat"`
	Context   chat.ContextConfig     `toml:"context"`
	Memory    manager.Config         `toml:"memory"`
	Embedding EmbeddingConfig        `toml:"embedding"`
	Journal   journal.Config         `toml:"journal"`
	Backup    manager.BackupConfig   `toml:"backup"`
	UI        term.Config            `toml:"ui"`
	Agents    map[string]AgentConfig `toml:"agents"`
}

// AgentConfig is one [agents.<id>] table.
type AgentConfig struct {
	Name    string `toml:"name"`
	Persona string `toml:"persona"`
	Model   string `toml:"model"`
	Color   string `toml:"color"`
}

// DefaultAgent is the agent of a fresh installation.
const DefaultAgent = "memoria"

// maxConfig bounds the configuration file, in bytes.
const maxConfig = 1 << 20

// DefaultConfig returns the configuration that holds when there is no file.
func DefaultConfig() Config {
	return Config{
		Agent: DefaultAgent, Model: model.DefaultConfig(), Chat: chat.DefaultConfig(),
		Context: chat.DefaultContext(), Memory: manager.DefaultConfig(), Embedding: defaultEmbedding(), Journal: journal.DefaultConfig(), Backup: manager.DefaultBackup(), UI: term.DefaultConfig(),
	}
}

// ConfigError says what is wrong with the configuration, and where.
type ConfigError struct {
	File string // empty when it is not the file's fault
	Line int    // 0 when unknown
	Key  string // the setting or the variable
	Text string
}

func (e *ConfigError) Error() string {
	var at []string
	if e.File != "" {
		where := e.File
		if e.Line > 0 {
			where += ":" + strconv.Itoa(e.Line)
		}
		at = append(at, where)
	}
	if e.Key != "" && !strings.HasPrefix(e.Text, e.Key) {
		at = append(at, e.Key)
	}
	return strings.Join(append(at, e.Text), ": ")
}

// Origin says where a setting was set, from weak to strong.
type Origin int

// The places where a setting can come from.
const (
	FromDefault Origin = iota
	FromFile
	FromEnvironment
	FromFlag

	// fromRun is a value that was set while the program runs. It is stronger than what
	// was there before, so that no key of before goes with it.
	fromRun
)

// Origins holds where each setting, as a dotted path, was set. What is missing
// has its default.
type Origins map[string]Origin

// Validate checks every table and reports the first fault as a *ConfigError,
// whose Key is the setting, or the table where it cannot be told.
func (c Config) Validate() error {
	if faults := c.faults(); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// faults checks every table. A room may report the first of several faults in
// its table.
func (c Config) faults() (out []*ConfigError) {
	const ids = "allowed are 1 to 64 of a-z, 0-9, - and _"
	if !memory.ValidAgentID(c.Agent) {
		out = append(out, &ConfigError{Key: "agent", Text: fmt.Sprintf("%q is no agent's id; %s", c.Agent, ids)})
	}
	for _, id := range slices.Sorted(maps.Keys(c.Agents)) {
		if !memory.ValidAgentID(id) {
			out = append(out, &ConfigError{Key: toml.Key{"agents", id}.String(), Text: "no agent's id; " + ids})
		} else if err := c.persona(id).ValidateFields(); err != nil {
			name, _, _ := strings.Cut(err.Error(), " ")
			key := toml.Key{"agents", id, name}.String()
			out = append(out, &ConfigError{Key: key, Text: key + strings.TrimPrefix(err.Error(), name)})
		}
	}
	for _, t := range []struct {
		name string
		err  error
	}{
		{"model", c.Model.Validate()}, {"chat", c.Chat.Validate()}, {"context", c.Context.Validate()},
		{"memory", c.Memory.Validate()}, {"embedding", c.Embedding.Validate()},
		{"journal", c.Journal.Validate()}, {"backup", c.Backup.Validate()}, {"ui", c.UI.Validate()},
	} {
		if t.err == nil {
			continue
		}
		for text := range strings.SplitSeq(t.err.Error(), "\n") {
			out = append(out, tableError(t.name, text))
		}
	}
	return out
}

// priceFault is how a price's fault begins; the name in it may be any text.
var priceFault = regexp.MustCompile(`^(prices\."(?:[^"\\]|\\.)*"\.\w+): `)

// tableError words a fault that a room found in its table. The rooms begin with
// the setting's name.
func tableError(table, text string) *ConfigError {
	if m := priceFault.FindStringSubmatch(text); m != nil {
		return &ConfigError{Key: table + "." + m[1], Text: text[len(m[0]):]}
	}
	name, _, _ := strings.Cut(text, " ")
	name = strings.TrimSuffix(name, ":")
	key := table + "." + name
	if !slices.Contains(Keys(), key) {
		return &ConfigError{Key: table, Text: text}
	}
	return &ConfigError{Key: key, Text: key + strings.TrimPrefix(strings.TrimPrefix(text, name), ":")}
}

// persona returns an agent as the configuration describes it.
func (c Config) persona(id string) memory.Agent {
	a := c.Agents[id]
	return memory.Agent{ID: id, Name: a.Name, Persona: a.Persona, Model: a.Model, Color: a.Color}
}
