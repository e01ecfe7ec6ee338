//go:build unix

package manager_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/vault"
)

func init() { children["__full"] = fullChild }

// A full disk: a limit on the size of files stands in for it, in a process of
// its own. Nothing acknowledged is lost, the indexes go on with what they have,
// and everything works again when there is room.
func TestFullDisk(t *testing.T) {
	cmd := exec.Command(os.Args[0], "__full", t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%v: %s", err, out)
	}
}

func limitFiles(bytes uint64) error {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return err
	}
	l.Cur = bytes
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l)
}

func fullChild(dir string) error {
	signal.Ignore(syscall.SIGXFSZ) // then a write over the limit is an error
	ctx := context.Background()
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	var kept []string
	add := func() error {
		it, err := m.Learning().AddItem(ctx, luna, memory.Item{Content: fmt.Sprintf("Cello number %d %s", len(kept), strings.Repeat("sounds ", 60))})
		if err == nil {
			kept = append(kept, it.ID)
		}
		return err
	}
	if err := errors.Join(add(), m.Recall().Settle(ctx, luna), limitFiles(8192)); err != nil {
		return err
	}
	if err := add(); !errors.Is(err, vault.ErrFull) {
		return fmt.Errorf("on a full disk: %w", err)
	}
	if t := m.Vault().Trouble(); t == nil || t.Kind != vault.TroubleFull {
		return fmt.Errorf("trouble is %+v", t)
	}
	if _, err := m.Vault().Backup(ctx, nil); !errors.Is(err, vault.ErrFull) {
		return fmt.Errorf("a backup on a full disk: %w", err)
	}
	if err := limitFiles(64 << 20); err != nil {
		return err
	}
	for range 50 {
		if err := add(); err != nil {
			return fmt.Errorf("with room again: %w", err)
		}
	}
	if m.Vault().Trouble() != nil {
		return fmt.Errorf("trouble stays %+v", m.Vault().Trouble())
	}
	settled, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := errors.Join(m.Recall().Settle(settled, luna), m.Close()); err != nil {
		return err
	}
	if m, err = openReal(dir); err != nil {
		return err
	}
	for _, id := range kept {
		if _, err := m.Lookup().Item(ctx, luna, id); err != nil {
			return fmt.Errorf("acknowledged and lost: %w", err)
		}
	}
	fmt.Println("ok")
	return m.Close()
}
