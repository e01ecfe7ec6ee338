package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/kv"
)

// ErrUnreadable says that the structure of a store is whole and some records cannot be read.
var ErrUnreadable = errors.New("records cannot be read")

// Verify checks the file at path, which may have any content. After [ErrDamaged] and
// [ErrMissing] the file must not be opened. After [ErrUnreadable] it can be opened, without
// some of its records. After any other error its state is unknown.
func Verify(ctx context.Context, path string) error {
	_, err := kv.CheckFile(ctx, path, nil)
	return judge(err)
}

// judge turns the findings of kv into the errors of [Verify].
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

// bucketsOf names the buckets that have unreadable records.
func bucketsOf(found *kv.CheckError) string {
	// Keys can hold the user's words, which must not reach the log.
	var in []string
	for _, r := range found.Records {
		in = append(in, r.Bucket)
	}
	slices.Sort(in)
	return strings.Join(slices.Compact(in), ", ")
}
