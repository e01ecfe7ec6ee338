package app

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/ui/config"
	"memoria/ui/words"
)

// keyVariable is the variable of OpenAI's own tools for the API key. The key is
// OpenAI's, or that of the address in [config.BaseURLVariable].
const keyVariable = "OPENAI_API_KEY"

// Client returns a client for the configured model, or an offline one when no model
// is configured. offline says in words why it is offline; it is empty otherwise.
func (a *App) Client() (client model.Client, offline string, err error) {
	cfg := a.modelOf(a.Agent)
	key, withheld := keyFor(&a.Loaded)
	if withheld {
		a.reportWithheld()
	}
	if isOffline(cfg, key) {
		offline = "no model is configured"
		if cfg.APIKeyEnv != "" {
			offline += " (" + cfg.APIKeyEnv + " is not set)"
		}
		return model.NewOffline(a.options.Now), offline, nil
	}
	c, err := model.NewOpenAI(cfg, model.WithKey(key), model.WithLogger(a.Logger), model.WithClock(a.options.Now))
	if err != nil {
		return nil, "", &config.Error{Key: "model", Text: err.Error()}
	}
	a.closers = append(a.closers, c.Close)
	return c, "", nil
}

// keyFor returns the API key for the model's endpoint; empty when there is none.
// withheld reports that there is a key, which was not given for this endpoint.
func keyFor(l *config.Loaded) (key string, withheld bool) {
	if name := l.Config.Model.APIKeyEnv; name != "" {
		key = config.Lookup(l.Env, name)
	}
	if key != "" && !keyBelongs(l) {
		return "", true
	}
	return key, false
}

// isOffline reports whether no model can be asked: OpenAI answers only with a key.
func isOffline(cfg model.Config, key string) bool {
	return key == "" && config.SameURL(cfg.BaseURL, model.DefaultConfig().BaseURL)
}

// keyBelongs reports whether the API key may be sent to the endpoint. OPENAI_API_KEY
// may be sent to OpenAI and to OPENAI_BASE_URL. Any key may be sent to an address that
// was set in the same place as api_key_env, or in a weaker one. So a base_url in the
// environment never receives a key named in the file.
func keyBelongs(l *config.Loaded) bool {
	cfg := l.Config.Model
	address := l.From["model.base_url"]
	if cfg.APIKeyEnv == keyVariable {
		own := config.Lookup(l.Env, config.BaseURLVariable)
		if config.SameURL(cfg.BaseURL, model.DefaultConfig().BaseURL) || own != "" && config.SameURL(cfg.BaseURL, own) {
			return true
		}
	}
	return l.From["model.api_key_env"] >= max(address, config.FromFile) || address == config.FromDefault
}

// reportWithheld says that the API key is not sent. Local servers need none.
func (a *App) reportWithheld() {
	a.Logger.Warn("key is not sent to this endpoint, because it was not given for it")
	if a.Config.Model.Local() {
		return
	}
	host := "this endpoint"
	if u, err := url.Parse(a.Config.Model.BaseURL); err == nil {
		host = u.Host
	}
	a.options.Notify("memoria: the key in %s is not sent to %s, because it was not given for it", a.Config.Model.APIKeyEnv, host)
	a.options.Notify("  To send it, set api_key_env where base_url is set.")
}

// listTime is how long a server may take to list its models.
const listTime = 10 * time.Second

// Offered lists the models of the configured endpoint, without opening the memory.
// offline says why there is no endpoint to ask.
func (o *Options) Offered(ctx context.Context, s Setup) (names []string, offline string, err error) {
	a := &App{Setup: s, options: o, Logger: slog.New(slog.DiscardHandler)}
	defer func() { _ = a.Close() }()
	client, offline, err := a.Client()
	if err != nil || offline != "" {
		return nil, offline, err
	}
	names, err = list(ctx, client)
	if errors.Is(err, errOffline) {
		return nil, "this client has no list of models", nil
	}
	return names, "", err
}

// errOffline means that there is no server to ask.
var errOffline = errors.New("no model is connected")

func list(ctx context.Context, client model.Client) ([]string, error) {
	lister, ok := client.(interface {
		Models(context.Context) ([]string, error)
	})
	if !ok {
		return nil, errOffline
	}
	ctx, stop := context.WithTimeout(ctx, listTime)
	defer stop()
	return lister.Models(ctx)
}

// Discover looks for model servers on this computer.
func (o *Options) Discover(ctx context.Context) []model.Found {
	if o.Find != nil {
		return o.Find(ctx)
	}
	return model.Discover(ctx, nil)
}

// Embedded asks the configured embedding model for the vector of one word. It returns
// the model's name and the size of the vector.
func (o *Options) Embedded(ctx context.Context, s Setup) (name string, size int, err error) {
	a := &App{Setup: s, options: o, Logger: slog.New(slog.DiscardHandler)}
	defer func() { _ = a.Close() }()
	a.Config.Embedding.Retries = 0
	e, err := a.embedder()
	if err != nil {
		return "", 0, err
	}
	got, err := e.Embed(ctx, indexer.ForQuery, []string{"memoria"})
	if err != nil {
		return e.About().Name, 0, err
	}
	return e.About().Name, len(got[0]), nil
}

// embedder returns the client for vectors; nil when none is configured. Without an
// address of its own it uses that of [model], and its key. A key is sent only to the
// address that it was given for.
func (a *App) embedder() (indexer.Embedder, error) {
	cfg := a.Config.Embedding.EmbedConfig
	if !cfg.On() || a.options.Demo {
		return nil, nil
	}
	variable, belongs := cfg.APIKeyEnv, a.From["embedding.api_key_env"] >= a.From["embedding.base_url"]
	if cfg.BaseURL == "" {
		cfg.BaseURL, cfg.AllowHTTP = a.Config.Model.BaseURL, cfg.AllowHTTP || a.Config.Model.AllowHTTP
		variable, belongs = a.Config.Model.APIKeyEnv, keyBelongs(&a.Loaded)
	}
	cfg.APIKeyEnv = variable
	key := ""
	if variable != "" {
		key = config.Lookup(a.Env, variable)
	}
	if key != "" && !belongs {
		a.Logger.Warn("key is not sent to the embedding endpoint, because it was not given for it")
		a.options.Notify("memoria: the key in %s is not sent to the embedding endpoint, because it was not given for it", variable)
		a.options.Notify("  To send it, set embedding.api_key_env where embedding.base_url is set.")
		key = ""
	}
	if key == "" && config.SameURL(cfg.BaseURL, model.DefaultConfig().BaseURL) {
		why := "embedding.name is set, but there is no key for " + cfg.BaseURL
		if variable != "" {
			why += " (" + variable + " is not set)"
		}
		e, err := model.NewUnreachable(cfg, why)
		if err != nil {
			return nil, &config.Error{Key: "embedding", Text: err.Error()}
		}
		return e, nil
	}
	c, err := model.NewEmbedder(cfg, model.WithKey(key), model.WithLogger(a.Logger), model.WithClock(a.options.Now))
	if err != nil {
		return nil, &config.Error{Key: "embedding", Text: err.Error()}
	}
	a.closers = append(a.closers, c.Close)
	return c, nil
}

// Chat returns the conversation with the chosen agent; a brief one ends with its first
// answer.
func (a *App) Chat(client model.Client, brief bool) (*chat.Chat, error) {
	return a.chatWith(a.Config, a.Agent, client, chatKind{brief: brief, temporary: a.options.Temporary})
}

// chatKind says how long a conversation lasts: one answer, or only in memory.
type chatKind struct{ brief, temporary bool }

// chatWith returns a conversation with an agent or a group.
func (a *App) chatWith(cfg config.Config, with memory.Agent, client model.Client, kind chatKind) (*chat.Chat, error) {
	ctx := context.Background()
	members, g, err := a.groupOf(ctx, with.ID)
	var names map[string]string
	if err == nil && g != nil {
		for i, m := range members { // a flag names one model for all
			if !a.ownModel(m) {
				members[i].Model = ""
			}
		}
		with = memory.Agent{ID: g.ID, Name: g.Name}
		names, err = a.nameMembers(ctx, *g, members)
	}
	if err != nil {
		return nil, err
	}
	return chat.New(chat.Options{
		Agent: with, Members: members, Names: names, Manager: a.Memory, Model: client, Prompts: a.Prompts,
		Config: cfg.Chat, Context: cfg.Context, Now: a.options.Now, Logger: a.Logger, NoMemory: a.options.NoMemory,
		Brief: kind.brief, Chinese: a.options.Words.Language == words.Chinese,
		Rest: chat.DefaultRest, Temporary: kind.temporary, Shared: &a.options.Shared.turns, Memory: a.own,
	})
}
