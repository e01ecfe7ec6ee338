package cli

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"memoria/ui/cli/demo"
	"memoria/ui/config"
)

// throwAway is the folder of --demo: made when a command first asks where the
// memory lies, removed when the program ends.
type throwAway struct {
	on   bool
	fill func(demo.Options) error
	dir  string // empty until it is made
}

// useDemo lets the settings name a throw-away memory with a history in it. What
// the user has is neither read nor written, but for the configuration.
func (p *Program) useDemo(s *settings) (err error) {
	if p.dataDir != "" {
		return wrongUsage("--demo brings a folder of its own and --data-dir names one; use one of them")
	}
	if p.demo.dir == "" {
		if p.demo.dir, err = demo.NewFolder(config.Lookup(p.Env, "TMPDIR")); err != nil {
			return err
		}
		slow := time.AfterFunc(time.Second, func() { p.say("memoria: writing the demo's history…") })
		defer slow.Stop()
		if err := p.demo.fill(demo.Options{Dir: p.demo.dir, Agent: s.agent, Now: p.Now()}); err != nil {
			return err
		}
	}
	s.data, s.log = p.demo.dir, filepath.Join(p.demo.dir, "memoria.log")
	return nil
}

// prepareDemo has the folder filled until ctx ends, and returns what removes it.
func (p *Program) prepareDemo(ctx context.Context) (remove func()) {
	p.demo.fill = func(o demo.Options) error { return demo.Fill(ctx, o) }
	return func() {
		if p.demo.dir == "" {
			return
		}
		if err := os.RemoveAll(p.demo.dir); err != nil {
			p.say("memoria: the demo's folder could not be removed: %s", err)
		}
	}
}
