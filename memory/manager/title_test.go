package manager

import (
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/memory/manager/write"
)

// S2: a title ends where a sentence, a phrase or a word does, and nothing is
// added to what was said.
func TestTitleOf(t *testing.T) {
	han := strings.Repeat("普洱茶", 40)
	for said, want := range map[string]string{
		"  Hello\tthere \nand more": "Hello there",
		strings.Repeat("x", 80):     strings.Repeat("x", 80),
		strings.Repeat("x", 200):    strings.Repeat("x", 80), // no word ends there
		"I would like to plan a trip to the north of Norway, with the train and without any aeroplanes at all":    "I would like to plan a trip to the north of Norway, with the train and without",
		"Please have a look at version 3.14 of the programme. It does not start any more since yesterday morning": "Please have a look at version 3.14 of the programme.",
		"I would like to plan a trip to the north of Norway (with the train and the ferries), or else to Osaka":   "I would like to plan a trip to the north of Norway (with the train and the",
		strings.Repeat("今天我想聊一聊晚上喝什么茶比较好", 3) + "。" + strings.Repeat("明天再说咖啡", 10):                                strings.Repeat("今天我想聊一聊晚上喝什么茶比较好", 3) + "。",
		strings.Repeat("今天我想聊一聊晚上喝什么茶比较好", 4) + "，" + strings.Repeat("明天再说咖啡", 10):                                strings.Repeat("今天我想聊一聊晚上喝什么茶比较好", 4),
		han: strings.Repeat("普洱茶", 26), // 78 characters: no word of the dictionary is cut
	} {
		if got := write.TitleOf(said); got != want {
			t.Errorf("%.40s…\n got %q\nwant %q", said, got, want)
		}
	}
}

func FuzzTitleOf(f *testing.F) {
	f.Add("Hello. There is a (long) line, which goes on and on and on, until nobody reads it any more at all.")
	f.Add(strings.Repeat("今天，喝茶。", 30))
	f.Fuzz(func(t *testing.T, said string) {
		if !utf8.ValidString(said) {
			t.Skip("a message is UTF-8")
		}
		got := write.TitleOf(said)
		line := strings.Join(strings.Fields(strings.SplitN(strings.TrimSpace(said), "\n", 2)[0]), " ")
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > write.MaxTitle || !strings.HasPrefix(line, got) {
			t.Errorf("%q of %q", got, said)
		}
	})
}
