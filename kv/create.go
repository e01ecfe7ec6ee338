package kv

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	bolt "go.etcd.io/bbolt"
)

// storeInfo describes a store. The sentinel repeats ID and Created.
type storeInfo struct {
	ID      string    `json:"store"`
	Created time.Time `json:"created"`
	Schema  uint64    `json:"schema,omitempty"`
	// By is the program version that brought the store to its schema.
	By string `json:"by,omitempty"`
}

const metaName = ownPrefix + "meta"

var (
	infoBucket  = NewBucket(metaName, 1, JSON[storeInfo]())
	clockBucket = NewBucket[time.Time](metaName, 1, tupleCodec[time.Time]{})
	infoKey     = Key("store")
	clockKey    = Key("clock")
)

func sentinelPath(path string) string { return path + ".id" }

const newSuffix = ".new-"

// create builds an empty store under a temporary name, syncs it, renames it to path,
// and writes the sentinel. If interrupted, it leaves nothing, a torn file that the next
// open removes, or a complete store without a sentinel. The caller holds the lock, so
// only one process creates at a time.
func create(path string, opts Options) error {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+newSuffix+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // already renamed on success
	if err := errors.Join(temp.Chmod(fileMode), temp.Close()); err != nil {
		return err
	}
	now := opts.Now().UTC().Round(0)
	info := storeInfo{ID: rand.Text(), Created: now, Schema: opts.Schema, By: opts.Program}
	if err := fill(temp.Name(), info, opts); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return err
	}
	return writeSentinel(path, info)
}

// fill turns the empty file at path into a store.
func fill(path string, info storeInfo, opts Options) error {
	b, err := openBolt(path)
	if err != nil {
		return err
	}
	db := &DB{bolt: b, opts: opts}
	err = db.Update(func(tx *Tx) error {
		if err := createBuckets(tx, ownBuckets()); err != nil {
			return err
		}
		if err := createBuckets(tx, opts.Buckets); err != nil {
			return err
		}
		return infoBucket.Put(tx, infoKey, info)
	})
	return errors.Join(err, b.Sync(), b.Close())
}

func ownBuckets() []string {
	return []string{metaName, feedBucket.name, markBucket.name}
}

func missingBucket(tx *Tx, names []string) bool {
	for _, name := range names {
		if tx.access([]byte(name), "", func(*bolt.Bucket) error { return nil }) != nil {
			return true
		}
	}
	return false
}

func createBuckets(tx *Tx, names []string) error {
	return guard("creating buckets", func() error {
		for _, name := range names {
			if _, err := tx.btx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return fmt.Errorf("creating bucket %s: %w", name, translate(err))
			}
			tx.writes++
		}
		return nil
	})
}

// readSentinel returns nil if there is no sentinel. An unreadable sentinel is an error:
// it proves that a store was here.
func readSentinel(path string) (*storeInfo, error) {
	b, err := os.ReadFile(sentinelPath(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var info storeInfo
	if err := json.Unmarshal(b, &info); err != nil || info.ID == "" {
		return nil, fmt.Errorf("%w: id file %s cannot be read", ErrDamaged, sentinelPath(path))
	}
	return &info, nil
}

func writeSentinel(path string, info storeInfo) error {
	info.Schema, info.By = 0, "" // only the store records its schema
	b, err := json.Marshal(info)
	if err != nil {
		return err
	}
	return writeFile(sentinelPath(path), path+newSuffix+"id", append(b, '\n'))
}

// writeFile replaces the file at path durably, through temp in the same folder.
func writeFile(path, temp string, data []byte) error {
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(fileMode), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return syncDir(filepath.Dir(path))
}

// removeTorn removes the files of interrupted creations, except one.
func removeTorn(path, but string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	start := filepath.Base(path) + newSuffix
	for _, e := range entries {
		if name := e.Name(); len(name) > len(start) && name[:len(start)] == start && name != filepath.Base(but) {
			if err := os.Remove(filepath.Join(filepath.Dir(path), name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeDir creates a folder that only its owner can enter. An existing folder keeps its
// mode: it may be a home directory.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	return os.Chmod(dir, dirMode)
}

// syncDir makes a rename in dir durable. Windows has no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
