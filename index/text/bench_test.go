package text

import (
	"strings"
	"testing"
)

var (
	benchChinese = strings.Repeat("昨天我们在杭州西湖边聊了很久，决定把部署脚本从旧服务器迁到新的集群，还要给产品经理写一份说明文档。", 200)
	benchEnglish = strings.Repeat("Yesterday we talked for a long time about moving the deployment scripts from the old server to the new cluster, and writing notes. ", 200)
	benchMixed   = strings.Repeat("我喜欢用 Python 写代码，也用 node.js 和 gpt-4.1 做原型，see https://example.com/docs for the details. ", 200)
)

func benchmarkOn(b *testing.B, f func(string)) {
	for _, c := range []struct{ name, text string }{{"zh", benchChinese}, {"en", benchEnglish}, {"mixed", benchMixed}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				f(c.text)
			}
		})
	}
}

func BenchmarkFold(b *testing.B)   { benchmarkOn(b, func(s string) { Fold(s) }) }
func BenchmarkTokens(b *testing.B) { benchmarkOn(b, func(s string) { Tokens(s) }) }
func BenchmarkWords(b *testing.B)  { benchmarkOn(b, func(s string) { Words(s) }) }
func BenchmarkGrams(b *testing.B)  { benchmarkOn(b, func(s string) { Grams(s) }) }

// BenchmarkWalk is the dictionary walk alone.
func BenchmarkWalk(b *testing.B) {
	run := []rune(strings.ReplaceAll(strings.ReplaceAll(benchChinese, "，", ""), "。", ""))
	b.SetBytes(int64(3 * len(run)))
	var ends []int
	for b.Loop() {
		ends = walk(run, ends[:0])
	}
}

// BenchmarkQueryTerms is one message as a person types it.
func BenchmarkQueryTerms(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		QueryTerms("我上次跟你说过的那个 C++ 项目部署在哪里了？ Do you remember where it runs?")
	}
}

func BenchmarkStem(b *testing.B) {
	words := strings.Fields("deployment talking notes servers organization quickly python relational happiness")
	b.ReportAllocs()
	for b.Loop() {
		for _, w := range words {
			stem(w)
		}
	}
}
