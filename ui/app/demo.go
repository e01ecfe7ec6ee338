package app

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"memoria/ui/app/demo"
	"memoria/ui/config"
)

// demoFolder is the folder of --demo: created when a command first asks where the
// memory is, removed when the program ends.
type demoFolder struct {
	fill func(demo.Options) error
	dir  string // empty until it is created
}

// useDemo points the setup to a temporary memory with a history. The user's own memory
// is neither read nor written; the configuration is read.
func (o *Options) useDemo(s *Setup) (err error) {
	if o.DataDir != "" {
		return wrongUsage("--demo brings a folder of its own and --data-dir names one; use one of them")
	}
	if o.demo.dir == "" {
		if o.demo.dir, err = demo.NewFolder(config.Lookup(o.Env, "TMPDIR")); err != nil {
			return err
		}
		slow := time.AfterFunc(time.Second, func() { o.Notify("memoria: writing the demo's history…") })
		defer slow.Stop()
		history := demo.Options{Dir: o.demo.dir, Language: config.Language(o.Words.Language), Agent: s.Agent, Now: o.Now()}
		if err := o.demo.fill(history); err != nil {
			return err
		}
	}
	s.DataDir, s.LogPath = o.demo.dir, filepath.Join(o.demo.dir, "memoria.log")
	return nil
}

// PrepareDemo lets the demo's folder be filled until ctx ends. It returns the function
// that removes the folder, which must be called.
func (o *Options) PrepareDemo(ctx context.Context) (remove func()) {
	o.demo.fill = func(options demo.Options) error { return demo.Fill(ctx, options) }
	return func() {
		if o.demo.dir == "" {
			return
		}
		if err := os.RemoveAll(o.demo.dir); err != nil {
			o.Notify("memoria: the demo's folder could not be removed: %s", err)
		}
	}
}
