package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"memoria/chat"
	"memoria/memory/vault"
	"memoria/ui/app"
	"memoria/ui/words"
)

// repairText says what a repair can save.
func (p *Program) repairText(r *vault.Repair, loc *time.Location) string {
	has := p.lang().Say("gone.extent", p.lang().Count(r.Messages, "message"), p.lang().Count(r.Items, "memory"))
	day := ""
	if r.Backup != nil {
		day = words.Moment(r.Backup.Time, loc)
	}
	if r.Whole {
		return p.lang().Say("mend.backup", day, has)
	}
	out := p.lang().Say("mend.saves", has)
	if r.BackupMessages+r.BackupItems > 0 {
		out += p.lang().Say("mend.from-backup", r.BackupMessages, r.BackupItems, day)
	}
	if r.FoundMessages+r.FoundItems > 0 {
		out += p.lang().Say("mend.from-pages", r.FoundMessages, r.FoundItems)
		if r.FoundItems > 0 {
			out += p.lang().Say("mend.waiting")
		}
	}
	var bad []string
	for _, bucket := range slices.Sorted(maps.Keys(r.Salvaged.Unreadable)) {
		bad = append(bad, p.lang().Say("mend.bucket", r.Salvaged.Unreadable[bucket], bucket))
	}
	if len(bad) > 0 {
		out += p.lang().Say("mend.damaged", p.lang().List(bad))
	}
	return out
}

// openOrMend is open for the terminal: when the memory cannot be opened and can be
// mended, the user is asked there and then.
func (p *Program) openOrMend(ctx context.Context) (*app.App, error) {
	o, err := app.Open(ctx, &p.Options)
	var lost *vault.LostError
	if !errors.As(err, &lost) || errors.Is(err, vault.ErrForeign) {
		return o, err
	}
	repair, rerr := vault.PrepareRepair(ctx, lost.Dir, p.Now)
	if errors.Is(rerr, vault.ErrNothingLeft) {
		return o, err
	} else if rerr != nil {
		return o, errors.Join(err, rerr)
	}
	problem := chat.Explain(lost)
	p.tell(chat.Problem{Title: problem.Title, Text: problem.Text, Hint: p.repairText(repair, p.Now().Location()) + p.Words.Say("sep.stop")})
	if there := !errors.Is(lost, vault.ErrMissing) || errors.Is(lost, vault.ErrEmpty); there {
		p.remark("mend.kept")
	}
	agreed, rerr := p.question(ctx, "mend.ask")
	if rerr != nil {
		return nil, errors.Join(rerr, repair.Discard())
	}
	if !agreed {
		p.remark("mend.later", vault.RepairCommand)
		return nil, errors.Join(errTold, repair.Discard())
	}
	kept, err := repair.Apply()
	if err != nil {
		return nil, err
	}
	p.remark("mend.done", kept)
	return app.Open(ctx, &p.Options)
}
