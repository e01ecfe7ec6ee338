package index

import (
	"context"
	"fmt"
	"log/slog"
	"os"
)

// Check compares the files of the index in dir with their checksums, without
// opening it and without changing anything. It returns nil also for a folder
// without an index; ErrBroken; ErrLocked for an index that is open; or an error
// of the file system.
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

// Attached returns ErrBroken when the folder of an open index was removed or
// replaced: it goes on answering, but nothing that is applied would last.
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
