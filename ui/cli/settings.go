package cli

import (
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"

	"memoria/memory"
)

// settings are the configuration and all that follows from it.
type settings struct {
	cfg               Config
	from              Origins
	config, data, log string
	agent             memory.Agent // as the configuration describes it
	usual             string       // the agent without --agent and variables
}

// places returns where the program's files lie, and whether the user named the
// configuration file.
func (p *Program) places() (config, data, state string, named bool) {
	under := func(variable, fallback string) string {
		if dir := lookup(p.Env, variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "memoria")
		}
		return filepath.Join(fallback, "memoria")
	}
	first := func(names ...string) string {
		for _, s := range names {
			if s != "" {
				return s
			}
		}
		return ""
	}
	config = first(p.configPath, lookup(p.Env, "MEMORIA_CONFIG"))
	named = config != ""
	config = first(config, filepath.Join(under("XDG_CONFIG_HOME", xdg.ConfigHome), "config.toml"))
	data = first(p.dataDir, lookup(p.Env, "MEMORIA_DATA_DIR"), under("XDG_DATA_HOME", xdg.DataHome))
	return config, data, under("XDG_STATE_HOME", xdg.StateHome), named
}

// homeless reports whether a folder would have to be guessed: without a home that would be
// the root of the disk.
func (s settings) homeless(p *Program) bool {
	if runtime.GOOS == "windows" || lookup(p.Env, "HOME") != "" || p.demo.on {
		return false
	}
	data := p.dataDir != "" || lookup(p.Env, "MEMORIA_DATA_DIR") != "" || filepath.IsAbs(lookup(p.Env, "XDG_DATA_HOME"))
	config := p.configPath != "" || lookup(p.Env, "MEMORIA_CONFIG") != "" || filepath.IsAbs(lookup(p.Env, "XDG_CONFIG_HOME"))
	return !data || !config
}

func logIn(state string) string { return filepath.Join(state, "memoria.log") }

// settings reads the configuration; flags count most.
func (p *Program) settings() (settings, error) {
	var s settings
	var state string
	var named bool
	var err error
	s.config, s.data, state, named = p.places()
	s.log = logIn(state)
	if s.homeless(p) {
		return s, wrongUsage("the home folder is not known, as HOME is not set: set it, or give --data-dir and --config")
	}
	if s.cfg, s.from, err = LoadConfig(s.config, named, p.Env); err != nil {
		return s, err
	}
	if p.modelName != "" {
		s.cfg.Model.Name = p.modelName
		s.from["model.name"] = FromFlag
	}
	if s.usual = s.cfg.Agent; s.from["agent"] == FromEnvironment {
		s.usual = ""
	}
	if p.agent != "" {
		if memory.ValidAgentID(p.agent) { // a name is looked up when the memory is open
			s.cfg.Agent = p.agent
		}
		s.from["agent"] = FromFlag
	}
	s.agent = s.cfg.persona(s.cfg.Agent)
	if err := p.openAIBaseURL(&s); err != nil || !p.demo.on {
		return s, err
	}
	return s, p.useDemo(&s)
}

// openAIBaseURL lets OPENAI_BASE_URL stand in for a base_url that nobody set.
func (p *Program) openAIBaseURL(s *settings) error {
	url := lookup(p.Env, baseURLVariable)
	if url == "" || s.from["model.base_url"] != FromDefault {
		return nil
	}
	s.cfg.Model.BaseURL = url
	s.from["model.base_url"] = FromEnvironment
	if err := s.cfg.Model.Validate(); err != nil {
		return &ConfigError{Key: baseURLVariable, Text: err.Error()}
	}
	return nil
}
