package tomlfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone reports what else lies in a folder: nothing is left behind.
func alone(t *testing.T, path string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(all) != 1 {
		t.Errorf("in the folder lies %v, %v", all, err)
	}
}

func setting(key, value string) func(string) (string, error) {
	return func(text string) (string, error) { return Edit(text, strings.Split(key, "."), value) }
}

// I5: a file that is not there is made for its owner alone, with what stands first.
func TestNewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "deep", "config.toml")
	if err := Change(path, "# head\n", setting("a.k", "")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("taking nothing out made a file", err)
	}
	if err := Change(path, "# head\n", setting("a.k", "1")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "# head\n\n[a]\nk = 1\n" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if st, err := os.Stat(name); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, st.Mode(), err)
		}
	}
	alone(t, path)
}

// I5: a link stays one, and so do the permissions of what it leads to.
func TestLink(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	target, link := filepath.Join(dir, "real.toml"), filepath.Join(home, "config.toml")
	if err := os.Symlink(filepath.Join("..", filepath.Base(dir), "real.toml"), link); err != nil {
		t.Skip(err)
	}
	for _, want := range []string{"k = 1\n", "k = 2\n"} { // at first it leads nowhere
		if err := Change(link, "", setting("k", strings.TrimSpace(want[4:]))); err != nil {
			t.Fatal(err)
		}
		if got := content(t, target); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
			t.Error("the link is none any more", err)
		}
		alone(t, target)
		if err := os.Chmod(target, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if st, err := os.Stat(target); err != nil || st.Mode().Perm() != 0o640 {
		t.Error(st.Mode(), err)
	}
}

// I5: what cannot be written stays as it is, and the error says why.
func TestRefusedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	write(t, path, "k = 1\n")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := Change(path, "", setting("k", "2")); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Change(path, "", func(string) (string, error) { return "", ErrEdit }); !errors.Is(err, ErrEdit) {
		t.Error(err)
	}
	if got := content(t, path); got != "k = 1\n" {
		t.Errorf("%q", got)
	}
	alone(t, path)
	if err := Change(filepath.Dir(path), "", setting("k", "2")); err == nil {
		t.Error("a folder was written")
	}
	big := filepath.Join(t.TempDir(), "big.toml")
	write(t, big, strings.Repeat("# x\n", MaxSize/4+1))
	if err := Change(big, "", setting("k", "2")); err == nil {
		t.Error("a file of more than 1 MB was read")
	}
}

// I5: what somebody else wrote meanwhile is read again and stays.
func TestChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	write(t, path, "k = 1\n")
	seen := 0
	err := Change(path, "", func(text string) (string, error) {
		if seen++; seen == 1 {
			write(t, path, "k = 1\nother = 7\n")
		}
		return Edit(text, []string{"k"}, "2")
	})
	if got := content(t, path); err != nil || got != "k = 2\nother = 7\n" || seen != 2 {
		t.Errorf("%q, seen %d, %v", got, seen, err)
	}
	err = Change(path, "", func(text string) (string, error) {
		seen++
		write(t, path, fmt.Sprintf("k = %d\n", seen))
		return text + "x = 1\n", nil
	})
	if !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if err := Change(path, "", func(text string) (string, error) {
		_ = os.Remove(path)
		return Edit(text, []string{"x"}, "2")
	}); err == nil && content(t, path) != "x = 2\n" {
		t.Errorf("%q", content(t, path))
	}
}

// I5: many changes at once are all there in the end.
func TestManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	write(t, path, "[a]\n")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := Change(path, "", setting(fmt.Sprintf("a.k%d", i), "1")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := strings.Count(content(t, path), "= 1\n"); got != 20 {
		t.Errorf("%d of 20 changes are there", got)
	}
	alone(t, path)
}
