package cli

import (
	"context"
	"errors"

	"memoria/ui/app"
	linewise "memoria/ui/plain"
	"memoria/ui/setting"
)

// runPlain talks line by line. The first interrupt ends an answer, not the
// program.
func (p *Program) runPlain(ctx context.Context, o *open, s *server, talks *app.Desk, settings setting.Access) error {
	options := linewise.Options{
		Chat: talks.Chat(), Desk: talks, Manager: o.manager, In: p.Stdin, Out: p.out, Typed: isTerminal(p.Stdin),
		ByHand:   p.typed,
		Discover: p.discover, Connect: s.connect, Models: s.models, UseModel: s.use, Now: p.Now, Version: p.Version,
		Cost: s.cost, Money: s.money, Settings: settings,
	}
	if p.lines != nil { // a question was asked before
		options.In = p.lines
	}
	if p.Interrupts != nil {
		interrupts, giveUp := p.Interrupts()
		defer giveUp()
		options.Interrupts = interrupts
	}
	err := linewise.Run(ctx, options)
	if errors.Is(err, linewise.ErrInterrupted) {
		return errInterrupted
	}
	return err
}
