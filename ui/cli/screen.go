package cli

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/atotto/clipboard"

	"memoria/chat/model"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term"
)

// residentGC is the garbage collector's percentage (runtime/debug) of the program that stays
// open: half of the usual one costs it no time that was measured, and saves 40 MB.
const residentGC = 50

// runTerm starts the terminal program.
func (p *Program) runTerm(ctx context.Context) (err error) {
	if !p.screenReader && (!isTerminal(p.Stdin) || !isTerminal(p.Stdout)) {
		return p.noScreen("this is not a terminal")
	}
	o, err := p.openOrMend(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	client, _, err := p.client(o)
	if err != nil {
		return err
	}
	server := newServer(p, o, client)
	defer server.close()
	conversation, err := p.chat(o, client, false)
	if err != nil {
		return err
	}
	talks := app.New(app.Options{
		Manager: o.manager, Chat: conversation, Model: server.modelFor, Default: o.usualAgent(), New: server.talk, Temporary: server.temporary,
	})
	defer func() { err = errors.Join(err, talks.Close()) }()
	linewise := p.screenReader || o.cfg.UI.ScreenReader
	live := newLive(p, o, talks, server, !linewise)
	server.settings = live.inForce
	if linewise {
		return p.runPlain(ctx, o, server, talks, live.access())
	}
	if config.Lookup(p.Env, "GOGC") == "" {
		debug.SetGCPercent(residentGC)
	}
	go o.manager.WarmRules() // while the first screen is read
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
		Clipboard: systemClipboard(), Cost: server.cost, Money: server.money, Settings: live.access(),
		IdleTimeout: o.cfg.Chat.PassiveTimeout,
	})
	if errors.Is(err, term.ErrNoTerminal) {
		return p.noScreen("this terminal cannot be drawn on: TERM is " + config.Lookup(p.Env, "TERM"))
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
