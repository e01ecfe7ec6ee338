package cli

import (
	"time"

	"github.com/spf13/cobra"

	"memoria/index/text"
)

// times are what --since and --until say.
type times struct {
	since, until string
	from, to     time.Time // to does not belong to it; zero is open
}

func (t *times) flags(c *cobra.Command, what string) {
	c.Flags().StringVar(&t.since, "since", "", what+" from this `TIME` on: 2026-01-28, \"last week\", 三天前")
	c.Flags().StringVar(&t.until, "until", "", what+" up to the end of this `TIME`")
}

func (t *times) some() bool { return !t.from.IsZero() || !t.to.IsZero() }

// readTimes understands the two flags.
func readTimes(p *Program, c *cobra.Command, t *times) error {
	for name, value := range map[string]string{"since": t.since, "until": t.until} {
		if !c.Flags().Changed(name) {
			continue
		}
		rest, from, to, ok := text.Dates(value, p.Now().Local(), time.Local)
		if !ok { // "march" alone: here nothing but a time can be meant
			rest, from, to, ok = text.Dates("in "+value, p.Now().Local(), time.Local)
		}
		bound, known := &t.from, from
		if name == "until" {
			bound, known = &t.to, to
		}
		*bound = known
		if !ok || rest != "" || known.IsZero() {
			return wrongUsage("--%s %q is no time; say 2026-01-28, 2026-01, \"last week\", \"3 May\" or 三天前", name, value)
		}
	}
	if !t.from.IsZero() && !t.to.IsZero() && !t.from.Before(t.to) {
		return wrongUsage("--since %q begins after --until %q ends", t.since, t.until)
	}
	return nil
}
