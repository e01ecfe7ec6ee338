package kv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"memoria/kv/pages"
)

// A store up to walkBytes is walked at every open, a larger one if the last walk is
// older than walkAge (K4): 100 MB take about 50 ms.
const (
	walkBytes = 100 << 20
	walkAge   = 24 * time.Hour
)

// walked is the result of a walk over a store file. Only its time is kept for the next
// process.
type walked struct {
	CheckError
	small    []error // faults that the next transaction repairs
	freeList error
	info     FileInfo // as far as readable
}

// all returns all faults, nil for none.
func (w *walked) all() error {
	for _, err := range append(w.small, w.freeList) {
		if err != nil {
			w.addPage(err)
		}
	}
	if w.Total == 0 {
		return nil
	}
	return &w.CheckError
}

// fault returns the structural damage, nil for none.
func (w *walked) fault() error {
	if len(w.Pages) == 0 {
		return nil
	}
	return &w.CheckError
}

// records returns the unreadable records, nil for none.
func (w *walked) records() *CheckError {
	if w.Total == 0 {
		return nil
	}
	return &w.CheckError
}

// walkFile visits every page and every record of the file at path. The error is a
// system error, [ErrDamaged] if the walk cannot even begin, or ctx's cause. All other
// damage is in the result.
func walkFile(ctx context.Context, path string, progress Progress) (_ *walked, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	stat, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file, err := pages.Open(f, stat.Size())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	w := &walked{info: FileInfo{Bytes: stat.Size()}}
	done, told := int64(0), int64(0)
	total := file.Bytes()
	found, err := file.Walk(ctx, func(bucket string, k, v []byte) error {
		if progress != nil {
			if done += int64(len(k) + len(v)); done-told > progressStep {
				told = done
				progress(min(done, total), total)
			}
		}
		_, _, err := openRecord(bucket, k, v)
		if err == nil && bucket == metaName {
			err = w.info.read(k, v)
		}
		if err != nil {
			w.addRecord(&RecordError{Bucket: bucket, Key: bytes.Clone(k), Err: err})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, fault := range found.Faults {
		w.addPage(fault)
	}
	w.Total += found.Total - len(found.Faults)
	w.freeList = found.FreeList
	if file.Single {
		w.small = append(w.small, errors.New("one of the two meta pages is damaged"))
	}
	if w.Total == 0 && w.info.ID == "" {
		w.addPage(errors.New("it does not say which store it is"))
	}
	if progress != nil {
		progress(total, total)
	}
	return w, nil
}

// progressStep is the number of bytes of records between two progress calls.
const progressStep = 64 << 10

// read takes one of the package's own records.
func (i *FileInfo) read(k, v []byte) error {
	switch {
	case bytes.Equal(k, infoKey):
		info, err := infoBucket.decode(copyRecord(metaName, k, v))
		if err != nil {
			return err
		}
		i.ID, i.Schema, i.By, i.Created = info.ID, info.Schema, info.By, info.Created
	case bytes.Equal(k, clockKey):
		last, err := clockBucket.decode(copyRecord(metaName, k, v))
		if err != nil {
			return err
		}
		i.Last = last
	}
	return nil
}

// walk checks the store before bbolt opens it, since bbolt trusts its file. A store
// with structural damage is an error. A bad free list is dropped; bbolt rebuilds it
// from the tree.
func (db *DB) walk(path string) error {
	now := db.opts.Now()
	known := db.clean && db.lock.stamp == stampOf(path)
	if age := now.Sub(db.lock.walked); known && age >= 0 && age < walkAge {
		if stat, err := os.Stat(path); err == nil && stat.Size() > walkBytes {
			return nil
		}
	}
	db.lock.walked = time.Time{} // a damaged store is walked each time
	w, err := walkFile(context.Background(), path, nil)
	if err == nil {
		err = w.fault()
	}
	if err != nil {
		return err
	}
	if w.freeList != nil {
		if err := dropFreeList(path); err != nil {
			return err
		}
	}
	db.unreadable, db.lock.walked = w.records(), now
	return nil
}

// dropFreeList makes bbolt rebuild the free list.
func dropFreeList(path string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	if err := pages.DropFreeList(f, stat.Size()); err != nil {
		return err
	}
	return f.Sync()
}

// checkMeta compares the file's size with the one in its newest meta page.
func checkMeta(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := pages.Open(f, stat.Size())
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if need := file.Bytes(); stat.Size() < need {
		return fmt.Errorf("%w: cut short: %d bytes of at least %d", ErrDamaged, stat.Size(), need)
	}
	return nil
}
