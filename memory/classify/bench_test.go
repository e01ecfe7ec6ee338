package classify_test

import (
	"os"
	"testing"

	"memoria/memory/classify"
)

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("../policy/data/messages.txt")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := classify.Parse(string(text), nil); err != nil {
			b.Fatal(err)
		}
	}
}
