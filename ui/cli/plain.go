package cli

import (
	"context"
	"errors"

	"memoria/ui/app"
	linewise "memoria/ui/plain"
)

// runPlain talks line by line. The first interrupt ends an answer, not the
// program.
func (p *Program) runPlain(ctx context.Context, session *app.Session) error {
	options := linewise.Options{Session: session, In: p.Stdin, Out: p.out, Typed: isTerminal(p.Stdin), ByHand: p.typed}
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
