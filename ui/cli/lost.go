package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memoria/ui/app"

	"memoria/chat"
	"memoria/memory/vault"
)

// repairText says what a repair can save.
func repairText(p *Program, r *vault.Repair) string {
	has := fmt.Sprintf("%s and %s", many(r.Messages, "message", "messages"), many(r.Items, "memory", "memories"))
	var day string
	if r.Backup != nil {
		day = r.Backup.Time.In(p.Now().Location()).Format("2006-01-02 15:04")
	}
	if r.Whole {
		return fmt.Sprintf("0 messages of the file can be read; the backup of %s has %s, and what was said since is lost", day, has)
	}
	out := has + " can be saved"
	if r.BackupMessages+r.BackupItems > 0 {
		out += fmt.Sprintf(", %d and %d of them from the backup of %s", r.BackupMessages, r.BackupItems, day)
	}
	if r.FoundMessages+r.FoundItems > 0 {
		out += fmt.Sprintf(", %d and %d of them from lost pages", r.FoundMessages, r.FoundItems)
		if r.FoundItems > 0 {
			out += " (those memories wait in the inbox)"
		}
	}
	var bad []string
	for _, bucket := range slices.Sorted(maps.Keys(r.Salvaged.Unreadable)) {
		bad = append(bad, fmt.Sprintf("%d in %s", r.Salvaged.Unreadable[bucket], bucket))
	}
	if len(bad) > 0 {
		out += "; damaged: " + strings.Join(bad, ", ")
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
	p.say("memoria: %s", problem.Title)
	p.say("  %s", problem.Text)
	p.say("  %s.", repairText(p, repair))
	if there := !errors.Is(lost, vault.ErrMissing) || errors.Is(lost, vault.ErrEmpty); there {
		p.say("  The file that is there is kept, moved aside.")
	}
	_, _ = fmt.Fprint(p.Stderr, "Mend it so? [y/N] ")
	line, rerr := p.readLine(ctx)
	if rerr != nil && !errors.Is(rerr, io.EOF) {
		return nil, errors.Join(rerr, repair.Discard())
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "是":
	default:
		p.say("Nothing was changed. To mend it later: %s", vault.RepairCommand)
		return nil, errors.Join(errTold, repair.Discard())
	}
	kept, err := repair.Apply()
	if err != nil {
		return nil, err
	}
	p.say("Mended. What was there before is in %s", kept)
	return app.Open(ctx, &p.Options)
}
