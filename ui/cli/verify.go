package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"memoria/chat"
	"memoria/memory/manager"
)

// verifyName is the hidden command that checks a store file in a process of its
// own: the program starts itself with it, see [manager.InChild].
const verifyName = "__verify"

func (p *Program) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use: verifyName + " PATH", Hidden: true, Args: cobra.ExactArgs(1), DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			return manager.VerifyFile(c.Context(), args[0], p.out)
		},
	}
}

// verifier checks store files in a child, or, when the program does not know
// where it lies itself, in this process.
func (p *Program) verifier(log *slog.Logger) manager.Verifier {
	if p.Executable == "" {
		return nil
	}
	return manager.InChild(log, p.Executable, verifyName)
}

// openOrRestore is open for the terminal: when the memory cannot be opened and a
// backup could take its place, the user is asked there and then.
func (p *Program) openOrRestore(ctx context.Context) (*open, error) {
	o, err := p.open(ctx)
	var lost *manager.LostError
	if !errors.As(err, &lost) || lost.Backup == nil {
		return o, err
	}
	problem := chat.Explain(lost)
	p.say("memoria: %s", problem.Title)
	p.say("  %s", problem.Text)
	p.say("  The newest good backup is of %s, %.1f MB.",
		lost.Backup.Time.In(p.Now().Location()).Format("2006-01-02 15:04"), float64(lost.Backup.Bytes)/1e6)
	loses := "Restoring it loses what was said since."
	if there := !errors.Is(lost, manager.ErrMissing) || errors.Is(lost, manager.ErrEmpty); there {
		loses += " The file that is there is kept, moved aside."
	}
	p.say("  %s", loses)
	_, _ = fmt.Fprint(p.Stderr, "Restore this backup? [y/N] ")
	line, rerr := p.readLine(ctx)
	if rerr != nil && !errors.Is(rerr, io.EOF) {
		return nil, rerr
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "是":
	default:
		p.say("Nothing was changed. To restore it later: %s", manager.RepairCommand)
		return nil, errTold
	}
	aside, err := manager.Restore(ctx, lost.Dir, *lost.Backup, p.verifier(nil), p.Now)
	if err != nil {
		return nil, err
	}
	p.say("Restored. What was there before is in %s", aside)
	return p.open(ctx)
}
