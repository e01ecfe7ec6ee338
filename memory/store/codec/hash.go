package codec

import (
	"hash/fnv"
	"strings"

	"memoria/index/text"
)

// HashContent returns the 64-bit hash of an item's content for detecting duplicates:
// folded, ignoring white space and final punctuation.
func HashContent(content string) uint64 {
	h := fnv.New64a()
	for _, w := range strings.Fields(text.Fold(content)) {
		_, _ = h.Write([]byte(strings.TrimRight(w, ".!。！")))
		_, _ = h.Write([]byte{' '})
	}
	return h.Sum64()
}
