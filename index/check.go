package index

import (
	"context"
	"fmt"
	"log/slog"
	"os"
)

// Check compares the files of the index in dir with their checksums. It neither opens
// nor changes the index. The error is ErrBroken, ErrLocked for an open index, or a file
// system error. An empty folder is not an error.
func Check(ctx context.Context, dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("checking index: %w", err)
	}
	l, err := lockDirectory(dir)
	if err != nil {
		return fmt.Errorf("checking index: %w", err)
	}
	d := &directory{path: dir, logger: slog.New(slog.DiscardHandler), lock: l, checked: map[uint64]bool{}}
	defer d.close()
	if err := d.check(ctx); err != nil {
		return fmt.Errorf("checking index: %w", err)
	}
	return nil
}

func (d *directory) check(ctx context.Context) (err error) {
	defer guard(d.logger, &err)()
	snapshots, err := d.List(kindSnapshot)
	if err != nil {
		return err
	}
	segments, err := d.List(kindSegment)
	switch {
	case err != nil:
		return err
	case len(snapshots) == 0 && len(segments) > 0:
		return fmt.Errorf("segments without a snapshot: %w", ErrBroken)
	case len(snapshots) == 0:
		return nil
	}
	_, err = d.checkSnapshot(ctx, snapshots[0])
	return err
}

// Attached returns ErrBroken if the folder of an open index was removed or replaced.
// The index still answers, but changes are lost.
func (ix *Index) Attached() error {
	if ix.dir == nil {
		return nil
	}
	now, err := os.Stat(ix.dir.path)
	if err != nil || !os.SameFile(now, ix.dir.found) {
		return fmt.Errorf("its folder was taken away: %w", ErrBroken)
	}
	return nil
}
