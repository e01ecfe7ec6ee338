package instruct_test

import (
	"fmt"
	"testing"

	"memoria/memory"
	"memoria/memory/instruct"
)

func BenchmarkGround(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		var items []memory.Item
		for i := range n {
			items = append(items, memory.Item{
				Type: memory.TypePreference, State: memory.StateActive, Content: fmt.Sprintf("Likes the %d kinds of tea of shop %c.", i, 'a'+rune(i%26)),
			})
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				instruct.Ground("you can drop the thing about my knees", items)
			}
		})
	}
}
