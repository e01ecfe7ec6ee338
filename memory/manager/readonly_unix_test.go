//go:build unix

package manager_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

func init() { children["__readonly"] = readonlyChild }

// readonlyChild uses a memory in a folder that it may not write.
func readonlyChild(dir string) error {
	ctx := context.Background()
	m, err := openReal(dir)
	if err != nil {
		return err
	}
	page, err := m.Lookup().Items(ctx, luna, lookup.ItemFilter{})
	if err != nil || len(page.Items) != 1 {
		return fmt.Errorf("%d items, %w", len(page.Items), err)
	}
	found, err := m.Recall().Retrieve(ctx, luna, recall.Query{Text: "cello"})
	if err != nil || len(found.Chosen) != 1 {
		return fmt.Errorf("recalled %d, %w", len(found.Chosen), err)
	}
	if all, _, err := m.Lookup().Sessions(ctx, luna, 0, 0); err != nil || len(all) != 1 {
		return fmt.Errorf("%d sessions, %w", len(all), err)
	}
	if t := m.Vault().Trouble(); t == nil || t.Kind != vault.TroubleReadOnly {
		return fmt.Errorf("trouble %+v", t)
	}
	if _, err := m.Learning().AddItem(ctx, luna, memory.Item{Content: "Sold a viola"}); !errors.Is(err, vault.ErrUnwritable) {
		return fmt.Errorf("writing: %w", err)
	}
	if report, err := vault.Check(ctx, dir); err != nil || report.Repair {
		return fmt.Errorf("%+v, %w", report, err)
	}
	return m.Close()
}

// K7: a data folder that cannot be written can be read, and is as it was afterwards.
func TestReadOnlyFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "data")
	m := openAt(t, dir, newClock(), nil)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
	say(t, m, luna, "", "Hello there")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	before := must(os.ReadFile(filepath.Join(dir, "memoria.db")))(t)
	call := exec.Command(os.Args[0], "__readonly", dir)
	if os.Geteuid() == 0 { // whom no mode keeps from writing: somebody else tries
		call.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		call.Path = filepath.Join(root, "test")
		copyProgram(t, call.Path)
		for path := root; path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
			chmod(t, path, 0o755)
		}
	}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			defer chmod(t, path, 0o555)
			t.Cleanup(func() { chmod(t, path, 0o755) })
		} else if err == nil {
			chmod(t, path, 0o444)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := call.CombinedOutput(); errors.Is(err, os.ErrPermission) {
		t.Skip("nobody else can be asked to try")
	} else if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if after := must(os.ReadFile(filepath.Join(dir, "memoria.db")))(t); string(after) != string(before) {
		t.Error("it was written")
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Error(err)
	}
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	src := must(os.Open(os.Args[0]))(t)
	defer src.Close()
	dst := must(os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755))(t)
	_, err := io.Copy(dst, src)
	if err := errors.Join(err, dst.Close()); err != nil {
		t.Fatal(err)
	}
}
