package sensitive

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed identity.txt
var identityKeys string

// identityKey is a key with the classes that may be stored under it at once.
type identityKey struct {
	key     string
	classes []string
}

var identity = sync.OnceValue(func() (keys []identityKey) {
	for line := range strings.Lines(identityKeys) {
		key, classes, ok := strings.Cut(strings.TrimSpace(line), ":")
		if ok && key[0] != '#' {
			keys = append(keys, identityKey{key, split(classes)})
		}
	}
	return keys
})

// Identity reports whether a memory's key is an identity value that may contain a class: it is stored at once
// (P5b).
func Identity(key, class string) bool {
	for _, k := range identity() {
		begin, open := strings.CutSuffix(k.key, "*")
		if key == k.key || open && strings.HasPrefix(key, begin) {
			return slices.Contains(k.classes, class) || slices.Contains(k.classes, "*")
		}
	}
	return false
}
