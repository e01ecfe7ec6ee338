package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"memoria/chat"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/config"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(parent)
		os.Exit(code)
	}))
}

const agent = "memoria"

var present = time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC)

// languages are those of the histories.
var languages = []config.Language{config.LanguageEnglish, config.LanguageChinese}

// parent holds the folders that the tests share.
var parent = filepath.Join(os.TempDir(), "memoria-test-of-the-demo-"+strconv.Itoa(os.Getpid()))

// played are folders with the histories as of the present, which tests read.
var played = sync.OnceValues(func() (dirs map[config.Language]string, err error) {
	dirs = map[config.Language]string{}
	for _, l := range languages {
		dirs[l] = filepath.Join(parent, string(l))
		if err := os.MkdirAll(dirs[l], 0o700); err != nil {
			return nil, err
		}
		if err := Fill(context.Background(), Options{Dir: dirs[l], Language: l, Agent: chat.Agent{ID: agent}, Now: present}); err != nil {
			return nil, fmt.Errorf("%s: %w", l, err)
		}
	}
	return dirs, nil
})

// open opens a folder that Fill filled, at that moment.
func open(t *testing.T, dir string, now time.Time) *manager.Manager {
	t.Helper()
	m, err := manager.Open(t.Context(), manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// both runs a test on each history.
func both(t *testing.T, f func(*testing.T, config.Language, *manager.Manager)) {
	t.Helper()
	dirs, err := played()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range languages {
		t.Run(string(l), func(t *testing.T) { f(t, l, open(t, dirs[l], present)) })
	}
}
