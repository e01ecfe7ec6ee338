package cli

import (
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"

	"memoria/memory"
	"memoria/ui/config"
)

// settings are the configuration and all that follows from it.
type settings struct {
	cfg               config.Config
	from              config.Origins
	config, data, log string
	agent             memory.Agent // as the configuration describes it
	usual             string       // the agent without --agent and variables
}

// places returns where the program's files lie, and whether the user named the
// configuration file.
func (p *Program) places() (file, data, state string, named bool) {
	under := func(variable, fallback string) string {
		if dir := config.Lookup(p.Env, variable); filepath.IsAbs(dir) {
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
	file = first(p.configPath, config.Lookup(p.Env, "MEMORIA_CONFIG"))
	named = file != ""
	file = first(file, filepath.Join(under("XDG_CONFIG_HOME", xdg.ConfigHome), "config.toml"))
	data = first(p.dataDir, config.Lookup(p.Env, "MEMORIA_DATA_DIR"), under("XDG_DATA_HOME", xdg.DataHome))
	return file, data, under("XDG_STATE_HOME", xdg.StateHome), named
}

// homeless reports whether a folder would have to be guessed: without a home that would be
// the root of the disk.
func (s settings) homeless(p *Program) bool {
	if runtime.GOOS == "windows" || config.Lookup(p.Env, "HOME") != "" || p.demo.on {
		return false
	}
	data := p.dataDir != "" || config.Lookup(p.Env, "MEMORIA_DATA_DIR") != "" || filepath.IsAbs(config.Lookup(p.Env, "XDG_DATA_HOME"))
	file := p.configPath != "" || config.Lookup(p.Env, "MEMORIA_CONFIG") != "" || filepath.IsAbs(config.Lookup(p.Env, "XDG_CONFIG_HOME"))
	return !data || !file
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
	if s.cfg, s.from, err = config.Load(s.config, named, p.Env); err != nil {
		return s, err
	}
	if p.modelName != "" {
		s.cfg.Model.Name = p.modelName
		s.from["model.name"] = config.FromFlag
	}
	if s.usual = s.cfg.Agent; s.from["agent"] == config.FromEnvironment {
		s.usual = ""
	}
	if p.agent != "" {
		if memory.ValidAgentID(p.agent) { // a name is looked up when the memory is open
			s.cfg.Agent = p.agent
		}
		s.from["agent"] = config.FromFlag
	}
	s.agent = s.cfg.Persona(s.cfg.Agent)
	if err := p.openAIBaseURL(&s); err != nil || !p.demo.on {
		return s, err
	}
	return s, p.useDemo(&s)
}

// openAIBaseURL lets OPENAI_BASE_URL stand in for a base_url that nobody set.
func (p *Program) openAIBaseURL(s *settings) error {
	url := config.Lookup(p.Env, baseURLVariable)
	if url == "" || s.from["model.base_url"] != config.FromDefault {
		return nil
	}
	s.cfg.Model.BaseURL = url
	s.from["model.base_url"] = config.FromEnvironment
	if err := s.cfg.Model.Validate(); err != nil {
		return &config.Error{Key: baseURLVariable, Text: err.Error()}
	}
	return nil
}
