package lang

import "memoria/index/text"

// Alternates reports whether a Chinese clause asks by saying a verb twice, the second time with 不 or 没: 喝不喝咖啡,
// 喜不喜欢, 吃鱼不吃, 领没领证.
func Alternates(s string) bool {
	runes := []rune(s)
	for i, no := range runes {
		if no != '不' && no != '没' || i == 0 || i+1 >= len(runes) || !text.Han(runes[i+1]) {
			continue
		}
		again := runes[i+1]
		if runes[i-1] == again || i > 1 && i+2 < len(runes) && runes[i-2] == again && runes[i-1] == runes[i+2] {
			return true
		}
		if i+2 < len(runes) { // only at the end: 我吃鱼不吃
			continue
		}
		for j := max(0, i-4); j < i-1; j++ {
			if runes[j] == again {
				return true
			}
		}
	}
	return false
}
