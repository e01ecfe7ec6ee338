package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/kv"
)

// ErrUnreadable says that a store is whole, but some of its records are not.
var ErrUnreadable = errors.New("records cannot be read")

// Verify checks the store file at path, which may hold anything. [ErrDamaged] and
// [ErrMissing] mean that it must not be opened; [ErrUnreadable] that it can be, without
// some of its records. Any other error says that nothing is known.
func Verify(ctx context.Context, path string) error {
	_, err := kv.CheckFile(ctx, path, nil)
	return judge(err)
}

// judge makes of what a check found what [Verify] returns.
func judge(err error) error {
	var found *kv.CheckError
	switch {
	case !errors.As(err, &found):
		return err
	case len(found.Pages) > 0:
		return fmt.Errorf("%w: %d of its pages and records are not what they should be", ErrDamaged, found.Total)
	}
	return fmt.Errorf("%d %w, in %s", found.Total, ErrUnreadable, bucketsOf(found))
}

// bucketsOf names where records cannot be read.
func bucketsOf(found *kv.CheckError) string {
	// Keys can hold words of the user; the log must not.
	var in []string
	for _, r := range found.Records {
		in = append(in, r.Bucket)
	}
	slices.Sort(in)
	return strings.Join(slices.Compact(in), ", ")
}
