package cli

import (
	"io"
	"os"
	"strings"
	"testing"
)

// Line by line the first interrupt ends nothing; the second one, at rest, ends the
// program with 130.
func TestSecondInterruptLineByLine(t *testing.T) {
	h := newHome(t)
	p, out, errs := h.program("--screen-reader")
	in, typed := io.Pipe()
	defer typed.Close()
	p.Stdin = in
	interrupts := make(chan os.Signal, 2)
	interrupts <- os.Interrupt
	interrupts <- os.Interrupt
	p.Interrupts = func() (<-chan os.Signal, func()) { return interrupts, func() {} }
	if code := p.Run(t.Context()); code != ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(out.String(), "to leave press Ctrl+C again") || errs.Len() > 0 {
		t.Errorf("said %q, and %q", out, errs)
	}
}
