package clean_test

import (
	"strings"
	"testing"
	"unicode"

	"memoria/ui/clean"
	"memoria/ui/clean/oracle"
)

// What stands in front of a border: joined emoji, flags, tones, keycaps and
// selectors, and each piece that the properties are built of.
var beside = append([]string{
	"家庭 👨\u200d👩\u200d👧\u200d👦 在这里", "🏳\ufe0f\u200d🌈 🏴\u200d☠\ufe0f", "👩🏽\u200d💻 👋🏿", "🇨🇳🇩🇪 🇨 x", "1\ufe0f\u20e3 #\ufe0f\u20e3 *\u20e3",
	"❤\ufe0f ❤ ☺\ufe0f ☎\ufe0e ©\ufe0f ™ ℹ\ufe0f", "“引用”—— …… ～ · °C ① Ⅳ", "ｶﾞｷﾞ ﾊﾟ", "한\u1112\u1161\u11ab \u1160\u11a8", "Ελ мир עברית العربية",
	"ｆｕｌｌ　ｗｉｄｔｈ", "█▓▒░ ⠋⠙ ■□▲△●○★☆", "𝒜𝔘𝟘 ½ ² ₂", "e\u0301a\u0308\u0323o", "𠮷野家 㐂 豈", "✅❌⚠⭐⏰ 🚀🔥✨",
}, nasty...)

// The border stays where it was counted, in a terminal that counts code points.
func TestBordersStandInATerminal(t *testing.T) {
	var rows []string
	row := func(s string) {
		s = clean.Truncate(clean.Line(s), 40, "…")
		rows = append(rows, s+strings.Repeat(" ", 40-clean.Width(s))+"│ 面板 panel")
	}
	for i, s := range beside {
		row(s)
		row("中" + s + beside[(i*7+3)%len(beside)] + s)
		for _, wrapped := range clean.Wrap(clean.Line(s+"，混排 mixed text "+s+"。"), 12) {
			row(wrapped)
		}
	}
	oracle.Straight(t, clean.Width, rows)
}

// Every character of the blocks that people write in here, alone.
func TestCharactersAreAsWideAsInATerminal(t *testing.T) {
	var rows []string
	var line strings.Builder
	flush := func() {
		rows = append(rows, line.String())
		line.Reset()
	}
	for _, block := range [][2]rune{
		{0x20, 0x2ff}, {0x370, 0x52f}, {0x2010, 0x206f}, {0x20a0, 0x20bf}, {0x2100, 0x218f}, {0x2190, 0x22ff}, {0x2300, 0x23ff},
		{0x2460, 0x24ff}, {0x2500, 0x262f}, {0x2638, 0x2689}, {0x2690, 0x27bf}, {0x2e80, 0x2fdf}, {0x3000, 0x3247}, {0x3250, 0x33ff},
		{0xac00, 0xac7f}, {0xff00, 0xffef}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6d2}, {0x1f900, 0x1f9ff},
	} {
		for r := block[0]; r <= block[1]; r++ {
			if s := clean.Line(string(r)); s != "" && s != "│" && !unicode.Is(unicode.Mc, r) {
				line.WriteString(s + "│")
			}
			if clean.Width(line.String()) > 180 {
				flush()
			}
		}
		flush()
	}
	oracle.Straight(t, clean.Width, rows)
}
