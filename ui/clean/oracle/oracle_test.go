package oracle

import (
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/ui/clean"
)

func TestFaults(t *testing.T) {
	tests := []struct {
		name, in string
		least    Level // the lowest level that lets it pass
	}{
		{"text", "plain 文字 한국어 é 👍 🇨🇳 می\u200cخواهم\n\ttab", Plain},
		{"private use and rare Chinese", "\ue0b0 \U00020000 \uf8ff", Plain},
		{"colour", "\x1b[1;38;5;8mred\x1b[m \x1b[4:3mcurl\x1b[0m", Styled},
		{"cursor", "\x1b[H\x1b[2J\x1b[12;3Hx\x1b[K\x1b[5C\b\r\n", Screen},
		{"modes", "\x1b[?25l\x1b[?1049h\x1b[?2026$p\x1b[?2004l\x1b[?1000;1006h\x1b[>4;2m\x1b[=1;1u\x1b[>q\x1b[2 q", Screen},
		{"title", "\x1b]2;memoria · luna\x07", Screen},
		{"clipboard", "\x1b]52;c;aGVsbG8=\x07", Screen},
		{"a colour is asked for", "\x1b]11;?\x07", Screen},
		{"after the cursor moved", "\x1b[3G\u0301", Screen},
		{"family", "👨\u200d👩\u200d👧\u200d👦", Plain}, {"tones", "👩🏽\u200d💻 👍🏽", Plain}, {"selectors", "❤\ufe0f\u200d🔥🏴\u200d☠\ufe0f", Plain},

		{"hidden colour", "\x1b[8mx", none}, {"title with a control", "\x1b]2;a\x9bb\x07", none},
		{"title with a bidi mark", "\x1b]2;a\u202eb\x1b\\", none}, {"title that does not end", "\x1b]0;abc", none},
		{"clipboard is asked for", "\x1b]52;c;?\x07", none}, {"link", "\x1b]8;;https://x.example\x1b\\x", none},
		{"colour is set", "\x1b]11;#fff\x07", none}, {"notification", "\x1b]9;hi\x07", none}, {"folder", "\x1b]7;file:///\x07", none},
		{"DCS", "\x1bPq#0\x1b\\", none}, {"APC", "\x1b_Gx\x1b\\", none}, {"PM", "\x1b^x\x1b\\", none}, {"SOS", "\x1bXx\x1b\\", none},
		{"reset", "\x1bc", none}, {"charset", "\x1b(0", none}, {"lone ESC", "x\x1b", none}, {"print mode", "\x1b[5i", none},
		{"device status", "\x1b[6n", none}, {"window", "\x1b[8;1;1t", none}, {"foreign mode", "\x1b[?3h", none}, {"insert mode", "\x1b[4h", none},
		{"C1", "\u009b31m", none}, {"raw C1", "\x9b31m", none}, {"BEL", "\a", none}, {"NUL", "\x00", none}, {"DEL", "\x7f", none},
		{"form feed", "\f", none}, {"bidi", "a\u202eb", none}, {"isolate", "\u2066x\u2069", none}, {"zero width", "a\u200bb", none},
		{"order mark", "\ufeffx", none}, {"tag", "a\U000e0041", none}, {"selector", "❤\ufe0f", none}, {"rare selector", "a\U000e0101", none},
		{"joiner in English", "a\u200cb", none}, {"joiner in Chinese", "中\u200d文", none}, {"joiner after a mark", "e\u0301\u200db", none},
		{"joiner after an emoji", "👨\u200da", none}, {"joiner before an emoji", "a\u200d👩", none}, {"two joiners", "👨\u200d\u200d👩", none},
		{"check mark joined to a cross", "✅\u200d❌", none}, {"flags joined", "🏳\ufe0f\u200d🏴", none}, {"a cross joined to a man", "👨\u200d❌", none},
		{"joiner at the end", "👨\u200d", none}, {"skin tone of a letter", "a🏽", none}, {"two skin tones", "👍🏽🏽", none},
		{"too many joiners", strings.Repeat("👨\u200d", 4) + "👩", none}, {"selector in a joined emoji alone", "❤\ufe0f\u200da", none},
		{"filler", "\u3164", none}, {"soft hyphen", "a\u00adb", none},
		{"line separator", "a\u2028b", none}, {"half a character", "a\xe4\xb8", none}, {"not assigned", "\u0378", none},
		{"stacked marks", "a" + strings.Repeat("\u0301", 7), none}, {"mark on nothing", "\u0301", none}, {"mark on a space", "a \u0301", none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for l := Plain; l <= Screen; l++ {
				faults := Faults(l, tt.in)
				if ok := len(faults) == 0; ok != (l >= tt.least) {
					t.Errorf("level %d of %+q: %v", l, tt.in, faults)
				}
			}
		})
	}
}

const none = Screen + 1

// A fault is told where it is, and the reader goes on behind it.
func TestFaultsGoOn(t *testing.T) {
	got := Faults(Plain, "ab\x1b]0;t\x07c\x07")
	if len(got) != 2 || got[0].Offset != 2 || got[1].Offset != 9 {
		t.Fatalf("faults %v", got)
	}
}

// Whatever comes, the reader ends and never moves past the input, and what it
// lets pass as plain has no byte that commands a terminal.
func FuzzFaults(f *testing.F) {
	for _, s := range []string{"a", "\x1b[31mx", "\x1b]0;t\x07", "\x1bP", "\x1b[", "é\u0301", "\xff", "\x1b(0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for l := Plain; l <= Screen; l++ {
			for _, fault := range Faults(l, in) {
				if fault.Offset < 0 || fault.Offset >= len(in) || fault.What == "" {
					t.Fatalf("fault %v in %d bytes", fault, len(in))
				}
			}
		}
		if len(Faults(Plain, in)) == 0 && (!utf8.ValidString(in) || strings.ContainsAny(in, "\x1b\a\b\r\x00\x7f\u009b\u202e\u200b")) {
			t.Fatalf("%+q passes", in)
		}
	})
}

// A border that is off by one is found, one that stands right is not.
func TestStraight(t *testing.T) {
	rows := []string{"ab│", "文字│\x1b[31mx\x1b[m│", "🇨🇳│", "no border"}
	Straight(t, clean.Width, rows)
	spy := &spy{TB: t}
	Straight(spy, func(s string) int { return len(s) }, rows)
	if spy.errors != 2 {
		t.Errorf("%d rows found crooked, want 2", spy.errors)
	}
}

// spy counts errors instead of failing.
type spy struct {
	testing.TB
	errors int
}

func (s *spy) Errorf(string, ...any) { s.errors++ }
