package policy_test

import (
	"strings"
	"testing"

	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
)

func BenchmarkExtractShort(b *testing.B) {
	p := policy.New(policy.Default())
	p.Extract("warm up")
	for b.Loop() {
		p.Extract("By the way, my sister Emma lives in Rome and I really like oolong tea.")
	}
}

func BenchmarkExtractShortZH(b *testing.B) {
	p := policy.New(policy.Default())
	p.Extract("我喜欢茶")
	for b.Loop() {
		p.Extract("对了，我姐姐住在北京，我很喜欢喝乌龙茶。")
	}
}

func BenchmarkExtractLong(b *testing.B) {
	p := policy.New(policy.Default())
	for name, text := range longMessages() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.Extract(text)
			}
		})
	}
}

func BenchmarkSecrets(b *testing.B) {
	text := strings.Repeat("We walked along the river, and then I saw that the old bridge was closed.\n", 4000)
	for b.Loop() {
		sensitive.Secrets(text)
	}
}
