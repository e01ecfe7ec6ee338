package cli

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"memoria/memory/vault"
	"memoria/ui/app"
)

// forgetTime bounds the wait for the backups to forget. What is left of that is
// done when memoria runs next.
const forgetTime = 2 * time.Minute

// finishDeletion carries a deletion out at once, in the backups too (D2): nobody
// will take it back when the process has ended. It says what keeps the words.
func finishDeletion(ctx context.Context, p *Program, o *app.App) error {
	// An interrupt while the user could take it back does not undo it.
	if err := o.Memory.Purge(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	limited, stop := context.WithTimeoutCause(ctx, forgetTime, fmt.Errorf("it takes longer than %s", forgetTime))
	defer stop()
	var done, total atomic.Int64
	err := watched(func() error {
		return o.Memory.Vault().ForgetInBackups(limited, func(n, of int) {
			done.Store(int64(n))
			total.Store(int64(of))
		})
	}, func() { p.say("memoria: taking it out of the backups: %d of %d done…", done.Load(), total.Load()) })
	switch {
	case limited.Err() != nil:
		p.say("memoria: the backups are not finished; the rest forgets it when memoria runs next")
	case err != nil:
		p.say("memoria: a backup may still hold it: %s", oneLine(err.Error()))
	}
	old, err := vault.ReplacedIn(o.Memory.Vault().Dir())
	if len(old) > 0 {
		p.say("memoria: %s that a restore set aside may still hold it; to remove: memoria doctor --repair",
			many(len(old), "old damaged copy", "old damaged copies"))
	}
	return err
}
