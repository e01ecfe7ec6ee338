package vault_test

import (
	"os"
	"path/filepath"
	"testing"

	"memoria/memory/vault"
)

// D2: a damaged note of pending erasures counts as pending.
func TestErasingIn(t *testing.T) {
	dir := t.TempDir()
	if e := vault.ErasingIn(dir); e.Pending() {
		t.Errorf("without a file: %+v", e)
	}
	path := filepath.Join(dir, "erasing.json")
	for content, pending := range map[string]bool{
		`{"finished":"2026-01-02T03:04:05Z"}`: false,
		`{"since":"2026-01-02T03:04:05Z"}`:    true,
		`{"since":"2026-01-`:                  true,
		"":                                    true,
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if e := vault.ErasingIn(dir); e.Pending() != pending {
			t.Errorf("%q: %+v", content, e)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if e := vault.ErasingIn(dir); !e.Pending() {
		t.Errorf("an unreadable one: %+v", e)
	}
}
