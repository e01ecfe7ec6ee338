package policy

import "strings"

func sentenceTitle(raw string) string {
	return strings.TrimSuffix(sentenceCase(raw), ".")
}
