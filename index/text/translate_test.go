package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// R13: words and phrases are found in any form and segmentation, the longest first.
func TestTranslate(t *testing.T) {
	tests := []struct {
		text string
		want []string // the words found, and one translation of each
	}{
		{"My cats swam", []string{"cats 猫", "swam 游泳"}},
		{"I'm allergic to nuts.", []string{"allergic 过敏", "nuts 坚果"}},
		{"my guinea pigs and the pig", []string{"guinea pigs 豚鼠", "pig 猪"}},
		{"a left-handed and a left handed one", []string{"left-handed 左撇子", "left handed 左撇子"}},
		{"Mother's Day", []string{"Mother's Day 母亲节"}},
		{"high. School", []string{"School 学校"}},
		{"我养了一只小猫，对花生酱过敏", []string{"小猫 cat", "花生酱 peanut butter", "过敏 allergic"}},
		{"她是我的高中同學", []string{"高中 high school", "同學 classmate"}},
		{"大学生活", []string{"大学 university"}},
		{"馬上記住", nil},
		{"在波恩用 laptop 学德语", []string{"波恩 bonn", "laptop 笔记本", "学 study", "德语 german"}},
		{"", nil},
	}
	for _, tt := range tests {
		var got []string
		for i, x := range Translate(tt.text) {
			if len(x.Words) == 0 || i >= len(tt.want) {
				t.Fatalf("%s: found %q as %q", tt.text, tt.text[x.Start:x.End], x.Words)
			}
			_, want, _ := strings.Cut(tt.want[i], " ")
			found := tt.text[x.Start:x.End]
			for _, w := range x.Words {
				if strings.HasSuffix(tt.want[i], " "+w) {
					want = w
				}
			}
			got = append(got, found+" "+want)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.text, diff)
		}
	}
}

// R13, P4: a word that only stands for others in a search does not name the same thing.
func TestTranslateSame(t *testing.T) {
	for text, want := range map[string]bool{"sister": false, "姐姐": true, "older sister": true, "cat": true, "猫咪": true} {
		found := Translate(text)
		if len(found) != 1 || (len(found[0].Same()) > 0) != want {
			t.Errorf("%s: %+v, want same things: %v", text, found, want)
		}
	}
	if got := Translate("姐姐")[0]; slices.Contains(got.Same(), "sister") || !slices.Contains(got.Words, "sister") {
		t.Errorf("姐姐: %+v, want sister among the words and not among the same", got)
	}
}

func TestTranslations(t *testing.T) {
	for word, want := range map[string][]string{
		"peanuts": {"花生"}, "花生": {"peanut"}, "Credit Card": {"信用卡"}, "a credit card": nil, "xyzzy": nil, "": nil,
	} {
		if diff := cmp.Diff(want, Translations(word)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", word, diff)
		}
	}
}

// tableLine is a line of the table as a person reads it.
type tableLine struct {
	line             string
	english, chinese []string
}

func readTable(t *testing.T) (lines []tableLine) {
	t.Helper()
	for line := range strings.Lines(translationTable) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		at := strings.IndexAny(line, "=~")
		if at < 0 {
			t.Errorf("no = or ~ in %q", line)
			continue
		}
		lines = append(lines, tableLine{line, strings.Split(line[:at], ","), strings.Split(line[at+1:], ",")})
	}
	return lines
}

// R13: every line of the table can be used as it is.
func TestTranslationTableFormat(t *testing.T) {
	seen := map[string]bool{}
	pairs := 0
	for _, l := range readTable(t) {
		if seen[l.line] {
			t.Errorf("twice: %s", l.line)
		}
		seen[l.line] = true
		pairs += len(l.english) * len(l.chinese)
		for i, side := range [][]string{l.english, l.chinese} {
			is := []func(string) bool{isEnglish, isChinese}[i]
			for n, w := range side {
				w = strings.TrimSpace(w)
				if w == "" || !is(w) || slices.ContainsFunc(side[:n], func(x string) bool { return strings.TrimSpace(x) == w }) {
					t.Errorf("%q cannot be used in: %s", w, l.line)
				}
				if got := Fold(w); got != strings.ToLower(w) {
					t.Errorf("%q is found as %q in: %s", w, got, l.line)
				}
				if IsStop(w) && !strings.Contains(w, " ") {
					t.Errorf("%q is a stop word in: %s", w, l.line)
				}
			}
		}
	}
	if pairs < 600 {
		t.Errorf("%d pairs, want 600", pairs)
	}
}

// R13: whatever a word leads to leads back to it.
func TestTranslationTableIsSymmetric(t *testing.T) {
	d := translations()
	leads := func(from, to string) bool {
		found := d.translate(from)
		return len(found) == 1 && slices.Contains(found[0].Words, Fold(to))
	}
	for _, l := range readTable(t) {
		for _, e := range l.english {
			for _, c := range l.chinese {
				if e, c = strings.TrimSpace(e), strings.TrimSpace(c); !leads(e, c) || !leads(c, e) {
					t.Errorf("%q and %q do not lead to each other: %s", e, c, l.line)
				}
			}
		}
	}
}

// R13: words whose other sense is common are not in the table, or not with that sense.
func TestTranslationTableLeavesOutAmbiguousWords(t *testing.T) {
	for _, word := range strings.Fields("may will can call right place time kind order 花 打 会 点 面 派 家") {
		if got := Translations(word); got != nil {
			t.Errorf("%s means %q", word, got)
		}
	}
	for word, other := range map[string]string{"like": "像", "book": "预订", "watch": "看", "present": "现在", "leaves": "离开", "back": "后"} {
		if slices.Contains(Translations(word), other) {
			t.Errorf("%s means %s", word, other)
		}
	}
}

// A person's mistake costs the line that it is in.
func TestReadDictionaryLeavesOutMistakes(t *testing.T) {
	d := readDictionary("no sign\n= 猫\ncat =\n猫 = cat\ncat = kitten\n# dog = 狗\ndog,, = ,狗,x狗,")
	if found := d.translate("cat 猫 dog 狗"); len(found) != 2 || found[0].Words[0] != "狗" || found[1].Words[0] != "dog" {
		t.Errorf("got %+v", found)
	}
}

func FuzzReadDictionary(f *testing.F) {
	f.Add("cat, kitten = 猫, 小猫\nsister ~ 姐姐", "my cats 和小猫")
	f.Add("left-handed = 左撇子\nhigh school = 高中", "left handed high-school 高中生")
	f.Add("É = 猫\n' = 狗\n=~#", "É' \xff ½ ㍿ İ")
	f.Fuzz(func(t *testing.T, table, s string) {
		d := readDictionary(table)
		end := 0
		for _, x := range d.translate(s) {
			if x.Start < end || x.End <= x.Start || x.End > len(s) || len(x.Words) == 0 {
				t.Fatalf("%+v after %d in %q", x, end, s)
			}
			end = x.End
		}
	})
}

func BenchmarkReadDictionary(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		readDictionary(translationTable)
	}
}

func BenchmarkTranslate(b *testing.B) {
	for name, s := range map[string]string{
		"en": "What is the name of my guinea pig, and when did we adopt her from the shelter?",
		"zh": "我高中的时候在北京住过，养了一只小猫和两只豚鼠，对花生酱过敏",
	} {
		b.Run(name, func(b *testing.B) {
			Translate(s)
			b.ReportAllocs()
			for b.Loop() {
				Translate(s)
			}
		})
	}
}
