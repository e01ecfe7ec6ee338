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
	talks := app.NewConversations(app.ConversationOptions{
		Memory: o.manager, Chat: conversation, Model: server.modelFor, Default: o.usualAgent(), New: server.talk, Temporary: server.temporary,
	})
	defer func() { err = errors.Join(err, talks.Close()) }()
	linewise := p.screenReader || o.cfg.UI.ScreenReader
	live := newLive(p, o, talks, server, !linewise)
	server.settings = live.inForce
	session := &app.Session{
		Conversations: talks, Memory: o.manager, Settings: live.access(), Now: p.Now, Version: p.Version,
		Logger: o.logger, LogPath: o.log, Demo: p.demo.on,
		Models: app.Models{
			Discover: p.discover, Connect: server.connect, List: server.models, Use: server.use, Cost: server.cost, Money: server.money,
		},
	}
	if linewise {
		return p.runPlain(ctx, session)
	}
	if config.Lookup(p.Env, "GOGC") == "" {
		debug.SetGCPercent(residentGC)
	}
	go o.manager.WarmRules() // while the first screen is read
	session.Models.Discover = func(ctx context.Context) []model.Found {
		if !server.now().Info().Offline {
			return nil
		}
		return p.discover(ctx)
	}
	err = term.Run(ctx, term.Options{
		Session: session, In: p.Stdin, Out: p.Stdout, Env: p.Env, Config: o.cfg.UI, Clipboard: systemClipboard(),
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
