package markdown_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/ui/term/markdown"
)

func TestCodes(t *testing.T) {
	long := strings.Repeat("很长的一行 and no end ", 40)
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"none":              {"text `code` here\n\n    indented", nil},
		"two":               {"a\n```go\nx := 1\n\n\ty()\n```\nb\n~~~\nz\n~~~", []string{"x := 1\n\n\ty()", "z"}},
		"long lines":        {"```\n" + long + "\n```", []string{long}},
		"in a list":         {"1. do\n   ```sh\n   pnpm build\n     deep\n   ```\n2. then", []string{"pnpm build\n  deep"}},
		"in a quote":        {"> ```\n> a\n> b\n> ```", []string{"a\nb"}},
		"in a longer fence": {"````md\n```go\nx\n```\n````", []string{"```go\nx\n```"}},
		"not ended":         {"```\nx\ny", []string{"x\ny"}},
		"CRLF":              {"```\r\na\r\nb\r\n```\r\n", []string{"a\nb"}},
		"empty":             {"```\n```", []string{""}},
		"as it was written": {"```\na\u202e\x1b[31m\u200bb\n```", []string{"a\u202e\x1b[31m\u200bb"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, markdown.Codes(tt.in)); diff != "" {
				t.Errorf("Codes(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}
