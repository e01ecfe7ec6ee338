package cli

import (
	"context"
	"os"
	"strings"
	"testing"
)

// An interrupt leaves nothing of a demo behind.
func TestInterruptedDemoIsRemoved(t *testing.T) {
	tmp := t.TempDir()
	h := newHome(t, "TMPDIR="+tmp)
	p, out, _ := h.program("--demo", "memory", "list")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := p.Run(ctx); code != ExitInterrupted || out.Len() > 0 {
		t.Errorf("code %d, stdout %q", code, out)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A demo keeps its log with the rest of it: nothing is written where the user's
// own memory lies.
func TestDemoWritesNothingElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays the history")
	}
	h := newHome(t, "LANG=zh_CN.UTF-8", "TMPDIR="+t.TempDir()) // it speaks the language of the run
	code, out, errs := h.run(t, nil, "--demo", "memory", "list")
	if code != ExitDone || !strings.Contains(out, "年糕") {
		t.Errorf("code %d, stdout %q, stderr %q", code, out, errs)
	}
	if left, err := os.ReadDir(h.dir); err != nil || len(left) > 0 {
		t.Errorf("wrote %v, %v", left, err)
	}
}
