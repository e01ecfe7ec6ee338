package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ranked.jsonl")
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{"-ages", "400", "-uses", "-out", out, filepath.Join("..", "testdata", "bilingual")}, &stdout, &stderr)
	if err != nil || stderr.Len() > 0 {
		t.Fatal(err, stderr.String())
	}
	// R3b: both columns, with and without.
	if !strings.HasPrefix(stdout.String(), "bilingual: 44 messages, the first 5 of each") ||
		!strings.Contains(stdout.String(), "equal ages  ages to 400 days and uses") {
		t.Errorf("printed\n%s", &stdout)
	}
	ranked, err := os.ReadFile(out)
	if err != nil || bytes.Count(ranked, []byte("\n")) != 44 || !bytes.HasPrefix(ranked, []byte(`{"conv":"mei","qid":"mei-1","ranked":["`)) {
		t.Errorf("%v, wrote\n%s", err, ranked)
	}
}

func TestRunRefuses(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), nil, &stdout, &stderr); !errors.Is(err, errUsage) || !strings.Contains(stderr.String(), "usage:") {
		t.Errorf("error %v, stderr %q", err, &stderr)
	}
	for _, args := range []string{"-layer attic x", "-ages soon x", "-top 0 x", "-without gravity x", "-nosuch x"} {
		if err := run(t.Context(), strings.Fields(args), &stdout, &stderr); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
	if err := run(t.Context(), []string{t.TempDir()}, &stdout, &stderr); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout %q", &stdout)
	}
}
