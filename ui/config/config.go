package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/bounds"
	"memoria/memory/journal"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
)

// Config is the whole configuration file (I5).
type Config struct {
	// Agent is the agent that is talked to when none is named.
	Agent     string           `toml:"agent" effect:"restart"`
	Model     model.Config     `toml:"model"`
	Chat      chat.Config      `toml:"chat"`
	Context   compose.Config   `toml:"context"`
	Memory    write.Config     `toml:"memory"`
	Embedding Embedding        `toml:"embedding" effect:"restart"`
	Journal   journal.Config   `toml:"journal"`
	Backup    vault.Config     `toml:"backup" effect:"restart"`
	API       API              `toml:"api"`
	UI        UI               `toml:"ui"`
	Agents    map[string]Agent `toml:"agents"`
}

// Agent is one [agents.<id>] table.
type Agent struct {
	Name    string `toml:"name"`
	Persona string `toml:"persona"`
	Model   string `toml:"model"`
	Color   string `toml:"color"`
}

// DefaultAgent is the agent of a fresh installation.
const DefaultAgent = "memoria"

// Default returns the configuration that holds when there is no file.
func Default() Config {
	return Config{
		Agent: DefaultAgent, Model: model.DefaultConfig(), Chat: chat.DefaultConfig(),
		Context: compose.DefaultConfig(), Memory: write.DefaultConfig(), Embedding: defaultEmbedding(),
		Journal: journal.DefaultConfig(), Backup: vault.DefaultConfig(), UI: defaultUI(),
	}
}

// Error is a problem in the configuration, with its place.
type Error struct {
	File string // empty when it is not the file's fault
	Line int    // 0 when unknown
	Key  string // the setting or the variable
	Text string
}

func (e *Error) Error() string {
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

// The places where a setting can be set.
const (
	FromDefault Origin = iota
	FromFile
	FromEnvironment
	FromFlag

	// FromRun is a value that was set while the program runs. It is stronger than the
	// others, so that no key that was set before is sent to an address set in the run.
	FromRun
)

// String returns the origin as it is shown; a value set in the run is in the file.
func (o Origin) String() string {
	switch o {
	case FromFile, FromRun:
		return "file"
	case FromEnvironment:
		return "environment"
	case FromFlag:
		return "flag"
	}
	return "default"
}

// Origins holds where each setting was set, by its dotted key. Settings that are
// missing have their default.
type Origins map[string]Origin

// agentIDs says what an agent's id may be.
const agentIDs = "1 to 64 of a-z, 0-9, - and _"

// faults checks every table and returns all faults, by table. The key of a fault is the
// setting, or the table when the setting is unknown.
func (c Config) faults() (out []*Error) {
	if !memory.ValidAgentID(c.Agent) {
		out = append(out, &Error{Key: "agent", Text: fmt.Sprintf("%q is no agent's id; allowed are %s", c.Agent, agentIDs)})
	}
	for _, id := range slices.Sorted(maps.Keys(c.Agents)) {
		if !memory.ValidAgentID(id) {
			out = append(out, &Error{Key: toml.Key{"agents", id}.String(), Text: "no agent's id; allowed are " + agentIDs})
		} else if err := c.Persona(id).ValidateFields(); err != nil {
			name, _, _ := strings.Cut(err.Error(), " ")
			key := toml.Key{"agents", id, name}.String()
			out = append(out, &Error{Key: key, Text: key + strings.TrimPrefix(err.Error(), name)})
		}
	}
	for _, t := range []struct {
		name string
		err  error
	}{
		{"model", c.Model.Validate()}, {"chat", c.Chat.Validate()}, {"context", c.Context.Validate()},
		{"memory", c.Memory.Validate()}, {"embedding", c.Embedding.Validate()},
		{"journal", c.Journal.Validate()}, {"backup", c.Backup.Validate()}, {"api", c.API.Validate()}, {"ui", c.UI.Validate()},
	} {
		out = append(out, tableFaults(t.name, t.err)...)
	}
	return out
}

// tableFaults returns what a package found in its table.
func tableFaults(table string, err error) (out []*Error) {
	var faults bounds.Faults
	if errors.As(err, &faults) {
		for _, f := range faults {
			out = append(out, &Error{Key: table + "." + f.Key, Text: table + "." + f.Error()})
		}
	} else if err != nil {
		out = append(out, &Error{Key: table, Text: err.Error()})
	}
	return out
}

// Persona returns an agent as the configuration describes it.
func (c Config) Persona(id string) memory.Agent {
	a := c.Agents[id]
	return memory.Agent{ID: id, Name: a.Name, Persona: a.Persona, Model: a.Model, Color: a.Color}
}
