package recall

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"memoria/memory"
)

// dayWords matches the words for a day with the date that the memory put behind them: 明天上午（2026年3月3日）, 下周三（2026年3月4日）.
var dayWords = regexp.MustCompile(
	`(?:(?:下下|下|这|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|今天|明天|后天|大后天|(?:明年|今年|下个?月)?(?:\d{1,2}月)?\d{1,2}[号日])的?` +
		`(早上|上午|中午|下午|傍晚|晚上|早|晚)?（(\d{4})年(\d{1,2})月(\d{1,2})日）`)

// planWords is a plan's content without the words for the day that stands before it.
func planWords(it memory.Item, loc *time.Location) string {
	last := it.ValidTo.Add(-time.Nanosecond).In(loc)
	m := dayWords.FindStringSubmatchIndex(it.Content)
	if m == nil {
		return it.Content
	}
	part := func(n int) string { return it.Content[m[2*n]:m[2*n+1]] }
	if fmt.Sprintf("%s-%s-%s", part(2), part(3), part(4)) != strconv.Itoa(last.Year())+last.Format("-1-2") {
		return it.Content
	}
	hour := ""
	if m[2] >= 0 {
		hour = part(1)
	}
	return it.Content[:m[0]] + hour + it.Content[m[1]:]
}
