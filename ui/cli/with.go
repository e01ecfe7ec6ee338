package cli

import (
	"context"
	"errors"

	"memoria/ui/app"
)

// with opens the memory for one command. Before the command it finishes what an earlier
// process left unfinished or to analyse; --no-memory leaves the analysis for later.
func (p *Program) with(ctx context.Context, do func(*app.App) error) (err error) {
	o, err := app.Open(ctx, &p.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	if _, err := o.Memory.Recover(ctx, o.Agent.ID); err != nil {
		return err
	}
	p.tellDamage(o)
	if !p.NoMemory {
		for _, id := range o.Rememberers() {
			if err := o.Memory.Learning().Learn(ctx, id, nil); err != nil && ctx.Err() == nil {
				p.remark("learn.broken", err)
			}
		}
	}
	return do(o)
}

// tellDamage says that records cannot be read, and so may be missing in the output (K5).
func (p *Program) tellDamage(o *app.App) {
	if n := o.Memory.Vault().Unreadable(); n > 0 {
		p.remark("record.unreadable", p.lang().Count(n, "record"))
	}
}
