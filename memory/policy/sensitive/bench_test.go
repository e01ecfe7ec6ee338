package sensitive

import (
	"strings"
	"testing"
)

// BenchmarkFindNumbers looks into a long column of numbers.
func BenchmarkFindNumbers(b *testing.B) {
	for name, n := range map[string]int{"16k": 16 << 10, "64k": 64 << 10} {
		text := strings.Repeat("7 ", n/2)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Find(text)
			}
		})
	}
}
