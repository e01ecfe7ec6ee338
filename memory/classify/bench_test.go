package classify_test

import (
	"os"
	"testing"

	"memoria/memory/classify"
)

// BenchmarkFirst measures a model from its text to the class of a first message.
func BenchmarkFirst(b *testing.B) {
	text, err := os.ReadFile("../policy/data/messages.txt")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m, err := classify.Parse(string(text), nil)
		if err != nil {
			b.Fatal(err)
		}
		m.Probabilities("My sister Anna moved to Oslo in May, and 我也想去看看她.")
	}
}
