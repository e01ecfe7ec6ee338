package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// I6: what a tool is for is told to a model by a file under prompts/, not by code.
func TestNoDescriptionInCode(t *testing.T) {
	inCode := regexp.MustCompile(`Description:\s*"[^"]`)
	for _, room := range []string{"chat", "memory", "prompts", "ui/mcp"} {
		err := filepath.WalkDir(room, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			b, err := os.ReadFile(path)
			if at := inCode.FindIndex(b); at != nil {
				t.Errorf("%s describes a tool: %s", path, b[at[0]:min(len(b), at[1]+60)])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
