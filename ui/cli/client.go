package cli

import (
	"context"
	"fmt"
	"net/url"
	"regexp"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/ui/config"
)

// The variables that OpenAI's own tools read. The key is OpenAI's, or that of
// the address beside it.
const (
	keyVariable     = "OPENAI_API_KEY"
	baseURLVariable = "OPENAI_BASE_URL"
)

// client makes the model's client: the configured one where there is a key or
// where none is needed, and the offline one otherwise. why says in words why
// it is offline; it is empty when it is not.
func (p *Program) client(o *open) (client model.Client, why string, err error) {
	cfg := o.modelOf(o.agent)
	key, stays := p.keyFor(o.settings)
	if stays {
		p.withheld(o)
	}
	if offline(cfg, key) {
		why = "no model is configured"
		if cfg.APIKeyEnv != "" {
			why += " (" + cfg.APIKeyEnv + " is not set)"
		}
		return model.NewOffline(p.Now), why, nil
	}
	c, err := model.NewOpenAI(cfg, model.WithKey(key), model.WithLogger(o.logger), model.WithClock(p.Now))
	if err != nil {
		return nil, "", &config.Error{Key: "model", Text: err.Error()}
	}
	o.closers = append(o.closers, c.Close)
	return c, "", nil
}

// modelOf is the model that answers as an agent: its own, unless a flag names one.
func (s settings) modelOf(a memory.Agent) model.Config {
	cfg := s.cfg.Model
	if s.ownModel(a) {
		cfg.Name = a.Model
	}
	return cfg
}

// ownModel reports whether an agent is answered by a model of its own.
func (s settings) ownModel(a memory.Agent) bool {
	return a.Model != "" && s.from["model.name"] != config.FromFlag
}

// keyFor is the key for the endpoint, empty when there is none. stays reports that
// there is one and it was not given for this endpoint.
func (p *Program) keyFor(s settings) (key string, stays bool) {
	if name := s.cfg.Model.APIKeyEnv; name != "" {
		key = config.Lookup(p.Env, name)
	}
	if key != "" && !p.keyBelongs(s) {
		return "", true
	}
	return key, false
}

// offline reports whether there is nobody to ask: nobody answers at the default
// address without a key.
func offline(cfg model.Config, key string) bool {
	return key == "" && config.SameURL(cfg.BaseURL, model.DefaultConfig().BaseURL)
}

// keyBelongs reports whether the key may go to the endpoint. It goes where it
// was given for: OPENAI_API_KEY to OpenAI and to OPENAI_BASE_URL, and any key to
// the endpoint beside which it is named, that is where api_key_env was set in
// the same place as base_url or in a stronger one. So a base_url in the
// environment never takes along a key from the file.
func (p *Program) keyBelongs(s settings) bool {
	cfg := s.cfg.Model
	address := s.from["model.base_url"]
	if cfg.APIKeyEnv == keyVariable {
		own := config.Lookup(p.Env, baseURLVariable)
		if config.SameURL(cfg.BaseURL, model.DefaultConfig().BaseURL) || own != "" && config.SameURL(cfg.BaseURL, own) {
			return true
		}
	}
	return s.from["model.api_key_env"] >= max(address, config.FromFile) || address == config.FromDefault
}

// withheld says that a key stays here. Servers on this computer need none.
func (p *Program) withheld(o *open) {
	o.logger.Warn("key is not sent to this endpoint, because it was not given for it")
	if o.cfg.Model.Local() {
		return
	}
	host := "this endpoint"
	if u, err := url.Parse(o.cfg.Model.BaseURL); err == nil {
		host = u.Host
	}
	p.say("memoria: the key in %s is not sent to %s, because it was not given for it", o.cfg.Model.APIKeyEnv, host)
	p.say("  To send it, set api_key_env where base_url is set.")
}

// chat makes the conversation of the chosen agent; a brief one is over with its
// first answer.
func (p *Program) chat(o *open, client model.Client, brief bool) (*chat.Chat, error) {
	return p.chatWith(o, o.settings, o.agent, client, chatKind{brief: brief, temporary: p.temporary})
}

// chatKind says how long a conversation lasts: one answer, or only in memory.
type chatKind struct{ brief, temporary bool }

// chatWith makes the conversation of an agent, or a group.
func (p *Program) chatWith(o *open, s settings, a memory.Agent, client model.Client, kind chatKind) (*chat.Chat, error) {
	ctx := context.Background()
	members, g, err := o.company(ctx, a.ID)
	var known map[string]string
	if err == nil && g != nil {
		for i, m := range members { // a flag names one for all
			if !s.ownModel(m) {
				members[i].Model = ""
			}
		}
		a = memory.Agent{ID: g.ID, Name: g.Name}
		known, err = o.nameMembers(ctx, *g, members)
	}
	if err != nil {
		return nil, err
	}
	return chat.New(chat.Options{
		Agent: a, Members: members, Names: known, Manager: o.manager, Model: client, Prompts: o.prompts, Config: s.cfg.Chat,
		Context: s.cfg.Context, Now: p.Now, Logger: o.logger, NoMemory: p.noMemory, Brief: kind.brief, Rest: chat.DefaultRest, Temporary: kind.temporary,
	})
}

// plainName is a model's name that needs no quotes in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)

// offer looks for model servers on this machine while the offline answer is
// made, 300 ms at most, and returns what to say about them.
func (p *Program) offer(ctx context.Context, offline string) <-chan string {
	out := make(chan string, 1)
	if offline == "" {
		out <- ""
		return out
	}
	go func() {
		said := "memoria: " + offline + "; answered from memory alone, nothing was sent anywhere"
		for _, found := range p.discover(ctx) {
			said += fmt.Sprintf("\n  %s runs on this computer; to use it: MEMORIA_MODEL_BASE_URL=%s", found.Name, found.BaseURL)
			if len(found.Models) > 0 && plainName.MatchString(found.Models[0]) {
				said += " MEMORIA_MODEL_NAME=" + found.Models[0]
			}
			said += " memoria"
		}
		out <- said
	}()
	return out
}
