package demo

import (
	"context"
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
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(parent)
		os.Exit(code)
	}))
}

const agent = "memoria"

var present = time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC)

// parent holds the folder that the tests share.
var parent = filepath.Join(os.TempDir(), "memoria-test-of-the-demo-"+strconv.Itoa(os.Getpid()))

// played is a folder with the history as of the present, which tests read.
var played = sync.OnceValues(func() (string, error) {
	return parent, Fill(context.Background(), Options{Dir: parent, Agent: chat.Agent{ID: agent}, Now: present})
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

// memoryOf opens the shared folder.
func memoryOf(t *testing.T) *manager.Manager {
	t.Helper()
	dir, err := played()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir, present)
}
