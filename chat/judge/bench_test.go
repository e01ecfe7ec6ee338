package judge

import (
	"strings"
	"testing"
)

// Six messages of 500 characters, and a short one.
func BenchmarkRules(b *testing.B) {
	for name, long := range map[string]string{
		"english": "The loaf stays flat when the dough is underproofed, so let it rise until it has grown by half; my starter needs four hours. ",
		"chinese": "面包发不起来，多半是因为发酵时间不够，可以把面团放在温暖的地方，等它长到两倍大再进烤箱。",
	} {
		r := []rune(strings.Repeat(long, 20))[:500]
		var before []Message
		for range 6 {
			before = append(before, Message{Text: string(r)})
		}
		now := Message{Text: "How warm should the oven be? 烤箱要多少度？"}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Rules(before, now)
			}
		})
	}
}
