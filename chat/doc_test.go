package chat_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The map of the files in doc.go is complete and names no file that is gone.
func TestFileMap(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, files, _ := strings.Cut(string(doc), "// # Files")
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+\.go) `).FindAllStringSubmatch(files, -1) {
		listed = append(listed, m[1])
	}
	have, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	have = slices.DeleteFunc(have, func(f string) bool { return f == "doc.go" || strings.HasSuffix(f, "_test.go") })
	slices.Sort(listed)
	if diff := cmp.Diff(have, listed); diff != "" {
		t.Errorf("files and map (-files +map):\n%s", diff)
	}
}
