package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memoria/ui/words"
)

// What the two READMEs link to is there, the commands and topics they name exist, and they have the
// same parts.
func TestReadme(t *testing.T) {
	const root = "../.."
	h := newHome(t)
	parts := map[string]int{}
	for _, name := range []string{"README.md", "README.zh.md"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		for _, m := range regexp.MustCompile(`(?s)\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil && !strings.HasPrefix(m[1], "https://") {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
		for _, must := range []string{"go install .", "go run .", "go test ./..."} {
			if !strings.Contains(text, must) {
				t.Errorf("%s does not name %s", name, must)
			}
		}
		for _, m := range regexp.MustCompile("(?m)(^|`)memoria ([a-z]+(?: [a-z]+)?)(?:`| [^a-z])").FindAllStringSubmatch(text, -1) {
			args := strings.Fields(m[2])
			if args[0] != "help" {
				args = append(args, "--help")
			}
			if code, _, errs := h.run(t, nil, args...); code != ExitDone {
				t.Errorf("%s names memoria %s: %s", name, m[2], errs)
			}
		}
		for _, kind := range []string{"## ", "| ", "```sh", "1. ", "2. ", "5. ", "!["} {
			parts[kind] += map[string]int{"README.md": 1, "README.zh.md": -1}[name] * strings.Count("\n"+text, "\n"+kind)
		}
		for _, one := range regexp.MustCompile("(?s)help forget.*`mcp`").FindAllString(text, -1) {
			for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(one, -1) {
				if _, ok := findTopic(words.Words{}, m[1]); !ok {
					t.Errorf("%s names the topic %s", name, m[1])
				}
			}
		}
	}
	for kind, difference := range parts {
		if difference != 0 {
			t.Errorf("the READMEs differ by %d of %q", difference, kind)
		}
	}
}
