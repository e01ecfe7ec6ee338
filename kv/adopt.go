package kv

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Adopt makes the store that lies at path the one of its folder, whichever was there
// before: [ErrForeign] is over (K6). It must be whole and not open. What it says of itself
// is returned.
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

// Belongs reports whether a store that says this of itself is the one that the id file
// beside it names; where there is none, it is.
func Belongs(path string, info FileInfo) (bool, error) {
	sentinel, err := readSentinel(path)
	return sentinel == nil || sentinel.ID == info.ID, err
}
