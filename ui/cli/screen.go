package cli

import (
	"context"
	"errors"
	"sync"

	"github.com/atotto/clipboard"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/ui/desk"
	"memoria/ui/term"
)

// runTerm starts the terminal program.
func (p *Program) runTerm(ctx context.Context) (err error) {
	if !p.screenReader && (!isTerminal(p.Stdin) || !isTerminal(p.Stdout)) {
		return p.noScreen("this is not a terminal")
	}
	o, err := p.openOrRestore(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	client, _, err := p.client(o)
	if err != nil {
		return err
	}
	server := &server{p: p, o: o, cfg: o.modelOf(o.agent), client: client}
	server.base, server.usual = o.cfg.Model, client
	defer server.close()
	conversation, err := p.chat(o, client, false)
	if err != nil {
		return err
	}
	talks := desk.New(desk.Options{
		Manager: o.manager, Chat: conversation, Model: server.modelFor, Default: o.usualAgent(),
		New: func(a memory.Agent) (*chat.Chat, error) {
			client, err := server.modelFor(a)
			if err != nil {
				return nil, err
			}
			return p.chatWith(o, a, client, false)
		},
	})
	defer func() { err = errors.Join(err, talks.Close()) }()
	if p.screenReader || o.cfg.UI.ScreenReader {
		return p.runPlain(ctx, o, server, talks)
	}
	err = term.Run(ctx, term.Options{
		Chat: conversation, Desk: talks, Manager: o.manager, In: p.Stdin, Out: p.Stdout, Env: p.Env, LogPath: o.log, Logger: o.logger,
		Config: o.cfg.UI, Now: p.Now, Version: p.Version, Demo: p.demo.on,
		Discover: func(ctx context.Context) []model.Found {
			if !server.now().Info().Offline {
				return nil
			}
			return p.discover(ctx)
		},
		Connect: server.connect, Models: server.models, UseModel: server.use,
		Clipboard: systemClipboard(), Cost: o.cfg.Model.Cost, Money: o.cfg.Model.Money,
		IdleTimeout: o.cfg.Chat.PassiveTimeout,
	})
	if errors.Is(err, term.ErrNoTerminal) {
		return p.noScreen("this terminal cannot be drawn on: TERM is " + lookup(p.Env, "TERM"))
	}
	if err == nil { // for the screen an end by a signal is no error; for the exit code it is
		err = context.Cause(ctx)
	}
	return err
}

// noScreen says what to do where nothing can be drawn.
func (p *Program) noScreen(why string) error {
	p.say("memoria: %s", why)
	p.say("  Line by line: memoria --screen-reader")
	p.say("  For one question and one answer: memoria ask TEXT")
	return errTold
}

// systemClipboard fills the clipboard of the desktop; nil where there is none.
func systemClipboard() func(string) error {
	if clipboard.Unsupported {
		return nil
	}
	return clipboard.WriteAll
}

// server is where the terminal program's models come from: the configured
// endpoint at first, later the one found on this computer when the user takes
// it. Its methods may be called from any goroutine.
type server struct {
	p *Program
	o *open

	mu     sync.Mutex
	cfg    model.Config   // of client
	client model.Client   // who answers now
	base   model.Config   // where no agent and nobody else names a model
	usual  model.Client   // for base; made with its name or, at first, that of the first agent
	made   []func() error // closes what was made here
}

// now is who answers now.
func (s *server) now() model.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// modelFor makes who answers as an agent: the agent's own model of the same server, or
// the usual one.
func (s *server) modelFor(a memory.Agent) (model.Client, error) {
	s.mu.Lock()
	cfg, offline := s.base, s.usual.Info().Offline
	s.mu.Unlock()
	if offline {
		return s.usual, nil
	}
	if a.Model != "" && s.o.from["model.name"] != FromFlag {
		cfg.Name = a.Model
	}
	return s.build(cfg, s.key(cfg))
}

// key is the key that may go to an endpoint: none but to the configured one.
func (s *server) key(cfg model.Config) string {
	if cfg.APIKeyEnv == "" || !sameURL(cfg.BaseURL, s.o.cfg.Model.BaseURL) || !s.p.keyBelongs(s.o.settings) {
		return ""
	}
	return lookup(s.p.Env, cfg.APIKeyEnv)
}

// errOffline: there is no server to ask.
var errOffline = errors.New("no model is connected")

// models lists what the server offers.
func (s *server) models(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	client := s.client
	s.mu.Unlock()
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

// use makes a client for another model of the server.
func (s *server) use(name string) (model.Client, error) {
	s.mu.Lock()
	cfg, offline := s.cfg, s.client.Info().Offline
	s.mu.Unlock()
	if offline {
		return nil, errOffline
	}
	cfg.Name = name
	return s.build(cfg, s.key(cfg))
}

// connect makes a client for a server that was found on this computer. It gets
// no key.
func (s *server) connect(f model.Found) (model.Client, error) {
	cfg := f.Config(s.o.cfg.Model)
	c, err := s.build(cfg, "")
	if err == nil {
		s.mu.Lock()
		s.base, s.usual = cfg, c
		s.mu.Unlock()
	}
	return c, err
}

func (s *server) build(cfg model.Config, key string) (model.Client, error) {
	c, err := model.NewOpenAI(cfg, model.WithKey(key), model.WithLogger(s.o.logger), model.WithClock(s.p.Now))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cfg, s.client, s.made = cfg, c, append(s.made, c.Close)
	return c, nil
}

func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.made {
		_ = f()
	}
}
