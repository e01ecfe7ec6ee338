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
// compressed, so a search of the bytes finds nothing. ids returns the ids of the documents
// with the value; it is valid during the call. Inspect does not lock the index, and reads
// the files of an open one. The error is ErrBroken if the file is damaged.
func Inspect(ctx context.Context, path string, visit func(value string, ids func() []string)) (err error) {
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
			visit(string(value), func() []string { return []string{storedID(seg, n)} })
			return ctx.Err() == nil
		})
		if err != nil {
			return fmt.Errorf("inspecting %s: %w: %w", filepath.Base(path), ErrBroken, err)
		}
	}
	return context.Cause(ctx)
}

func visitTerms(seg segment.Segment, field string, visit func(string, func() []string)) (err error) {
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
		term := entry.Term()
		visit(term, func() []string { return idsWith(seg, dict, term) })
	}
}

// idsWith returns the ids of a segment's documents with a term, deleted or not.
func idsWith(seg segment.Segment, dict segment.Dictionary, term string) (ids []string) {
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return nil
	}
	it, err := list.Iterator(false, false, false, nil)
	if err != nil {
		return nil
	}
	for {
		p, err := it.Next()
		if p == nil || err != nil {
			return ids
		}
		ids = append(ids, storedID(seg, p.Number()))
	}
}

// storedID returns the id of a segment's document, or an empty one.
func storedID(seg segment.Segment, n uint64) (id string) {
	_ = seg.VisitStoredFields(n, func(field string, value []byte) bool {
		if field == fieldID {
			id = string(value)
		}
		return id == ""
	})
	return id
}
