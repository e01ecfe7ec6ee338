package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// R3a: text is folded for finding only: NFKC, case, accents, traditional to simplified Chinese.
func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"plain":                 "plain",
		"Python":                "python",
		"Ｐｙｔｈｏｎ　３":              "python 3",
		"ﬁle №5 x²":             "file no5 x2",
		"Café naïve Ångström":   "cafe naive angstrom",
		"Cafe\u0301":            "cafe",
		"Straße STRASSE":        "strasse strasse",
		"Łódź Søren Æsir œuvre": "lodz soren aesir oeuvre",
		"İstanbul ısı":          "istanbul isi",
		"ΣΊΣΥΦΟΣ":               "σισυφοσ",
		"Ёлка":                  "елка",
		"Tiếng Việt":            "tieng viet",
		"繁體中文資料庫":               "繁体中文资料库",
		"臺北 裡面 後來 頭髮 麵條":        "台北 里面 后来 头发 面条",
		"妳睡著了":                  "你睡着了",
		"㍿ ⼈":                   "株式会社 人",
		"don’t ‘x’ e‑mail":      "don't 'x' e-mail",
		"代\u200b码 co\u00adop":   "代码 coop",
		"ｶﾞｷﾞ パ が":              "ガギ パ が",
		"한국어 한국어":               "한국어 한국어",
		"हिन्दी ภาษาไทย": "हिन्दी ภาษาไทย",
		"a\xffb": "a\uFFFDb",
		"👍🏽 ❤️":  "👍🏽 ❤",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// R3a: folding a folded text changes nothing, so stored and queried forms agree.
func TestFoldIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
	})
}

// Each single character folds to something that folds to itself, in the whole of Unicode.
func TestFoldEveryRune(t *testing.T) {
	if testing.Short() {
		t.Log("sampling every 17th rune")
	}
	step := rune(1)
	if testing.Short() {
		step = 17
	}
	for r := rune(0); r <= utf8.MaxRune; r += step {
		if r >= 0x30000 && r < 0xE0000 || r >= 0xF0000 { // unassigned and private planes
			continue
		}
		once := Fold(string(r))
		if twice := Fold(once); twice != once {
			t.Fatalf("U+%04X folds to %q, then to %q", r, once, twice)
		}
	}
}

// Every character of the table folds to one that stays, and is told apart from it only before folding.
func TestSimplifyIsClosed(t *testing.T) {
	changed := 0
	for r := rune(0x3400); r < 0x30000; r++ {
		to := simplify(r)
		if to != r {
			changed++
		}
		if again := simplify(to); again != to {
			t.Errorf("%c folds to %c, which folds to %c", r, to, again)
		}
	}
	if changed < 3000 {
		t.Errorf("%d characters fold, want the whole table of more than 3,000", changed)
	}
}

func FuzzFold(f *testing.F) {
	for _, seed := range []string{"Ｐｙ", "繁體", "e\u0301\u0323", "ᄒ\u200b\u1161\u11ab", "a\xff\xc3", "İı", "\u0338<"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if !utf8.ValidString(once) {
			t.Fatalf("Fold(%q) = %q is not UTF-8", s, once)
		}
		if twice := Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		if strings.ToLower(s) == s || !utf8.ValidString(s) {
			return
		}
		if lower := Fold(strings.ToLower(s)); isASCII(s) && lower != once {
			t.Fatalf("Fold tells %q from its lower case: %q, %q", s, once, lower)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
