//go:build unix

package kv_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"memoria/kv"
)

func init() {
	children["umask"] = umaskChild
	children["full"] = fullChild
}

func runChild(t *testing.T, name, path string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+name, childEnv+"_PATH="+path)
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%s: %v %s", name, err, out)
	}
}

// D4: all files are readable by their owner alone, also when nothing else
// would see to it.
func TestModesUnderUmaskZero(t *testing.T) {
	path := storePath(t)
	runChild(t, "umask", path)
	wantModes(t, filepath.Dir(path))
	if got := len(files(t, filepath.Dir(path))); got != 4 {
		t.Errorf("%d files, want store, sentinel, lock and backup", got)
	}
}

func umaskChild(path string) error {
	syscall.Umask(0)
	db, err := kv.Open(killOptions(path))
	if err != nil {
		return err
	}
	if err := errors.Join(db.Backup(context.Background(), path+".bak", nil), db.Close()); err != nil {
		return err
	}
	_, err = fmt.Println("ok")
	return err
}

// A disk that takes no more is a clean error, everything acknowledged stays
// readable, and when there is room again the store goes on.
func TestFullDisk(t *testing.T) { runChild(t, "full", storePath(t)) }

func fullChild(path string) error {
	signal.Ignore(syscall.SIGXFSZ) // then a write over the limit is an error
	db, err := kv.Open(killOptions(path))
	if err != nil {
		return err
	}
	put := func(n uint64) error {
		return db.Update(func(tx *kv.Tx) error {
			return killed.Put(tx, kv.Key(n), bytes.Repeat([]byte{byte(n)}, 100_000))
		})
	}
	written := uint64(0)
	// First growing fails, as the limit is the file's size; then writing pages
	// that are there, as only the meta pages are below the limit.
	for _, limit := range []uint64{2 << 20, 8192} {
		err = nil
		if err := limitFiles(limit); err != nil {
			return err
		}
		for n := written + 1; err == nil; n++ {
			if err = put(n); err == nil {
				written = n
			}
			if n > 1000 {
				return errors.New("the disk is never full")
			}
		}
		if !errors.Is(err, kv.ErrFull) {
			return fmt.Errorf("at %d bytes: %w", limit, err)
		}
		if err := wantWritten(db, written); err != nil {
			return err
		}
		if err := limitFiles(64 << 20); err != nil {
			return err
		}
		for range 5 {
			written++
			if err := put(written); err != nil {
				return fmt.Errorf("with room again: %w", err)
			}
		}
		if err := errors.Join(wantWritten(db, written), db.Check(context.Background(), nil)); err != nil {
			return err
		}
	}
	if err := db.Close(); err != nil {
		return err
	}
	_, err = fmt.Println("ok")
	return err
}

func limitFiles(bytes uint64) error {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return err
	}
	l.Cur = bytes
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l)
}

func wantWritten(db *kv.DB, n uint64) error {
	return db.View(func(tx *kv.Tx) error {
		for i := uint64(1); i <= n; i++ {
			v, err := killed.Get(tx, kv.Key(i))
			if err != nil || !bytes.Equal(v, bytes.Repeat([]byte{byte(i)}, 100_000)) {
				return fmt.Errorf("record %d of %d: %w", i, n, err)
			}
		}
		count, err := killed.Count(tx, nil)
		if count != int(n) {
			return fmt.Errorf("%d records, want %d", count, n)
		}
		return err
	})
}
