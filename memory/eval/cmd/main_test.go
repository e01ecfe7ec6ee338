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
	err := run(t.Context(), []string{"-out", out, filepath.Join("..", "testdata", "bilingual")}, &stdout, &stderr)
	if err != nil || stderr.Len() > 0 {
		t.Fatal(err, stderr.String())
	}
	if !strings.HasPrefix(stdout.String(), "bilingual: 44 messages") {
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
	if err := run(t.Context(), []string{t.TempDir()}, &stdout, &stderr); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout %q", &stdout)
	}
}
