package sensitive

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed identity.txt
var identityKeys string

var identity = sync.OnceValue(func() (keys []string) {
	for line := range strings.Lines(identityKeys) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			keys = append(keys, line)
		}
	}
	return keys
})

// Identity reports whether the key of a memory is that of an identity value: what it says is stored at once, whatever
// class it belongs to (P5b).
func Identity(key string) bool {
	for _, k := range identity() {
		begin, open := strings.CutSuffix(k, "*")
		if key == k || open && strings.HasPrefix(key, begin) {
			return true
		}
	}
	return false
}
