package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"
)

// Share is a part of a whole.
type Share struct{ N, Of int }

// add counts one more of the whole, and of the part where is holds.
func (s *Share) add(is bool) {
	if s.Of++; is {
		s.N++
	}
}

// Percent is the share in percent; of nothing it is 0.
func (s Share) Percent() float64 {
	if s.Of == 0 {
		return 0
	}
	return 100 * float64(s.N) / float64(s.Of)
}

func (s Share) String() string { return fmt.Sprintf("%.1f %% (%d of %d)", s.Percent(), s.N, s.Of) }

// shares are shares by name.
type shares map[string]*Share

func (s shares) add(name string, is bool) {
	if s[name] == nil {
		s[name] = &Share{}
	}
	s[name].add(is)
}

// names are those of the shares, in alphabetical order.
func (s shares) names() (out []string) {
	for name := range s {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// table prints rows of cells, the first row being the heading.
func table(w io.Writer, rows [][]any) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for _, cell := range row {
			_, _ = fmt.Fprintf(t, "%v\t", cell)
		}
		_, _ = fmt.Fprintln(t)
	}
	return t.Flush()
}

// Details are remarks on single cases, in the order of the set.
type Details []string

// add writes one remark.
func (d *Details) add(format string, args ...any) { *d = append(*d, fmt.Sprintf(format, args...)) }

// Print writes a line for each remark.
func (d Details) Print(w io.Writer) error {
	for _, line := range d {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// each plays n cases, several at a time, and returns what came of them in their order.
func each[T any](ctx context.Context, n int, play func(ctx context.Context, i int) (T, error)) ([]T, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out, errs := make([]T, n), make([]error, n)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var work sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		work.Go(func() {
			defer func() { <-free }()
			if ctx.Err() != nil {
				return
			}
			if out[i], errs[i] = play(ctx, i); errs[i] != nil {
				stop()
			}
		})
	}
	work.Wait()
	return out, errors.Join(append(errs, context.Cause(ctx))...)
}
