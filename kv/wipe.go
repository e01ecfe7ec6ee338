package kv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"memoria/kv/pages"
)

// wipeStep is the number of pages examined while writers wait.
const wipeStep = 2048

// Wipe overwrites free pages with zeros, to erase deleted and outdated text. It runs
// inside write transactions, since a concurrent one could reuse those pages. If a
// reader is open that may still see one of them, Wipe stops and done is false. If done
// is true, the file holds only live data. The error is ctx's cause, [ErrUnwritable], or
// a system error.
func (db *DB) Wipe(ctx context.Context) (done bool, err error) {
	if err := db.mayWrite(); err != nil {
		return false, err
	}
	f, err := os.OpenFile(db.opts.Path, os.O_RDWR, 0)
	if err != nil {
		return false, fmt.Errorf("wiping: %w", Refusal(err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := wiper{db: db, f: f}
	for next, more := uint64(0), true; more; {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if next, more, err = w.step(next); err != nil {
			return false, fmt.Errorf("wiping: %w", Refusal(err))
		}
		if w.seen {
			return false, nil
		}
	}
	if w.wrote && !db.opts.NoSync {
		err = f.Sync()
	}
	return err == nil, err
}

type wiper struct {
	db    *DB
	f     *os.File
	wrote bool
	seen  bool // a reader is open
}

// step wipes some of the free pages, starting at page from, and returns where to
// continue.
func (w *wiper) step(from uint64) (next uint64, more bool, err error) {
	tx, err := w.db.begin(true)
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, tx.end()) }()
	// A reader that begins now sees the last commit, which includes no free page.
	if w.db.bolt.Stats().OpenTxN > 0 {
		w.seen = true
		return 0, false, nil
	}
	if err := w.db.attached(); err != nil {
		return 0, false, err
	}
	stat, err := w.f.Stat()
	if err != nil {
		return 0, false, err
	}
	file, err := pages.Open(w.f, stat.Size())
	if err != nil {
		return 0, false, err
	}
	free, err := file.Free()
	if err != nil {
		return 0, false, err
	}
	page, zeros := make([]byte, file.PageSize), make([]byte, file.PageSize)
	for i, looked := 0, 0; i < len(free); i++ {
		if free[i] < from {
			continue
		}
		if looked++; looked > wipeStep {
			return free[i], true, nil
		}
		at := int64(free[i]) * int64(file.PageSize)
		if _, err := w.f.ReadAt(page, at); err != nil {
			return 0, false, err
		}
		if bytes.Equal(page, zeros) {
			continue
		}
		if _, err := w.f.WriteAt(zeros, at); err != nil {
			return 0, false, err
		}
		w.wrote = true
	}
	return 0, false, nil
}
