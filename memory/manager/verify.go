package manager

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"memoria/kv"
)

// Verifier checks the store file at path. [ErrDamaged] and [ErrMissing] mean
// that it must not be opened; [ErrUnreadable] that it can be, without some of
// its records. Any other error says that nothing is known.
type Verifier func(ctx context.Context, path string) error

// ErrUnreadable says that a store is whole, but some of its records are not.
var ErrUnreadable = errors.New("records cannot be read")

// How long a check may take: so long, and longer by the size of the file. A
// store of 400 MB takes a tenth of a second when the system still holds it in
// memory, and a few seconds from a slow disk.
const (
	verifyTime  = 5 * time.Second
	verifySpeed = 50 << 20 // bytes a second, at the least
)

// InChild returns a Verifier that checks in a process of its own, which damage
// may crash or hold without harm: program is started with args and the path, and
// must call [VerifyFile]. It is killed when its time is over. A child that cannot
// be started is logged and proves nothing.
func InChild(log *slog.Logger, program string, args ...string) Verifier {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return func(ctx context.Context, path string) error {
		limit := verifyTime
		if stat, err := os.Stat(path); err == nil {
			limit += time.Duration(stat.Size()) * time.Second / verifySpeed
		}
		return runVerifier(ctx, log, limit, append([]string{program}, append(args, path)...))
	}
}

func runVerifier(ctx context.Context, log *slog.Logger, limit time.Duration, call []string) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, call[0], call[1:]...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &limitedWriter{w: &out, left: maxVerdict}
	if err := cmd.Start(); err != nil {
		log.Warn("the check of the store could not be started", "error", err)
		return nil
	}
	err := cmd.Wait()
	var v verdict
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return fmt.Errorf("%w: its check did not end within %s", ErrDamaged, limit.Round(time.Second))
	case err != nil:
		return fmt.Errorf("%w: its check broke off (%w)", ErrDamaged, err)
	case json.Unmarshal(out.Bytes(), &v) != nil:
		return fmt.Errorf("%w: its check said nothing", ErrDamaged)
	}
	return v.err()
}

// maxVerdict bounds what is read of a child, in bytes.
const maxVerdict = 64 << 10

type limitedWriter struct {
	w    io.Writer
	left int
}

func (l *limitedWriter) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	_, err := l.w.Write(b[:n])
	return len(b), err
}

// verdict is what the child prints.
type verdict struct {
	Found string `json:"found,omitempty"` // a key of verdicts, or "failed"
	Text  string `json:"text,omitempty"`
}

// verdicts are the findings that travel by name, the more telling first.
var verdicts = []struct {
	name string
	err  error
}{
	{"missing", ErrMissing}, {"unreadable", ErrUnreadable}, {"damaged", ErrDamaged},
}

// verified is an error from another process.
type verified struct {
	error
	text string
}

func (v verified) Error() string { return v.text }
func (v verified) Unwrap() error { return v.error }

func (v verdict) err() error {
	if v.Found == "" {
		return nil
	}
	for _, known := range verdicts {
		if v.Found == known.name {
			return verified{known.err, v.Text}
		}
	}
	return errors.New(v.Text)
}

// VerifyFile checks the store file at path in this process and prints the
// verdict for [InChild] to w. It writes nothing else. Its error is one of
// printing.
func VerifyFile(ctx context.Context, path string, w io.Writer) error {
	v := verdict{}
	if err := InProcess(ctx, path); err != nil {
		v = verdict{Found: "failed", Text: err.Error()}
		for _, known := range verdicts {
			if errors.Is(err, known.err) {
				v.Found = known.name
				break
			}
		}
	}
	return json.NewEncoder(w).Encode(v)
}

// InProcess is the Verifier for a file that this process has written itself:
// damage could take it down.
func InProcess(ctx context.Context, path string) error {
	_, err := kv.CheckFile(ctx, path, nil)
	return judge(err)
}

// judge makes of what a check found what a [Verifier] returns.
func judge(err error) error {
	var found *kv.CheckError
	switch {
	case !errors.As(err, &found) && kv.IsFault(err):
		return fmt.Errorf("%w: its pages do not fit together", ErrDamaged)
	case !errors.As(err, &found):
		return err
	case len(found.Pages) > 0:
		return fmt.Errorf("%w: %d of its pages and records are not what they should be", ErrDamaged, found.Total)
	}
	// Keys can hold words of the user; the log must not.
	var in []string
	for _, r := range found.Records {
		in = append(in, r.Bucket)
	}
	slices.Sort(in)
	return fmt.Errorf("%d %w, in %s", found.Total, ErrUnreadable, strings.Join(slices.Compact(in), ", "))
}
