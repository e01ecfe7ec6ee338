package eval

import (
	_ "embed"
	"strings"
)

//go:embed testdata/unrelated_en.txt
var unrelatedEnglish string

//go:embed testdata/unrelated_zh.txt
var unrelatedChinese string

// Unrelated returns about a hundred messages in each language, Chinese and English,
// that are unrelated to anybody's memories.
func Unrelated() []string {
	var out []string
	for line := range strings.Lines(unrelatedEnglish + unrelatedChinese) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
