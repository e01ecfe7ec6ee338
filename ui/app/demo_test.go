package app

import (
	"context"
	"os"
	"testing"
)

// An interrupt while the demo's history is written leaves nothing behind.
func TestInterruptedDemo(t *testing.T) {
	tmp := t.TempDir()
	o := options(t, "TMPDIR="+tmp)
	o.Demo = true
	ctx, cancel := context.WithCancel(t.Context())
	remove := o.PrepareDemo(ctx)
	cancel()
	if _, err := o.Setup(); err == nil || o.demo.dir == "" {
		t.Errorf("error %v, folder %q", err, o.demo.dir)
	}
	remove()
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
