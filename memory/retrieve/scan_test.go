package retrieve

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var scanWords = strings.Fields(`deploy deployed deploying went go gone tea team steak teas e-mail email emails 1,000 1000 kiln kilns Pyth*
	python C++ c possibility possible die dying sky skies 普洱茶 普洱 茶 写代码 代码* 机器学习 学习 王小明 陶艺课 ｐｙｔｈｏｎ naïve john's John don't
	https://go.dev/kiln ~/kiln.txt 2026-01-28 2026/01/28 the a 我 的 and/or hope hoping cat concatenate`)

// R4: the quick way through many texts says what the slow way says.
func TestScanIsShare(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom(scanWords), 0, 6)
	gaps := rapid.SampledFrom([]string{" ", "", "\n", ", ", "\u3000", "-"})
	rapid.Check(t, func(t *rapid.T) {
		query := strings.Join(words.Draw(t, "query"), " ")
		said := strings.Join(words.Draw(t, "said"), gaps.Draw(t, "gap"))
		q := Analyse(query, "")
		if got, want := NewScan(q).Keyword(said), Share(q, said).Keyword; got != want {
			t.Fatalf("%q in %q: %v, want %v", query, said, got, want)
		}
	})
}

func FuzzScan(f *testing.F) {
	f.Add("went e-mail 写代码", "I go, with 代码 and email")
	f.Fuzz(func(t *testing.T, query, said string) {
		q := Analyse(query, "")
		if got, want := NewScan(q).Keyword(said), Share(q, said).Keyword; got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	said := "Message 7 of 9: " + strings.Repeat("parcels on shelves 包裹 ", 12)
	for name, query := range map[string]string{"everywhere": "shelves", "nowhere": "zeppelin", "short": "tea"} {
		s := NewScan(Analyse(query, ""))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.Keyword(said)
			}
		})
	}
	b.Run("Share", func(b *testing.B) {
		q := Analyse("shelves", "")
		for b.Loop() {
			Share(q, said)
		}
	})
}
