package rest

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func mustURL(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.ParseRequestURI(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func noNotice(t *testing.T) func(string, ...any) {
	return func(format string, args ...any) {
		t.Helper()
		t.Errorf("a notice: "+format, args...)
	}
}

// D4: the token is made once, by whoever is first, and only its owner can read it.
func TestToken(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			got, err := Token(dir, noNotice(t))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[got] = true
		})
	}
	all.Wait()
	if len(seen) != 1 {
		t.Fatalf("%d tokens", len(seen))
	}
	for got := range seen {
		if len(got) < 43 {
			t.Errorf("the token has %d characters", len(got))
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	info, err := os.Stat(filepath.Join(dir, TokenFile))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// D4: a token that other users could read is replaced, and the user is told.
func TestTokenOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	for _, mode := range []fs.FileMode{0o604, 0o640, 0o660, 0o602} {
		dir := t.TempDir()
		name := filepath.Join(dir, TokenFile)
		old := strings.Repeat("a", 43)
		if err := os.WriteFile(name, []byte(old), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		told := 0
		got, err := Token(dir, func(string, ...any) { told++ })
		info, _ := os.Stat(name)
		if err != nil || got == old || told != 1 || info.Mode().Perm() != 0o600 {
			t.Errorf("%o: %q, told %d times, now %v: %v", mode, got, told, info.Mode(), err)
		}
		if again, err := Token(dir, noNotice(t)); err != nil || again != got {
			t.Errorf("again %q, %v", again, err)
		}
	}
}

func TestTokenUnusable(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "blank": "\n\n", "short": "abc", "spaces": strings.Repeat("a b", 30), "long": strings.Repeat("a", maxToken+1),
		"binary": strings.Repeat("\x00", 43),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, TokenFile), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Token(dir, noNotice(t)); !errors.Is(err, ErrToken) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, TokenFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Token(dir, noNotice(t)); !errors.Is(err, ErrToken) {
		t.Errorf("a folder: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	dir = t.TempDir()
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte(strings.Repeat("a", 43)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, TokenFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := Token(dir, noNotice(t)); !errors.Is(err, ErrToken) {
		t.Errorf("a link: %v", err)
	}
}
