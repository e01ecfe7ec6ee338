package cli

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"memoria/chat/model"
	"memoria/memory/indexer"
	"memoria/ui/config"
)

// embedder makes the client for vectors; nil when none is configured. Where there is
// no address of its own, it is that of [model], with its key. Like the model's, a key
// goes to the address that it was given for and to no other.
func (p *Program) embedder(o *open) (indexer.Embedder, error) {
	cfg := o.cfg.Embedding.EmbedConfig
	if !cfg.On() || p.demo.on {
		return nil, nil
	}
	variable, belongs := cfg.APIKeyEnv, o.from["embedding.api_key_env"] >= o.from["embedding.base_url"]
	if cfg.BaseURL == "" {
		cfg.BaseURL, cfg.AllowHTTP = o.cfg.Model.BaseURL, cfg.AllowHTTP || o.cfg.Model.AllowHTTP
		variable, belongs = o.cfg.Model.APIKeyEnv, p.keyBelongs(o.settings)
	}
	cfg.APIKeyEnv = variable
	key := ""
	if variable != "" {
		key = config.Lookup(p.Env, variable)
	}
	if key != "" && !belongs {
		o.logger.Warn("key is not sent to the embedding endpoint, because it was not given for it")
		p.say("memoria: the key in %s is not sent to the embedding endpoint, because it was not given for it", variable)
		p.say("  To send it, set embedding.api_key_env where embedding.base_url is set.")
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
	c, err := model.NewEmbedder(cfg, model.WithKey(key), model.WithLogger(o.logger), model.WithClock(p.Now))
	if err != nil {
		return nil, &config.Error{Key: "embedding", Text: err.Error()}
	}
	o.closers = append(o.closers, c.Close)
	return c, nil
}

// examineTime is how long doctor waits for a vector.
const examineTime = 10 * time.Second

// examineEmbedding asks the embedding model for one vector, of a word of no meaning.
func (p *Program) examineEmbedding(ctx context.Context, d *diagnosis, s settings) {
	const name = "embeddings"
	if !s.cfg.Embedding.On() {
		return
	}
	o := &open{settings: s, logger: slog.New(slog.DiscardHandler)}
	defer func() { _ = o.Close() }()
	o.cfg.Embedding.Retries = 0
	e, err := p.embedder(o)
	if err != nil {
		d.add(name, stateWrong, "memoria config show", "%s", err)
		return
	}
	ctx, stop := context.WithTimeout(ctx, examineTime)
	defer stop()
	got, err := e.Embed(ctx, indexer.ForQuery, []string{"memoria"})
	var fault *model.Error
	switch {
	case ctx.Err() != nil:
		d.add(name, stateWarn, "", "%s did not answer within %s; memories are found by their words alone", e.About().Name, examineTime)
	case errors.As(err, &fault):
		what, fix := endpointFault(fault)
		d.add(name, stateWarn, fix, "%s; memories are found by their words alone", what)
	case err != nil:
		d.add(name, stateWarn, "Set the key, or embedding.base_url to a server of your own.", "%s; memories are found by their words alone", err)
	default:
		d.add(name, stateOK, "", "%s makes vectors of %d numbers", e.About().Name, len(got[0]))
	}
}
