package kv

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Adopt accepts the store at path as the one of its folder, even if the sentinel names
// another. It resolves [ErrForeign] (K6). The store must be undamaged and closed. Adopt
// returns the file's description of itself.
func Adopt(path string, timeout time.Duration) (info FileInfo, err error) {
	if info, err = adopt(path, timeout); err != nil {
		return info, fmt.Errorf("adopting store %s: %w", path, Refusal(err))
	}
	return info, nil
}

func adopt(path string, timeout time.Duration) (info FileInfo, err error) {
	lock, err := acquire(path, max(timeout, lockPoll))
	if err != nil {
		return info, err
	}
	defer func() { err = errors.Join(err, lock.release(lock.previous == 0, "")) }()
	if err := checkMeta(path); err != nil {
		return info, err
	}
	w, err := walkFile(context.Background(), path, nil)
	if err == nil {
		err = w.fault()
	}
	if err != nil {
		return info, err
	}
	return w.info, writeSentinel(path, storeInfo{ID: w.info.ID, Created: w.info.Created})
}

// Belongs reports whether the sentinel beside path names the store described by info.
// It returns true if there is no sentinel.
func Belongs(path string, info FileInfo) (bool, error) {
	sentinel, err := readSentinel(path)
	return sentinel == nil || sentinel.ID == info.ID, err
}
