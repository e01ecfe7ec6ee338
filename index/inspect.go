package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	segment "github.com/blugelabs/bluge_segment_api"
	"github.com/blugelabs/ice"
)

// IsSegment reports whether a file name is that of a segment.
func IsSegment(name string) bool { return strings.HasSuffix(name, kindSegment) }

// Inspect calls visit with every word, gram, label and stored value of a segment file,
// also those of deleted documents. A proof of erasure needs it (D2): dictionaries are
// compressed, so a search of the bytes finds nothing. Inspect does not lock the index, and
// reads the files of an open one. The error is ErrBroken if the file is damaged.
func Inspect(ctx context.Context, path string, visit func(value string)) (err error) {
	defer guard(slog.New(slog.DiscardHandler), &err)()
	id, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), kindSegment), 16, 64)
	if err != nil {
		return fmt.Errorf("inspecting an index: %w: %w", ErrBroken, err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("inspecting an index: %w", err)
	}
	content, err := checkTrailer(file, kindSegment, id)
	if err != nil {
		return fmt.Errorf("inspecting %s: %w", filepath.Base(path), err)
	}
	seg, err := ice.Load(segment.NewDataBytes(content))
	if err != nil {
		return fmt.Errorf("inspecting %s: %w: %w", filepath.Base(path), ErrBroken, err)
	}
	for _, field := range seg.Fields() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := visitTerms(seg, field, visit); err != nil {
			return fmt.Errorf("inspecting %s: %w: %w", filepath.Base(path), ErrBroken, err)
		}
	}
	for n := range seg.Count() {
		err := seg.VisitStoredFields(n, func(_ string, value []byte) bool {
			visit(string(value))
			return ctx.Err() == nil
		})
		if err != nil {
			return fmt.Errorf("inspecting %s: %w: %w", filepath.Base(path), ErrBroken, err)
		}
	}
	return context.Cause(ctx)
}

func visitTerms(seg segment.Segment, field string, visit func(string)) (err error) {
	dict, err := seg.Dictionary(field)
	if err != nil {
		return err
	}
	terms := dict.Iterator(nil, nil, nil)
	defer func() { err = errors.Join(err, terms.Close(), dict.Close()) }()
	for {
		entry, err := terms.Next()
		if entry == nil || err != nil {
			return err
		}
		visit(entry.Term())
	}
}
